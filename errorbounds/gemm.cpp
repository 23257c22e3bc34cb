#include "errorbounds/gemm.hpp"

#include <algorithm>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "oracle/format.hpp"

namespace assay {

using oracle::Dyadic;

Bound gemm_growth_bound(std::uint64_t k, bool sum_alone, const Dyadic& T, int p) {
  if (sum_alone) return {Dyadic(k) * unit_roundoff(p) * T, 1};
  return gamma(k + 2, p) * T;
}

Bound gemm_wide_bound(std::uint64_t k, bool sum_alone, const Dyadic& T, int p) {
  return gemm_growth_bound(k, sum_alone && k > 0, T, p) * (Dyadic(1) + Dyadic::scaled(1, -9));
}

Bound gemm_entry_bound(const RelativeBound& e, const Dyadic& magnitude, const Dyadic& floor) {
  return named("e·(|α||A||B| + |βC|)", e * magnitude) + named("2^−1075", {floor, 1});
}

RelativeBound gemm_one_sign_bound(std::int64_t k, int p) { return {Dyadic(10 * k).mul_2exp(-p), 1}; }

std::int64_t ozaki_truncated_pairs(const OzakiEntry& entry) {
  if (entry.slices_a == 0 || entry.slices_b == 0) return 0;
  std::int64_t pairs = entry.slices_a > entry.levels ? 1 : 0;
  const int formed = std::min(entry.slices_a, entry.levels);
  for (int p = 0; p < formed; ++p) {
    if (entry.levels - p < entry.slices_b) ++pairs;
  }
  return pairs;
}

Bound ozaki_truncation_bound(const OzakiEntry& entry) {
  const std::int64_t pairs = ozaki_truncated_pairs(entry);
  const long unit = entry.top_a + entry.top_b - static_cast<long>(entry.q + 1) * entry.levels;
  return {Dyadic(pairs) * Dyadic(entry.k) * Dyadic::scaled(1, unit), 1};
}

Bound ozaki_bound(const OzakiEntry& entry, const Dyadic& alpha, const Dyadic& magnitude, const oracle::Format& format) {
  const Dyadic truncation = abs(alpha) * ozaki_truncation_bound(entry).numerator;
  const Dyadic relative = unit_roundoff(format.precision) * (abs(magnitude) + truncation);
  const Dyadic absolute = Dyadic::scaled(1, -1) * smallest_subnormal(format);
  return named("|α|E", {truncation, 1}) + named("rounding", {std::max(relative, absolute), 1});
}

}  // namespace assay
