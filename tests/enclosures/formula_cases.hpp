#pragma once
// Drawn cases of formulas for the kernels of enclosures/elementwise.cuh, and what these hold of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "oracle/decode.hpp"
#include "properties/formulas/door/elementwise.hpp"
#include "properties/formulas/door/operation.hpp"
#include "tests/enclosures/host_kernels.hpp"
#include "tests/enclosures/random.hpp"
#include "tests/formulas/small_numbers.hpp"

namespace assay::enclosures {

inline Element element_of(const oracle::Format& format) {
  return format == oracle::binary32 ? binary32 : format == oracle::binary16 ? binary16 : bfloat16;
}

/// Numbers of one kind for each parameter: as arrays in memory, and as words. Of a formula with rows: one row.
class Entries {
 public:
  /// `count`: the number of columns.
  Entries(const formulas::Typed& typed, std::size_t count, Random& random)
      : axes_(*formulas::row_axes_of(*typed.formula)) {
    const std::vector<std::size_t>& free = typed.free_axes();
    case_.lengths.assign(free.size(), 1);
    const std::size_t column = axes_.columns.back();
    case_.lengths[static_cast<std::size_t>(std::ranges::find(free, column) - free.begin())] =
        static_cast<std::int64_t>(count);
    const std::uint64_t kind = random.below(axes_.is_flat ? 6 : 8);
    for (std::size_t p = 0; p < typed.parameters.size(); ++p) {
      const formulas::Parameter& parameter = typed.formula->parameters[p];
      std::vector<std::uint64_t>& words = case_.words.emplace_back();
      const bool has_column = formulas_has(parameter.axes, column);
      const std::size_t size = has_column ? count : 1;
      for (std::size_t i = 0; i < size; ++i) {
        words.push_back(parameter.index_of ? random.below(count) : drawn(typed.parameters[p], parameter, kind, random));
      }
      if (parameter.is_one_hot) {
        std::ranges::fill(words, 0);
        words[random.below(count)] = formulas::bits_of(typed.parameters[p], 1);
      }
      if (parameter.ignored && random.below(4) == 0) words[0] = static_cast<std::uint64_t>(*parameter.ignored);
      std::vector<unsigned char>& memory = memory_.emplace_back();
      const int width = parameter.index_of ? 64 : typed.parameters[p].width();
      for (const std::uint64_t word : words) {
        for (int byte = 0; byte < width / 8; ++byte) memory.push_back(static_cast<unsigned char>(word >> (8 * byte)));
      }
      if (parameter.axes.empty()) {
        scalars_.push_back(formulas::number(typed.parameters[p], words.front()));
      } else {
        arrays_.steps[arrays_.count].columns[0] = has_column ? 1 : 0;
        arrays_.inputs[arrays_.count] = memory.data();
        const int type = parameter.index_of ? static_cast<int>(integer64) : element_of(typed.parameters[p]);
        arrays_.types[arrays_.count++] = type;
      }
    }
    arrays_.columns = static_cast<Integer>(count);
    arrays_.entries_of_row = arrays_.entries = axes_.has_result_of_row ? 1 : static_cast<Integer>(count);
  }
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;

  [[nodiscard]] const formulas::Case& words() const { return case_; }
  [[nodiscard]] const FormulaArrays& arrays() const { return arrays_; }
  [[nodiscard]] const std::vector<double>& scalars() const { return scalars_; }
  [[nodiscard]] const std::vector<std::int64_t>& lengths() const { return case_.lengths; }

  /// Passes through the row, which has some parts. `skipped`: a part that is left out. `change`: of what is found.
  void pass_through(const ElementwiseFormula& formula, const FormulaProgram& program, Integer skipped,
                    const std::function<void(ElementwiseNumber&)>& change) {
    arrays_.parts = 3;
    numbers_.assign(static_cast<std::size_t>(formula.row_numbers), {});
    arrays_.numbers = numbers_.data();
    for (const ElementwiseGraph& graph : formula.graphs) {
      for (int pass = graph.first; pass < graph.end; ++pass) {
        finish_row(program, pass, pass == graph.first, arrays_, 0);
        for (ElementwiseNumber& each : numbers_) change(each);
        const FormulaPass& of = program.passes[pass];
        const auto count = static_cast<std::size_t>(of.reduction_end - of.reduction);
        totals_.assign(count * static_cast<std::size_t>(arrays_.parts), {});
        arrays_.totals = totals_.data();
        FormulaSlots slots;
        slots.of_row = numbers_.data();
        for (Integer column = 0; pass + 1 < graph.end && column < arrays_.columns; ++column) {
          const Integer part = column % arrays_.parts;
          if (part != skipped)
            add_column(program, of, arrays_, {0, column}, slots,
                       totals_.data() + static_cast<std::size_t>(part) * count);
        }
      }
    }
  }

