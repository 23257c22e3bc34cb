// What the graphs of a formula and of its ways share, and what numbers that are only moved take.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "properties/formulas/door/library.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/formulas/forward.hpp"
#include "properties/formulas/ways.hpp"
#include "properties/framework/property.hpp"
#include "tests/formulas/small.hpp"

namespace assay::formulas {
namespace {

bool are_equal(const Column<oracle::Ball>& a, const Column<oracle::Ball>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return arb_equal(x.get(), y.get()) != 0; });
}

TEST(Way, HasTheValuesOfItsOwnGraph) {
  std::size_t ways = 0;
  for (const ShippedFormula& each : shipped_formulas) {
    const auto formula = std::make_shared<const Formula>(formula_named(std::string(each.name)));
    if (formula->ways.empty()) continue;
    const Typed typed = formulas::typed(formula, "f32");
    Draw draw(random_for(1, "ways", 0));
    const Case c = draw_case(typed, 0, draw);
    const Inputs inputs = inputs_of(typed, c);
    const Balls values = evaluate(Shaped(*formula, c.lengths, inputs.integers), inputs, 128);
    for (const auto& [name, way] : formula->ways) {
      const Shaped shaped(way, c.lengths, inputs.integers);
      const Balls own = evaluate(shaped, inputs, 128);
      const Balls shared = evaluate_way(shaped, inputs, 128, *formula, values);
      for (std::size_t k = 0; k < own.size(); ++k) EXPECT_TRUE(are_equal(own[k], shared[k])) << each.name << name << k;
      ++ways;
    }
  }
  EXPECT_GT(ways, 60U);
}

bool are_same(const Magnitudes& a, const Magnitudes& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](const auto& e, const auto& f) { return e <= f && f <= e; });
  });
}

TEST(Way, HasTheErrorsOfItsOwnGraphOnEveryMachine) {
  std::size_t compared = 0;
  std::size_t shared = 0;
  for (const ShippedFormula& each : shipped_formulas) {
    const auto formula = std::make_shared<const Formula>(formula_named(std::string(each.name)));
    if (formula->ways.empty()) continue;
    const Typed typed = formulas::typed(formula, "f16");
    Draw draw(random_for(2, "ways", 0));
    const Case c = draw_case(typed, 0, draw);
    const Inputs inputs = inputs_of(typed, c);
    const Shaped shaped(*formula, c.lengths, inputs.integers);
    const Balls values = evaluate(shaped, inputs, 128);
    const auto forward_of = [&](const Shaped& of, const Balls& numbers, const Machine& machine) {
      return Forward(of, numbers, machine, typed.parameters, 128, Overflow::unsaid);
    };
    std::vector<Machine> machines = ladder(*formula, oracle::binary16);
    machines.push_back(flushing_machine(*formula, oracle::binary16));
    for (const Machine& machine : machines) {
      Forward of_formula = forward_of(shaped, values, machine);
      const Errors errors = of_formula.run();
      for (const auto& [name, way] : formula->ways) {
        const Shaped of_way(way, c.lengths, inputs.integers);
        const Balls numbers = evaluate_way(of_way, inputs, 128, *formula, values);
        const Errors own = forward(of_way, numbers, machine, typed.parameters, 128);
        const Errors same = forward_of(of_way, numbers, machine).run(of_formula);
        EXPECT_TRUE(are_same(own.total, same.total) && are_same(own.local, same.local)) << each.name << machine.name;
        EXPECT_TRUE(are_same(own.below, same.below) && are_same(own.above, same.above)) << each.name << machine.name;
        EXPECT_EQ(own.mixed, same.mixed);
        // Several threads read them, so none may make a copy to change it.
        const auto known = known_nodes(way, *formula, Same::errors);
        for (std::size_t k = 0; k < known.size(); ++k) {
          EXPECT_TRUE(!known[k] || errors.total[*known[k]].begin() == same.total[k].begin()) << each.name << name;
          shared += known[k] ? 1 : 0;
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500U);
  EXPECT_GT(shared, 300U);
}

TEST(Way, KeepsTheNumbersThatItsFormulaHasOnce) {
  const Formula formula = formula_named("attention_backward_q");
  const std::vector<std::int64_t> lengths{1, 3, 5, 2};
  Inputs inputs;
  for (const std::size_t size : {3U, 15U, 10U, 2U, 1U}) {
    inputs.numbers.emplace_back(size, oracle::Dyadic(1));
    inputs.integers.emplace_back();
  }
  const Balls values = evaluate(Shaped(formula, lengths), inputs, 128);
  for (const auto& [name, way] : formula.ways) {
    const Balls of_way = evaluate_way(Shaped(way, lengths), inputs, 128, formula, values);
    std::size_t shared = 0;
    for (std::size_t k = 0; k < of_way.size(); ++k) {
      const bool is_of_formula =
          std::ranges::any_of(values, [&](const auto& each) { return each.begin() == of_way[k].begin(); });
      EXPECT_TRUE(is_of_formula || way.nodes[k].op != Op::input) << name;
      EXPECT_TRUE(is_of_formula || way.nodes[k].op != Op::gather) << name;
      shared += is_of_formula ? 1 : 0;
    }
    EXPECT_LT(shared, of_way.size()) << name;
  }
}

TEST(MovedInput, HasTheZerosOfItsErrorsOnce) {
  const Small small("f(x[n,m]) -> y[m,n]\n  y = exp(x.T)\n", {1, 2}, {{1, 2}});
  const Errors errors = small.errors({.name = "t"});
  EXPECT_EQ(errors.total[0].begin(), errors.local[1].begin());
  EXPECT_EQ(errors.total[1][1].to_double(), 0);
}

TEST(MovedInput, ThatIsLargerThanTheNumbersOfTheMachineHasNoBound) {
  const Small small("f(x[n,m]) -> y[m,n]\n  y = x.T * 1\n", {1, 2}, {{1, 0x1p200}}, oracle::binary64);
  const Errors errors = small.errors({.name = "t"});
  EXPECT_FALSE(errors.total[1][1].is_finite());
}

TEST(MovedInput, ThatIsStoredHasTheErrorOfTheStore) {
  const Small small("f(x[n,m]) -> y[m,n]\n  t = x.T\n  y = t * t\n", {1, 1}, {{1 + 0x1p-20}});
  EXPECT_GT(small.errors({.name = "t", .stored = {"t"}, .store = oracle::bfloat16}).total[1][0].to_double(), 0x1p-9);
}

}  // namespace
}  // namespace assay::formulas
