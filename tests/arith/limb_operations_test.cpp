// A million operations of each kind at each of six precisions, compared with MPFR, in four parts.

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "tests/arith/limb_float_reference.hpp"

namespace assay {
namespace {

template <class Length>
class LimbOperations : public testing::Test {};

using Lengths =
    testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 4>, std::integral_constant<int, 8>,
                   std::integral_constant<int, 16>, std::integral_constant<int, 32>, std::integral_constant<int, 64>>;
TYPED_TEST_SUITE(LimbOperations, Lengths);

/// 250 000 operations of each kind.
template <int L>
void expect_the_bits_of_mpfr(std::uint64_t seed) {
  std::string one;
  EXPECT_EQ(reference::differences<L>(250'000, seed, one), 0u) << one;
}

TYPED_TEST(LimbOperations, HaveTheBitsOfMpfrInTheFirstQuarter) { expect_the_bits_of_mpfr<TypeParam::value>(1); }
TYPED_TEST(LimbOperations, HaveTheBitsOfMpfrInTheSecondQuarter) { expect_the_bits_of_mpfr<TypeParam::value>(2); }
TYPED_TEST(LimbOperations, HaveTheBitsOfMpfrInTheThirdQuarter) { expect_the_bits_of_mpfr<TypeParam::value>(3); }
TYPED_TEST(LimbOperations, HaveTheBitsOfMpfrInTheFourthQuarter) { expect_the_bits_of_mpfr<TypeParam::value>(4); }

}  // namespace
}  // namespace assay