 private:
  static bool formulas_has(const std::vector<std::size_t>& axes, std::size_t axis) {
    return std::ranges::find(axes, axis) != axes.end();
  }
  /// Any number, nearly normal ones, integers, numbers of all sizes, tiny ones, numbers beside 0, 1 and 3; of rows also
  /// numbers that lie close together, and numbers that cancel.
  static std::uint64_t drawn(const oracle::Format& format, const formulas::Parameter& parameter, std::uint64_t kind,
                             Random& random) {
    if (parameter.low && random.below(8) != 0) {
      const double low = oracle::Ball(*parameter.low, 64).lower().to_double_nearest();
      const double high = oracle::Ball(*parameter.high, 64).lower().to_double_nearest();
      return formulas::bits_of(format, low + (high - low) * std::abs(random.unit()));
    }
    if (kind == 0) {
      for (;;) {
        const std::uint64_t word = random.below((format.sign_mask() << 1U) - 1);
        if (oracle::is_finite(format, word)) return word;
      }
    }
    const double unit = random.unit();
    const double x =
        kind == 1   ? 3 * (unit + random.unit())
        : kind == 2 ? static_cast<double>(random.from(-9, 9))
        : kind == 3 ? std::ldexp(unit, static_cast<int>(random.from(-20, 14)))
        : kind == 4 ? std::ldexp(unit, static_cast<int>(random.from(format.emin - 12, format.emin + 12)))
        : kind == 6 ? 100 + unit * static_cast<double>(random.below(3))
        : kind == 7 ? (unit < 0 ? -1.7 : 1.7) + static_cast<double>(random.below(5) == 0 ? 1 : 0) * unit
                    : static_cast<double>(random.from(0, 3)) + std::ldexp(unit, -static_cast<int>(random.below(16)));
    return formulas::bits_of(format, x);
  }

  formulas::RowAxes axes_;
  formulas::Case case_{};
  std::vector<std::vector<unsigned char>> memory_{};
  std::vector<double> scalars_{};
  std::vector<ElementwiseNumber> numbers_{};
  std::vector<RowTotals> totals_{};
  FormulaArrays arrays_{};
};

constexpr long bits_of_truth = 1200;  // an exponential of 2⁻⁸⁶⁰ beside 1 counts

/// What enclosures and floors hold of many entries.
struct Held {
  std::size_t entries = 0, known = 0, escaped = 0, above = 0, below = 0, unsaid = 0;
  double floors = 0;  ///< the sum of floor/bound over all with a bound
  std::size_t bounded = 0;
};
using Change = std::function<void(ElementwiseFormula&)>;

/// What is changed in a test that sees a mistake.
struct Mistake {
  Change formula = [](ElementwiseFormula&) {};
  std::function<void(ElementwiseNumber&)> of_row = [](ElementwiseNumber&) {};  ///< a number of a row
  Integer skipped = -1;                                                        ///< a part of a row
};

/// Every graph by itself: the machine without ways for the first, and the one with ways for the others. `columns`: at
/// most so many.
inline Held held(const std::string& name, const std::string& format, int cases, const Mistake& mistake = {},
                 std::size_t columns = 64) {
  using oracle::Ball;
  using oracle::Dyadic;
  using oracle::Magnitude;
  const auto formula = std::make_shared<const formulas::Formula>(formulas::formula_named(name));
  const formulas::Typed typed = formulas::typed(formula, format);
  const bool is_flat = formulas::row_axes_of(*formula)->is_flat;
  Random random(7);
  Held held;
  const std::vector<formulas::Machine> ladder = formulas::ladder(*formula, typed.parameters.front());
  for (int c = 0; c < cases; ++c) {
    Entries entries(typed, is_flat ? columns : 1 + random.below(random.below(4) == 0 ? columns : 9), random);
    const formulas::Machine& machine = ladder[random.below(ladder.size())];
    std::vector<formulas::Machine> machines{machine};
    machines.front().has_ways = false;
    machines.push_back(machine);
    auto program = formulas::elementwise_formula(typed, &machine, entries.scalars(), entries.lengths());
    EXPECT_TRUE(program.has_value()) << name;
    if (!program) return held;
    mistake.formula(*program);
    const formulas::Truth truth(typed, entries.words(), machines);
    const FormulaProgram kernels = program->program();
    entries.pass_through(*program, kernels, mistake.skipped, mistake.of_row);
    for (Integer i = 0; i < entries.arrays().entries; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (int g = 0; g < kernels.graph_count; ++g) {
        ++held.entries;
        const KnownEntry entry = known_by_graph(kernels, kernels.graphs[g], entries.arrays(), i);
        const Known& known = entry.known;
        if (!is_number(known.value)) continue;
        ++held.known;
        const Dyadic value = oracle::exact(known.value);
        if (!truth.is_number(at)) continue;
        const oracle::Exact& y = truth.exact()[at];
        const auto* const number = std::get_if<Dyadic>(&y);
        const Ball ball = number != nullptr ? Ball(*number) : std::get<oracle::Enclosure>(y).at(bits_of_truth);
        const Ball off = sub(ball, Ball(value), bits_of_truth);
        if (Magnitude::upper(known.radius) < Magnitude::lower(off)) ++held.escaped;
        const std::size_t m = g == 0 ? 0 : 1;
        const Magnitude& bound = truth.bounds(m)[at];
        const formulas::Truth::Outcome* const outcome = bound.is_finite() ? nullptr : &truth.outcomes(m)[at];
        const Magnitude& most = outcome == nullptr ? bound : outcome->bound;
        if (outcome != nullptr && g == 0 && (!outcome->is_number || !most.is_finite())) ++held.unsaid;
        if (most.is_finite() && most < Magnitude::lower(known.floor)) ++held.above;
        if (outcome == nullptr && g == 0 && Magnitude::upper(entry.most) < most) ++held.below;
        if (most.is_finite() && !most.is_zero()) {
          ++held.bounded;
          held.floors += known.floor / most.to_double();
        }
      }
    }
  }
  return held;
}

}  // namespace assay::enclosures
