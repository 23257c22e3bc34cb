#include "arith/accumulators/certified_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "arith/accumulators/rounded_quotient.hpp"
#include "arith/accumulators/superaccumulator.hpp"

namespace assay {
namespace {

constexpr Rounding directions[] = {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};
using Factors = std::vector<std::pair<double, double>>;

/// The sum of the products in this many lanes, which are added at the end.
CertifiedSum certified_sum(const Factors& factors, std::size_t lanes = 1) {
  std::vector<CertifiedSum> sums(lanes, CertifiedSum::empty());
  for (std::size_t i = 0; i < factors.size(); ++i) sums[i % lanes].add_product(factors[i].first, factors[i].second);
  for (std::size_t lane = 1; lane < lanes; ++lane) sums[0].add(sums[lane]);
  return sums[0];
}

Superaccumulator exact_sum(const Factors& factors) {
  Superaccumulator sum{};
  for (const auto& [a, b] : factors) sum.add_product(a, b);
  return sum;
}

/// Which of the four directions are certified; each certified result has the same bits as the exact sum rounded.
int count_certified(const Factors& factors, std::size_t lanes = 1) {
  int count = 0;
  for (const Rounding to : directions) {
    const CertifiedNumber got = certified_sum(factors, lanes).rounded(to);
    if (!got.certified) continue;
    ++count;
    EXPECT_EQ(to_bits(got.x), to_bits(exact_sum(factors).round(to))) << static_cast<int>(to);
  }
  return count;
}

int count_certified_quotients(const Factors& factors, double divisor) {
  int count = 0;
  for (const Rounding to : directions) {
    const CertifiedNumber got = certified_sum(factors).quotient(divisor, 1 / divisor, to);
    if (!got.certified) continue;
    ++count;
    EXPECT_EQ(to_bits(got.x), to_bits(rounded_quotient(exact_sum(factors), divisor, to)))
        << divisor << ", direction " << static_cast<int>(to);
  }
  return count;
}

class RandomNumbers {
 public:
  double operator()(int range) {
    const auto significand = static_cast<double>(static_cast<std::int64_t>(random_() >> 10) - (std::int64_t{1} << 53));
    return std::ldexp(significand, below(2 * range + 1) - range - 53);
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937_64 random_{7};
};

TEST(CertifiedSum, CertifiesSumsOfOneSize) {
  RandomNumbers number;
  for (int i = 0; i < 5000; ++i) {
    Factors factors;
    for (int k = number.below(40); k >= 0; --k) factors.emplace_back(number(3), number(3));
    EXPECT_EQ(count_certified(factors, 1), 4);
    EXPECT_EQ(count_certified(factors, 4), 4);
    EXPECT_EQ(count_certified_quotients(factors, number(3)), 4);
  }
}

TEST(CertifiedSum, IsRightWhereverItIsCertified) {
  // The terms cancel, except for some that are far below: terms of one word, of two, of three, and below what three
  // words hold.
  RandomNumbers number;
  int certified = 0;
  int refused = 0;
  for (int i = 0; i < 40000; ++i) {
    Factors factors;
    for (int k = 0; k < 3; ++k) {
      const double a = number(1 + number.below(20));
      const double b = number(1 + number.below(20));
      factors.emplace_back(a, b);
      factors.emplace_back(-a, b);
    }
    for (int k = number.below(4); k >= 0; --k) {
      factors.emplace_back(std::ldexp(number(1), -53 * number.below(4) - number.below(8)), 1.0);
    }
    for (std::size_t k = factors.size(); k-- > 1;) {
      std::swap(factors[k], factors[static_cast<std::size_t>(number.below(static_cast<int>(k) + 1))]);
    }
    const int count = count_certified(factors, 1 + static_cast<std::size_t>(number.below(4)));
    const double divisor = i % 2 == 0 ? number(1) : 3;
    const int quotients = divisor == 0 ? 0 : count_certified_quotients(factors, divisor);
    certified += count + quotients;
    refused += 8 - count - quotients;
  }
  EXPECT_GT(certified, 80000);
  EXPECT_GT(refused, 8000);
}

TEST(CertifiedSum, CountsWhatThreeWordsLose) {
  // 0.6 units in the last place of a sum that the two first words do not hold, in two parts that are lost.
  const double third = 0x1.8000000000001p-120;
  const Factors lost{{1, 1}, {0x1p-60, 1}, {third, 1}, {0x1.3p-174, 1}, {0x1.3p-174, 1}, {-1, 1}, {-0x1p-60, 1}};
  EXPECT_EQ(count_certified(lost), 0);
  EXPECT_EQ(certified_sum(lost).rounded(Rounding::rn).x, third);
  EXPECT_EQ(exact_sum(lost).round(Rounding::rn), third + 0x1p-172);
}

TEST(CertifiedSum, CertifiesFromItsMarginOn) {
  // 1 and −1 are lost, and rest = 3 for them: the margin is 2·2⁻⁵²·3 = 1.5·2⁻⁵⁰. RN(h + l) = h for |l| < 2⁻⁴³.
  const auto count = [](double l) {
    return count_certified(
        {{0x1p120, 1}, {0x1p60, 1}, {1, 1}, {-1, 1}, {-0x1p60, 1}, {-0x1p120, 1}, {0x1.8p10, 1}, {l, 1}});
  };
  EXPECT_EQ(count(0x1p-43 - 0x1p-49), 4);
  EXPECT_EQ(count(0x1p-43 - 0x1p-50), 0);
  EXPECT_EQ(count(0x1p-49), 4);
  EXPECT_EQ(count(0x1p-50), 1);
}

TEST(CertifiedSum, CertifiesQuotientsFromTheirMarginOn) {
  // The quotient of h + l is h + l; the margin is 2⁻⁵⁰|l|.
  const auto by_one = [](double l) { return count_certified_quotients({{1.5, 1}, {l, 1}}, 1); };
  EXPECT_EQ(by_one(0x1p-53 - 9 * 0x1p-106), 4);
  EXPECT_EQ(by_one(0x1p-53 - 8 * 0x1p-106), 0);
  // q = RN(1/3) leaves f = 2⁻⁵⁴. v = RN((f + l)/3) is just below half an ulp of q, and the margin 2⁻⁵⁰(|f|/3 + |v|) is
  // 13.3·2⁻⁵³|v|.
  const auto by_three = [](double l) { return count_certified_quotients({{1, 1}, {l, 1}}, 3); };
  EXPECT_EQ(by_three(0x1p-55 - 10 * 0x1p-106), 4);
  EXPECT_EQ(by_three(0x1p-55 - 9 * 0x1p-106), 0);
}

TEST(CertifiedSum, CountsWhatTwoWordsLoseOfNumbers) {
  // The last number decides: without it the sum is a tie.
  const std::vector<double> numbers{1, 0x1p-53, 0x1p-120};
  CertifiedSum sum = CertifiedSum::empty();
  Superaccumulator exact{};
  for (const double each : numbers) {
    sum.add(each);
    exact.add(each);
  }
  EXPECT_EQ(exact.round(Rounding::rn), 0x1.0000000000001p0);
  for (const Rounding to : directions) {
    const CertifiedNumber got = sum.rounded(to);
    EXPECT_TRUE(!got.certified || got.x == exact.round(to)) << static_cast<int>(to);
  }
}

TEST(CertifiedSum, RoundsExactSumsInEveryDirection) {
  // Integers, ties, zeros of either sign and subnormal numbers.
  EXPECT_EQ(count_certified({{3, 5}, {-2, 7}}), 4);
  EXPECT_EQ(count_certified({{1, 1}, {0x1p-53, 1}}), 4);
  EXPECT_EQ(count_certified({{1, 1}, {-0x1p-54, 1}}), 4);
  EXPECT_EQ(count_certified({{-1, 1}, {-0x1p-53, 3}}), 4);
  EXPECT_EQ(count_certified({{1, 1}, {-1, 1}}), 4);
  EXPECT_EQ(count_certified({{-1, 0.0}, {-0.0, 3}}, 2), 4);
  EXPECT_EQ(count_certified({{-1, 0.0}, {0.0, 3}}, 2), 4);
  EXPECT_EQ(count_certified({{0x1p-900, 1}, {0x1p-968, 0x1.8p0}, {-0x1p-900, 1}}), 4);
  // If the exact sum is 0, the first word is not 0.
  EXPECT_EQ(count_certified({{1, 1}, {0x1p-60, 1}, {-1, 1}, {-0x1p-60, 1}}), 4);
}

TEST(CertifiedSum, RefusesWhatIsOutsideOfItsRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double each : {infinity, -infinity, infinity - infinity, 0x1p970, 0x1p-969}) {
    EXPECT_EQ(count_certified({{1, 1}, {each, 1}}), 0) << each;
    EXPECT_EQ(count_certified({{each, 1}, {1, 1}}, 2), 0) << each;
  }
  EXPECT_EQ(count_certified({{0x1p-600, 0x1p-600}}), 0);
  EXPECT_EQ(count_certified({{infinity, 0}}), 0);
  EXPECT_EQ(count_certified_quotients({{1, 1}}, 0), 0);
  EXPECT_EQ(count_certified_quotients({{1, 1}, {-1, 1}}, 0), 0);
  EXPECT_EQ(count_certified_quotients({{1, 1}}, infinity), 0);
  EXPECT_EQ(count_certified_quotients({{1, 1}}, 0x1p-1060), 0);
}

TEST(CertifiedSum, DividesWithTheSignOfZero) {
  EXPECT_EQ(count_certified_quotients({{1, 1}, {-1, 1}}, -3), 4);
  EXPECT_EQ(count_certified_quotients({{-0.0, 1}}, -3), 4);
  EXPECT_EQ(count_certified_quotients({{-0.0, 1}}, 3), 4);
  // An exact quotient is only certified to nearest, and a tie is never certified.
  EXPECT_EQ(count_certified_quotients({{3, 5}, {6, 1}}, 7), 1);
  EXPECT_EQ(count_certified_quotients({{3, 1}, {0x3p-53, 1}}, 3), 0);
}

TEST(CertifiedSum, KeepsASmallNumberBeforeALargeOne) {
  CertifiedSum sum = CertifiedSum::empty();
  for (const double each : {1.0, 0x1p60, -0x1p60}) sum.add(each);
  const CertifiedNumber got = sum.rounded(Rounding::rn);
  EXPECT_TRUE(got.certified);
  EXPECT_EQ(got.x, 1);
}

}  // namespace
}  // namespace assay
