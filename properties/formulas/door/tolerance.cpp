// Error bounds of machines for results.

#include <algorithm>
#include <cmath>
#include <limits>

#include "errorbounds/judge.hpp"
#include "errorbounds/neighbors.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "oracle/decode.hpp"
#include "properties/formulas/door/operation.hpp"

namespace assay::formulas {
namespace {

/// |x|, as a number of binary64.
double size_of(const oracle::Exact& x) {
  if (const auto* const number = std::get_if<oracle::Dyadic>(&x)) return std::abs(number->to_double_nearest());
  if (const auto* const enclosure = std::get_if<oracle::Enclosure>(&x)) {
    return std::abs(enclosure->at(64).lower().to_double_nearest());
  }
  return 0;
}

}  // namespace

Judgement judge_machine(std::uint64_t got, const oracle::Exact& exact, const oracle::Magnitude& bound,
                        const Machine& machine, const oracle::Format& format, std::size_t i) {
  const Bound exact_bound{bound.value()};
  if (machine.wide != format) {
    return machine.is_stochastic ? judge_neighbor(got, exact, exact_bound, format, i)
                                 : judge_stored(got, exact, exact_bound, format, i);
  }
  if (!oracle::is_finite(format, got)) return Judgement::fail(i);
  return judge_within(oracle::decode_finite(format, got), exact, exact_bound, i);
}

Kinds kinds_of_result(const oracle::Format& format, std::uint64_t got) {
  const bool is_negative = oracle::is_negative(format, got);
  if (oracle::is_nan(format, got)) return not_a_number;
  if (!oracle::is_finite(format, got)) return is_negative ? minus_infinity : plus_infinity;
  return (got & ~format.sign_mask()) == 0 ? finite : is_negative ? negative : positive;
}

Judgement judge_outcome(std::uint64_t got, const oracle::Exact& exact, const Truth::Outcome& outcome,
                        const Machine& machine, const oracle::Format& format, std::size_t i) {
  const auto note_infinity = [i] {
    if (NotedBounds* const noted = NotedBounds::current()) noted->note(i, std::numeric_limits<double>::infinity());
  };
  if ((kinds_of_result(format, got) & outcome.beyond) != 0) {
    note_infinity();
    return Judgement::pass();
  }
  if (!outcome.is_number) return Judgement::fail(i);
  const Judgement judgement = judge_machine(got, exact, outcome.bound, machine, format, i);
  if (NotedBounds::are_all_wanted()) note_infinity();
  return judgement;
}

Tolerance tolerance_of(const Truth& truth, std::size_t place, const Machine& machine, const oracle::Format& format) {
  constexpr std::size_t most_steps = 2'000'000;
  const Column<oracle::Magnitude>& by_forward = truth.bounds(place);
  NotedBounds noted(by_forward.size());
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < by_forward.size(); ++i) {
    if (truth.is_number(i) && by_forward[i].is_finite()) entries.push_back(i);
  }
  std::ranges::stable_sort(entries, [&](std::size_t a, std::size_t b) { return by_forward[b] < by_forward[a]; });
  std::size_t steps = 0;
  std::size_t unvisited = 0;
  for (const std::size_t i : entries) {
    const bool is_visited = steps < most_steps;
    unvisited += is_visited ? 0 : 1;
    const oracle::Magnitude bound = is_visited ? truth.bound(place, i, &steps) : by_forward[i];
    judge_machine(0, truth.exact()[i], bound, machine, format, i);
  }
  Tolerance tolerance{.bounds = noted.all(), .by_forward = unvisited};
  for (std::size_t i = 0; i < by_forward.size() && tolerance.why.empty(); ++i) {
    if (!truth.is_number(i) || by_forward[i].is_finite()) continue;
    tolerance.why = truth.is_said(place, i) ? "a number of a program may overflow in " + name_of_format(machine.wide) +
                                                  " (formula.overflow.1)"
                                            : truth.why_unsaid(place, i);
  }
  std::vector<double> said;
  for (std::size_t i = 0; i < by_forward.size(); ++i) {
    const double bound = tolerance.bounds[i];
    if (std::isnan(bound)) continue;
    said.push_back(bound);
    if (bound > tolerance.largest) tolerance.largest = bound, tolerance.at = i;
    const double size = size_of(truth.exact()[i]);
    tolerance.mixed = std::max(tolerance.mixed, bound / (1 + size));
    if (size > 0) tolerance.relative = std::max(tolerance.relative, bound / size);
    if (size > 0 && size <= bound) tolerance.blind += 1;
  }
  tolerance.silent = by_forward.size() - said.size();
  std::ranges::sort(said);
  tolerance.median = said.empty() ? std::numeric_limits<double>::quiet_NaN() : said[said.size() / 2];
  return tolerance;
}

}  // namespace assay::formulas
