// The kernels of enclosures/attention.cuh against the oracle, and their floors against the bounds of formulas.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "oracle/decode.hpp"
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

/// What the threads of blocks find of all entries.
struct Found {
  std::vector<AttentionRow> rows;     ///< by query
  std::vector<WeightedSums> entries;  ///< by query and column
};

template <Element element>
Found found(const Attention& of, const AttentionFloor& floor) {
  HeadFacts head;
  run_blocks(1, [&] { find_head<element>(of, &head); });
  Found all;
  all.entries.resize(static_cast<std::size_t>(of.queries * of.columns));
  run_blocks(static_cast<unsigned>(all_blocks<threads>(of)), [&] {
    __shared__ Tile tile;
    each_of_attention<element>(of, this_block(of), tile,
                               [&](unsigned, Integer row, Integer column, const WeightedSums& sums) {
                                 all.entries[static_cast<std::size_t>(row * of.columns + column)] = sums;
                               });
  });
  for (Integer i = 0; i < of.queries; ++i) {
    all.rows.push_back(
        row_of_attention(of, head, length_of<element>(rows_of(of.q, of, 0), of.width, i), i, tile_keys, floor));
  }
  return all;
}

/// o of a query by the definition.
template <Element element>
std::vector<Ball> truth_of(const Case<element>& c, std::int64_t query) {
  const std::int64_t seen = keys_of_query(c.arrays(), query);
  std::vector<Dyadic> logits;
  for (std::int64_t j = 0; j < seen; ++j) {
    Dyadic sum;
    for (std::int64_t l = 0; l < c.d; ++l) {
      sum += exact(c.q.values[static_cast<std::size_t>(query * c.d + l)]) *
             exact(c.k.values[static_cast<std::size_t>(j * c.d + l)]);
    }
    logits.push_back(sum * exact(double{c.scale}));
  }
  const Dyadic largest = *std::ranges::max_element(logits);
  Ball sum;
  std::vector<Ball> all(static_cast<std::size_t>(c.e));
  for (std::int64_t j = 0; j < seen; ++j) {
    const Ball weight = exp(Ball(logits[static_cast<std::size_t>(j)] - largest), bits);
    sum = add(sum, weight, bits);
    for (std::int64_t i = 0; i < c.e; ++i) {
      Ball& entry = all[static_cast<std::size_t>(i)];
      entry = add(entry, mul(weight, Ball(exact(c.v.values[static_cast<std::size_t>(j * c.e + i)])), bits), bits);
    }
  }
  for (Ball& each : all) each = div(each, sum, bits);
  return all;
}

/// What enclosures hold of many numbers.
struct Held {
  std::size_t numbers = 0, escaped = 0;
};
using Change = std::function<void(Attention&, AttentionRow&)>;

/// `change` comes twice: before the kernels run, and to what is known of a row.
template <Element element>
Held held(
    std::size_t numbers, const Change& change = [](Attention&, AttentionRow&) {}) {
  Random random(element + 1);
  Held held;
  while (held.numbers < numbers) {
    const Case<element> c(random, 100);
    Attention of = c.arrays();
    AttentionRow none{};
    change(of, none);
    Found all = found<element>(of, {});
    for (std::int64_t i = 0; i < c.n; ++i) {
      AttentionRow row = all.rows[static_cast<std::size_t>(i)];
      if (row.is_open != 0 || keys_of_query(c.arrays(), i) == 0) continue;
      change(of, row);
      const std::vector<Ball> truth = truth_of(c, i);
      for (std::int64_t at = 0; at < c.e; ++at, ++held.numbers) {
        const Known known = number_of_attention(all.entries[static_cast<std::size_t>(i * c.e + at)], row);
        const Ball off = sub(truth[static_cast<std::size_t>(at)], Ball(exact(known.value)), bits);
        held.escaped += std::max(abs(off.lower()), abs(off.upper())) <= exact(known.radius) ? 0 : 1;
      }
    }
  }
  return held;
}

TEST(NumbersOfAttention, LieInTheirEnclosures) {
  const auto numbers = test::of_tier<std::size_t>(3'000, 100'000);
  EXPECT_EQ(held<binary32>(numbers).escaped, 0U);
  EXPECT_EQ(held<binary16>(numbers).escaped, 0U);
  EXPECT_EQ(held<bfloat16>(numbers).escaped, 0U);
}

TEST(EnclosureOfAttention, IsLeftWithoutItsRadius) {
  EXPECT_GT(held<binary32>(2000, [](Attention&, AttentionRow& row) { row.slack = 0; }).escaped, 0U);
}

TEST(EnclosureOfAttention, IsLeftWithoutItsLastKey) {
  EXPECT_GT(
      held<bfloat16>(2000, [](Attention& of, AttentionRow&) { of.keys -= of.is_causal == 0 && of.keys > 1; }).escaped,
      0U);
}

TEST(EnclosureOfAttention, IsLeftByAKeyThatAQueryDoesNotSee) {
  EXPECT_GT(held<bfloat16>(2000, [](Attention& of, AttentionRow&) { of.is_causal = 0; }).escaped, 0U);
}

TEST(RowOfAttention, IsOpenWhereNoKernelReachedItsHead) {
  Random random(3);
  const Case<binary32> c(random, 5);
  EXPECT_EQ(row_of_attention(c.arrays(), HeadFacts{}, 1, c.n - 1, tile_keys, {}).is_open, 1);
}

