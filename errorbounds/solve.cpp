#include "errorbounds/solve.hpp"

#include "errorbounds/gamma.hpp"

namespace assay {

Bound getrs_residual_bound(std::uint64_t n, const oracle::Dyadic& products, const oracle::Dyadic& spoiled,
                           const oracle::Format& format) {
  return Bound{oracle::Dyadic(2 * n + 3) * unit_roundoff(format.precision) * products +
               spoiled * smallest_subnormal(format)};
}

bool getrs_bound_applies(std::uint64_t n, const oracle::Format& format) {
  return oracle::Dyadic(n * (n + 2)) * unit_roundoff(format.precision) <= oracle::Dyadic(1);
}

Bound left_residual_bound(std::span<const oracle::Dyadic> largest, std::size_t j, const oracle::Dyadic& numbers,
                          const oracle::Format& format) {
  const std::uint64_t n = largest.size();
  const SolveGrowth growth = solve_growth(largest, j, format);
  const oracle::Dyadic lost = oracle::Dyadic(4 * n) * (growth.denominator + growth.most) *
                              (oracle::Dyadic(1) + numbers) * smallest_subnormal(format);
  return {oracle::Dyadic(3 * n + 5) * unit_roundoff(format.precision) * growth.of_column * numbers + lost,
          growth.denominator};
}

Bound posv_residual_bound(std::uint64_t n, const oracle::Dyadic& scaled, const oracle::Dyadic& largest,
                          const oracle::Dyadic& unknowns, const oracle::Format& format) {
  const oracle::Dyadic order(n);
  const oracle::Dyadic rest = oracle::Dyadic(1) - oracle::Dyadic(n + 2) * unit_roundoff(format.precision);
  const oracle::Dyadic lost = oracle::Dyadic(4) * (order + oracle::Dyadic(2) * largest) *
                              (order * largest + oracle::Dyadic(1) + unknowns) * smallest_subnormal(format);
  return {oracle::Dyadic(3 * n + 6) * unit_roundoff(format.precision) * scaled + lost * rest, rest};
}

}  // namespace assay
