#include "arith/limbs/float_arithmetic.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "tests/arith/limb_float_reference.hpp"

namespace assay::limb {
namespace {

constexpr std::uint32_t top = std::uint32_t{1} << 31;
constexpr std::uint32_t ones = ~std::uint32_t{0};

/// 0.W·2^e of two limbs.
constexpr Float<2> number(std::uint32_t high, std::uint32_t low, std::int32_t exponent, bool minus = false) {
  return {{low, high}, exponent, minus ? 1u : 0u};
}
constexpr bool same(const Float<2>& x, const Float<2>& y) {
  return x.word[0] == y.word[0] && x.word[1] == y.word[1] && x.exponent == y.exponent && x.sign == y.sign;
}
constexpr Float<2> largest = number(ones, ones, most_exponent);
constexpr Float<2> least = number(top, 0, least_exponent);

TEST(LimbFloat, ATieGoesToTheEvenNeighbor) {
  const Float<2> half_unit = number(top, 0, 1 - 64);  // of 1
  EXPECT_TRUE(same(add(one<2>(), half_unit, Rounding::rn), one<2>()));
  EXPECT_TRUE(same(add(number(top, 1, 1), half_unit, Rounding::rn), number(top, 2, 1)));
}

TEST(LimbFloat, AFarAddendCountsInDirectedRounding) {
  const Float<2> far = number(top, 0, least_exponent);
  EXPECT_TRUE(same(add(one<2>(), far, Rounding::ru), number(top, 1, 1)));
  EXPECT_TRUE(same(sub(one<2>(), far, Rounding::rz), number(ones, ones, 0)));
  EXPECT_TRUE(same(sub(one<2>(), far, Rounding::rn), one<2>()));
}

TEST(LimbFloat, ACarryThroughAllLimbsRaisesTheExponent) {
  EXPECT_TRUE(same(add(number(ones, ones, 64), one<2>(), Rounding::rn), number(top, 0, 65)));
}

TEST(LimbFloat, AnExactZeroIsNegativeInRoundingDownAlone) {
  for (const Rounding to : {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz}) {
    EXPECT_TRUE(same(sub(one<2>(), one<2>(), to), zero<2>(to == Rounding::rd)));
    EXPECT_TRUE(same(add(zero<2>(true), zero<2>(true), to), zero<2>(true)));
  }
}

TEST(LimbFloat, OverflowIsInfiniteOrTheLargestNumber) {
  EXPECT_TRUE(same(add(largest, largest, Rounding::rn), infinity<2>()));
  EXPECT_TRUE(same(add(largest, largest, Rounding::rd), largest));
  EXPECT_TRUE(same(mul(negated(largest), largest, Rounding::ru), negated(largest)));
  EXPECT_TRUE(same(mul(negated(largest), largest, Rounding::rd), infinity<2>(true)));
}

TEST(LimbFloat, HalfOfTheLeastNumberIsRoundedToZeroAndMoreToTheLeast) {
  const Float<2> half = number(top, 0, 0);
  EXPECT_TRUE(same(mul(least, half, Rounding::rn), zero<2>()));
  EXPECT_TRUE(same(mul(least, number(top, 1, 0), Rounding::rn), least));
  EXPECT_TRUE(same(mul(least, half, Rounding::ru), least));
  EXPECT_TRUE(same(mul(least, negated(half), Rounding::rz), zero<2>(true)));
}

TEST(LimbFloat, RootsOfZerosKeepTheirSignAndNegativeNumbersHaveNone) {
  EXPECT_TRUE(same(sqrt(zero<2>(true), Rounding::rn), zero<2>(true)));
  EXPECT_TRUE(is_nan(sqrt(negated(one<2>()), Rounding::rn)));
  EXPECT_TRUE(is_nan(sqrt(infinity<2>(true), Rounding::rn)));
  EXPECT_TRUE(same(sqrt(number(top, 0, 3), Rounding::rn), number(top, 0, 2)));  // √4
}

TEST(LimbFloat, OperationsAreConstantExpressions) {
  static_assert(same(div(one<2>(), number(0xC0000000u, 0, 2), Rounding::rn), number(0xAAAAAAAAu, 0xAAAAAAABu, -1)));
  static_assert(same(fma(largest, largest, negated(infinity<2>()), Rounding::rn), infinity<2>(true)));
  static_assert(is_nan(fma(zero<2>(), infinity<2>(), one<2>(), Rounding::rn)));
}

template <class Length>
class LimbFloatOf : public testing::Test {};

using Lengths =
    testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>, std::integral_constant<int, 4>,
                   std::integral_constant<int, 7>, std::integral_constant<int, 16>, std::integral_constant<int, 64>>;
TYPED_TEST_SUITE(LimbFloatOf, Lengths);

TYPED_TEST(LimbFloatOf, EveryOperationHasTheBitsOfMpfr) {
  constexpr int L = TypeParam::value;
  std::string one;
  EXPECT_EQ(reference::differences<L>(L > 16 ? 300 : 3000, 1, one), 0u) << one;
}

}  // namespace
}  // namespace assay::limb
