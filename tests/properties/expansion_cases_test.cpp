#include "properties/catalog/expansion/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "arith/expansion/distillation.hpp"
#include "arith/float/small_float.hpp"
#include "drawn_cases.hpp"
#include "properties/catalog/expansion/integer_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::expansion {
namespace {

using oracle::Dyadic;

template <class Case>
std::vector<Case> draw_named(const Domain<Case>& domain, const std::string& name, std::uint64_t count = 400) {
  return draw(class_named(domain, name), count);
}

constexpr Box product{-51, 61};
constexpr Overlap conditions[] = {Overlap::p_minus_1, Overlap::p_minus_2, Overlap::in_pairs};

template <FloatingPoint T>
void expect_all_inside() {
  for (const std::size_t k : {1u, 2u, 3u, 5u, 8u, 16u}) {
    for (const Overlap condition : conditions) {
      expect_inside(renormalization_domain<T>(k, k / 2 + 1, condition));
    }
    expect_inside(expansion_pair_domain<T>(k));
    expect_inside(expansion_pair_domain<T>(k, product, true));
    expect_inside(expansion_domain<T>(k, product));
    expect_inside(expansion_domain<T>(k, product, true));
    expect_inside(product_domain<T>(k, product));
    expect_inside(nonoverlapping_domain<T>(k));
    expect_inside(any_renormalization_domain<T>(k, k / 2 + 1));
    expect_inside(integer_range_domain<T>(k));
  }
}

TEST(ExpansionDomains, ContainWhatTheirClassesDrawInBinary64) { expect_all_inside<double>(); }
TEST(ExpansionDomains, ContainWhatTheirClassesDrawInBinary32) { expect_all_inside<float>(); }
TEST(ExpansionDomains, ContainWhatTheirClassesDrawInAToyFormat) { expect_all_inside<Toy<4>>(); }

TEST(ExpansionDomains, DrawDifferentCasesInEveryClass) {
  const auto domain = expansion_pair_domain<double>(4);
  for (const auto& input_class : domain.classes) {
    std::set<std::vector<double>> seen;
    for (const auto& each : draw(input_class, 100)) {
      std::vector<double> both = each.x;
      both.insert(both.end(), each.y.begin(), each.y.end());
      seen.insert(std::move(both));
    }
    EXPECT_GT(seen.size(), 40u) << input_class.name;
  }
}

TEST(HardResults, LieInTheBoxOfQuotients) {
  for (const std::size_t k : {1u, 2u, 4u, 5u}) {
    const Box box = expansion_quotient_box(oracle::binary32, static_cast<int>(k));
    const Inverse inverse = [](const Dyadic& r) { return oracle::quotient(1, r * r); };
    auto domain = expansion_domain<float>(k, box, true);
    domain.classes = {hard_results_class<float>(k, box, inverse, -2)};
    expect_inside(domain);
    auto quotients = expansion_pair_domain<float>(k, box, true);
    quotients.classes = {hard_quotients_class<float>(k, box)};
    expect_inside(quotients);
  }
}

TEST(IntegerDomain, ContainsIntegersOfSixtyFourBitsAlone) {
  const auto domain = integer_domain<double>();
  expect_inside(domain);
  EXPECT_TRUE(domain.contains({{-0x1p63, 0, 0, 0}}));
  EXPECT_FALSE(domain.contains({{0x1p63, 0, 0, 0}}));
  EXPECT_FALSE(domain.contains({{0.5, 0, 0, 0}}));
}

TEST(IntegerRange, RoundsTowardZeroAndSaturates) {
  EXPECT_EQ(to_integer_range(Dyadic::scaled(-7, -1)), -3);
  EXPECT_EQ(to_integer_range(Dyadic::scaled(1, 63)), INT64_MAX);
  EXPECT_EQ(to_integer_range(Dyadic::scaled(1, 63) - Dyadic::scaled(1, -9)), INT64_MAX);
  EXPECT_EQ(to_integer_range(-Dyadic::scaled(3, 62)), INT64_MIN);
}

TEST(RenormalizationDomain, RefusesMoreOverlapThanItsCondition) {
  EXPECT_TRUE(renormalization_domain<double>(2, 2, Overlap::p_minus_1).contains({{2, 1}}));
  EXPECT_FALSE(renormalization_domain<double>(2, 2, Overlap::p_minus_2).contains({{2, 1}}));
  EXPECT_FALSE(renormalization_domain<double>(2, 2, Overlap::p_minus_1).contains({{2, 3}}));
  EXPECT_TRUE(renormalization_domain<double>(2, 2, Overlap::in_pairs).contains({{2, 3}}));
}

TEST(RenormalizationDomain, RefusesOtherLengthsAndValuesThatAreNotFinite) {
  const auto domain = renormalization_domain<double>(2, 2, Overlap::p_minus_1);
  EXPECT_FALSE(domain.contains({{2}}));
  EXPECT_FALSE(domain.contains({{2, 1, 0}}));
  EXPECT_FALSE(domain.contains({{std::numeric_limits<double>::infinity(), 1}}));
}

TEST(RenormalizationDomain, DrawsTheLargestOverlapThatItsConditionAllows) {
  for (const Overlap condition : conditions) {
    long least = 100;
    for (const auto& each : draw_named(renormalization_domain<double>(6, 6, condition), "largest overlap, dense")) {
      for (std::size_t i = 0; i + 1 < 6; ++i) {
        least = std::min(least, value_of(each.x[i]).exponent() - value_of(each.x[i + 1]).exponent());
      }
    }
    EXPECT_EQ(least, condition == Overlap::p_minus_1 ? 1 : condition == Overlap::p_minus_2 ? 2 : 0);
  }
}

TEST(RenormalizationDomain, DrawsInterleavedZeros) {
  int between = 0;
  for (const auto& each : draw_named(renormalization_domain<double>(8, 8, Overlap::p_minus_2), "interleaved zeros")) {
    ExactWords words;
    exact_words<double>(each.x, words);
    between += zeros_last(words) ? 0 : 1;
  }
  EXPECT_GT(between, 300);
}

TEST(RenormalizationDomain, CancelsDeeplyWherePairsMay) {
  double deepest = 0;
  for (const auto& each : draw_named(renormalization_domain<double>(8, 8, Overlap::in_pairs), "leading cancellation")) {
    deepest = std::max(deepest, log2_cancellation<double>(each.x, 1000));
  }
  EXPECT_GT(deepest, 150);
}

TEST(RenormalizationDomain, PutsTheTailOfTheWordsKeptInTheBalance) {
  int above_half = 0;
  for (const auto& each :
       draw_named(renormalization_domain<double>(8, 3, Overlap::p_minus_2), "words half an ulp, a tail")) {
    const Dyadic half_ulp = Dyadic::scaled(1, value_of(each.x[2]).exponent() - 53);
    above_half += compare_abs(value_of(each.x[3]), half_ulp) > 0 ? 1 : 0;
  }
  EXPECT_GT(above_half, 200);
}

TEST(ExpansionPairDomain, RefusesWordsThatOverlapByMoreThanAnUlp) {
  const auto domain = expansion_pair_domain<double>(2);
  EXPECT_TRUE(domain.contains({{1, 0x1p-52}, {1, 0}}));
  EXPECT_FALSE(domain.contains({{1, 0x1.8p-52}, {1, 0}}));
  EXPECT_FALSE(domain.contains({{1, 0}, {0, 1}}));
}

TEST(ExpansionPairDomain, RefusesAZeroDivisorWhereAsked) {
  EXPECT_FALSE(expansion_pair_domain<double>(2, product, true).contains({{1, 0}, {0, 0}}));
  EXPECT_TRUE(expansion_pair_domain<double>(2, product, false).contains({{1, 0}, {0, 0}}));
}

TEST(ExpansionPairDomain, CancelsFromOneLeadingWordToAllOfThem) {
  std::set<std::size_t> counts;
  for (const auto& each : draw_named(expansion_pair_domain<double>(4), "leading cancellation")) {
    std::size_t count = 0;
    while (count < 4 && each.x[count] == -each.y[count]) {
      ++count;
    }
    counts.insert(count);
  }
  EXPECT_EQ(counts.size(), 5u);
}

TEST(ExpansionPairDomain, DrawsTiesOfWords) {
  for (const auto& each : draw_named(expansion_pair_domain<float>(4), "words half an ulp", 50)) {
    EXPECT_EQ(value_of(each.x[1]).bit_length(), 1);
    EXPECT_EQ(value_of(each.x[0]).exponent() - value_of(each.x[1]).exponent(), 24);
  }
}

TEST(ExpansionDomain, DrawsPositiveLeadingWordsWhereAsked) {
  const auto domain = expansion_domain<double>(3, product, true);
  EXPECT_FALSE(domain.contains({{-1, 0, 0}}));
  EXPECT_FALSE(domain.contains({{0, 0, 0}}));
  EXPECT_TRUE(domain.contains({{16, -0x1p-50, 0}}));
}

TEST(Cancellation, IsTheDistanceOfMagnitudesAndSum) {
  const double none[] = {1, 2};
  const double deep[] = {1, -1, 0x1p-70};
  const double total[] = {1, -1};
  EXPECT_EQ(log2_cancellation<double>(none, 100), 0);
  EXPECT_EQ(log2_cancellation<double>(deep, 100), 71);
  EXPECT_EQ(log2_cancellation<double>(total, 100), 100);
}

/// The words that VecSum and VecSumErrBranch compute from a list of eight terms.
std::array<double, 8> branched(const ExpansionCase<double>& c) {
  double e[8];
  std::copy(c.x.begin(), c.x.end(), e);
  expansion::vec_sum(e);
  double f[8];
  expansion::vec_sum_err_branch<8>(e, f);
  return std::to_array(f);
}

TEST(HeavyTailClass, LeavesMoreThanHalfAnUlpBehindTheLastWord) {
  for (const Overlap condition : conditions) {
    for (const auto& each :
         draw_named(renormalization_domain<double>(8, 3, condition), "a tail of more than half an ulp")) {
      const auto f = branched(each);
      const Dyadic rest = sum_of_words(std::span<const double>(f).subspan(3));
      EXPECT_GT(abs(rest).mul_2exp(1), Dyadic::scaled(1, value_of(f[2]).exponent() - 52));
    }
  }
}

TEST(KickedCarryClass, NeedsTheSecondPassOfThreeWords) {
  int needed = 0;
  for (const auto& each :
       draw_named(renormalization_domain<double>(8, 3, Overlap::in_pairs), "carry chain with a kick")) {
    const auto words = branched(each);
    double f[] = {words[0], words[1], words[2], words[3]};
    expansion::vec_sum_err(f);
    ExactWords exact;
    ASSERT_TRUE(exact_words<double>(std::span<const double>(f, 3), exact));
    needed += judge_renormalized(exact, 53).verdict == Verdict::violated ? 1 : 0;
  }
  EXPECT_GT(needed, 20);
}

}  // namespace
}  // namespace assay::expansion
