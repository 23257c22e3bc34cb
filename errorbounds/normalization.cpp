#include "errorbounds/normalization.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/rounded.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

/// 1 + u to a power.
Dyadic grown(int exponent, const Dyadic& u) {
  Dyadic power = 1;
  for (int i = 0; i < exponent; ++i) power *= Dyadic(1) + u;
  return power;
}

/// What a sum of n terms of one sign, each with so many roundings, is at most multiplied by.
Dyadic of_sum(std::uint64_t n, int roundings, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  if (Dyadic(4) * Dyadic(n) * u > Dyadic(1)) {
    throw std::domain_error("the bound of a normalization requires 4·n·u <= 1: n = " + std::to_string(n));
  }
  return grown(roundings, u) * (Dyadic(1) + Dyadic(n - 1) * u);
}

/// E ≥ |μ̂ − μ|.
Dyadic of_mean(const NormRow& row, const Format& format) {
  return (of_sum(row.n, 2, format) - Dyadic(1)) * row.mean_magnitude + smallest_subnormal(format) * Dyadic(2);
}

/// r and e, where V is computed as at least V(1 − below) and at most V(1 + above), and the deviations of the mean are
/// off by a relative u and (1 + u)·mean.
NormFactors factors(const Dyadic& below, const Dyadic& above, const Dyadic& mean, int deviation_roundings,
                    const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const RelativeBound root{Dyadic(2) - below, Dyadic(2) * (Dyadic(1) - below)};
  const Dyadic up = rounded_up(RelativeBound{(Dyadic(1) + Dyadic(5) * u) * grown(2, u), 1} * root).numerator;
  const Dyadic down = Dyadic(7) * u + std::min(above * Dyadic::scaled(1, -1), Dyadic(1));
  return {std::max(up - Dyadic(1), down) + up * u * Dyadic(deviation_roundings), up * (Dyadic(1) + u) * mean};
}

/// What is lost to underflow in the computed V.
Dyadic of_underflow(const Format& format) { return smallest_subnormal(format) * Dyadic(2); }

Dyadic rounded_up_once(const Dyadic& x) { return rounded_up({x, 1}).numerator; }

}  // namespace

Bound norm_error(const NormFactors& factors, const NormNumber& number, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic lost = factors.relative * number.product + factors.deviation * number.scale +
                      (Dyadic(1) + number.magnitude) * smallest_subnormal(format);
  return {u * number.result + (Dyadic(1) + u) * lost};
}

NormFactors layer_norm_factors(const NormRow& row, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic growth = of_sum(row.n, 5, format);
  const Dyadic mean = rounded_up_once(of_mean(row, format));
  const Dyadic lost = row.variance * (growth - Dyadic(1)) + of_underflow(format);
  const Dyadic below = rounded_up_once(u + lost * row.inverse);
  const Dyadic above = rounded_up_once(u + (Dyadic(1) + u) * (lost + mean * mean * growth) * row.inverse);
  return factors(below, above, mean, 1, format);
}

std::optional<NormFactors> layer_norm_one_pass_factors(const NormRow& row, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic growth = of_sum(row.n, 5, format);
  const Dyadic mean = rounded_up_once(of_mean(row, format));
  const Dyadic lost =
      u * row.variance +
      (Dyadic(1) + u) * (row.mean_square * (growth - Dyadic(1)) + of_underflow(format) * Dyadic(2) +
                         mean * (row.mean * Dyadic(2) + mean) * growth + row.mean * row.mean * (growth - Dyadic(1)));
  const Dyadic off = rounded_up_once(u + (Dyadic(1) + u) * lost * row.inverse);
  if (off > Dyadic::scaled(1, -1)) return std::nullopt;
  return factors(off, off, mean, 1, format);
}

NormFactors rms_norm_factors(const NormRow& row, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic lost = row.mean_square * (of_sum(row.n, 3, format) - Dyadic(1)) + of_underflow(format);
  const Dyadic off = rounded_up_once(u + (Dyadic(1) + u) * lost * row.inverse);
  return factors(off, off, Dyadic(), 0, format);
}

}  // namespace assay
