#include "errorbounds/softmax.hpp"

#include <algorithm>
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
using oracle::Magnitude;

namespace {

RelativeBound one_plus(const Dyadic& x) { return {Dyadic(1) + x, 1}; }

RelativeBound minus_one(const RelativeBound& x) { return {x.numerator - x.denominator, x.denominator}; }

/// 1/(1 − β).
RelativeBound of_quotient(const RelativeBound& beta) { return {beta.denominator, beta.denominator - beta.numerator}; }

/// 2ku.
Dyadic of_ulps(int k, const Format& format) { return Dyadic(2 * k) * unit_roundoff(format.precision); }

/// A bound without a named term.
Bound absolute(const RelativeBound& x) { return {x.numerator, x.denominator}; }

/// At most twice the loss of an operation to underflow: η, or 2^(emin + 1) if subnormal results become 0.
Dyadic loss(const SoftmaxForm& form, const Format& format) {
  return form.flushes ? Dyadic::scaled(1, format.emin + 1) : smallest_subnormal(format);
}

/// The error of an exponential besides its ulps: kη; η more in a row with some results that are not normal numbers, and
/// 2^emin if they become 0.
Dyadic lost_by_exponential(const SoftmaxForm& form, bool has_far, const Format& format) {
  const Dyadic flushed = form.flushes ? Dyadic::scaled(1, format.emin) : Dyadic();
  return Dyadic(form.ulps + (has_far ? 1 : 0)) * smallest_subnormal(format) + flushed;
}

/// t: the largest error of an exponent.
Dyadic of_exponent(const SoftmaxForm& form, const SoftmaxRow& row, const Dyadic& distance, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic grown = Dyadic(1) + u;
  Dyadic off = distance * u;
  if (form.by_exp2) off *= Dyadic(3) + Dyadic(4) * u;
  if (form.scales) off += Dyadic(2) * row.shift * u * grown * grown;
  if (form.by_exp2 || form.flushes) off += Dyadic(4) * loss(form, format);
  return off;
}

RelativeBound of_shift(const Dyadic& off) { return {Dyadic(2) + off, Dyadic(2) - off}; }

/// (1 + u)²/(1 − β).
RelativeBound of_last(const RelativeBound& beta, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  return one_plus(u) * one_plus(u) * of_quotient(beta);
}

/// The error of a result from underflow: the error of an exponential, and the loss of the quotient.
Dyadic lost_by_result(const SoftmaxForm& form, bool has_far, const Format& format) {
  const Dyadic flushed = form.flushes ? Dyadic::scaled(1, format.emin) : Dyadic();
  return lost_by_exponential(form, has_far, format) + smallest_subnormal(format) + flushed;
}

/// E = β' + 2ku(magnitude + β') + kη: the error of the logarithm of the sum, with the later errors that underflow
/// causes.
Bound of_logarithm(const SoftmaxForm& form, const RelativeBound& beta, const Dyadic& magnitude, const Format& format) {
  const int k = form.ulps + (form.by_exp2 ? 2 : 0);
  const Bound lost = absolute(beta * of_quotient(beta));
  const Dyadic flushed = form.flushes ? Dyadic(3) * loss(form, format) : Dyadic();
  return lost + (Bound{magnitude} + lost) * of_ulps(k, format) +
         Bound{Dyadic(k) * smallest_subnormal(format) + flushed};
}

/// Of the numbers but one that is m.
struct Others {
  Dyadic share;         ///< y = min(1, ln Z): at least Σ exp(−Dⱼ)/Z
  Dyadic tenfold_mean;  ///< 10·min(L, y(L + second)), L = 7⌈log₂ n⌉/10: at least 10·Σ Dⱼexp(−Dⱼ)/Z
};
Others others_of(const SoftmaxRow& row) {
  const Dyadic share = std::min(Dyadic(1), row.log_sum);
  const Dyadic height(7 * pairwise_height(row.n));
  return {share, std::min(height, share * (height + Dyadic(10) * row.second))};
}

/// At most xu.
Magnitude of_ulps_lower(unsigned long x, const Format& format) {
  return Magnitude::lower(Dyadic(x) * unit_roundoff(format.precision));
}

/// At most of_exponent(): at_zero + slope·D.
struct ExponentFloor {
  Magnitude at_zero;
  Magnitude slope;
};
ExponentFloor exponent_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  return {Magnitude::lower(of_exponent(form, row, Dyadic(), format)), of_ulps_lower(form.by_exp2 ? 3 : 1, format)};
}

