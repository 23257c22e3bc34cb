// The kernels of enclosures/gradient.cuh against the oracle, and their floors against the bounds of formulas.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "properties/formulas/door/attention.hpp"
#include "properties/formulas/door/operation.hpp"
#include "tests/enclosures/attention_cases.hpp"
#include "tests/tier.hpp"

namespace assay::enclosures {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::exact;
using oracle::Magnitude;

constexpr long bits = 200;
constexpr const char* names[] = {"attention_backward_q", "attention_backward_k", "attention_backward_v"};

/// The gradients have a causal mask.
template <Element element>
GradientArrays arrays_of(const Case<element>& c) {
  GradientArrays all{c.arrays(), {c.o.words.data(), {}, c.e}};
  all.of.is_causal = 1;
  return all;
}

/// What the threads of blocks find of all entries of a gradient.
struct Found {
  GradientRow row;
  std::vector<GradientSums> entries;
};

/// What kernels find of the one head and of its queries.
struct Facts {
  GradientFacts head;
  std::vector<QueryFacts> queries;
};
template <Gradient gradient, Element element>
Facts facts_of(const GradientArrays& all) {
  Facts facts{{}, std::vector<QueryFacts>(static_cast<std::size_t>(all.of.queries))};
  run_blocks(1, [&] { find_extents<gradient, element>(all, &facts.head); });
  run_blocks(static_cast<unsigned>(row_blocks<threads>(all.of)),
             [&] { find_queries<gradient, element>(all, facts.queries.data()); });
  return facts;
}
/// The sums of all entries, with these sizes of terms.
template <Gradient gradient, Element element, class Size>
std::vector<GradientSums> sums_of(const GradientArrays& all, const Facts& facts, const Size& size) {
  const Integer rows = rows_of_gradient(all, gradient), columns = columns_of_gradient(all, gradient);
  std::vector<GradientSums> entries(static_cast<std::size_t>(rows * columns));
  run_blocks(static_cast<unsigned>(gradient_blocks<threads>(all, gradient)), [&] {
    __shared__ Tile tile;
    each_of_gradient<gradient, element>(all, facts.queries.data(), size, this_gradient<gradient>(all), tile,
                                        [&](unsigned, Integer row, Integer column, const GradientSums& sums) {
                                          entries[static_cast<std::size_t>(row * columns + column)] = sums;
                                        });
  });
  return entries;
}

template <Gradient gradient, Element element>
Found found(const GradientArrays& all, const GradientFloor& floor) {
  Facts facts = facts_of<gradient, element>(all);
  if (gradient == of_keys) {
    run_blocks(static_cast<unsigned>(gradient_blocks<threads>(all, outputs)),
               [&] { find_outputs<element>(all, &facts.head, facts.queries.data()); });
  }
  const GradientRow row = row_of_gradient(all, gradient, facts.head, tile_keys, floor);
  return {row, sums_of<gradient, element>(all, facts, sizes_of_floor(row))};
}

/// The ceilings of all entries; none where there are none.
template <Gradient gradient, Element element>
std::vector<Refutable> ceilings_of(const GradientArrays& all, const GradientCeiling& ceiling) {
  Facts facts = facts_of<gradient, element>(all);
  if (gradient != of_values) {
    run_blocks(static_cast<unsigned>(row_blocks<threads>(all.of)),
               [&] { add_errors<gradient, element>(all, &facts.head, 0, ceiling, facts.queries.data()); });
  }
  const Ceilings<gradient> ceilings(all, facts.head, ceiling);
  if (ceilings.row.is_open != 0) return {};
  const auto size = [&](double p, double logit, double slope, double, const QueryFacts& query) {
    return off_of_term(p, logit, slope, is_of_slopes(gradient), query, ceilings.row);
  };
  std::vector<Refutable> result;
  for (const GradientSums& each : sums_of<gradient, element>(all, facts, size)) {
    result.push_back(refutable_of(each, ceilings.known, ceilings.row));
  }
  return result;
}

/// A matrix of exact numbers, or of balls.
template <class Number>
struct Matrix {
  std::int64_t columns;
  std::vector<Number> numbers;
  Matrix(std::int64_t rows, std::int64_t of_columns)
      : columns(of_columns), numbers(static_cast<std::size_t>(rows * of_columns)) {}
  Number& at(std::int64_t row, std::int64_t column) {
    return numbers[static_cast<std::size_t>(row * columns + column)];
  }
};

template <Element element>
Dyadic number(const Array<element>& array, std::int64_t columns, std::int64_t row, std::int64_t column) {
  return exact(array.values[static_cast<std::size_t>(row * columns + column)]);
}

/// A gradient by its definition. Requires: each query sees a key.
template <Gradient gradient, Element element>
std::vector<Ball> truth_of(const Case<element>& c) {
  const bool by_query = gradient == of_queries;
  const std::int64_t columns = gradient == of_values ? c.e : c.d;
  Matrix<Ball> result(by_query ? c.n : c.m, columns);
  for (std::int64_t i = 0; i < c.n; ++i) {
    const std::int64_t seen = i + 1 + c.m - c.n;
    std::vector<Dyadic> logits, slopes;
    for (std::int64_t j = 0; j < seen; ++j) {
      Dyadic logit, slope;
      for (std::int64_t l = 0; l < c.d; ++l) logit += number(c.q, c.d, i, l) * number(c.k, c.d, j, l);
      for (std::int64_t l = 0; l < c.e; ++l) slope += number(c.o, c.e, i, l) * number(c.v, c.e, j, l);
      logits.push_back(logit * exact(double{c.scale}));
      slopes.push_back(slope);
    }
    const Dyadic largest = *std::ranges::max_element(logits);
    std::vector<Ball> p;
    Ball sum, delta;
    for (const Dyadic& each : logits) {
      p.push_back(exp(Ball(each - largest), bits));
      sum = add(sum, p.back(), bits);
    }
    for (std::size_t j = 0; j < p.size(); ++j) {
      p[j] = div(p[j], sum, bits);
      delta = add(delta, mul(p[j], Ball(slopes[j]), bits), bits);
    }
    for (std::int64_t j = 0; j < seen; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const Ball weight = gradient == of_values ? p[at]
                                                : mul(mul(p[at], sub(Ball(slopes[at]), delta, bits), bits),
                                                      Ball(exact(double{c.scale})), bits);
      for (std::int64_t l = 0; l < columns; ++l) {
        const Dyadic x = gradient == of_values ? number(c.o, c.e, i, l)
                         : by_query            ? number(c.k, c.d, j, l)
                                               : number(c.q, c.d, i, l);
        Ball& entry = result.at(by_query ? i : j, l);
        entry = add(entry, mul(weight, Ball(x), bits), bits);
      }
    }
  }
  return result.numbers;
}

/// What enclosures hold of many numbers.
struct Held {
  std::size_t numbers = 0, escaped = 0;
};
using Change = std::function<void(GradientArrays&, GradientRow&)>;

/// `change` comes twice: before the kernels run, and to what is known of the rows.
template <Gradient gradient, Element element>
Held held(
    std::size_t numbers, const Change& change = [](GradientArrays&, GradientRow&) {}) {
  Random random(10 * gradient + element);
  Held held;
  while (held.numbers < numbers) {
    const Case<element> c(random, 40);
    GradientArrays all = arrays_of(c);
    GradientRow none{};
    change(all, none);
    Found of = found<gradient, element>(all, {});
    if (of.row.is_open != 0 || c.n > c.m) continue;
    change(all, of.row);
    const std::vector<Ball> truth = truth_of<gradient>(c);
    for (std::size_t i = 0; i < truth.size(); ++i, ++held.numbers) {
      const Known known = number_of_gradient(of.entries[i], of.row);
      const Ball off = sub(truth[i], Ball(exact(known.value)), bits);
      held.escaped += std::max(abs(off.lower()), abs(off.upper())) <= exact(known.radius) ? 0 : 1;
    }
  }
  return held;
}

template <Gradient gradient>
void expect_all_inside() {
  const auto numbers = test::of_tier<std::size_t>(3'000, 100'000);
  EXPECT_EQ((held<gradient, binary32>(numbers).escaped), 0U);
  EXPECT_EQ((held<gradient, binary16>(numbers).escaped), 0U);
  EXPECT_EQ((held<gradient, bfloat16>(numbers).escaped), 0U);
}
TEST(NumbersOfGradients, LieInTheirEnclosuresForQueries) { expect_all_inside<of_queries>(); }
TEST(NumbersOfGradients, LieInTheirEnclosuresForKeys) { expect_all_inside<of_keys>(); }
TEST(NumbersOfGradients, LieInTheirEnclosuresForValues) { expect_all_inside<of_values>(); }

TEST(EnclosureOfAGradient, IsLeftWithoutItsRadius) {
  const Change forget = [](GradientArrays&, GradientRow& row) { row.slack = row.away = 0; };
  EXPECT_GT((held<of_queries, bfloat16>(1000, forget).escaped), 0U);
  EXPECT_GT((held<of_keys, bfloat16>(1000, forget).escaped), 0U);
  EXPECT_GT((held<of_values, bfloat16>(1000, forget).escaped), 0U);
}

TEST(EnclosureOfAGradient, IsLeftByAKeyThatAQueryDoesNotSee) {
  const Change see = [](GradientArrays& all, GradientRow&) { all.of.is_causal = 0; };
  EXPECT_GT((held<of_queries, bfloat16>(1000, see).escaped), 0U);
  EXPECT_GT((held<of_keys, bfloat16>(1000, see).escaped), 0U);
  EXPECT_GT((held<of_values, bfloat16>(1000, see).escaped), 0U);
}

/// Entries whose floor was compared with a bound, how many of them are above it, and the largest floor/bound.
struct Compared {
  std::size_t entries = 0, above = 0;
  double nearest = 0;
};

/// The inputs of a formula of a gradient.
template <Gradient gradient, Element element>
formulas::Inputs inputs_of(const Case<element>& c) {
  const auto numbers = [](const std::vector<double>& values) {
    std::vector<Dyadic> numbers;
    for (const double each : values) numbers.push_back(exact(each));
    return numbers;
  };
  formulas::Inputs inputs;
  inputs.numbers = {
      numbers(c.q.values), numbers(c.k.values), numbers(c.v.values), numbers(c.o.values), {exact(double{c.scale})}};
  if (gradient == of_values) inputs.numbers.erase(inputs.numbers.begin() + 2);
  inputs.integers.resize(inputs.numbers.size());
  return inputs;
}
/// The formats of its parameters.
template <Gradient gradient, Element element>
std::vector<oracle::Format> formats_of() {
  std::vector<oracle::Format> formats(gradient == of_values ? 4 : 5, format_of<element>());
  formats.back() = oracle::binary32;
  return formats;
}
template <Element element>
std::vector<std::int64_t> lengths_of(const formulas::Formula& of, const Case<element>& c) {
  std::vector<std::int64_t> lengths;
  for (const formulas::Axis& each : of.axes) {
    lengths.push_back(each.name == "n" ? c.n : each.name == "d" ? c.d : each.name == "m" ? c.m : c.e);
  }
  return lengths;
}
std::vector<formulas::Machine> machines_of(const formulas::Formula& formula, const oracle::Format& format) {
  std::vector<formulas::Machine> machines = ladder(formula, format);
  machines.push_back(flushing_machine(formula, format));
  return machines;
}

/// The floors of all machines for a gradient against formula.forward.1 and formula.mean.1, each times `factor`.
template <Gradient gradient, Element element>
void compare(const Case<element>& c, double factor, std::map<std::string, Compared>& all) {
  const oracle::Format& format = format_of<element>();
  const formulas::Formula formula = formulas::formula_named(names[gradient]);
  EXPECT_EQ(formulas::gradient_of_attention(formula), gradient);
  if (found<gradient, element>(arrays_of(c), {}).row.is_open != 0) return;
  const formulas::Inputs inputs = inputs_of<gradient>(c);
  const std::vector<oracle::Format> formats = formats_of<gradient, element>();
  const formulas::Shaped shaped(formula, lengths_of(formula, c));
  const formulas::Balls values = evaluate(shaped, inputs, bits);
  for (const formulas::Machine& machine : machines_of(formula, format)) {
    const auto floor = formulas::gradient_floor(machine, gradient, format, c.n, c.m, c.e);
    if (!floor) continue;
    const Found known = found<gradient, element>(arrays_of(c), *floor);
    if (known.row.is_open != 0) continue;
    const formulas::Errors errors = forward(shaped, values, machine, formats, bits);
    formulas::Mean mean(shaped, inputs, values, errors);
    // A way has a bound, too.
    std::vector<bool> is_said(known.entries.size(), true);
    for (std::size_t w = 0; machine.has_ways && w < formula.ways.size(); ++w) {
      const formulas::Formula& way = formula.ways[w].second;
      const formulas::Shaped of_way(way, lengths_of(way, c));
      const formulas::Errors of = forward(of_way, evaluate(of_way, inputs, bits), machine, formats, bits);
      for (std::size_t i = 0; i < is_said.size(); ++i) is_said[i] = is_said[i] && of.total[way.result][i].is_finite();
    }
    Compared& of = all[machine.name];
    for (std::size_t i = 0; i < known.entries.size(); ++i, ++of.entries) {
      const Known number = number_of_gradient(known.entries[i], known.row);
      const Magnitude bound = min(errors.total[formula.result][i], mean.of(i));
      const bool has_bound = bound.is_finite() && is_said[i];
      if (!has_bound || bound.value() < exact(factor * number.floor)) ++of.above;
      if (has_bound && !bound.is_zero()) of.nearest = std::max(of.nearest, number.floor / bound.to_double());
    }
  }
}

template <Gradient gradient, Element element>
std::map<std::string, Compared> compared(std::size_t entries, double factor = 1) {
  Random random(10 * gradient + element + 100);
  std::map<std::string, Compared> all;
  while (all.empty() || all.begin()->second.entries < entries) {
    const Case<element> c(random, 12);
    compare<gradient>(c, factor, all);
  }
  return all;
}

template <Gradient gradient>
void expect_no_floor_above_a_bound() {
  const auto entries = test::of_tier<std::size_t>(150, 10'000);
  for (const auto& all : {compared<gradient, binary32>(entries), compared<gradient, binary16>(entries),
                          compared<gradient, bfloat16>(entries)}) {
    for (const auto& [machine, of] : all) {
      EXPECT_EQ(of.above, 0U) << machine << " of " << of.entries << " entries, nearest " << of.nearest;
    }
  }
}
TEST(FloorOfAGradient, IsNotAboveTheBoundsForQueries) { expect_no_floor_above_a_bound<of_queries>(); }
TEST(FloorOfAGradient, IsNotAboveTheBoundsForKeys) { expect_no_floor_above_a_bound<of_keys>(); }
TEST(FloorOfAGradient, IsNotAboveTheBoundsForValues) { expect_no_floor_above_a_bound<of_values>(); }

TEST(FloorOfAGradient, IsAboveABoundWhereItIsATenthTooLarge) {
  std::size_t above = 0;
  for (const auto& [machine, of] : compared<of_values, bfloat16>(300, 1.1)) above += of.above;
  EXPECT_GT(above, 0U);
}

/// Entries whose ceiling was compared with a bound, how many of them are below it, and the largest bound/ceiling.
struct Ceiled {
  std::size_t entries = 0, below = 0;
  double nearest = 0;
};

/// The ceilings of all machines for a gradient, each times `factor`, against formula.forward.1 in all ways.
template <Gradient gradient, Element element>
void compare_ceilings(const Case<element>& c, double factor, std::map<std::string, Ceiled>& all) {
  const formulas::Formula formula = formulas::formula_named(names[gradient]);
  const formulas::Inputs inputs = inputs_of<gradient>(c);
  std::vector<const formulas::Formula*> ways{&formula};
  for (const auto& [name, way] : formula.ways) ways.push_back(&way);
  for (const formulas::Machine& machine : machines_of(formula, format_of<element>())) {
    if (!formulas::gradient_floor(machine, gradient, format_of<element>(), c.n, c.m, c.e)) continue;
    const std::vector<Refutable> ceilings =
        ceilings_of<gradient, element>(arrays_of(c), formulas::gradient_ceiling(machine));
    const bool has_any = std::ranges::any_of(ceilings, [](const Refutable& each) { return is_number(each.ceiling); });
    if (!has_any) continue;
    Ceiled& of = all[machine.name];
    for (std::size_t w = 0; w < (machine.has_ways ? ways.size() : 1); ++w) {
      const formulas::Shaped shaped(*ways[w], lengths_of(*ways[w], c));
      const formulas::Balls values = evaluate(shaped, inputs, bits);
      const formulas::Errors errors = forward(shaped, values, machine, formats_of<gradient, element>(), bits);
      for (std::size_t i = 0; i < ceilings.size(); ++i) {
        const double ceiling = factor * ceilings[i].ceiling;
        if (!is_number(ceiling)) continue;
        ++of.entries;
        const Magnitude& bound = errors.total[ways[w]->result][i];
        of.below += exact(ceiling) < bound.value() ? 1 : 0;
        of.nearest = std::max(of.nearest, bound.to_double() / ceiling);
      }
    }
  }
}

/// Numbers that are mostly subnormal.
template <Element element>
Array<element> shrunk(const Array<element>& array) {
  Array<element> result;
  for (const double x : array.values) result.add(std::ldexp(x, element == binary16 ? -20 : -130));
  return result;
}

template <Gradient gradient, Element element>
std::map<std::string, Ceiled> ceiled(std::size_t entries, std::int64_t most_keys, double factor = 1) {
  Random random(10 * gradient + element + 200 + static_cast<std::uint64_t>(most_keys));
  std::map<std::string, Ceiled> all;
  while (all.empty() || all.begin()->second.entries < entries) {
    Case<element> c(random, most_keys);
    const std::uint64_t small = random.below(8);  // none of them, one or both
    if (random.below(20) == 0) c.scale = 0;
    if (small == 1 || small == 3) c.v = shrunk(c.v);
    if (small == 2 || small == 3) c.o = shrunk(c.o);
    if (c.n <= c.m) compare_ceilings<gradient>(c, factor, all);
  }
  return all;
}

template <Gradient gradient>
void expect_no_ceiling_below_a_bound() {
  const auto entries = test::of_tier<std::size_t>(60, 10'000);
  for (const std::int64_t keys : {12, 60}) {
    for (const auto& all : {ceiled<gradient, binary32>(entries, keys), ceiled<gradient, binary16>(entries, keys),
                            ceiled<gradient, bfloat16>(entries, keys)}) {
      for (const auto& [machine, of] : all) {
        EXPECT_EQ(of.below, 0U) << machine << " of " << of.entries << " entries, nearest " << of.nearest;
      }
    }
  }
}
TEST(CeilingOfAGradient, IsNotBelowTheBoundsForQueries) { expect_no_ceiling_below_a_bound<of_queries>(); }
TEST(CeilingOfAGradient, IsNotBelowTheBoundsForKeys) { expect_no_ceiling_below_a_bound<of_keys>(); }
TEST(CeilingOfAGradient, IsNotBelowTheBoundsForValues) { expect_no_ceiling_below_a_bound<of_values>(); }

TEST(CeilingOfAGradient, IsBelowABoundWhereItIsATenthTooSmall) {
  const auto below = [](const std::map<std::string, Ceiled>& all) { return all.at("stored").below; };
  EXPECT_GT(below(ceiled<of_queries, binary16>(300, 12, 0.9)), 0U);
  EXPECT_GT(below(ceiled<of_keys, binary16>(300, 12, 0.9)), 0U);
  EXPECT_GT(below(ceiled<of_values, binary16>(300, 12, 0.9)), 0U);
}

constexpr Numbers stored_in_16_bits{11, -14, 0, 1}, in_16_bits{11, -14, 0, 0};
/// error/bound that is shown for a number, with the ceiling 1/2.
double shown(double truth, double radius, double got, Rule rule, const Numbers& numbers) {
  return refuted_by({{truth, radius, 0}, 0.5}, got, rule, numbers).ratio;
}

TEST(RefutedNumber, IsFartherThanItsCeilingItsRadiusAndItsRounding) {
  EXPECT_EQ(shown(1, 0.25, 1.75, rule_within, in_16_bits), 0);
  EXPECT_NEAR(shown(1, 0.25, 1.75 + 0x1p-10, rule_within, in_16_bits), 1 + 0x1p-9, 1e-9);
  EXPECT_EQ(shown(1, 0.25, 1.75 + 0x1p-10, rule_within, stored_in_16_bits), 0);
  EXPECT_NEAR(shown(1, 0.25, 1.75 + 0x1p-9, rule_within, stored_in_16_bits), 1 + 0x1p-9, 1e-9);
  EXPECT_EQ(shown(0, 0, -0.5, rule_within, in_16_bits), 0);
  EXPECT_NEAR(shown(0, 0, -2, rule_within, in_16_bits), 4, 1e-9);
}

TEST(RefutedNumber, IsNoneThatMayBeRoundedTo) {
  EXPECT_EQ(shown(1 + 0x1p-11, 0, 1, rule_rounded, in_16_bits), 0);
  EXPECT_GT(shown(1 + 0x1.1p-11, 0, 1, rule_rounded, in_16_bits), 1);
  EXPECT_EQ(shown(1 + 0x1p-10, 0, 1, rule_faithful, in_16_bits), 0);
  EXPECT_GT(shown(1 + 0x1.1p-10, 0, 1, rule_faithful, in_16_bits), 1);
  EXPECT_EQ(shown(0x1p-25, 0, 0, rule_rounded, in_16_bits), 0);
  EXPECT_EQ(shown(98256, 1, 65504, rule_faithful, in_16_bits), 0);
  EXPECT_EQ(shown(-98256, 1, -65504, rule_faithful, in_16_bits), 0);
  EXPECT_GT(shown(65000, 1, 65504, rule_faithful, in_16_bits), 1);
}

TEST(RefutedNumber, IsAnInfinityWhereTheTruthIsFarBelowTheLargestNumber) {
  const double infinite = infinity();
  EXPECT_GT(shown(65000, 1, infinite, rule_within, stored_in_16_bits), 1);
  EXPECT_EQ(shown(65503, 1, infinite, rule_within, stored_in_16_bits), 0);
  EXPECT_EQ(shown(70000, 1, infinite, rule_within, stored_in_16_bits), 0);
  EXPECT_GT(shown(70000, 1, -infinite, rule_within, stored_in_16_bits), 1);
  EXPECT_EQ(shown(-70000, 1, -infinite, rule_rounded, in_16_bits), 0);
}

TEST(RefutedNumber, IsEachNaN) {
  const double none = number_of(0x7ff8000000000000ULL);
  EXPECT_EQ(shown(1, 0.25, none, rule_within, stored_in_16_bits), infinity());
  EXPECT_EQ(shown(1, 0.25, none, rule_faithful, in_16_bits), infinity());
  EXPECT_EQ(refuted_by({{1, 0.25, 0}, infinity()}, none, rule_within, in_16_bits).ratio, 0);  // there is no ceiling
}

}  // namespace
}  // namespace assay::enclosures
