#include "arith/limb_update.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay::limb {
namespace {

using reference::Integer;

/// ±significand of x as an integer, and its exponent.
struct Parts {
  Integer integer;
  long exponent;
};
Parts parts_of(double x) {
  if (x == 0) return {0, 0};
  int e = 0;
  const double fraction = std::frexp(x, &e);
  return {static_cast<long>(std::ldexp(fraction, 53)), e - 53};
}

/// RN(α·x·2^e + β·c) from the exact sum.
double expected(const Integer& x, long e, double alpha, double beta, double c) {
  const Parts a = parts_of(alpha);
  const Parts b = parts_of(beta);
  const Parts start = parts_of(c);
  const Integer first = x * a.integer;
  const Integer second = b.integer * start.integer;
  const long e_first = e + a.exponent;
  const long e_second = b.exponent + start.exponent;
  const long low = second == 0 ? e_first : first == 0 ? e_second : std::min(e_first, e_second);
  const Integer sum =
      (first == 0 ? first : first << (e_first - low)) + (second == 0 ? second : second << (e_second - low));
  const bool minus = sum < 0;
  const Integer magnitude = minus ? Integer(0) - sum : sum;
  const int count = static_cast<int>(magnitude.bits() / 32 + 1);
  return rounded(magnitude.limbs(count).data(), count, static_cast<int>(low), minus, Rounding::rn);
}

/// The same by updated(), with words to spare.
double actual(const Integer& x, long e, double alpha, double beta, double c) {
  constexpr int count = 8;
  const Integer wrapped = x < 0 ? (Integer(1) << (32 * count)) + x : x;
  const std::vector<std::uint32_t> words = wrapped.limbs(count);
  std::uint32_t array[count + update_room] = {};
  std::copy(words.begin(), words.end(), array);
  return updated(array, count, static_cast<int>(e), alpha, beta, c);
}

void expect_rounded(const Integer& x, long e, double alpha, double beta, double c) {
  EXPECT_TRUE(reference::same(actual(x, e, alpha, beta, c), expected(x, e, alpha, beta, c)))
      << x << "·2^" << e << "·" << alpha << " + " << beta << "·" << c << ": " << actual(x, e, alpha, beta, c)
      << ", not " << expected(x, e, alpha, beta, c);
}

TEST(LimbUpdate, RoundsTheSumForEveryDistanceOfItsSummands) {
  const Integer one = 1;
  const std::vector<Integer> integers{
      1, -1, 3, (one << 53) + 1, Integer(0) - (one << 107), (one << 200) - 1, one << 254, (one << 130) + (one << 76)};
  for (const Integer& x : integers) {
    for (long e = -900; e <= 700; e += 13) {
      expect_rounded(x, e, 1, 1, 0x1.fffffffffffffp0);
      expect_rounded(x, e, -0x1.8p3, 0x1.0000000000001p-2, 0x1.5555555555555p0);
      expect_rounded(x, e, 0x1.123456789abcdp0, -1, 0x1p0);
    }
  }
}

TEST(LimbUpdate, TakesADistantSummandForItsSign) {
  const Integer one = 1;
  for (const double tiny : {0x1p-1074, -0x1p-1074}) {
    // Ties and powers of two, in x or in β·c.
    for (const double large : {1 + 0x1p-52, 1.0, -1.0, 0x1p-1021}) {
      expect_rounded(one, -1074, tiny < 0 ? -1 : 1, 3 * large, 0x1p52 + 1);
      expect_rounded((one << 54) + 2, 0, large, tiny, 1);
      expect_rounded((one << 54) + 2, 0, large, tiny, 0x1p-1000);
      expect_rounded(one << 250, -300, large, tiny, 1);
    }
  }
}

TEST(LimbUpdate, AgreesWithTheExactSumForRandomNumbers) {
  std::mt19937_64 random(1);
  const auto number = [&](int spread) {
    return std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63,
                      static_cast<int>(random() % static_cast<unsigned>(2 * spread)) - spread);
  };
  for (int i = 0; i < 4000; ++i) {
    Integer x = static_cast<long>(random());
    for (unsigned word = 0; word < random() % 3; ++word) x = (x << 32) + static_cast<long>(random() >> 34);
    const int spread = 1 << (1 + random() % 9);
    expect_rounded(x, static_cast<long>(random() % static_cast<unsigned>(2 * spread)) - spread - 53, number(2),
                   number(2), number(spread));
  }
}

TEST(LimbUpdate, CancelsToPositiveZero) {
  expect_rounded(5, 3, -1, 1, 40);
  expect_rounded(-5, 3, 1, 40, 1);
  EXPECT_FALSE(signbit(actual(0, 0, -1, -1, 0)));
  EXPECT_FALSE(signbit(actual(-5, 3, 1, 40, 1)));
}

TEST(LimbUpdate, KeepsTheSignOfWhatUnderflows) {
  EXPECT_TRUE(signbit(actual(-1, -1080, 1, 0, 0)));
  EXPECT_TRUE(signbit(actual(0, 0, 1, -0x1p-1000, 0x1p-1000)));
  EXPECT_TRUE(signbit(actual(1, -1200, -1, 0x1p-1074, 0x1p-200)));
}

TEST(LimbUpdate, DoesNotLookAtTheStartWithoutAFactor) {
  EXPECT_EQ(actual(3, 0, 2, 0, std::numeric_limits<double>::quiet_NaN()), 6.0);
}

}  // namespace
}  // namespace assay::limb
