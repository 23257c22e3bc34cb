#include "properties/exact_gemv_cases.hpp"

#include <gtest/gtest.h>

#include "drawn_cases.hpp"
#include "properties/property.hpp"

namespace assay {
namespace {

using oracle::Dyadic;
using oracle::Rounding;

/// A·x of one row and two columns, exactly representable, and α, β, y.
ExactGemvCase<double> two_products() {
  return {.trans = 0, .m = 1, .n = 2, .alpha = {1}, .a = {2, 3}, .x = {5, 7}, .beta = {1}, .y = {4}};
}

TEST(ExactGemvDomain, ContainsWhatItsClassesDraw) { expect_inside(exact_gemv_domain<double>(), 200); }

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
    for_each_written(p, [&](std::int64_t, std::int64_t, std::size_t place) {
      ties += truth[place].bit_length() == 54 ? 1 : 0;
      beside += truth[place].bit_length() > 100 ? 1 : 0;
    });
  }
  EXPECT_GT(ties, 100);
  EXPECT_GT(beside, 100);
}

TEST(JudgeRoundedEntries, HoldsForTheRoundedValueOnly) {
  const ExactGemvCase<double> c = two_products();
  const auto p = problem_of(c);
  const std::vector<Dyadic> truth = exact_result(p);
  EXPECT_EQ(truth[0], Dyadic(35));
  EXPECT_EQ(judge_rounded_entries(p, truth, {{35}, 1}).verdict, Verdict::holds);
  EXPECT_EQ(judge_rounded_entries(p, truth, {{35.000000000000007}, 1}).verdict, Verdict::violated);
}

TEST(JudgeRoundedEntries, WantsPlusZeroForZero) {
  ExactGemvCase<double> c = two_products();
  c.y = {-31};
  const auto p = problem_of(c);
  EXPECT_EQ(judge_rounded_entries(p, exact_result(p), {{0.0}, 1}).verdict, Verdict::holds);
  EXPECT_EQ(judge_rounded_entries(p, exact_result(p), {{-0.0}, 1}).verdict, Verdict::violated);
}

}  // namespace
}  // namespace assay