TEST(RowOfAttention, IsOpenWithANanOrAnInfinityOfItsHeadOrOfItsOwn) {
  Random random(4);
  const Case<binary32> right(random, 5);
  const auto is_open = [](const Case<binary32>& c) { return found<binary32>(c.arrays(), {}).rows.back().is_open != 0; };
  EXPECT_FALSE(is_open(right));
  for (const double special : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (const int which : {0, 1, 2}) {
      Case<binary32> c = right;
      Array<binary32>& array = which == 0 ? c.q : which == 1 ? c.k : c.v;
      Array<binary32> one;
      one.add(special);
      array.words.back() = one.words[0];
      EXPECT_TRUE(is_open(c)) << special << " in array " << which;
    }
  }
}

/// Entries whose floor was compared with a bound, how many of them are above it, and the largest floor/bound.
struct Compared {
  std::size_t entries = 0, above = 0;
  double nearest = 0;
};

/// The floors of all machines for the rows of a case against formula.forward.1 and formula.mean.1, each times `factor`.
template <Element element>
void compare(const Case<element>& c, double factor, std::map<std::string, Compared>& all) {
  const oracle::Format& format = format_of<element>();
  const bool is_other = c.d % 2 == 0;
  const formulas::Formula shipped = formulas::formula_named(c.is_causal ? is_other ? "attention_grouped" : "attention"
                                                            : is_other  ? "attention_decode"
                                                                        : "attention_full");
  EXPECT_EQ(formulas::is_causal_attention(shipped), c.is_causal);
  std::vector<formulas::Machine> machines = ladder(shipped, format);
  machines.push_back(flushing_machine(shipped, format));
  const std::vector<oracle::Format> formats{format, format, format, oracle::binary32};
  const auto numbers = [](const std::vector<double>& values, std::int64_t first, std::int64_t count) {
    std::vector<Dyadic> numbers;
    for (std::int64_t i = first; i < first + count; ++i) numbers.push_back(exact(values[static_cast<std::size_t>(i)]));
    return numbers;
  };
  const Found known = found<element>(c.arrays(), {});
  for (std::int64_t i = 0; i < c.n; ++i) {
    AttentionRow row = known.rows[static_cast<std::size_t>(i)];
    if (row.is_open != 0) continue;
    const std::int64_t seen = keys_of_query(c.arrays(), i);
    const formulas::Formula formula = formulas::parse(formulas::attention_of_query(shipped, seen), "row");
    std::vector<std::int64_t> lengths;
    for (const formulas::Axis& each : formula.axes) {
      lengths.push_back(each.name == "d" ? c.d : each.name == "m" ? c.m : each.name == "e" ? c.e : 1);
    }
    const formulas::Shaped shaped(formula, lengths);
    formulas::Inputs inputs;
    inputs.numbers = {numbers(c.q.values, i * c.d, c.d),
                      numbers(c.k.values, 0, c.m * c.d),
                      numbers(c.v.values, 0, c.m * c.e),
                      {exact(double{c.scale})}};
    inputs.integers.resize(4);
    const formulas::Balls values = evaluate(shaped, inputs, bits);
    for (const formulas::Machine& machine : machines) {
      const auto floor = formulas::attention_floor(machine, format, c.m);
      if (!floor) continue;
      row.of_weights = floor->of_weights;
      row.of_factor = floor->of_factor * static_cast<double>(seen - 1);
      const formulas::Errors errors = forward(shaped, values, machine, formats, bits);
      formulas::Mean mean(shaped, inputs, values, errors);
      Compared& of = all[machine.name];
      for (std::int64_t at = 0; at < c.e; ++at, ++of.entries) {
        const auto entry = static_cast<std::size_t>(at);
        const Known number = number_of_attention(known.entries[static_cast<std::size_t>(i * c.e + at)], row);
        const Magnitude bound = min(errors.total[formula.result][entry], mean.of(entry));
        const bool is_said = bound.is_finite();
        if (!is_said || bound.value() < exact(factor * number.floor)) ++of.above;
        if (is_said && !bound.is_zero()) of.nearest = std::max(of.nearest, number.floor / bound.to_double());
      }
    }
  }
}

template <Element element>
std::map<std::string, Compared> compared(std::size_t entries, double factor = 1) {
  Random random(element + 11);
  std::map<std::string, Compared> all;
  while (all.empty() || all.begin()->second.entries < entries) compare(Case<element>(random, 40), factor, all);
  return all;
}

template <Element element>
void expect_no_floor_above_a_bound() {
  for (const auto& [machine, of] : compared<element>(test::of_tier<std::size_t>(2'000, 10'000))) {
    EXPECT_EQ(of.above, 0U) << machine << " of " << of.entries << " entries, nearest " << of.nearest;
  }
}
TEST(FloorOfAttention, IsNotAboveTheBoundsInBinary32) { expect_no_floor_above_a_bound<binary32>(); }
TEST(FloorOfAttention, IsNotAboveTheBoundsInBinary16) { expect_no_floor_above_a_bound<binary16>(); }
TEST(FloorOfAttention, IsNotAboveTheBoundsInBfloat16) { expect_no_floor_above_a_bound<bfloat16>(); }

TEST(FormulaOfAttention, IsKnownByAllOfItsText) {
  const std::string text = formulas::formula_named("attention").text;
  EXPECT_EQ(formulas::is_causal_attention(formulas::parse(text, "mine")), true);
  EXPECT_EQ(formulas::is_causal_attention(formulas::parse(text + "  class \"mine\": q 1 2\n", "mine")), std::nullopt);
  EXPECT_EQ(formulas::is_causal_attention(formulas::formula_named("attention_window")), std::nullopt);
}

TEST(FloorOfAttention, IsAboveABoundWhereItIsATenthTooLarge) {
  std::size_t above = 0;
  for (const auto& [machine, of] : compared<bfloat16>(500, 1.1)) above += of.above;
  EXPECT_GT(above, 0U);
}

}  // namespace
}  // namespace assay::enclosures
