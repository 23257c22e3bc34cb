#include "arith/residues/mp_number.hpp"

#include "arith/residues/mp_square_root.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace assay {
namespace {

using Eight = rns::Standard<8>;
using Number = mp::Number<Eight>;

/// Four moduli of 16 bits without a guard: M of 64 bits, h = 32.
struct Small {
  static constexpr int n = 4;
  static constexpr int guards = 0;
  static constexpr int size = 4;
  static constexpr std::uint32_t modulus(int i) {
    constexpr std::uint32_t moduli[] = {65521, 65519, 65497, 65479};
    return moduli[i];
  }
};

template <class Set = Eight>
mp::Number<Set> number(double x) {
  return mp::from_double<Set>(x);
}

/// x·2^e.
Number scaled(double x, std::int64_t e) {
  const auto significand = static_cast<std::uint32_t>(std::fabs(x));
  return mp::from_limbs<Eight>(&significand, 1, e, x < 0);
}

/// 2^bits − 1.
Number ones(int bits) {
  std::array<std::uint32_t, 8> limbs{};
  for (int i = 0; i < bits; ++i) limbs[static_cast<std::size_t>(i / 32)] |= std::uint32_t{1} << (i % 32);
  return mp::from_limbs<Eight>(limbs.data(), 8, 0, false);
}

bool is_narrow(const Interval& x) {
  return compare(scale(sub_ru(x.upper, x.lower), 19), x.upper) <= 0 && x.lower.fraction > 0;
}

TEST(MpNumber, ReturnsDoublesUnchanged) {
  for (const double x : {1.0, -0.1, 0x1.fffffffffffffp1023, 0x1p-1074, -0x1.8p-1060, 3e200}) {
    EXPECT_EQ(mp::to_double(number(x)), x);
  }
}

TEST(MpNumber, MakesBothZerosOneZero) {
  const Number z = number(-0.0);
  EXPECT_TRUE(mp::is_zero(z));
  EXPECT_EQ(z.sign, 0);
  EXPECT_EQ(z.exponent, 0);
  EXPECT_FALSE(std::signbit(mp::to_double(z)));
}

TEST(MpNumber, IsOutOfRangeForInfinityAndNaN) {
  EXPECT_TRUE(mp::is_out_of_range(number(std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(mp::is_out_of_range(number(std::numeric_limits<double>::quiet_NaN())));
}

TEST(MpNumber, RoundsDoublesThatAreLongerThanASmallSet) {
  const double x = 0x1.fffffffffffffp0;
  const double kept = mp::to_double(number<Small>(x));
  EXPECT_LT(kept, x);
  EXPECT_GT(kept, x * (1 - 0x1p-30));
}

TEST(MpFromLimbs, ForgetsTheExponentOfZero) {
  const std::uint32_t limbs[] = {0, 0, 0};
  EXPECT_TRUE(mp::is_zero(mp::from_limbs<Eight>(limbs, 3, mp::exponent_limit, true)));
}

TEST(MpFromLimbs, TruncatesLongIntegersToTheBitsOfASignificand) {
  std::array<std::uint32_t, 20> limbs;
  limbs.fill(0xFFFFFFFF);
  const Number x = mp::from_limbs<Eight>(limbs.data(), 20, 0, false);
  EXPECT_LT(x.magnitude.upper.exponent, -mp::significand_bits<Eight>);
  EXPECT_GE(x.exponent, 640 - mp::significand_bits<Eight>);
  EXPECT_LE(x.exponent, 640 - mp::significand_bits<Eight> + 1);
}

TEST(MpFromLimbs, KeepsShortIntegersExactly) {
  const std::uint32_t limbs[] = {5, 0, 0, 0, 0, 0};
  const Number x = mp::from_limbs<Eight>(limbs, 6, -3, true);
  EXPECT_EQ(x.digits.r[0], 5u);
  EXPECT_EQ(x.digits.r[8], 5u);
  EXPECT_EQ(x.exponent, -3);
  EXPECT_EQ(x.sign, 1);
}

TEST(MpAdd, GivesZeroWhereTheSumIsZero) {
  const Number x = ones(100);
  EXPECT_TRUE(mp::is_zero(mp::sub(x, x)));
}

TEST(MpAdd, GivesTheSameDifferenceFromBothSides) {
  const Number x = ones(100);
  const Number y = mp::sub(x, number(1));
  EXPECT_EQ(mp::to_double(mp::sub(x, y)), 1);
  EXPECT_EQ(mp::to_double(mp::sub(y, x)), -1);
}

TEST(MpAdd, EvaluatesTheDifferenceAnewAfterCancellation) {
  EXPECT_TRUE(is_narrow(mp::sub(ones(100), mp::sub(ones(100), number(1))).magnitude));
}

TEST(MpMul, KeepsOneAfterCancellation) {
  const Number difference = mp::sub(ones(100), mp::sub(ones(100), number(1)));
  EXPECT_EQ(mp::to_double(mp::mul(difference, difference)), 1);
}

TEST(MpAdd, DropsAnOperandThatIsFarBelow) {
  const Number x = scaled(1, 10000);
  EXPECT_EQ(mp::compare(mp::add(x, scaled(-1, -10000)), x), 0);
}

TEST(MpAdd, KeepsAnOperandThatFitsBelow) {
  const Number sum = mp::add(scaled(1, 100), number(1));
  EXPECT_EQ(mp::to_double(mp::sub(sum, scaled(1, 100))), 1);
}

TEST(MpAdd, TakesZerosOnBothSides) {
  const Number x = number(0.5);
  EXPECT_EQ(mp::compare(mp::add(x, mp::zero<Eight>()), x), 0);
  EXPECT_EQ(mp::compare(mp::add(mp::zero<Eight>(), x), x), 0);
}

TEST(MpMul, StaysBelowTheProductOfTheModuli) {
  Number x = ones(mp::significand_bits<Eight>);
  for (int i = 0; i < 5; ++i) x = mp::mul(x, x);
  EXPECT_LT(x.magnitude.upper.exponent, -mp::significand_bits<Eight>);
  const int bits = 32 * mp::significand_bits<Eight>;
  const double leading = mp::to_double(mp::mul(x, scaled(1, -bits)));
  EXPECT_LE(leading, 1);
  EXPECT_GT(leading, 1 - 0x1p-50);
}

TEST(MpMul, IsOutOfRangeBeyondTheLargestExponent) {
  const Number x = scaled(3, mp::exponent_limit / 2);
  EXPECT_FALSE(mp::is_out_of_range(mp::mul(x, x)));
  EXPECT_TRUE(mp::is_out_of_range(mp::mul(x, scaled(1, mp::exponent_limit / 2 + 1))));
}

TEST(MpMul, IsOutOfRangeBeyondTheLeastExponent) {
  const Number x = scaled(3, -mp::exponent_limit / 2);
  EXPECT_FALSE(mp::is_out_of_range(mp::mul(x, x)));
  EXPECT_TRUE(mp::is_out_of_range(mp::mul(x, scaled(1, -mp::exponent_limit / 2 - 1))));
}

TEST(MpAdd, IsOutOfRangeWhereRoundingLeavesTheLargestExponent) {
  std::array<std::uint32_t, 4> limbs;
  limbs.fill(0xFFFFFFFF);
  const Number x = mp::from_limbs<Eight>(limbs.data(), 3, mp::exponent_limit, false);
  Number sum = mp::add(x, x);
  EXPECT_FALSE(mp::is_out_of_range(sum));
  for (int i = 0; i < 16; ++i) sum = mp::add(sum, sum);
  EXPECT_TRUE(mp::is_out_of_range(sum));
}

TEST(MpNumber, HandsOnThatItIsOutOfRange) {
  const Number lost = mp::out_of_range<Eight>();
  const Number one = number(1);
  EXPECT_TRUE(mp::is_out_of_range(mp::add(lost, one)));
  EXPECT_TRUE(mp::is_out_of_range(mp::add(one, lost)));
  EXPECT_TRUE(mp::is_out_of_range(mp::add(mp::zero<Eight>(), lost)));
  EXPECT_TRUE(mp::is_out_of_range(mp::mul(lost, mp::zero<Eight>())));
  EXPECT_TRUE(mp::is_out_of_range(mp::round(mp::negate(mp::abs(lost)))));
  EXPECT_TRUE(std::isnan(mp::to_double(lost)));
}

TEST(MpNumber, AddsAtTheLargestGapOfExponents) {
  const Number x = scaled(1, mp::exponent_limit);
  const Number y = scaled(1, -mp::exponent_limit);
  EXPECT_EQ(mp::compare(mp::add(y, x), x), 0);
  EXPECT_EQ(mp::compare(x, y), 1);
}

TEST(MpCompare, OrdersSignsAndNeighbours) {
  const Number x = ones(100);
  const Number below = mp::sub(x, number(1));
  EXPECT_EQ(mp::compare(x, below), 1);
  EXPECT_EQ(mp::compare(below, x), -1);
  EXPECT_EQ(mp::compare(mp::negate(x), mp::negate(below)), -1);
  EXPECT_EQ(mp::compare(mp::negate(x), below), -1);
  EXPECT_EQ(mp::compare(x, x), 0);
  EXPECT_EQ(mp::compare(mp::zero<Eight>(), x), -1);
  EXPECT_EQ(mp::compare(mp::zero<Eight>(), mp::negate(x)), 1);
}

TEST(MpCompare, FindsEqualNumbersWithDifferentExponents) {
  EXPECT_EQ(mp::compare(scaled(8, 0), scaled(1, 3)), 0);
  EXPECT_EQ(mp::compare(scaled(1, 3), scaled(8, 0)), 0);
  EXPECT_EQ(mp::compare(scaled(1, 3), scaled(9, 0)), -1);
}

TEST(MpNegate, LeavesZeroWithoutASign) { EXPECT_EQ(mp::negate(mp::zero<Eight>()).sign, 0); }

TEST(MpToDouble, RoundsTiesToEven) {
  const Number tie = mp::add(number(0x1p53), number(1));
  EXPECT_EQ(mp::to_double(tie), 0x1p53);
  EXPECT_EQ(mp::to_double(mp::add(tie, number(0x1p-50))), 0x1p53 + 2);
  EXPECT_EQ(mp::to_double(mp::add(number(0x1p53), number(3))), 0x1p53 + 4);
}

TEST(MpToDouble, RoundsOnceInTheSubnormalRange) {
  EXPECT_EQ(mp::to_double(scaled(1, -1075)), 0);
  EXPECT_EQ(mp::to_double(mp::add(scaled(1, -1075), scaled(1, -1170))), 0x1p-1074);
  EXPECT_EQ(mp::to_double(scaled(-3, -1075)), -0x1p-1073);
  EXPECT_EQ(mp::to_double(scaled(1, -1076)), 0);
}

TEST(MpToDouble, OverflowsToInfinityFromTheMidpointOn) {
  const Number largest = number(0x1.fffffffffffffp1023);
  const Number half = scaled(1, 970);
  EXPECT_EQ(mp::to_double(mp::add(largest, half)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(mp::to_double(mp::sub(mp::add(largest, half), scaled(1, 930))), 0x1.fffffffffffffp1023);
  EXPECT_EQ(mp::to_double(scaled(-1, 5000)), -std::numeric_limits<double>::infinity());
}

TEST(MpNumber, ScalesASignificandDownToTheFloorByAnyNumberOfBits) {
  using Scaling = rns::ScalingTables<Eight>;
  const auto digits = ones(100).digits;
  for (const int d : {1, 32, 33, 60, 99, 100, 101, Scaling::limb_bits * Scaling::limbs,
                      Scaling::limb_bits * Scaling::limbs + 1, Scaling::limb_bits * Scaling::limbs + 40, 5000}) {
    const auto z = mp::detail::scaled_down<Eight>(digits, d);
    const auto floor = ones(std::max(100 - d, 0)).digits;
    EXPECT_TRUE(std::equal(std::begin(z.r), std::end(z.r), std::begin(floor.r))) << d;
  }
}

TEST(MpSquareRoot, IsExactForSquares) {
  for (const double x : {1.0, 3.0, 0x1.fffffep0, 0x1p-500}) {
    EXPECT_EQ(mp::to_double(mp::scaled_sqrt(number(x * x), 0)), x);
  }
  EXPECT_TRUE(mp::is_zero(mp::scaled_sqrt(number(0), 5)));
}

TEST(MpSquareRoot, KeepsAnOddSignificandOfAnExactRoot) {
  EXPECT_EQ(mp::scaled_sqrt(scaled(9, -6), 0).exponent, -3);
  EXPECT_EQ(mp::scaled_sqrt(scaled(18, 7), 0).exponent, 4);
  EXPECT_EQ(mp::scaled_sqrt(scaled(16, -8), 3).exponent, 1);
}

TEST(MpSquareRoot, IsTruncatedToTheBitsOfASignificand) {
  const Number two = number(2);
  const Number root = mp::scaled_sqrt(two, 0);
  const Number square = mp::mul(root, root);
  EXPECT_LT(mp::compare(square, two), 0);
  const Number above = mp::add(root, scaled(1, 2 - mp::significand_bits<Eight>));
  EXPECT_GT(mp::compare(mp::mul(above, above), two), 0);
  EXPECT_TRUE(is_narrow(root.magnitude));
}

TEST(MpSquareRoot, TruncatesARootThatIsJustBelowASignificand) {
  // √(2¹⁰⁶ + 1) < 2⁵³ + 2⁻⁵⁴, the next number of 108 bits, by less than 2⁻¹⁶⁰.
  const std::uint32_t limbs[] = {1, 0, 0, 1u << 10};
  const Number root = mp::scaled_sqrt(mp::from_limbs<Eight>(limbs, 4, 0, false), 0);
  EXPECT_EQ(mp::compare(root, scaled(1, 53)), 0);
}

TEST(MpSquareRoot, HalvesTheExponentsAtTheEndsOfTheirRange) {
  constexpr std::int64_t limit = mp::exponent_limit;
  EXPECT_EQ(mp::compare(mp::scaled_sqrt(scaled(9, limit), 0), scaled(3, limit / 2)), 0);
  EXPECT_EQ(mp::compare(mp::scaled_sqrt(scaled(18, limit - 1), 0), scaled(3, limit / 2)), 0);
  EXPECT_EQ(mp::compare(mp::scaled_sqrt(scaled(9, -limit), 0), scaled(3, -limit / 2)), 0);
}

TEST(MpSquareRoot, IsOutOfRangeForNegativeNumbersAndThoseOutOfRange) {
  EXPECT_TRUE(mp::is_out_of_range(mp::scaled_sqrt(number(-1), 0)));
  EXPECT_TRUE(mp::is_out_of_range(mp::scaled_sqrt(number(std::numeric_limits<double>::infinity()), 0)));
  EXPECT_TRUE(mp::is_out_of_range(mp::scaled_sqrt(number(1), std::int64_t{mp::exponent_limit} + 1)));
}

}  // namespace
}  // namespace assay