/// At most β: (n − 1)u + 2ku + t at 7⌈log₂ n⌉/10 + n times the loss of an exponential.
Magnitude sum_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  const ExponentFloor exponent = exponent_floor(form, row, format);
  const Dyadic tenths(7 * pairwise_height(row.n));
  const Magnitude height = divided_lower(Magnitude::lower(tenths), 10UL);
  const Magnitude mean = plus_lower(exponent.at_zero, times_lower(exponent.slope, height));
  const Magnitude roundings = of_ulps_lower(row.n - 1 + 2 * static_cast<unsigned long>(form.ulps), format);
  const Magnitude lost = Magnitude::lower(Dyadic(row.n) * lost_by_exponential(form, row.has_far, format));
  return plus_lower(plus_lower(roundings, mean), lost);
}

/// At most B of softmax_others_bound(): (n − 2 + 2k)uy + u·min(L, y(L + second)) + (n − 1) times the loss of an
/// exponential; of flushed exponents nothing.
Magnitude others_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  const Others others = others_of(row);
  const std::uint64_t roundings = (row.n < 2 ? 0 : row.n - 2) + 2 * static_cast<std::uint64_t>(form.ulps);
  const Dyadic lost = Dyadic(row.n < 1 ? 0 : row.n - 1) * lost_by_exponential(form, row.has_far, format);
  const Dyadic unit = unit_roundoff(format.precision);
  return plus_lower(Magnitude::lower(Dyadic(roundings) * unit * others.share + lost),
                    divided_lower(Magnitude::lower(others.tenfold_mean * unit), 10UL));
}

/// At most u(2D + rounded) + β + 2ku·magnitude + kη with the k of the logarithm: further losses to underflow are
/// omitted. `of_sum` is at most β.
SoftmaxFloor of_logarithm_floor(const SoftmaxForm& form, const Magnitude& of_sum, const Dyadic& rounded,
                                const Dyadic& magnitude, const Format& format) {
  const int k = form.ulps + (form.by_exp2 ? 2 : 0);
  const Dyadic others = unit_roundoff(format.precision) * rounded + of_ulps(k, format) * magnitude +
                        Dyadic(k) * smallest_subnormal(format);
  return {plus_lower(of_sum, Magnitude::lower(others)), of_ulps_lower(2, format), {}};
}

/// u(D + ln Z) + (1 + u)(uD + u(|m| + ln Z) + (1 + u)E).
Bound of_sum(const SoftmaxRow& row, const Dyadic& distance, const Bound& logarithm, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic grown = Dyadic(1) + u;
  return Bound{u * (distance + row.log_sum)} +
         (Bound{u * (distance + row.shift + row.log_sum)} + logarithm * grown) * grown;
}

}  // namespace

RelativeBound softmax_sum_bound(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic tau = of_exponent(form, row, row.widest, format);
  if (tau > Dyadic(1)) throw std::domain_error("the bound of softmax requires u·(m - x) <= 1 for every x");
  // c·t at L with c = 2/(2 − τ) and L = 7⌈log₂ n⌉/10 ≥ ln n.
  const Dyadic height(pairwise_height(row.n));
  const Dyadic tenth_of_mean =
      of_exponent(form, row, Dyadic(7) * height, format) + of_exponent(form, row, Dyadic(), format) * Dyadic(9);
  const RelativeBound mean{Dyadic(2) * tenth_of_mean, Dyadic(10) * (Dyadic(2) - tau)};
  const RelativeBound terms = one_plus(of_ulps(form.ulps, format)) * (RelativeBound{1, 1} + mean) +
                              RelativeBound{Dyadic(row.n) * lost_by_exponential(form, row.has_far, format), 1};
  RelativeBound beta = rounded_up(minus_one(one_plus(Dyadic(row.n - 1) * u) * terms));
  if (beta.numerator >= beta.denominator) {
    throw std::domain_error("the bound of softmax requires an error of the sum below 1: n = " + std::to_string(row.n));
  }
  return beta;
}

RelativeBound softmax_others_bound(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  const Dyadic tau = of_exponent(form, row, row.widest, format);
  if (tau > Dyadic(1)) throw std::domain_error("the bound of softmax requires u·(m - x) <= 1 for every x");
  const Others others = others_of(row);
  const RelativeBound additions = one_plus(Dyadic(row.n < 2 ? 0 : row.n - 2) * unit_roundoff(format.precision));
  const RelativeBound exponentials = one_plus(of_ulps(form.ulps, format));
  const Dyadic tenfold_mean = others.tenfold_mean * unit_roundoff(format.precision) +
                              Dyadic(10) * of_exponent(form, row, Dyadic(), format) * others.share;
  const RelativeBound mean{Dyadic(2) * tenfold_mean, Dyadic(10) * (Dyadic(2) - tau)};
  const Dyadic lost = Dyadic(row.n < 1 ? 0 : row.n - 1) * lost_by_exponential(form, row.has_far, format);
  RelativeBound bound = rounded_up(minus_one(additions * exponentials) * RelativeBound{others.share, 1} +
                                   additions * (exponentials * mean + RelativeBound{lost, 1}));
  if (bound.numerator >= bound.denominator) {
    throw std::domain_error("the bound of softmax requires an error of the sum below 1: n = " + std::to_string(row.n));
  }
  return bound;
}

