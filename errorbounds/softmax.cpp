#include "errorbounds/softmax.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/rounded.hpp"
#include "errorbounds/sum.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

RelativeBound one_plus(const Dyadic& x) { return {Dyadic(1) + x, 1}; }

RelativeBound minus_one(const RelativeBound& x) { return {x.numerator - x.denominator, x.denominator}; }

/// 1/(1 − β).
RelativeBound of_quotient(const RelativeBound& beta) { return {beta.denominator, beta.denominator - beta.numerator}; }

/// 2ku.
Dyadic of_ulps(int k, const Format& format) { return Dyadic(2 * k) * unit_roundoff(format.precision); }

/// A bound without a named term.
Bound absolute(const RelativeBound& x) { return {x.numerator, x.denominator}; }

/// β/(1 − β) of the row.
RelativeBound of_log(int k, const SoftmaxRow& row, const Format& format) {
  const RelativeBound beta = softmax_sum_bound(k, row, format);
  return beta * of_quotient(beta);
}

/// E = β' + 2ku(magnitude + β') + kη: of the logarithm of the sum.
Bound of_logarithm(int k, const SoftmaxRow& row, const Dyadic& magnitude, const Format& format) {
  const Bound lost = absolute(of_log(k, row, format));
  const Dyadic ulps = of_ulps(k, format);
  return lost + (Bound{magnitude} + lost) * ulps + Bound{Dyadic(k) * smallest_subnormal(format)};
}

/// u(D + ln Z) + (1 + u)(uD + u(|m| + ln Z) + (1 + u)E).
Bound of_sum(const SoftmaxRow& row, const Dyadic& distance, const Bound& logarithm, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic grown = Dyadic(1) + u;
  return Bound{u * (distance + row.log_sum)} +
         (Bound{u * (distance + row.shift + row.log_sum)} + logarithm * grown) * grown;
}

}  // namespace

RelativeBound softmax_sum_bound(int k, const SoftmaxRow& row, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic tau = row.widest * u;
  if (tau > Dyadic(1)) throw std::domain_error("the bound of softmax requires u·(m - x) <= 1 for every x");
  // c·u·L with c = 2/(2 − τ) and L = 7⌈log₂ n⌉/10 ≥ ln n.
  const Dyadic height(pairwise_height(row.n));
  const RelativeBound mean{Dyadic(14) * height * u, Dyadic(10) * (Dyadic(2) - tau)};
  const RelativeBound terms = one_plus(of_ulps(k, format)) * (RelativeBound{1, 1} + mean) +
                              RelativeBound{Dyadic(row.n) * Dyadic(k) * smallest_subnormal(format), 1};
  RelativeBound beta = rounded_up(minus_one(one_plus(Dyadic(row.n - 1) * u) * terms));
  if (beta.numerator >= beta.denominator) {
    throw std::domain_error("the bound of softmax requires an error of the sum below 1: n = " + std::to_string(row.n));
  }
  return beta;
}

Bound softmax_bound(int k, const SoftmaxRow& row, const Dyadic& distance, const Dyadic& probability,
                    const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const RelativeBound shift{Dyadic(2) + distance * u, Dyadic(2) - distance * u};
  const RelativeBound last = one_plus(u) * one_plus(u) * of_quotient(softmax_sum_bound(k, row, format));
  return minus_one(one_plus(of_ulps(k, format)) * shift * last) * probability +
         last * (Dyadic(k + 1) * smallest_subnormal(format));
}

Bound softmax_row_sum_bound(std::uint64_t n, const Format& format) {
  gamma(n, format.precision);
  const Dyadic u = unit_roundoff(format.precision);
  const RelativeBound quotient{(Dyadic(1) + u) * (Dyadic(1) + u), Dyadic(1) - Dyadic(n == 0 ? 0 : n - 1) * u};
  return absolute(minus_one(quotient)) + Bound{Dyadic(n) * smallest_subnormal(format)};
}

Bound softmax_stored_row_sum_bound(const Bound& before, std::uint64_t n, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  return before + (before + Bound{Dyadic(1)}) * (Dyadic(2) * u) + Bound{Dyadic(n) * smallest_subnormal(format)};
}

Bound log_softmax_bound(int k, const SoftmaxRow& row, const Dyadic& distance, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  return Bound{u * (distance + row.log_sum)} +
         (Bound{u * distance} + of_logarithm(k, row, row.log_sum, format)) * (Dyadic(1) + u);
}

Bound log_softmax_of_sum_bound(int k, const SoftmaxRow& row, const Dyadic& distance, const Format& format) {
  return of_sum(row, distance, of_logarithm(k, row, row.log_sum, format), format);
}

Bound log_softmax_unshifted_bound(int k, const SoftmaxRow& row, const Dyadic& distance, const Format& format) {
  return of_sum(row, distance, of_logarithm(k, row, row.shift + row.log_sum * Dyadic(2), format), format);
}

}  // namespace assay
