#include "arith/float/ulp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "arith/float/small_float.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

using reference::power;
using reference::value;

template <class T>
class UlpOfEightBits : public testing::Test {};
using EightBits = testing::Types<e4m3, e5m2>;
TYPED_TEST_SUITE(UlpOfEightBits, EightBits);

TYPED_TEST(UlpOfEightBits, NextUpIsTheLeastNumberAbove) {
  for (unsigned i = 0; i < 256; ++i) {
    const auto x = from_bits<TypeParam>(static_cast<std::uint8_t>(i));
    if (!is_finite(x) || x == from_bits<TypeParam>(bits::max_finite_bits<TypeParam>)) {
      continue;
    }
    double least = std::numeric_limits<double>::infinity();
    for (unsigned j = 0; j < 256; ++j) {
      const auto y = from_bits<TypeParam>(static_cast<std::uint8_t>(j));
      if (value(y) > value(x)) {
        least = std::min(least, value(y));
      }
    }
    ASSERT_EQ(value(next_up(x)), least) << value(x);
  }
}

TYPED_TEST(UlpOfEightBits, NextDownIsTheMirrorOfNextUp) {
  for (unsigned i = 0; i < 256; ++i) {
    const auto x = from_bits<TypeParam>(static_cast<std::uint8_t>(i));
    if (!is_nan(x)) {
      ASSERT_TRUE(reference::same(value(next_down(x)), -value(next_up(-x)))) << value(x);
    }
  }
}

TYPED_TEST(UlpOfEightBits, UlpIsTheGapAboveInMagnitude) {
  for (unsigned i = 0; i < bits::max_finite_bits<TypeParam>; ++i) {
    const auto x = from_bits<TypeParam>(static_cast<std::uint8_t>(i));
    const double gap = value(next_up(x)) - value(x);
    ASSERT_TRUE(value(ulp(x)) == gap && value(ulp(-x)) == gap) << value(x);
  }
}

TYPED_TEST(UlpOfEightBits, UfpIsTheLargestPowerOfTwoWithin) {
  for (unsigned i = 1; i <= bits::max_finite_bits<TypeParam>; ++i) {
    const auto x = from_bits<TypeParam>(static_cast<std::uint8_t>(i));
    const double want = std::ldexp(1.0, std::ilogb(value(x)));
    ASSERT_TRUE(value(ufp(x)) == want && value(ufp(-x)) == want) << value(x);
  }
}

TEST(NextUp, AgreesWithNextafterOnAnyBits) {
  reference::Numbers<double> numbers(21);
  for (int i = 0; i < 20000; ++i) {
    const double x = numbers.any();
    ASSERT_TRUE(reference::same(next_up(x), std::nextafter(x, std::numeric_limits<double>::infinity()))) << x;
  }
}

TEST(NextUp, OfTheSmallestNegativeNumberIsMinusZero) {
  EXPECT_TRUE(reference::same(next_up(-std::numeric_limits<float>::denorm_min()), -0.0));
}

TEST(NextUp, OfTheLargestIsInfinite) {
  EXPECT_EQ(next_up(std::numeric_limits<float>::max()), std::numeric_limits<float>::infinity());
}

TEST(NextUp, KeepsInfinity) {
  EXPECT_EQ(next_up(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

TEST(NextUp, OfMinusInfinityIsTheLowest) {
  EXPECT_EQ(next_up(-std::numeric_limits<double>::infinity()), std::numeric_limits<double>::lowest());
}

TEST(Ulp, AtAPowerOfTwoIsTheGapAbove) { EXPECT_EQ(ulp(1.0), power(-52)); }
TEST(Ulp, BelowAPowerOfTwoIsHalfOfThat) { EXPECT_EQ(ulp(1.0 - power(-53)), power(-53)); }
TEST(Ulp, OfASubnormalIsTheSmallestSubnormal) { EXPECT_EQ(ulp(power(-1030)), power(-1074)); }
TEST(Ulp, OfZeroIsTheSmallestSubnormal) { EXPECT_EQ(ulp(-0.0f), std::numeric_limits<float>::denorm_min()); }
TEST(Ulp, OfASmallNormalIsSubnormal) { EXPECT_EQ(ulp(power(-1000) * 1.5), power(-1052)); }

TEST(Ufp, OfZeroIsZero) { EXPECT_EQ(ufp(-0.0), 0.0); }
TEST(Ufp, OfASubnormalIsItsLeadingBit) { EXPECT_EQ(ufp(-11 * power(-1074)), 8 * power(-1074)); }
TEST(Ufp, DropsTheFraction) { EXPECT_EQ(ufp(-13.75f), 8.0f); }

TEST(Exponent, OfZeroIsThatOfTheSmallestSubnormal) {
  EXPECT_EQ(exponent(0.0), -1074);
  EXPECT_EQ(exponent(-0.0f), -149);
  EXPECT_EQ(exponent(from_bits<e5m2>(0)), -16);
}

TEST(Exponent, OfInfinitiesAndNaNsIsAboveAllOthers) {
  EXPECT_EQ(exponent(-std::numeric_limits<double>::infinity()), 1024);
  EXPECT_EQ(exponent(std::numeric_limits<float>::quiet_NaN()), 128);
}

TEST(Exponent, IsTheBinaryLogarithmRoundedDown) {
  reference::Numbers<double> numbers(22);
  for (int i = 0; i < 20000; ++i) {
    const double x = numbers.any();
    if (std::isfinite(x) && x != 0) {
      ASSERT_EQ(exponent(x), std::ilogb(x)) << x;
    }
  }
}

}  // namespace
}  // namespace assay