Bound softmax_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta, const Dyadic& distance,
                    const Dyadic& probability, const Format& format) {
  const RelativeBound shift = of_shift(of_exponent(form, row, distance, format));
  const RelativeBound last = of_last(beta, format);
  return minus_one(one_plus(of_ulps(form.ulps, format)) * shift * last) * probability +
         last * lost_by_result(form, false, format);
}

Bound softmax_far_bound(const SoftmaxForm& form, const RelativeBound& beta, const Format& format) {
  return of_last(beta, format) * lost_by_result(form, true, format);
}

Bound softmax_of_log_sum_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                               const Dyadic& distance, const Dyadic& probability, const Format& format) {
  const Bound exact = log_softmax_of_sum_bound(form, row, beta, distance, format);
  const Dyadic off = rounded_up({exact.numerator, exact.denominator}).numerator;
  if (off > Dyadic(1)) throw std::domain_error("the bound of softmax by the logarithm of the sum requires one below 1");
  const RelativeBound twice = one_plus(unit_roundoff(format.precision)) * one_plus(unit_roundoff(format.precision));
  return minus_one(one_plus(of_ulps(form.ulps, format)) * of_shift(off) * twice) * probability +
         softmax_far_bound(form, beta, format);
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

Bound log_softmax_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                        const Dyadic& distance, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  return Bound{u * (distance + row.log_sum)} +
         (Bound{u * distance} + of_logarithm(form, beta, row.log_sum, format)) * (Dyadic(1) + u);
}

Bound log_softmax_of_others_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& others,
                                  const Dyadic& distance, const Format& format) {
  return log_softmax_bound(form, row, others, distance, format);
}

Bound log_softmax_of_sum_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                               const Dyadic& distance, const Format& format) {
  return of_sum(row, distance, of_logarithm(form, beta, row.log_sum, format), format);
}

Bound log_softmax_unshifted_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                                  const Dyadic& distance, const Format& format) {
  return of_sum(row, distance, of_logarithm(form, beta, row.shift + row.log_sum * Dyadic(2), format), format);
}

oracle::Magnitude SoftmaxFloor::at(const Magnitude& distance, const Magnitude& probability) const {
  return plus_lower(times_lower(plus_lower(base, times_lower(slope, distance)), probability), lost);
}

SoftmaxFloor softmax_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  const ExponentFloor exponent = exponent_floor(form, row, format);
  const Magnitude roundings = of_ulps_lower(2 * static_cast<unsigned long>(form.ulps) + 2, format);
  return {plus_lower(plus_lower(roundings, sum_floor(form, row, format)), exponent.at_zero), exponent.slope,
          Magnitude::lower(lost_by_result(form, false, format))};
}

SoftmaxFloor softmax_of_log_sum_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  SoftmaxFloor floor = log_softmax_of_sum_floor(form, row, format);
  floor.base = plus_lower(floor.base, of_ulps_lower(2 * static_cast<unsigned long>(form.ulps) + 2, format));
  floor.lost = Magnitude::lower(lost_by_result(form, true, format));
  return floor;
}

SoftmaxFloor log_softmax_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  return of_logarithm_floor(form, sum_floor(form, row, format), row.log_sum, row.log_sum, format);
}

SoftmaxFloor log_softmax_of_others_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  return of_logarithm_floor(form, others_floor(form, row, format), row.log_sum, row.log_sum, format);
}

SoftmaxFloor log_softmax_of_sum_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  return of_logarithm_floor(form, sum_floor(form, row, format), row.shift + row.log_sum * Dyadic(2), row.log_sum,
                            format);
}

SoftmaxFloor log_softmax_unshifted_floor(const SoftmaxForm& form, const SoftmaxRow& row, const Format& format) {
  const Dyadic shifted = row.shift + row.log_sum * Dyadic(2);
  return of_logarithm_floor(form, sum_floor(form, row, format), shifted, shifted, format);
}

}  // namespace assay
