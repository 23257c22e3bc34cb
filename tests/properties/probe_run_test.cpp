#include "properties/framework/probe_run.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay {
namespace {

using Case = Single<double>;
using Model = TypedModel<Case, double, oracle::Dyadic>;

constexpr auto copy_1 = theorem({"test.probe.1", "a copy", "|y − x| ≤ 2⁻⁴|x|", "an example"}, [](int bits) {
  return RelativeBound{oracle::Dyadic::scaled(1, -bits), 1};
});

constexpr std::uint64_t cell = 100;

/// Case n is the number n + 1, whose copy is wrong by n/100 of the bound in a cell of 100 cases; the probe knows this.
/// `unproved`: the number of cases of each cell that the probe leaves to the oracle. The next two change the answer of
/// the probe and the result of the copy. `size`: of class 0, if it is a list.
Property<Case, double, oracle::Dyadic> copies_property(std::uint64_t unproved, double factor_of_ratio = 1,
                                                       double factor_of_error = 1, std::uint64_t size = 0) {
  const auto part = [](std::uint64_t number) { return static_cast<double>(number % cell) / 128; };
  Property<Case, double, oracle::Dyadic> property{
      .name = "probe_test.copies",
      .domain = {.classes = {{"all", 1, drawn<Case>([](Draw&) { return Case{1}; })}},
                 .contains = [](const Case&) { return true; }},
      .subject =
          [part, factor_of_error](const Executor&, const Case& c) {
            return c.a * (1 + part(static_cast<std::uint64_t>(c.a) - 1) * factor_of_error / 16);
          },
      .reference = [](const Case& c) { return value_of(c.a); },
      .claims = {exact("other", theorem({"test.probe.2", "none", "y = x", "an example"})), within("error", copy_1, 3)}};
  property.probe =
      Probed{.claim = "error",
             .classes = {{"one", 1, size}, {"two", 2}},
             .cell = cell,
             .judge =
                 [unproved, part, factor_of_ratio](const Executor&, std::uint64_t, std::size_t, std::uint64_t first,
                                                   std::size_t count) {
                   std::vector<CellFinding> cells;
                   for (std::size_t i = 0; i < count; ++i) {
                     cells.push_back({part(cell - 1) / 2 * factor_of_ratio, (first + i) * cell + cell - 1, unproved});
                   }
                   return cells;
                 },
             .make = [](std::uint64_t, std::size_t,
                        std::uint64_t number) { return record_of(Case{static_cast<double>(number + 1)}); },
             .ratio = [part, factor_of_ratio](std::uint64_t, std::size_t,
                                              std::uint64_t number) { return part(number) / 2 * factor_of_ratio; },
             .unproved =
                 [](const Executor&, std::uint64_t, std::size_t, std::span<const CellFinding> cells) {
                   std::vector<std::uint64_t> numbers;
                   for (const CellFinding& each : cells) {
                     const std::uint64_t begin = each.number / cell * cell;
                     for (std::uint64_t i = 0; i < each.unproved; ++i) numbers.push_back(begin + i);
                   }
                   return numbers;
                 }};
  return property;
}
Model copies(std::uint64_t unproved, double factor_of_ratio = 1, double factor_of_error = 1, std::uint64_t size = 0) {
  return Model(copies_property(unproved, factor_of_ratio, factor_of_error, size));
}

ProbeTally run(const Model& model, std::uint64_t first, std::size_t count) {
  return run_probe(model, Executor::host(), 1, 0, first, count, {});
}

TEST(ProbeRun, CountsWhatTheProbeAndWhatTheOracleJudged) {
  const ProbeTally tally = run(copies(3), 2, 5);
  EXPECT_EQ(tally.judged, 5 * (cell - 3));
  EXPECT_EQ(tally.oracle_judged, 5U * (2 + 3));
  EXPECT_EQ(tally.violated, 0U);
  EXPECT_EQ(tally.disagreeing, 0U);
}

TEST(ProbeRun, OfAListTheLastCellHasTheRest) {
  const ProbeTally tally = run(copies(3, 1, 1, 2 * cell + 40), 0, 3);
  EXPECT_EQ(tally.judged, 2 * (cell - 3) + 40 - 3);
  EXPECT_EQ(tally.oracle_judged, 3U * (2 + 3));
}

TEST(ProbeRun, TheLargestRatioIsTheOracles) {
  const ProbeTally tally = run(copies(0), 0, 3);
  EXPECT_GT(tally.largest, 0.3);
  EXPECT_LT(tally.largest, 0.4);
  EXPECT_EQ(tally.worst.number % cell, cell - 1);
}

TEST(ProbeRun, IsTheSameHoweverItIsCut) {
  const Model model = copies(1);
  ProbeTally parts = run(model, 4, 3);
  parts.merge(run(model, 0, 4));
  EXPECT_EQ(parts, run(model, 0, 7));
}

TEST(ProbeRun, FindsAProbeThatSaysTooLittleOrTooMuch) {
  EXPECT_GT(run(copies(0, 0.5), 0, 3).disagreeing, 0U);
  EXPECT_GT(run(copies(0, 1.5), 0, 3).disagreeing, 0U);
}

TEST(ProbeRun, AProbeThatSaysNothingIsNotWrong) {
  const ProbeTally tally = run(copies(2, std::numeric_limits<double>::quiet_NaN()), 0, 3);
  EXPECT_EQ(tally.disagreeing, 0U);
  EXPECT_EQ(tally.oracle_judged, 3U * (2 + 2));
}

TEST(ProbeRun, TheOracleFindsTheViolationOfACaseThatIsNotProved) {
  const ProbeTally tally = run(copies(99, 1, 4), 0, 1);
  EXPECT_GT(tally.violated, 0U);
  EXPECT_TRUE(tally.first_violated.is_there());
  EXPECT_GT(tally.largest, 1);
}

TEST(ProbeRun, TheOracleFindsTheViolationOfAnImpliedClaim) {
  Property<Case, double, oracle::Dyadic> property = copies_property(0);
  property.probe->implied = {"other"};
  const ProbeTally tally = run(Model(std::move(property)), 0, 3);
  EXPECT_EQ(tally.oracle_judged, 3U * 2);
  EXPECT_GT(tally.violated, 0U);
  EXPECT_TRUE(tally.first_violated.is_there());
  EXPECT_LT(tally.largest, 1);
}

TEST(HighestOf, TakesTheHighestInTheirOrder) {
  const std::vector<double> ratios{0.25, 0.75, 0.5, 0.75, 1};
  EXPECT_EQ(highest_of(ratios, 3), (std::vector<std::size_t>{4, 1, 3}));
}
TEST(HighestOf, TakesAllWhereThereAreFewer) {
  const std::vector<double> ratios{0.25, 0.5};
  EXPECT_EQ(highest_of(ratios, 3), (std::vector<std::size_t>{1, 0}));
}

}  // namespace
}  // namespace assay
