#include "arith/accumulators/digit_window.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "exact_sum_reference.hpp"

namespace assay {
namespace {

using reference::in_units;
using reference::Integer;

/// The value of a sum in units of the window.
Integer value_of(const DigitSum& sum) {
  return (Integer(DigitSum::signed_of(sum.high)) << 50) + Integer(DigitSum::signed_of(sum.low));
}

TEST(DigitWindow, TakesExactlyTheMultiplesOfItsUnitBelowItsLimit) {
  std::mt19937_64 random(1);
  for (const int u : {-1000, -87, 0, 900}) {
    const DigitWindow window = DigitWindow::at(u);
    for (int i = 0; i < 100000; ++i) {
      const auto m = static_cast<double>(random() >> (11 + random() % 53));
      const double x = std::ldexp((random() & 1) != 0 ? m : -m, u - 5 + static_cast<int>(random() % 110));
      const bool inside = std::fabs(x) < std::ldexp(1.0, u + 100) && std::fmod(x, std::ldexp(1.0, u)) == 0;
      DigitSum sum{};
      ASSERT_EQ(window.add(x, sum), inside) << x << " in units of 2^" << u;
      if (!inside) continue;
      ASSERT_TRUE(value_of(sum) << (u + 1074) == in_units(x));
      ASSERT_LE(std::abs(DigitSum::signed_of(sum.high)), std::int64_t{1} << 50);
      ASSERT_LE(std::abs(DigitSum::signed_of(sum.low)), std::int64_t{1} << 49);
      ASSERT_EQ(window.nearest(sum.normalized()), x);
    }
    DigitSum sum{};
    EXPECT_FALSE(window.add(std::numeric_limits<double>::infinity(), sum));
    EXPECT_FALSE(window.add(std::numeric_limits<double>::quiet_NaN(), sum));
    EXPECT_FALSE(window.add(std::ldexp(1.0, u + 100), sum));
    EXPECT_FALSE(window.add(std::ldexp(3.0, u - 1), sum));
  }
}

TEST(DigitWindow, RoundsItsSumsOnce) {
  std::mt19937_64 random(2);
  for (const int u : {-1000, -60, 900}) {
    const DigitWindow window = DigitWindow::at(u);
    for (int i = 0; i < 200000; ++i) {
      // Upper parts of all lengths, and lower ones near the places where the rounding changes.
      const auto high = static_cast<std::int64_t>(random() >> (1 + random() % 63)) * ((random() & 1) != 0 ? 1 : -1);
      const std::uint64_t few = random() % 5 - 2;
      const std::uint64_t low =
          (random() % 2 == 0 ? random() : (std::uint64_t{1} << random() % 50) + few) & 0x3FFFFFFFFFFFF;
      const DigitSum sum{static_cast<std::uint64_t>(high), low};
      ASSERT_TRUE(reference::same(window.nearest(sum), reference::rounded_integer(value_of(sum), u, Rounding::rn)))
          << high << "·2^50 + " << low << " in units of 2^" << u;
    }
    EXPECT_TRUE(reference::same(window.nearest({}), 0.0));
  }
}

TEST(DigitWindow, RoundsTiesToEvenOfBothLengths) {
  const DigitWindow window = DigitWindow::at(0);
  for (const int length : {51, 52, 62}) {  // of the upper part: 53 bits end within it, or in the lower part
    const int half = 50 + length - 54;     // the place of half of the last bit
    for (const std::uint64_t odd : {0u, 1u}) {
      for (const int below : {-1, 0, 1}) {
        const Integer exact =
            (Integer(1) << (49 + length)) + (Integer(static_cast<long>(2 * odd + 1)) << half) + Integer(below);
        const std::vector<std::uint32_t> words = exact.limbs(4);
        const std::uint64_t first = words[0] | std::uint64_t{words[1]} << 32;
        const std::uint64_t second = words[2] | std::uint64_t{words[3]} << 32;
        const DigitSum sum{second << 14 | first >> 50, first & 0x3FFFFFFFFFFFF};
        ASSERT_TRUE(value_of(sum) == exact);
        EXPECT_TRUE(reference::same(window.nearest(sum), reference::rounded_integer(exact, 0, Rounding::rn)));
      }
    }
  }
}

TEST(DigitWindow, NormalizesNegativeParts) {
  const DigitSum sum = DigitSum{static_cast<std::uint64_t>(-3), static_cast<std::uint64_t>(-1)}.normalized();
  EXPECT_EQ(DigitSum::signed_of(sum.high), -4);
  EXPECT_EQ(sum.low, (std::uint64_t{1} << 50) - 1);
}

}  // namespace
}  // namespace assay
