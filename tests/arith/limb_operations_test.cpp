// A million operations of each kind at each of six precisions, compared with MPFR.

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

TYPED_TEST(LimbOperations, AMillionOfEachKindHaveTheBitsOfMpfr) {
  std::string one;
  EXPECT_EQ(reference::differences<TypeParam::value>(1'000'000, 20261125, one), 0u) << one;
}

}  // namespace
}  // namespace assay
