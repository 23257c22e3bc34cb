#pragma once
// A probe draws, runs and judges an element-wise algorithm, the same on the host and on a device.
//
// It is a trivially copyable struct with
//   Input, Output                              plain types
//   static constexpr int classes               how many classes of inputs there are
//   Input draw(Stream&, int input_class) const an input of the algorithm's domain
//   Output run(const Input&) const             the algorithm
//   Scaled error(const Input&, const Output&) const
// all of them ASSAY_HD but the number. A case is a seed, a class and a number. It may have besides
//   Scaled quick(const Input&, const Output&) const       the same as error(), with fewer operations
// A probe that enumerates has, in place of draw(),
//   std::uint64_t size(int input_class) const             how many cases a class has
//   Input at(int input_class, std::uint64_t number) const the case of a number below that
// Cases of a cell: `cell`, unless it says `static constexpr std::uint64_t cell`.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "exec/executor.hpp"
#include "probes/stream.hpp"

namespace assay::probes {

/// |error| ≤ factor·scale is proved if upper ≤ factor·scale in real arithmetic: `upper` is at least the error's
/// numerator, `scale` at most the right side without its factor.
struct Scaled {
  double upper, scale;
};

/// Op of the numbers a, b, c or of the operands x, y of a case.
template <auto Op, class Case>
ASSAY_HD constexpr auto applied(const Case& c) {
  if constexpr (requires { c.c; }) {
    return Op(c.a, c.b, c.c);
  } else if constexpr (requires { c.b; }) {
    return Op(c.a, c.b);
  } else if constexpr (requires { c.a; }) {
    return Op(c.a);
  } else if constexpr (requires { c.y; }) {
    return Op(c.x, c.y);
  } else {
    return Op(c.x);
  }
}

/// Whether |error| ≤ factor·scale is proved for a case. The two products are rounded, and none of them is subnormal:
/// (1 + u)²(1 − 4u) ≤ 1. Requires: 0 < factor ≤ 1, rounded down (not checked).
ASSAY_HD constexpr bool is_proved(const Scaled& error, double factor) {
  const double allowed = error.scale * factor;
  return error.upper == 0 ||
         (allowed >= 0x1p-1020 && error.scale <= 0x1p1022 && error.upper <= allowed * (1 - 0x1p-51));
}

/// upper/(factor·scale), rounded to nearest; infinite if the scale is not known to be positive, NaN if the error is
/// unknown.
ASSAY_HD constexpr double ratio(const Scaled& error, double factor) {
  return error.upper == 0  ? 0
         : error.scale > 0 ? error.upper / (error.scale * factor)
                           : from_bits<double>(0x7FF0000000000000u);
}

/// A probe with a second bound of the error that needs fewer operations, and may be less tight.
template <class Probe>
concept BoundsQuickly = requires(const Probe& probe, const typename Probe::Input& input,
                                 const typename Probe::Output& output) { probe.quick(input, output); };

/// A probe's result for a case: an upper bound of error/bound, rounded to nearest, and whether the claim is proved.
struct CaseResult {
  double ratio;
  bool proved;
};

/// By both bounds of the probe, if it has two: the smaller ratio; proved if either proves it.
template <class Probe>
ASSAY_HD constexpr CaseResult judged(const Probe& probe, const typename Probe::Input& input,
                                     const typename Probe::Output& output, double factor) {
  const Scaled error = probe.error(input, output);
  CaseResult result{ratio(error, factor), is_proved(error, factor)};
  if constexpr (BoundsQuickly<Probe>) {
    const Scaled quick = probe.quick(input, output);
    const double other = ratio(quick, factor);
    if (!(result.ratio <= other) && other >= 0) result.ratio = other;
    result.proved = result.proved || is_proved(quick, factor);
  }
  return result;
}

/// The largest `below` of surely_below().
inline constexpr double nearly_one = 1 - 0x1p-50;

/// Whether judged() surely proves a case and gives a ratio of at most `below`: decided without a quotient, by the quick
/// bound if there is one. Requires: below ≤ nearly_one (not checked). Proof: docs/decisions/device_judge.md.
template <class Probe>
ASSAY_HD constexpr bool surely_below(const Probe& probe, const typename Probe::Input& input,
                                     const typename Probe::Output& output, double factor, double below) {
  const Scaled error = [&] {
    if constexpr (BoundsQuickly<Probe>) {
      return probe.quick(input, output);
    } else {
      return probe.error(input, output);
    }
  }();
  const double allowed = error.scale * factor;
  if (error.upper < below * allowed && allowed >= 0x1p-1020 && error.scale <= 0x1p1022) return true;
  return error.upper == 0 && below >= 0;
}

/// Cases are judged in cells of `cell` cases with consecutive numbers: cell c of a class has the cases c·cell … (c +
/// 1)·cell − 1. The result of a cell does not depend on how a run is split.
inline constexpr std::uint64_t cell = std::uint64_t{1} << 20;

/// The same for a probe.
template <class Probe>
inline constexpr std::uint64_t cell_of = [] {
  if constexpr (requires { Probe::cell; }) {
    return Probe::cell;
  } else {
    return cell;
  }
}();

/// The results of the cases of a cell.
struct CellResult {
  double largest;           ///< over all cases: upper/(factor·scale), rounded to nearest
  std::uint64_t number;     ///< the first case that has it
  std::uint64_t undecided;  ///< how many cases are not proved
};

/// A probe whose classes are lists of cases.
template <class Probe>
concept Enumerates = requires(const Probe& probe) { probe.at(0, std::uint64_t{}); };

/// The case of a seed, a class and a number.
template <class Probe>
ASSAY_HD constexpr typename Probe::Input case_of(const Probe& probe, std::uint64_t seed, int input_class,
                                                 std::uint64_t number) {
  if constexpr (Enumerates<Probe>) {
    return probe.at(input_class, number);
  } else {
    Stream stream(seed, static_cast<std::uint64_t>(input_class), number);
    return probe.draw(stream, input_class);
  }
}

/// The number of cases in the cell of a class that begins with case `begin`. Requires: there is that case (not
/// checked).
template <class Probe>
ASSAY_HD constexpr std::uint64_t cases_from(const Probe& probe, int input_class, std::uint64_t begin) {
  if constexpr (Enumerates<Probe>) {
    const std::uint64_t left = probe.size(input_class) - begin;
    return left < cell_of<Probe> ? left : cell_of<Probe>;
  } else {
    return cell_of<Probe>;
  }
}

/// Cells first … first + count − 1 of a class. Defined for the probes of this folder, and for others if their file
/// includes probes/judge.hpp. Throws ExecutorError.
template <class Probe>
std::vector<CellResult> judge_cells(const Executor& on, const Probe& probe, double factor, std::uint64_t seed,
                                    int input_class, std::uint64_t first, std::size_t count);

/// A cell, and how many of its cases are not proved.
struct CellCount {
  std::uint64_t of_cell;
  std::uint64_t undecided;
};

/// The numbers of the cases of some cells that are not proved: ascending in each cell, the cells in the given order.
/// Requires: the counts are those that judge_cells() gives (not checked). Defined where judge_cells() is. Throws
/// ExecutorError.
template <class Probe>
std::vector<std::uint64_t> undecided_in(const Executor& on, const Probe& probe, double factor, std::uint64_t seed,
                                        int input_class, std::span<const CellCount> cells);

/// A probe that can search: `bool move(Stream&, Input&) const` changes a case a little, and returns whether it still
/// lies in the domain.
template <class Probe>
concept Climbs = requires(const Probe& probe, Stream& stream, typename Probe::Input& at) { probe.move(stream, at); };

/// A case near to the bound, and upper/(factor·scale) there.
template <class Input>
struct Peak {
  double ratio;
  Input at;
};

/// A climb has `blocks` times climb_threads threads, each with so many steps. A step runs and judges at most one case.
struct ClimbSize {
  std::size_t blocks;
  int steps;
};
inline constexpr int climb_threads = 256;

/// The case with the largest ratio in each block of a climb. A thread starts from a drawn case or next to one of the
/// starts, changes its case a little, and keeps the change if the ratio is not smaller; if it does not improve for
/// long, it starts anew. A function of the arguments alone, the same on every executor. Defined where judge_cells() is.
/// Throws ExecutorError.
template <class Probe>
std::vector<Peak<typename Probe::Input>> climb(const Executor& on, const Probe& probe, double factor,
                                               std::uint64_t seed, const ClimbSize& size,
                                               std::span<const typename Probe::Input> starts);

}  // namespace assay::probes
