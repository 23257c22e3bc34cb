#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "errorbounds/expansion.hpp"
#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {
namespace {

using oracle::binary64;
using oracle::Dyadic;

constexpr int p = 53;

Dyadic u() { return Dyadic::scaled(1, -p); }
bool equal(const RelativeBound& a, const RelativeBound& b) { return a <= b && b <= a; }
bool equal(const Bound& a, const Bound& b) { return a <= b && b <= a; }

TEST(ExpansionWeight, OfANonoverlappingExpansionIsItsFirstWord) {
  const std::vector<Dyadic> words{-3, Dyadic::scaled(1, -51), Dyadic::scaled(-1, -110)};
  EXPECT_EQ(expansion_weight(words, p), Dyadic(3));
}

TEST(ExpansionWeight, CountsALateWordByItsPlace) {
  const std::vector<Dyadic> words{0, 1, Dyadic::scaled(-1, -50)};
  EXPECT_EQ(expansion_weight(words, p), Dyadic::scaled(1, 54));
}

TEST(ExpansionWeight, OfZeroIsZero) { EXPECT_EQ(expansion_weight(std::vector<Dyadic>(4), p), Dyadic(0)); }

TEST(ExpansionSumShape, HeightIsThatOfTheLongestWay) {
  EXPECT_EQ((ExpansionSumShape{2, 0, 64}.height(0)), 0u);
  EXPECT_EQ((ExpansionSumShape{2, 1, 64}.height(1)), 3u);
  EXPECT_EQ((ExpansionSumShape{2, 3, 64}.height(0)), 2u * 2);
  EXPECT_EQ((ExpansionSumShape{2, 64, 64}.height(0)), 12u);
  EXPECT_EQ((ExpansionSumShape{2, 65, 64}.height(1)), 1u + 3 + 12);
  EXPECT_EQ((ExpansionSumShape{8, 5, 1}.height(7)), 4u + 63);
}

TEST(ExpansionSumFactors, OfOneProductOfTwoWordsAreThoseOfTheDerivation) {
  const ExpansionSumFactors factors = expansion_sum_factors({2, 1, 1}, p);
  // h0 = 0, h1 = 3: e = gamma_3 (2(1 + u)2u + u) + (2u)^2, kappa = gamma_3·2 + 3/2.
  const Dyadic level = Dyadic(4) * u() * (Dyadic(1) + u()) + u();
  const RelativeBound three = gamma(3, p);
  EXPECT_TRUE(equal(factors.relative, three * RelativeBound{level, 1} + RelativeBound{Dyadic(4) * u() * u(), 1}));
  EXPECT_TRUE(equal(factors.underflow, three * RelativeBound{2, 1} + RelativeBound{Dyadic::scaled(3, -1), 1}));
}

TEST(ExpansionSumFactors, GrowWithTheLengthAndFallWithTheWords) {
  for (const int words : {2, 3, 4, 8}) {
    EXPECT_TRUE(expansion_sum_factors({words, 64, 64}, p).relative <
                expansion_sum_factors({words, 65, 64}, p).relative);
  }
  for (int words = 2; words < 8; ++words) {
    EXPECT_TRUE(expansion_sum_factors({words + 1, 4000, 64}, p).relative <
                expansion_sum_factors({words, 4000, 64}, p).relative);
  }
}

TEST(ExpansionSumFactors, RefuseWhatTheDerivationDoesNotCover) {
  EXPECT_THROW(expansion_sum_factors({1, 1, 1}, p), std::domain_error);
  EXPECT_THROW(expansion_sum_factors({2, 300, 1}, 8), std::domain_error);
}

const ExpansionSumShape shape{3, 10, 64};

/// α = 0 and β = 0 in front of a product of weight 5.
const ExpansionBlasEntry empty_entry{.adds_product = false,
                                     .adds_start = false,
                                     .alpha_is_one = false,
                                     .alpha = 0,
                                     .alpha_weight = 0,
                                     .weight = 5,
                                     .start_weight = 0};

/// α·x added, β = 0.
ExpansionBlasEntry entry_with(int alpha, bool alpha_is_one) {
  ExpansionBlasEntry entry = empty_entry;
  entry.adds_product = true;
  entry.alpha_is_one = alpha_is_one;
  entry.alpha = alpha;
  entry.alpha_weight = alpha;
  return entry;
}

TEST(ExpansionBlasBound, WithoutASummandIsZero) {
  ExpansionBlasEntry entry = empty_entry;
  entry.weight = 7;
  entry.start_weight = 7;
  EXPECT_TRUE(ExpansionBlasBound(shape, binary64).of(entry).numerator.is_zero());
}

TEST(ExpansionBlasBound, WithAlphaOneAndBetaZeroIsThatOfTheSum) {
  const ExpansionBlasEntry entry = entry_with(1, true);
  EXPECT_TRUE(equal(ExpansionBlasBound(shape, binary64).of(entry),
                    expansion_sum_bound(expansion_sum_factors(shape, p), shape.n, 5, binary64)));
}

TEST(ExpansionBlasBound, WithAlphaZeroIsThatOfOneProduct) {
  ExpansionBlasEntry entry = empty_entry;
  entry.adds_start = true;
  entry.start_weight = 9;
  EXPECT_TRUE(equal(ExpansionBlasBound(shape, binary64).of(entry),
                    expansion_sum_bound(expansion_sum_factors({3, 1, 1}, p), 1, 9, binary64)));
}

TEST(ExpansionBlasBound, CoversTheSumAndTheTwoProducts) {
  ExpansionBlasEntry entry = entry_with(2, false);
  entry.adds_start = true;
  entry.start_weight = 9;
  const Bound sum = expansion_sum_bound(expansion_sum_factors(shape, p), shape.n, 5, binary64);
  const Bound last = expansion_sum_bound(expansion_sum_factors({3, 2, 1}, p), 2, 2 * 5 + 9, binary64);
  const Bound least = sum + sum + last;
  const Bound bound = ExpansionBlasBound(shape, binary64).of(entry);
  EXPECT_TRUE(least < bound);
  const Bound little_more{least.numerator * Dyadic::scaled(1025, -10), least.denominator};
  EXPECT_TRUE(bound < little_more);
}

}  // namespace
}  // namespace assay
