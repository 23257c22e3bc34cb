#pragma once
// Results that are stored as one of the two neighbors of a computed number, as stochastic rounding does.

#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "errorbounds/judge.hpp"
#include "errorbounds/magnitude.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "oracle/decode.hpp"

namespace assay {

/// |t − truth| ≤ bound for a number t that lies strictly between the neighbors of the pattern `got`: the kernel
/// computes t and stores RD(t) or RU(t), which are t itself if it is a number of the format (contract.neighbors.1).
/// Tightness: |t − truth| over the bound for the t that is nearest to the truth; 0 if the truth lies there. Requires: a
/// format with infinities (not checked).
inline Judgement judge_neighbor(std::uint64_t got, const oracle::Exact& truth, const Bound& bound,
                                const oracle::Format& format, std::size_t at = 0) {
  using oracle::Dyadic;
  if (oracle::is_nan(format, got)) return Judgement::fail(at);
  const std::uint64_t magnitude = got & ~format.sign_mask();
  // The infinity stands for the number that would follow the largest one.
  const auto number = [&](std::uint64_t pattern) {
    return pattern == format.infinity() ? Dyadic::scaled(1, format.emax + 1) : oracle::decode_finite(format, pattern);
  };
  std::optional<Dyadic> low = magnitude == 0 ? -number(1) : number(magnitude - 1);
  std::optional<Dyadic> high;
  if (magnitude != format.infinity()) high = number(magnitude + 1);
  if (oracle::is_negative(format, got)) {
    low = -*low;
    if (high) high = -*high;
    std::swap(low, high);
  }
  Judgement judgement{Verdict::holds, 0, at};
  for (const auto& [end, inside] :
       {std::pair(low, std::partial_ordering::greater), std::pair(high, std::partial_ordering::less)}) {
    if (!end) continue;
    const std::partial_ordering side = oracle::compare(truth, *end);
    if (side == std::partial_ordering::unordered) return {Verdict::undecided, 0, at};
    if (side == inside) continue;
    judgement = bound.numerator.is_zero() ? Judgement::fail(at) : judge_within(*end, truth, bound, at);
  }
  if (NotedBounds* const noted = NotedBounds::current()) {
    const double before =
        div(oracle::Ball(bound.numerator), oracle::Ball(bound.denominator), 64).upper().to_double_up();
    if (std::isfinite(before)) {
      const Dyadic place = oracle::ulp(magnitude_above(truth) + oracle::exact(before), format);
      noted->note(at, (oracle::exact(before) + place).to_double_up());
    }
  }
  return judgement;
}

}  // namespace assay
