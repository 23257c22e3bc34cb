#include "errorbounds/rns.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace assay {

using oracle::Dyadic;

RelativeBound directed_bound(int p) { return {Dyadic::scaled(1, 1 - p), 1}; }

Bound rns_sum_width(int n) {
  std::int64_t roundings = 3 * std::int64_t{n};
  std::int64_t count = n;
  for (std::int64_t most = 2; count > 1; most *= 2) {
    roundings += count / 2 * most;
    count -= count / 2;
  }
  return {Dyadic::scaled(roundings, -52), 1};
}

Bound rns_refinement_threshold(int n) {
  const auto h = std::int64_t{std::bit_width(static_cast<unsigned>(n - 1))};
  return {Dyadic::scaled(2 * std::max(2 * h, h + 2) * n * 10000002, -52), 1};
}

RelativeBound rns_interval_width(int n) {
  const Dyadic width = rns_sum_width(n).numerator;
  return {width, rns_refinement_threshold(n).numerator - width};
}

RelativeBound rns_to_expansion_bound(int K) { return {Dyadic::scaled(1, 1 - 53L * K), 1}; }

}  // namespace assay
