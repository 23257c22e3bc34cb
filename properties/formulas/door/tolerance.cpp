// Error bounds of machines for results.

#include <algorithm>
#include <cmath>
#include <limits>

#include "errorbounds/judge.hpp"
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
  if (machine.wide != format) return judge_stored(got, exact, exact_bound, format, i);
  if (!oracle::is_finite(format, got)) return Judgement::fail(i);
  return judge_within(oracle::decode_finite(format, got), exact, exact_bound, i);
}

Tolerance tolerance_of(const Truth& truth, std::size_t place, const Machine& machine, const oracle::Format& format) {
  constexpr std::size_t most_passes = 256;
  const std::size_t entries = truth.exact().size();
  const bool is_smaller = entries <= most_passes;
  NotedBounds noted(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    if (!truth.is_number(i) || !truth.bounds(place)[i].is_finite()) continue;
    const oracle::Magnitude bound = is_smaller ? truth.bound(place, i) : truth.bounds(place)[i];
    judge_machine(0, truth.exact()[i], bound, machine, format, i);
  }
  Tolerance tolerance{noted.all()};
  tolerance.is_smaller = is_smaller;
  std::vector<double> said;
  for (std::size_t i = 0; i < entries; ++i) {
    const double bound = tolerance.bounds[i];
    if (std::isnan(bound)) continue;
    said.push_back(bound);
    if (bound > tolerance.largest) tolerance.largest = bound, tolerance.at = i;
    const double size = size_of(truth.exact()[i]);
    if (size > 0) tolerance.relative = std::max(tolerance.relative, bound / size);
    if (size > 0 && size <= bound) tolerance.blind += 1;
  }
  tolerance.silent = entries - said.size();
  std::ranges::sort(said);
  tolerance.median = said.empty() ? std::numeric_limits<double>::quiet_NaN() : said[said.size() / 2];
  return tolerance;
}

}  // namespace assay::formulas
