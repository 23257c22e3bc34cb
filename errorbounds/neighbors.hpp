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

/// Whether the kernel may have computed a t with |t − truth| ≤ bound and stored RD(t) or RU(t), which are t itself if
/// it is a number of the format (contract.neighbors.1): the distance of the truth from the numbers strictly between the
/// neighbors of the pattern `got` is at most the bound; with the bound 0, the truth is one of them. So a distance that
/// is the bound itself holds, though only smaller ones have such a t. Tightness: the distance over the bound; 0 if the
/// truth lies there. Requires: a format with infinities (not checked).
inline Judgement judge_neighbor(std::uint64_t got, const oracle::Exact& truth, const Bound& bound,
                                const oracle::Format& format, std::size_t at = 0) {
  using oracle::Dyadic;
  if (oracle::is_nan(format, got)) return Judgement::fail(at);
  const std::uint64_t magnitude = got & ~format.sign_mask();
  // The infinity counts as 2^(emax + 1), the number that would follow the largest one.
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
    if (side == inside) continue;
    judgement = bound.numerator.is_zero() ? Judgement::fail(at) : judge_within(*end, truth, bound, at);
    if (side == std::partial_ordering::unordered && judgement.verdict != Verdict::holds)
      return {Verdict::undecided, 0, at};
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
