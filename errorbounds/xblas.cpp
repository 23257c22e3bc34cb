#include "errorbounds/xblas.hpp"

#include <algorithm>
#include <stdexcept>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

Bound xblas_stored_bound(int words, const Bound& of_sum, const Dyadic& magnitude, const Format& format) {
  if (words > 1) return of_sum;
  const Dyadic u = unit_roundoff(format.precision);
  return of_sum * (Dyadic(1) + u) + named("u|s|", Bound{u * magnitude, 1});
}

Bound xblas_sum_bound(int words, std::uint64_t n, std::uint64_t lanes, const Dyadic& weight, const Dyadic& magnitude,
                      const Format& format) {
  const ExpansionSumFactors factors = expansion_sum_factors({std::max(words, 2), n, lanes}, format.precision);
  return xblas_stored_bound(words, expansion_sum_bound(factors, n, weight, format), magnitude, format);
}

Bound xblas_entry_bound(int words, const Bound& of_entry, const Dyadic& magnitude, const Format& format) {
  return xblas_stored_bound(words, of_entry, magnitude, format);
}

Bound xblas_square_sum_bound(int words, std::uint64_t n, std::uint64_t lanes, const Dyadic& weight,
                             const Dyadic& largest, const Format& format) {
  return expansion_sum_factors({std::max(words, 2), n, lanes}, format.precision).relative * weight +
         Bound{Dyadic(n) * Dyadic::scaled(1, -800) * largest * largest, 1};
}

Bound xblas_norm_bound(int words, const XblasNorm& norm, const Format& format) {
  const int p = format.precision;
  const int K = std::max(words, 2);
  const int digits = words > 1 ? words + 1 : 2;
  const Dyadic u = unit_roundoff(p);
  const RelativeBound two = expansion_sum_factors({K, 2}, p).relative;
  const RelativeBound all = expansion_sum_factors({K, static_cast<std::uint64_t>(digits)}, p).relative;
  Dyadic rest = 1;
  for (int i = 0; i < digits; ++i) rest *= Dyadic(8) * u;
  const RelativeBound d =
      (words > 1 ? RelativeBound{0, 1} : RelativeBound{u, 1}) +
      RelativeBound{101, 100} * (RelativeBound{rest, 1} + RelativeBound{5, 2} * two + RelativeBound{6, 5} * all);
  const Bound of_sum = xblas_square_sum_bound(words, norm.n, norm.lanes, norm.weight, norm.largest, format);
  const RelativeBound grown = RelativeBound{1, 1} + d;
  const Bound of_root{grown.numerator * of_sum.numerator, grown.denominator * of_sum.denominator * norm.low};
  return named("e·W", of_root) + named("d·r", d * norm.high) +
         named("Wη", Bound{Dyadic(words) * smallest_subnormal(format), 1});
}

Bound xblas_residual_bound(int words, const XblasRow& row, const Format& format) {
  const int p = format.precision;
  if (p < 24) throw std::domain_error("the bound of a triangular system requires p >= 24");
  const int K = std::max(words, 2);
  const std::uint64_t products = row.beside + 1;
  const Dyadic u = unit_roundoff(p);
  const Bound of_sum = expansion_sum_bound(expansion_sum_factors({K, products}, p), products, row.weight, format);
  const RelativeBound rounded = words > 1 ? RelativeBound{0, 1} : RelativeBound{u, 1};
  if (row.unit) return words > 1 ? of_sum : of_sum + named("d|lx|", rounded * row.quotient);
  const int digits = words > 1 ? words + 1 : 2;
  const ExpansionSumFactors two = expansion_sum_factors({K, 2}, p);
  const ExpansionSumFactors all = expansion_sum_factors({K, static_cast<std::uint64_t>(digits)}, p);
  Dyadic rest = 1;
  for (int i = 0; i < digits; ++i) rest *= Dyadic(6) * u;
  const RelativeBound of_quotient = rounded + RelativeBound{Dyadic(1) + Dyadic(16) * u, 1} *
                                                  (RelativeBound{rest, 1} + RelativeBound{101, 50} * two.relative +
                                                   RelativeBound{101, 100} * all.relative);
  const RelativeBound tiny =
      (RelativeBound{1, 1} + all.underflow) * RelativeBound{row.diagonal, 1} + RelativeBound{3, 1} * two.underflow;
  return of_sum + named("d|lx|", of_quotient * row.quotient) +
         named("κ·nη", tiny * (Dyadic(4 * digits) * smallest_subnormal(format)));
}

}  // namespace assay
