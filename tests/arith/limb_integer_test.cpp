#include "arith/limbs/integer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "exact_sum_reference.hpp"
#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay::limb {
namespace {

using reference::Integer;
using reference::Rational;

template <int L>
Rational value(const Number<L>& x) {
  const Integer integer = Integer::of_limbs(x.word, L);
  const Integer power = Integer(1) << std::abs(x.exponent);
  const Integer signed_integer = x.sign != 0 ? Integer(0) - integer : integer;
  return x.exponent < 0 ? Rational(signed_integer, power) : Rational(signed_integer * power, 1);
}

Rational exact_sum(const std::vector<double>& x) {
  Rational sum;
  for (const double word : x) sum = sum + Rational(word);
  return sum;
}

TEST(LimbSum, IsTheExactSumOfItsNumbers) {
  const std::vector<std::vector<double>> cases{{0.0, -0.0},
                                               {1.0},
                                               {-0.1, 0x1p-60, 3.0},
                                               {0x1.fffffffffffffp200, -0x1p120, 0x1p100},
                                               {0x1p-1074, -0x1.8p-1000},
                                               {1e300, -1e300, 5.0 * 0x1p900},
                                               {-0x1p31, -0x1p32, -0x1p63, 0x1p64}};
  for (const auto& x : cases) {
    const Number<8> z = sum<8>(x.data(), static_cast<int>(x.size()));
    ASSERT_TRUE(z.fits);
    EXPECT_EQ(value(z), exact_sum(x));
  }
}

TEST(LimbSum, IsOddOrZero) {
  const double x[] = {0x1p40, 0x1.8p60};
  EXPECT_EQ(sum<4>(x, 2).word[0] % 2, 1u);
  const double zero[] = {3.0, -3.0};
  const Number<4> z = sum<4>(zero, 2);
  EXPECT_TRUE(z.fits);
  EXPECT_EQ(z.exponent, 0);
  EXPECT_EQ(z.sign, 0);
}

TEST(LimbSum, FitsUpToTheLastBit) {
  const double all_ones[] = {0x1p64, -1.0};
  EXPECT_FALSE(sum<2>(all_ones, 2).fits);  // 2⁶⁴ in units of 1
  const double split[] = {0x1p64 - 0x1p11, 0x1p11 - 1.0};
  ASSERT_TRUE(sum<2>(split, 2).fits);
  EXPECT_EQ(value(sum<2>(split, 2)), exact_sum({0x1p64, -1.0}));
  const double carried[] = {0x1p64 - 0x1p11, 0x1p11 - 1.0, 2.0};
  EXPECT_FALSE(sum<2>(carried, 3).fits);
}

TEST(LimbSum, DoesNotHoldInfinitiesAndNaNs) {
  const double infinity[] = {std::numeric_limits<double>::infinity()};
  const double nan[] = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(sum<4>(infinity, 1).fits);
  EXPECT_FALSE(sum<4>(nan, 1).fits);
}

TEST(LimbNearest, RoundsTiesToEvenAndWhatIsBehindThemAway) {
  const auto nearest_of = [](const Integer& x) {
    const auto words = x.limbs(6);
    return nearest(words.data(), 6, 0);
  };
  const Integer one = 1;
  const Integer tie = (one << 100) + (one << 47);
  EXPECT_EQ(nearest_of(tie), 0x1p100);
  EXPECT_EQ(nearest_of(tie + 1), 0x1p100 + 0x1p48);
  EXPECT_EQ(nearest_of(tie - 1), 0x1p100);
  EXPECT_EQ(nearest_of(tie + (one << 48)), 0x1p100 + 0x1p49);
  EXPECT_EQ(nearest_of((one << 100) - 1), 0x1p100);
  EXPECT_EQ(nearest_of(12345), 12345.0);
  EXPECT_EQ(nearest_of(0), 0.0);
}

TEST(LimbNearest, OverflowsFromHalfAnUlpAboveTheLargestNumberOn) {
  const Integer one = 1;
  const auto below = ((one << 1024) - (one << 970) - 1).limbs(32);
  const auto above = ((one << 1024) - (one << 970)).limbs(32);
  EXPECT_EQ(nearest(below.data(), 32, 0), std::numeric_limits<double>::max());
  EXPECT_EQ(nearest(above.data(), 32, 0), std::numeric_limits<double>::infinity());
}

TEST(LimbRounded, AgreesWithMpfrInEveryDirectionFromBelowTheSubnormalsToOverflow) {
  const Integer one = 1;
  std::vector<Integer> integers{1, 2, 3, 5, 7, (one << 53) - 1, (one << 54) - 1, (one << 54) - 3, one << 95};
  for (const long bits : {53L, 54L, 64L, 96L, 100L}) {
    for (const long half : {0L, 1L, 31L, 32L, 33L, 46L, 47L}) {
      if (half >= bits) continue;
      const Integer x = (one << bits) + (one << half);
      integers.insert(integers.end(), {x, x - 1, x + 1, x + (one << (half + 1))});
    }
  }
  for (const Integer& x : integers) {
    const auto words = x.limbs(5);
    for (const long position :
         {-1300L, -1076L, -1075L, -1074L, -1050L, -1023L, -1022L, -1021L, 0L, 1022L, 1023L, 1024L, 1300L}) {
      const long e = position - x.bits() + 1;
      for (const Rounding to : reference::directions) {
        for (const bool minus : {false, true}) {
          const double expected = reference::rounded_integer(minus ? Integer(0) - x : x, e, to);
          const double actual = rounded(words.data(), 5, static_cast<int>(e), minus, to);
          EXPECT_TRUE(reference::same(actual, expected)) << x << " 2^" << e << ' ' << actual << ' ' << expected;
        }
      }
    }
  }
}

TEST(LimbRounded, GivesZeroTheSignThatItIsToldInEveryDirection) {
  const std::uint32_t zero[2] = {};
  for (const Rounding to : reference::directions) {
    EXPECT_TRUE(reference::same(rounded(zero, 2, 0, false, to), 0.0));
    EXPECT_TRUE(reference::same(rounded(zero, 2, 0, true, to), -0.0));
  }
}

TEST(LimbLeadingWords, SumToTheIntegerWhereTheyHoldIt) {
  const Integer one = 1;
  const std::vector<Integer> cases{0, 1, (one << 150) - 1, (one << 158) + 1, ((one << 60) - 1) << 40};
  for (const Integer& x : cases) {
    const auto words = x.limbs(5);
    std::vector<double> z(3);
    leading_words(words.data(), 5, 1, -20, z.data(), 3);
    EXPECT_EQ(exact_sum(z), Rational(Integer(0) - x, one << 20));
  }
}

TEST(LimbLeadingWords, LeaveOffLessThanAnUlpOfTheLast) {
  const Integer x = (Integer(1) << 160) - 1;
  const auto words = x.limbs(5);
  double z[2];
  leading_words(words.data(), 5, 0, 0, z, 2);
  const Rational rest = Rational(x, 1) - exact_sum({z[0], z[1]});
  EXPECT_LE(Rational(0.0), rest);
  EXPECT_LT(rest, Rational(ulp(z[1])));
}

}  // namespace
}  // namespace assay::limb
