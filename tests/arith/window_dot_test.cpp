#include "arith/accumulators/window_dot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "arith/accumulators/superaccumulator.hpp"

namespace assay {
namespace {

using Factors = std::vector<std::pair<double, double>>;

struct Largest {
  std::int32_t a = 0, b = 0;
};

Largest largest_of(const Factors& factors) {
  Largest most;
  for (const auto& [a, b] : factors) {
    most.a = std::max(most.a, bits::high_bits(a));
    most.b = std::max(most.b, bits::high_bits(b));
  }
  return most;
}

int top_of(const Factors& factors) {
  const Largest most = largest_of(factors);
  return WindowDot::top_of(most.a, most.b, WindowDot::log_of(static_cast<std::int64_t>(factors.size())));
}

/// alpha·Σ + beta·c, if the window may be used.
CertifiedNumber combined(const Factors& factors, double alpha = 1, double beta = 0, double c = 0) {
  const int top = top_of(factors);
  const auto count = static_cast<std::int64_t>(factors.size());
  if (!WindowDot::is_possible(top, count)) return {0, false};
  WindowDot sum = WindowDot::at(top);
  for (const auto& [a, b] : factors) sum.add_product(a, b);
  return sum.combined(top, count, alpha, beta, c);
}

/// Σ + c, rounded once.
double exact(const Factors& factors, double sign = 1, double c = 0) {
  Superaccumulator sum{};
  for (const auto& [a, b] : factors) sum.add_product(sign * a, b);
  sum.add(c);
  return sum.round(Rounding::rn);
}

class RandomFactors {
 public:
  explicit RandomFactors(unsigned seed) : random_(seed) {}
  double number(int binades) {
    const double x =
        std::ldexp(1 + std::ldexp(static_cast<double>(random_() >> 12), -52), below(2 * binades + 1) - binades);
    return (random_() & 1) != 0 ? -x : x;
  }
  Factors factors(int count, int binades) {
    Factors all;
    for (int i = 0; i < count; ++i) all.emplace_back(number(binades), number(binades));
    return all;
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

 private:
  std::mt19937_64 random_;
};

TEST(WindowDot, CertifiesNearlyAllSumsOfNumbersOfSimilarMagnitude) {
  RandomFactors random(1);
  int certified = 0;
  for (int i = 0; i < 2000; ++i) {
    const Factors factors = random.factors(1 + random.below(300), 4);
    const CertifiedNumber got = combined(factors);
    if (!got.certified) continue;
    ++certified;
    ASSERT_EQ(to_bits(got.x), to_bits(exact(factors)));
  }
  EXPECT_GE(certified, 1990);
}

TEST(WindowDot, CertifiesTheRoundedNumberAloneHoweverFarApartExponentsAre) {
  RandomFactors random(2);
  int certified = 0;
  for (int i = 0; i < 20000; ++i) {
    const Factors factors = random.factors(1 + random.below(12), 1 + random.below(60));
    const CertifiedNumber got = combined(factors);
    if (!got.certified) continue;
    ++certified;
    ASSERT_EQ(to_bits(got.x), to_bits(exact(factors)));
  }
  EXPECT_GT(certified, 1000);
  EXPECT_LT(certified, 20000);
}

// Sums whose exact value lies next to a midpoint of two numbers, at every distance.
TEST(WindowDot, CertifiesTheRoundedNumberAloneNextToMidpoints) {
  RandomFactors random(3);
  int certified = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    Factors factors = random.factors(1 + random.below(6), 2);
    const double rest = std::ldexp(random.number(0), -random.below(120));
    // x + half an ulp of x + rest, while the other products cancel.
    const std::size_t size = factors.size();
    for (std::size_t j = 0; j < size; ++j) factors.emplace_back(-factors[j].first, factors[j].second);
    const double x = std::abs(random.number(0));
    factors.emplace_back(x, 1);
    factors.emplace_back(std::ldexp(1.0, -53 + std::ilogb(x)), 1);
    factors.emplace_back(std::ldexp(rest, -60), 1);
    const CertifiedNumber got = combined(factors);
    (got.certified ? certified : refused) += 1;
    if (got.certified) {
      ASSERT_EQ(to_bits(got.x), to_bits(exact(factors)));
    }
  }
  EXPECT_GT(certified, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(WindowDot, RefusesTies) {
  EXPECT_FALSE(combined({{1, 1}, {0x1p-53, 1}}).certified);
  EXPECT_FALSE(combined({{1, 1}, {0x1p-54, 1}, {0x1p-54, 1}}).certified);
}

TEST(WindowDot, RefusesSumsThatCancel) {
  EXPECT_FALSE(combined({{3, 5}, {-5, 3}}).certified);
  EXPECT_FALSE(combined({{0x1p100, 0x1p100}, {-0x1p100, 0x1p100}, {1, 1}}).certified);
}

TEST(WindowDot, HasOneTermForBetaC) {
  RandomFactors random(4);
  int certified = 0;
  for (int i = 0; i < 5000; ++i) {
    const Factors factors = random.factors(1 + random.below(40), 3);
    const double c = std::ldexp(random.number(0), random.below(80) - 40);
    const double sign = random.below(2) == 0 ? 1 : -1;
    const CertifiedNumber got = combined(factors, sign, 1, c);
    if (!got.certified) continue;
    ++certified;
    ASSERT_EQ(to_bits(got.x), to_bits(exact(factors, sign, c)));
  }
  EXPECT_GE(certified, 4900);
}

// α·s + β·c is α·Σ + β·c in integers here: no factor has more than 20 bits.
TEST(WindowDot, RoundsProductsWithAlphaAndBetaOnce) {
  RandomFactors random(5);
  int certified = 0;
  for (int i = 0; i < 5000; ++i) {
    Factors factors;
    Factors all;
    const auto integer = [&] { return static_cast<double>(random.below(1 << 20) - (1 << 19)); };
    const double alpha = integer();
    const double beta = integer();
    const double c = random.number(3);
    for (int j = 1 + random.below(30); j > 0; --j) {
      const double a = integer();
      const double b = random.number(3);
      factors.emplace_back(a, b);
      all.emplace_back(alpha * a, b);
    }
    all.emplace_back(beta, c);
    const CertifiedNumber got = combined(factors, alpha, beta, c);
    if (!got.certified) continue;
    ++certified;
    ASSERT_EQ(to_bits(got.x), to_bits(exact(all)));
  }
  EXPECT_GE(certified, 4900);
}

// β·c is the larger part, and has 106 bits.
TEST(WindowDot, HasAllBitsOfBetaC) {
  RandomFactors random(6);
  int certified = 0;
  for (int i = 0; i < 5000; ++i) {
    const Factors factors = random.factors(1 + random.below(10), 3);
    const double beta = random.number(3);
    const double c = random.number(8);
    Factors all = factors;
    all.emplace_back(beta, c);
    const CertifiedNumber got = combined(factors, 1, beta, c);
    if (!got.certified) continue;
    ++certified;
    ASSERT_EQ(to_bits(got.x), to_bits(exact(all)));
  }
  EXPECT_GE(certified, 4900);
}

// β·c is a tie, exactly, and the sum is far below it.
TEST(WindowDot, IsOnTheRightSideOfBetaCThatIsATie) {
  constexpr double beta = 1 + 0x1p-26;
  constexpr double c = 1 + 0x1p-27;
  for (const double sign : {1.0, -1.0}) {
    const Factors factors{{sign * 0x1p-100, 0x1p-100}};
    const CertifiedNumber got = combined(factors, 1, beta, c);
    Factors all = factors;
    all.emplace_back(beta, c);
    EXPECT_TRUE(!got.certified || got.x == exact(all)) << sign;
  }
}

TEST(WindowDot, HoldsTheLargestSumsOfItsWindow) {
  constexpr double largest = 2 - 0x1p-52;
  for (const int count : {1, 2, 3, 255, 256, 257, 1000}) {
    for (const double sign : {1.0, -1.0}) {
      const Factors factors(static_cast<std::size_t>(count), {sign * largest, largest});
      const int top = top_of(factors);
      WindowDot sum = WindowDot::at(top);
      for (const auto& [a, b] : factors) sum.add_product(a, b);
      EXPECT_GE(sum.high, std::ldexp(1.0, top));
      EXPECT_LE(sum.high, std::ldexp(2.0, top));
      const CertifiedNumber got = combined(factors);
      if (got.certified) {
        EXPECT_EQ(to_bits(got.x), to_bits(exact(factors)));
      }
    }
  }
}

TEST(WindowDot, RefusesResultsBeyondItsRange) {
  EXPECT_FALSE(combined({{0x1p-500, 0x1p-500}}).certified);
  EXPECT_FALSE(combined({{0x1p600, 0x1p420}}).certified);
  EXPECT_FALSE(combined({{1.25, 1.5}}, 0x1p-1000, 0, 0).certified);
  EXPECT_FALSE(combined({{1.25, 1.5}}, 0x1p1020, 0, 0).certified);
  EXPECT_FALSE(combined({{1.25, 1.5}}, 1, 0x1p-600, 0x1p-400).certified);
  EXPECT_FALSE(combined({{0.0, 1.5}}).certified);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(combined({{1.25, infinity}}).certified);
  EXPECT_FALSE(combined({{1.25, 1.5}}, 1, 1, infinity).certified);
  EXPECT_FALSE(combined({{1.25, 1.5}}, 1, 1, std::numeric_limits<double>::quiet_NaN()).certified);
}

TEST(WindowDot, RefusesSumsOfTwoPartsInItsRangeThatAreBeyondIt) {
  for (const double sign : {1.0, -1.0}) {
    EXPECT_TRUE(combined({{sign, 1}}, 0x1p998, 0x1p998, 1.5 * sign).certified);
    EXPECT_FALSE(combined({{sign, 1}}, 0x1p999, 0x1p999, 1.5 * sign).certified);
  }
}

TEST(WindowDot, DoesNotReadCWhereBetaIs0) {
  const CertifiedNumber got = combined({{1.25, 1.3}}, 1, 0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(got.certified);
  EXPECT_EQ(got.x, 1.25 * 1.3);
}

TEST(WindowDot, CertifiesNothingWhereAProductIsAbove2To1000) {
  const Factors factors = {{1, 0x1p500}, {1, 0x1p490}};
  EXPECT_TRUE(combined(factors, 0x1p490, -0x1p490, 0x1p500).certified);
  EXPECT_FALSE(combined(factors, 0x1p502, -0x1p502, 0x1p500).certified);
}

}  // namespace
}  // namespace assay
