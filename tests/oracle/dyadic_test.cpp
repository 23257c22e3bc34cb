#include "oracle/dyadic.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay::oracle {
namespace {

TEST(Dyadic, HoldsTheSumOfTheFarthestExponentsExactly) {
  const Dyadic far = Dyadic::scaled(1, 1000) + Dyadic::scaled(1, -1074);
  EXPECT_EQ(far.bit_length(), 2075);
  EXPECT_EQ(far - Dyadic::scaled(1, 1000), Dyadic::scaled(1, -1074));
}

TEST(Dyadic, TakesTheExtremesOfSixtyFourBitIntegers) {
  EXPECT_EQ(to_string(Dyadic(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  EXPECT_EQ(to_string(Dyadic(std::numeric_limits<std::uint64_t>::max())), "18446744073709551615");
}

TEST(Dyadic, KeepsItsValueWhenItIsAnOperandOfItself) {
  Dyadic x(3);
  const Dyadic& itself = x;
  x += itself;
  x *= itself;
  x.add_mul(itself, itself);
  EXPECT_EQ(x, Dyadic(36 + 36 * 36));
  x -= itself;
  EXPECT_TRUE(x.is_zero());
}

TEST(Dyadic, OrdersBySignThenMagnitude) {
  EXPECT_LT(Dyadic(-3), Dyadic(2));
  EXPECT_LT(Dyadic::scaled(1, -1074), Dyadic::scaled(3, -1075));
  EXPECT_TRUE(compare_abs(Dyadic(-3), Dyadic(2)) > 0);
}

TEST(Dyadic, ExponentIsTheFloorOfTheLogarithm) {
  EXPECT_EQ(Dyadic(8).exponent(), 3);
  EXPECT_EQ(Dyadic(-7).exponent(), 2);
  EXPECT_EQ(Dyadic::scaled(3, -4).exponent(), -3);
  EXPECT_EQ(Dyadic::scaled(12, -4).lowest_exponent(), -2);
}

TEST(Dyadic, CopiesDoNotShareLongSignificands) {
  Dyadic x = Dyadic::scaled(1, 500) + Dyadic(1);
  const Dyadic copy = x;
  x += 1;
  EXPECT_EQ(copy, Dyadic::scaled(1, 500) + Dyadic(1));
  EXPECT_NE(copy, x);
}

TEST(Dyadic, PrintsItsWholeDecimalExpansion) {
  EXPECT_EQ(to_string(Dyadic::scaled(-5, -5)), "-0.15625");
  EXPECT_EQ(to_string(Dyadic::scaled(5, 3)), "40");
  EXPECT_EQ(to_string(Dyadic()), "0");
  EXPECT_EQ(to_string(Dyadic::scaled(25, -3)), "3.125");
}

TEST(Dyadic, ConvertsUpwardForDisplay) {
  EXPECT_EQ((Dyadic(1) + Dyadic::scaled(1, -200)).to_double_up(), 1 + 0x1p-52);
  EXPECT_EQ((Dyadic(1) + Dyadic::scaled(1, -200)).to_double_nearest(), 1.0);
}

}  // namespace
}  // namespace assay::oracle
