#include "arith/accumulators/superaccumulator.hpp"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "exact_sum_reference.hpp"
#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

using namespace reference;

static_assert(std::is_trivially_copyable_v<Superaccumulator>);
static_assert(std::is_trivially_default_constructible_v<Superaccumulator>);

struct Factors {
  double a, b;
};

/// Σ ab in units of 2⁻²¹⁴⁸.
Integer exact_dot(const std::vector<Factors>& terms) {
  Integer sum = 0;
  for (const Factors& each : terms) sum = sum + in_units(each.a) * in_units(each.b);
  return sum;
}

Superaccumulator dot(const std::vector<Factors>& terms) {
  Superaccumulator sum{};
  for (const Factors& each : terms) sum.add_product(each.a, each.b);
  return sum;
}

template <int N>
Superaccumulator expansion_dot(const std::vector<Factors>& terms) {
  Superaccumulator sum{};
  auto front = AccumulatingExpansion<N>::empty();
  for (const Factors& each : terms) front.add_product(each.a, each.b, sum);
  front.flush(sum);
  return sum;
}

template <int N>
Superaccumulator expansion_sum(const std::vector<double>& terms) {
  Superaccumulator sum{};
  auto front = AccumulatingExpansion<N>::empty();
  for (const double each : terms) front.add(each, sum);
  front.flush(sum);
  return sum;
}

/// Dot products of numbers with any exponents, of moderate ones, of ones whose products underflow, and of ones that
/// cancel except for a tiny rest.
std::vector<std::vector<Factors>> dots() {
  reference::Numbers<double> numbers(20);
  std::vector<std::vector<Factors>> cases{{},
                                          {{1.0, 1.0}},
                                          {{0x1p-1074, 0x1p-1074}},
                                          {{largest, largest}, {largest, -largest}, {0x1p-1074, -0x1p-1074}},
                                          {{largest, 2.0}, {-largest, 1.0}},
                                          {{largest, 1.0}, {0x1p969, 1.0}, {0x1p-1074, 0x1p-1074}},
                                          {{1.0, 1.0}, {0x1p-53, 1.0}},
                                          {{1.0, 1.0}, {0x1p-53, 1.0}, {-0x1p-1074, 0x1p-1074}},
                                          {{1.0, -1.0}, {-0x1p-54, 1.0}, {0x1p-1074, 0x1p-1000}},
                                          {{0x1.8p-537, 0x1p-538}, {0x1p-1074, 0x1p-300}}};
  for (int i = 0; i < 60; ++i) {
    std::vector<Factors> terms;
    const int low = i % 3 == 0 ? -1022 : i % 3 == 1 ? -560 : -30;
    const int high = i % 3 == 0 ? 1023 : i % 3 == 1 ? -480 : 30;
    for (int k = 0; k < 20 + i; ++k) {
      const Factors each{numbers.moderate(low, high), i % 2 == 0 ? numbers.sparse(low, high) : numbers.moderate(-3, 3)};
      terms.push_back(each);
      if (i % 4 != 0) terms.push_back({k % 2 == 0 ? -each.a : each.b, k % 2 == 0 ? each.b : -each.a});
    }
    terms.push_back({numbers.moderate(low, high), 1.0});
    cases.push_back(terms);
  }
  return cases;
}

TEST(UsedWords, AreThoseFromTheFirstToTheLastThatIsNotZero) {
  const std::int64_t word[] = {0, 5, 0, -7, 0, 0};
  const auto used = [&](int from, int count) {
    const accumulators::WordRange words = accumulators::used_words(word + from, count);
    return std::pair(words.first, words.end);
  };
  EXPECT_EQ(used(0, 6), std::pair(1, 4));
  EXPECT_EQ(used(0, 2), std::pair(1, 2));
  EXPECT_EQ(used(1, 3), std::pair(0, 3));
  EXPECT_EQ(used(4, 1), std::pair(1, 1));  // another 0 follows
  EXPECT_EQ(used(2, 1), std::pair(1, 1));
  EXPECT_EQ(used(4, 0), std::pair(0, 0));
}

TEST(Superaccumulator, RoundsExactDotProductsInEveryDirection) {
  for (const auto& terms : dots()) {
    const Integer exact = exact_dot(terms);
    for (const Rounding to : reference::directions) {
      const double expected = reference::rounded_integer(exact, -2148, to);
      EXPECT_TRUE(same(dot(terms).round(to), expected)) << exact;
    }
  }
}

