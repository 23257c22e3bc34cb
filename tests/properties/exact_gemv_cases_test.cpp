#include "properties/catalog/gemv/exact_cases.hpp"

#include <gtest/gtest.h>

#include "arith/float/ulp.hpp"
#include "drawn_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemv {
namespace {

using oracle::Dyadic;
using oracle::Rounding;

/// A·x of one row and two columns, exactly representable, and α, β, y.
ExactGemvCase<double> two_products() {
  return {.trans = 0, .m = 1, .n = 2, .alpha = {1}, .a = {2, 3}, .x = {5, 7}, .beta = {1}, .y = {4}};
}

TEST(ExactGemvDomain, ContainsWhatItsClassesDraw) { expect_inside(exact_gemv_domain<double>(), 200); }

TEST(ExactGemvDomain, HasEveryPairOfItsTraitsInTheirRows) { expect_all_pairs(exact_gemv_domain<double>()); }

TEST(ExactGemvDomain, TakesAnyFiniteEntries) {
  ExactGemvCase<double> c = two_products();
  c.a[0] = std::numeric_limits<double>::max();
  EXPECT_TRUE(exact_gemv_domain<double>().contains(c));
  c.a[0] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(exact_gemv_domain<double>().contains(c));
}

TEST(ExactGemvDomain, DrawsTiesAndPlacesBesideThem) {
  const auto domain = exact_gemv_domain<double>();
  int ties = 0;
  int beside = 0;
  for (const auto& each : draw(class_named(domain, "tie, tie ± tiny"), 200)) {
    const auto p = problem_of(each);
    const std::vector<Dyadic> truth = exact_result(p);
    expansion::for_each_written(p, [&](std::int64_t, std::int64_t, std::size_t place) {
      ties += truth[place].bit_length() == 54 ? 1 : 0;
      beside += truth[place].bit_length() > 100 ? 1 : 0;
    });
  }
  EXPECT_GT(ties, 100);
  EXPECT_GT(beside, 100);
}

Verdict verdict_of(const ExactGemvCase<double>& c, double result, Rounding direction) {
  const auto p = problem_of(c);
  return judge_rounded_entries<double>(p, exact_result(p), {{result}}, direction).verdict;
}

TEST(JudgeRoundedEntries, HoldsForTheRoundedValueOnly) {
  EXPECT_EQ(verdict_of(two_products(), 35, Rounding::nearest), Verdict::holds);
  EXPECT_EQ(verdict_of(two_products(), next_up(35.0), Rounding::nearest), Verdict::violated);
}

TEST(JudgeRoundedEntries, AsksForTheNeighbourInTheDirection) {
  ExactGemvCase<double> c = two_products();
  c.a[0] = 0x1p-60;
  EXPECT_EQ(verdict_of(c, 25, Rounding::down), Verdict::holds);
  EXPECT_EQ(verdict_of(c, next_up(25.0), Rounding::down), Verdict::violated);
  EXPECT_EQ(verdict_of(c, next_up(25.0), Rounding::up), Verdict::holds);
}

TEST(JudgeRoundedEntries, WantsPlusZeroForZero) {
  ExactGemvCase<double> c = two_products();
  c.y = {-31};
  EXPECT_EQ(verdict_of(c, 0.0, Rounding::nearest), Verdict::holds);
  EXPECT_EQ(verdict_of(c, -0.0, Rounding::nearest), Verdict::violated);
}

}  // namespace
}  // namespace assay::gemv
