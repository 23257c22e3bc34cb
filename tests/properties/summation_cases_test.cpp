#include "properties/draws/sum/dot_cases.hpp"

#include <gtest/gtest.h>

#include <set>

#include "drawn_cases.hpp"
#include "oracle/dyadic.hpp"
#include "properties/framework/property.hpp"
#include "tests/properties/smaller_cases.hpp"
#include "tests/tier.hpp"

namespace assay::sum {
namespace {

using oracle::Dyadic;

template <class Case>
void expect_varied(const Domain<Case>& domain) {
  for (const auto& input_class : domain.classes) {
    std::set<std::vector<std::uint64_t>> seen;
    for (const Case& each : draw(input_class, 100)) {
      std::vector<std::uint64_t> bits;
      for (const auto& x : each.x) {
        bits.push_back(bits_of(x));
      }
      seen.insert(std::move(bits));
    }
    EXPECT_GT(seen.size(), 50u) << input_class.name;
  }
}

bool offers(const std::vector<SumCase<double>>& smaller, const std::vector<double>& x) {
  return std::any_of(smaller.begin(), smaller.end(), [&](const SumCase<double>& each) { return each.x == x; });
}

TEST(SumDomain, ContainsWhatItsClassesDraw) {
  expect_inside(sum_domain<double>(), 300);
  expect_inside(sum_domain<float>(), 300);
}

TEST(DotDomain, ContainsWhatItsClassesDraw) {
  expect_inside(dot_domain<double>(), 300);
  expect_inside(dot_domain<float>(), 300);
  expect_inside(dot_domain<float, double>(), 300);
}

TEST(DotDomain, HasEveryPairOfItsTraitsInTheirRows) {
  expect_all_pairs(dot_domain<double>());
  expect_all_pairs(dot_domain<float>());
  expect_all_pairs(dot_domain<float, double>());
}

TEST(SumDomain, HasEveryPairOfItsTraitsInTheirRows) {
  expect_all_pairs(sum_domain<double>());
  expect_all_pairs(sum_domain<float>());
}

TEST(SumDomain, DrawsDifferentCasesInEveryClass) {
  expect_varied(sum_domain<double>());
  expect_varied(sum_domain<float>());
}

TEST(DotDomain, DrawsDifferentCasesInEveryClass) {
  expect_varied(dot_domain<double>());
  expect_varied(dot_domain<float>());
}

TEST(SumDomain, RefusesValuesThatAreNotFinite) {
  const auto domain = sum_domain<double>();
  EXPECT_TRUE(domain.contains({{1, 2}}));
  EXPECT_FALSE(domain.contains({{1, std::numeric_limits<double>::infinity()}}));
  EXPECT_FALSE(domain.contains({{std::numeric_limits<double>::quiet_NaN()}}));
}

TEST(SumDomain, RefusesSumsThatMayOverflow) {
  EXPECT_TRUE(sum_domain<double>().contains({{0x1p1020, -0x1p1020}}));
  EXPECT_FALSE(sum_domain<double>().contains({{0x1p1021, -0x1p1021}}));
}

TEST(SumDomain, RefusesVectorsBeyondTheLongest) {
  EXPECT_TRUE(sum_domain<float>().contains({std::vector<float>(longest_sum, 1)}));
  EXPECT_FALSE(sum_domain<float>().contains({std::vector<float>(longest_sum + 1, 1)}));
}

TEST(DotDomain, RefusesVectorsOfUnequalLengths) {
  EXPECT_TRUE(dot_domain<double>().contains({{1, 2}, {3, 4}}));
  EXPECT_FALSE(dot_domain<double>().contains({{1, 2}, {3}}));
}

TEST(DotDomain, AcceptsProductsBeyondBinary32WhereBinary64AddsThem) {
  const DotCase<float> large{{0x1p120F}, {0x1p120F}};
  EXPECT_FALSE(dot_domain<float>().contains(large));
  EXPECT_TRUE((dot_domain<float, double>().contains(large)));
}

/// log₂ of the largest condition number that the class draws.
template <class Case>
double hardest_condition(const Domain<Case>& domain) {
  double hardest = 0;
  for (const auto& each : draw(class_named(domain, "condition up to the hardest"), 300)) {
    hardest = std::max(hardest, log2_condition(each, 1000));
  }
  return hardest;
}

TEST(ConditionClass, ReachesConditionNumbersOfTenToTheHundred) {
  EXPECT_GT(hardest_condition(dot_domain<double>()), 332);
}

TEST(ConditionClass, CancelsSumsToo) { EXPECT_GT(hardest_condition(sum_domain<float>()), 60); }

TEST(TieClass, DrawsTiesOfTheFormat) {
  const auto domain = sum_domain<double>();
  int ties = 0;
  for (const auto& each : draw(class_named(domain, "tie, tie ± tiny"), 300)) {
    const Dyadic sum = exact_sum_of(each);
    ties += sum.bit_length() == 54 ? 1 : 0;
  }
  EXPECT_GT(ties, 10);
}

TEST(PowerOfTwoClass, DrawsPowersOfTwo) {
  const auto domain = sum_domain<float>();
  int powers = 0;
  for (const auto& each : draw(class_named(domain, "at a power of two and its neighbours"), 300)) {
    powers += exact_sum_of(each).bit_length() == 1 ? 1 : 0;
  }
  EXPECT_GT(powers, 20);
}

TEST(ExactClass, SumsExactlyInEveryCase) {
  const auto domain = sum_domain<float>();
  for (const auto& each : draw(class_named(domain, "exact in every order"), 300)) {
    ASSERT_TRUE(sums_exactly(each));
  }
}

TEST(SumsExactly, EndsWhereTheSumNeedsOneMoreBit) {
  EXPECT_TRUE(sums_exactly(SumCase<double>{{0x1p52, 0x1p52 - 1, 1}}));
  EXPECT_FALSE(sums_exactly(SumCase<double>{{0x1p52, 0x1p52, 1}}));
}

TEST(SumsExactly, NeedsProductsOnTheGridOfSubnormals) {
  EXPECT_TRUE(sums_exactly(DotCase<double>{{0x1p-537}, {0x1p-537}}));
  EXPECT_FALSE(sums_exactly(DotCase<double>{{0x1p-537}, {0x1p-538}}));
}

TEST(ExactSums, AddMagnitudesBesideValues) {
  const ExactSums sums = exact_sums(DotCase<float>{{2, -3}, {5, 7}});
  EXPECT_EQ(sums.sum, Dyadic(-11));
  EXPECT_EQ(sums.magnitudes, Dyadic(31));
}

TEST(Log2Condition, IsTheLargestForASumOfZero) {
  EXPECT_EQ(log2_condition(SumCase<double>{{1, -1}}, 448), 448);
  EXPECT_EQ(log2_condition(SumCase<double>{{}}, 448), 0);
  EXPECT_EQ(log2_condition(SumCase<double>{{8, -7}}, 448), 3);
}

TEST(ShrinkSum, DropsPairsThatCancelWhereverTheyStand) {
  const auto smaller = smaller_in_structure(sum_domain<double>(), SumCase<double>{{3, 1e9, 5, -3, -1e9}});
  EXPECT_TRUE(offers(smaller, {5}));
}

TEST(ShrinkSum, MergesNeighboursToTheirRoundedSum) {
  const auto smaller = smaller_in_structure(sum_domain<double>(), SumCase<double>{{1, 0x1p-60, 8}});
  EXPECT_TRUE(offers(smaller, {1, 8}));
}

TEST(ShrinkSum, MergesRunsToTheNumbersThatMakeUpTheirSum) {
  const auto smaller = smaller_in_structure(sum_domain<double>(), SumCase<double>{{1, 0x1p-60, 2, 0x1p-60}});
  EXPECT_TRUE(offers(smaller, {3, 0x1p-59}));
}

TEST(ShrinkDot, DropsPairsThatCancelWithExchangedFactors) {
  const auto smaller = smaller_in_structure(dot_domain<double>(), DotCase<double>{{3, 7, -5}, {5, 2, 3}});
  EXPECT_TRUE(std::any_of(smaller.begin(), smaller.end(), [](const DotCase<double>& c) {
    return c.x == std::vector<double>{7} && c.y == std::vector<double>{2};
  }));
}

TEST(ShrinkDot, MergesNeighboursToTheirRoundedSumTimesOne) {
  const auto smaller = smaller_in_structure(dot_domain<double>(), DotCase<double>{{3, 5}, {7, 11}});
  EXPECT_TRUE(std::any_of(smaller.begin(), smaller.end(), [](const DotCase<double>& c) {
    return c.x == std::vector<double>{76} && c.y == std::vector<double>{1};
  }));
}

/// A sum that is wrong as soon as its condition number passes 2¹⁰⁰ needs no more than three terms, but no two of many
/// can be dropped alone.
TEST(ShrinkSum, NeedsFewTermsWhereTheConditionMatters) {
  const auto domain = sum_domain<double>();
  const auto is_hard = [](const SumCase<double>& c) { return log2_condition(c, 1000) >= 100 && !c.x.empty(); };
  for (SumCase<double> each : draw(class_named(domain, "condition up to the hardest"), test::of_tier(8, 30))) {
    if (!is_hard(each) || each.x.size() > 400) continue;
    while (any_in_structure(domain, SumCase<double>(each), [&](const SumCase<double>& smaller) {
      if (smaller.x.size() >= each.x.size() || !is_hard(smaller)) return false;
      each = smaller;
      return true;
    })) {
    }
    EXPECT_LE(each.x.size(), 4u);
  }
}

TEST(Packed, LaysVectorsOneBehindTheOther) {
  const std::vector<SumCase<double>> cases{{{1, 2}}, {{}}, {{3}}};
  const Packed<double> all = packed(std::span<const SumCase<double>>(cases));
  EXPECT_EQ(all.x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(all.offsets, (std::vector<std::size_t>{0, 2, 2, 3}));
}

}  // namespace
}  // namespace assay::sum