TEST(Superaccumulator, RoundsExactSumsInEveryDirection) {
  reference::Numbers<double> numbers(21);
  for (int i = 0; i < 60; ++i) {
    Superaccumulator sum{};
    Integer exact = 0;
    for (int k = 0; k < 100; ++k) {
      const double x = i % 2 == 0 ? numbers.moderate(-1022, 1023) : numbers.moderate(-1022, -1000 + i);
      sum.add(x);
      exact = exact + in_units(x);
    }
    for (const Rounding to : reference::directions) {
      EXPECT_TRUE(same(sum.round(to), reference::rounded_integer(exact, -1074, to))) << exact;
    }
  }
}

TEST(Superaccumulator, AddsAnother) {
  const auto cases = dots();
  Superaccumulator sum{};
  Integer exact = 0;
  for (const auto& terms : cases) {
    sum.add(dot(terms));
    exact = exact + exact_dot(terms);
  }
  EXPECT_EQ(sum.round(Rounding::rn), reference::rounded_integer(exact, -2148, Rounding::rn));
}

TEST(Superaccumulator, HandsItsCarriesOnBeforeAWordOverflows) {
  Superaccumulator sum{};
  sum.add(-largest);
  // 2⁴⁰ times the term, by doubling: every addition of a superaccumulator to itself doubles the value not yet carried.
  Superaccumulator many{};
  many.add_product(largest, largest);
  for (int i = 0; i < 40; ++i) many.add(Superaccumulator(many));
  EXPECT_EQ(many.round(Rounding::rz), largest);
  EXPECT_EQ(many.round(Rounding::ru), infinity);
  Superaccumulator opposite{};
  opposite.add_product(largest, -largest);
  for (int i = 0; i < 40; ++i) opposite.add(Superaccumulator(opposite));
  sum.add(many);
  sum.add(opposite);
  EXPECT_EQ(sum.round(Rounding::rn), -largest);
}

TEST(Superaccumulator, HandsItsCarriesOnInAChainOfSumsOfOthers) {
  constexpr std::uint32_t terms = (std::uint32_t{1} << 29) - 1;
  Superaccumulator full{};
  full.add(0x1.fffffffffffffp59);  // (2⁵³ − 1)·2⁷, a digit of which is 2³² − 1
  for (std::int64_t& word : full.word) word *= terms;
  full.pending = terms;
  Superaccumulator sum = full;
  for (int i = 0; i < 4; ++i) {
    Superaccumulator next = full;
    next.add(sum);
    sum = next;
  }
  EXPECT_EQ(sum.round(Rounding::rn), 0x1.3ffffff5fffffp+91);
}

TEST(Superaccumulator, OfMinusZerosAloneIsMinusZeroInEveryDirection) {
  for (const Rounding to : reference::directions) {
    Superaccumulator sum{};
    EXPECT_TRUE(same(sum.round(to), 0.0));
    sum.add(-0.0);
    sum.add_product(-0.0, 3.0);
    EXPECT_TRUE(same(sum.round(to), -0.0));
    sum.add_product(0.0, 3.0);
    EXPECT_TRUE(same(sum.round(to), 0.0));
  }
}

TEST(Superaccumulator, ThatCancelsIsPlusZeroInEveryDirection) {
  for (const Rounding to : reference::directions) {
    Superaccumulator sum{};
    sum.add(3.0);
    sum.add(-3.0);
    EXPECT_TRUE(same(sum.round(to), 0.0));
  }
}

TEST(Superaccumulator, HasTheInfinityOrTheNaNOfItsTerms) {
  const struct {
    std::vector<Factors> terms;
    double sum;
  } cases[] = {{{{infinity, 1.0}, {largest, -largest}}, infinity},
               {{{infinity, -1.0}, {1.0, 1.0}}, -infinity},
               {{{infinity, 1.0}, {infinity, -1.0}}, nan},
               {{{infinity, 0.0}}, nan},
               {{{nan, 0.0}, {1.0, 1.0}}, nan}};
  for (const auto& each : cases) EXPECT_TRUE(same(dot(each.terms).round(Rounding::rn), each.sum));
}

template <class N>
class AccumulatingExpansionOf : public testing::Test {};
using Lengths = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 3>,
                               std::integral_constant<int, 4>, std::integral_constant<int, 8>>;
TYPED_TEST_SUITE(AccumulatingExpansionOf, Lengths);

TYPED_TEST(AccumulatingExpansionOf, AndItsSuperaccumulatorAreTheExactDotProduct) {
  for (const auto& terms : dots()) {
    const double expected = reference::rounded_integer(exact_dot(terms), -2148, Rounding::rn);
    EXPECT_TRUE(same(expansion_dot<TypeParam::value>(terms).round(Rounding::rn), expected)) << expected;
  }
}

TYPED_TEST(AccumulatingExpansionOf, AndItsSuperaccumulatorAreTheExactSum) {
  for (const auto& terms : dots()) {
    std::vector<double> numbers;
    Integer exact = 0;
    for (const Factors& each : terms) {
      numbers.push_back(each.a);
      exact = exact + in_units(each.a);
    }
    const double expected = reference::rounded_integer(exact, -1074, Rounding::rn);
    EXPECT_TRUE(same(expansion_sum<TypeParam::value>(numbers).round(Rounding::rn), expected)) << expected;
  }
}

TYPED_TEST(AccumulatingExpansionOf, HasTheErrorOfAProductInTheSecondWordOrInTheOnlyOne) {
  constexpr int N = TypeParam::value;
  constexpr double x = 0x1.0000000000001p0;  // its square is 0x1.0000000000002p0 + 0x1p-104
  Superaccumulator past{};
  auto front = AccumulatingExpansion<N>::empty();
  if (N == 1) front.add(-0x1.0000000000002p0, past);
  front.add_product(x, x, past);
  EXPECT_EQ(front.x[0], N == 1 ? 0x1p-104 : 0x1.0000000000002p0);
  EXPECT_EQ(front.x[N > 1 ? 1 : 0], 0x1p-104);
  EXPECT_EQ(past.pending, 0u);
}

TYPED_TEST(AccumulatingExpansionOf, KeepsTheZeroOfMinusZerosAlone) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(same(expansion_sum<N>({-0.0, -0.0}).round(Rounding::rn), -0.0));
  EXPECT_TRUE(same(expansion_sum<N>({-0.0, 0.0}).round(Rounding::rn), 0.0));
  EXPECT_TRUE(same(expansion_sum<N>({-1.0, 1.0, -0.0}).round(Rounding::rn), 0.0));
  EXPECT_TRUE(same(expansion_dot<N>({{-0.0, 1.0}, {1.0, -0.0}}).round(Rounding::rn), -0.0));
}

TYPED_TEST(AccumulatingExpansionOf, LetsInfinitiesAndNaNsThrough) {
  constexpr int N = TypeParam::value;
  EXPECT_EQ(expansion_sum<N>({1.0, infinity, largest}).round(Rounding::rn), infinity);
  EXPECT_TRUE(same(expansion_dot<N>({{infinity, 0.0}, {1.0, 1.0}}).round(Rounding::rn), nan));
}

TEST(ScaledSum, RoundsOnce) {
  reference::Numbers<double> numbers(22);
  const std::vector<double> factors{1.0, -1.0, 0.0, 3.0, 0x1p-1074, largest, -0x1.8p-500, 0.1};
  const auto cases = dots();
  for (std::size_t i = 0; i < cases.size(); i += 3) {
    for (const double alpha : factors) {
      for (const double beta : {0.0, 1.0, -0.3, 0x1p-1074}) {
        const double y = i % 2 == 0 ? numbers.moderate(-1022, 1023) : numbers.moderate(-10, 10);
        const Integer exact = exact_dot(cases[i]) * in_units(alpha) + ((in_units(beta) * in_units(y)) << 1074);
        for (const Rounding to : reference::directions) {
          const double expected = reference::rounded_integer(exact, -2148 - 1074, to);
          EXPECT_TRUE(same(scaled_sum(dot(cases[i]), alpha, beta, y, to), expected)) << alpha << ' ' << beta;
        }
      }
    }
  }
}

TEST(ScaledSum, LeavesOutWhatAZeroFactorMultiplies) {
  const Superaccumulator infinite = dot({{infinity, 1.0}});
  EXPECT_EQ(scaled_sum(infinite, 0.0, 2.0, 3.0, Rounding::rn), 6.0);
  EXPECT_EQ(scaled_sum(dot({{2.0, 3.0}}), 2.0, 0.0, nan, Rounding::rn), 12.0);
}

TEST(ScaledSum, HasTheInfinityOrTheNaNOfItsTerms) {
  const Superaccumulator infinite = dot({{infinity, 1.0}});
  EXPECT_EQ(scaled_sum(infinite, -2.0, 1.0, 3.0, Rounding::rn), -infinity);
  EXPECT_EQ(scaled_sum(dot({{1.0, 1.0}}), 1.0, 1.0, infinity, Rounding::rn), infinity);
  EXPECT_TRUE(same(scaled_sum(infinite, 2.0, 1.0, -infinity, Rounding::rn), nan));
}

}  // namespace
}  // namespace assay
