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

void require_terms(std::uint64_t n, const Dyadic& u) {
  if (Dyadic(4) * Dyadic(n) * u > Dyadic(1)) {
    throw std::domain_error("the bound of a normalization requires 4·n·u <= 1: n = " + std::to_string(n));
  }
}

/// The largest factor of a sum of n terms of one sign, each with this many roundings.
Dyadic of_sum(std::uint64_t n, int roundings, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  require_terms(n, u);
  return grown(roundings, u) * (Dyadic(1) + Dyadic(n - 1) * u);
}

using Variance = NormForm::Variance;

/// At most twice the loss of an operation to underflow: η, or 2^(emin + 1) if subnormal results become 0.
Dyadic loss(const NormForm& form, const Format& format) {
  return form.flushes ? Dyadic::scaled(1, format.emin + 1) : smallest_subnormal(format);
}

/// Roundings that scaling adds to those of a sum.
int scaling(const NormForm& form) { return form.any_range ? 8 : 0; }

/// The number rounded up to 53 bits, also where it is beyond the range of binary64.
Dyadic rounded_up_once(Dyadic x) {
  if (x.is_zero()) return x;
  const long exponent = x.exponent();
  return rounded_up({x.mul_2exp(-exponent), 1}).numerator.mul_2exp(exponent);
}

/// E ≥ |μ̂ − μ|.
Dyadic of_mean(const NormForm& form, const NormRow& row, const Format& format) {
  const Dyadic underflow = loss(form, format) * Dyadic(form.flushes ? 4 : 2);
  if (form.variance == Variance::of_updates) {
    const Dyadic u = unit_roundoff(format.precision);
    const Dyadic step = grown(3, u) - Dyadic(1);
    const Dyadic growth = (step + u) * (Dyadic(1) + Dyadic(2) * (Dyadic(row.n) * u + step));
    return rounded_up_once(Dyadic(row.n) * (growth * row.mean_magnitude + underflow));
  }
  return rounded_up_once((of_sum(row.n, 2 + scaling(form), format) - Dyadic(1)) * row.mean_magnitude + underflow);
}

/// V is computed as at least V(1 − below) and at most V(1 + above).
struct Off {
  Dyadic below;
  Dyadic above;
};
Off of_variance(const NormForm& form, const NormRow& row, const Dyadic& mean, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic grown_once = Dyadic(1) + u;
  const Dyadic underflow = form.any_range ? Dyadic() : loss(form, format) * Dyadic(2);
  const Dyadic before = u * Dyadic(form.any_range ? 3 : form.flushes ? 2 : 1);
  if (form.variance == Variance::none) {
    const Dyadic lost = row.mean_square * (of_sum(row.n, 3 + scaling(form), format) - Dyadic(1)) + underflow;
    const Dyadic off = rounded_up_once(before + grown_once * lost * row.inverse);
    return {off, off};
  }
  const Dyadic growth = of_sum(row.n, 5 + scaling(form), format);
  if (form.variance == Variance::of_deviations) {
    const Dyadic lost = row.variance * (growth - Dyadic(1)) + underflow;
    return {rounded_up_once(before + lost * row.inverse),
            rounded_up_once(before + grown_once * (lost + mean * mean * growth) * row.inverse)};
  }
  if (form.variance == Variance::of_updates) {
    const Dyadic lost = (row.variance * (growth - Dyadic(1)) + underflow) * row.inverse +
                        growth * mean * (Dyadic(3) * row.inverse_root + mean * row.inverse);
    const Dyadic off = rounded_up_once(before + grown_once * lost);
    return {off, off};
  }
  const Dyadic lost = u * row.variance + grown_once * (row.mean_square * (growth - Dyadic(1)) + underflow * Dyadic(2) +
                                                       mean * (row.mean * Dyadic(2) + mean) * growth +
                                                       row.mean * row.mean * (growth - Dyadic(1)));
  const Dyadic off = rounded_up_once(before + grown_once * lost * row.inverse);
  return {off, off};
}

/// λ and κ.
void set_lost(NormFactors& factors, const NormForm& form, const NormRow& row, const Format& format) {
  const Dyadic each = loss(form, format);
  const Dyadic scaled = form.any_range ? Dyadic(row.n) * Dyadic(256) : Dyadic();
  const int others = (form.shifts ? 2 : 1) + (form.flushes ? 1 : 0);
  factors.lost = (Dyadic(others) + scaled + row.inverse_root) * each;
  factors.lost_per_weight = (Dyadic(1) + scaled) * each;
}

}  // namespace

Bound norm_error(const NormFactors& factors, const NormNumber& number, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic lost = factors.relative * number.product + factors.deviation * number.scale +
                      factors.bias * number.bias + factors.lost + factors.lost_per_weight * number.magnitude;
  return {u * number.result + (Dyadic(1) + u) * lost};
}

NormNumberFloor floor_of(const NormNumber& number) {
  using oracle::Magnitude;
  return {Magnitude::lower(number.product), Magnitude::lower(number.result), Magnitude::lower(number.scale),
          Magnitude::lower(number.magnitude), Magnitude::lower(number.bias)};
}

NormFloor::NormFloor(const NormFactors& factors, const Format& format)
    : unit_(oracle::Magnitude::lower(unit_roundoff(format.precision))),
      relative_(oracle::Magnitude::lower(factors.relative)),
      deviation_(oracle::Magnitude::lower(factors.deviation)),
      bias_(oracle::Magnitude::lower(factors.bias)),
      lost_(oracle::Magnitude::lower(factors.lost)),
      lost_per_weight_(oracle::Magnitude::lower(factors.lost_per_weight)) {}

oracle::Magnitude NormFloor::at(const NormNumberFloor& number) const {
  oracle::Magnitude sum = plus_lower(lost_, times_lower(unit_, number.result));
  sum = plus_lower(sum, times_lower(relative_, number.product));
  sum = plus_lower(sum, times_lower(deviation_, number.scale));
  sum = plus_lower(sum, times_lower(bias_, number.bias));
  return plus_lower(sum, times_lower(lost_per_weight_, number.magnitude));
}

std::optional<NormFactors> norm_factors(const NormForm& form, const NormRow& row, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const bool has_mean = form.variance != Variance::none;
  const Dyadic mean = has_mean ? of_mean(form, row, format) : Dyadic();
  const auto [below, above] = of_variance(form, row, mean, format);
  const bool is_one_pass = form.variance == Variance::of_squares || form.variance == Variance::of_updates;
  if (is_one_pass && above > Dyadic::scaled(1, -1)) return std::nullopt;
  if (below >= Dyadic(1))
    throw std::domain_error("the bound of a normalization requires a variance off by less than V");
  const int products = form.any_range ? 3 : 2;
  const RelativeBound root{Dyadic(2) - below, Dyadic(2) * (Dyadic(1) - below)};
  const Dyadic up = rounded_up(RelativeBound{(Dyadic(1) + Dyadic(5) * u) * grown(products, u), 1} * root).numerator;
  const Dyadic down = Dyadic(5 + products) * u + std::min(above * Dyadic::scaled(1, -1), Dyadic(1));
  NormFactors factors;
  factors.relative = std::max(up - Dyadic(1), down);
  if (has_mean) factors.relative += up * u;
  if (has_mean) factors.deviation = up * (Dyadic(1) + u * Dyadic(form.shifts ? 3 : 1)) * mean;
  if (!has_mean && form.flushes) factors.deviation = up * loss(form, format);
  if (form.shifts) {
    factors.deviation += Dyadic(4) * u * up * row.mean;
    factors.bias = u;
  }
  set_lost(factors, form, row, format);
  return factors;
}

NormFactors norm_factors_below(const NormForm& form, const NormRow& row, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const bool has_mean = form.variance != Variance::none;
  const Dyadic each = loss(form, format);
  if (form.variance == Variance::of_squares || form.variance == Variance::of_updates) require_terms(row.n, u);
  const auto of_terms = [&](int roundings) {
    return Dyadic(row.n - 1 + static_cast<std::uint64_t>(roundings + scaling(form))) * u;
  };
  const Dyadic of_mean_alone = each * Dyadic(form.flushes ? 4 : 2);
  const Dyadic underflow = form.any_range ? Dyadic() : each * Dyadic(2);
  Dyadic mean;
  Dyadic lost;  // times the inverse
  if (form.variance == Variance::none) {
    lost = row.mean_square * of_terms(3) + underflow;
  } else if (form.variance == Variance::of_updates) {
    mean = Dyadic(row.n) * (Dyadic(4) * u * row.mean_magnitude + of_mean_alone);
    lost = row.variance * of_terms(5) + underflow + mean * mean;
  } else {
    mean = of_terms(2) * row.mean_magnitude + of_mean_alone;
    lost = form.variance == Variance::of_squares ? (row.mean_square + row.mean * row.mean) * of_terms(5) +
                                                       mean * (row.mean * Dyadic(2) + mean) + underflow * Dyadic(2)
                                                 : row.variance * of_terms(5) + mean * mean + underflow;
  }
  Dyadic above = u * Dyadic(form.any_range ? 3 : form.flushes ? 2 : 1) + lost * row.inverse;
  if (form.variance == Variance::of_updates) above += Dyadic(3) * mean * row.inverse_root;
  NormFactors factors;
  factors.relative = Dyadic((form.any_range ? 8 : 7) + (has_mean ? 1 : 0)) * u;
  factors.relative += std::min(above * Dyadic::scaled(1, -1), Dyadic(1));
  if (has_mean) factors.deviation = mean;
  if (!has_mean && form.flushes) factors.deviation = each;
  if (form.shifts) {
    factors.deviation += Dyadic(4) * u * row.mean;
    factors.bias = u;
  }
  set_lost(factors, form, row, format);
  return factors;
}

NormFactors layer_norm_factors(const NormRow& row, const Format& format) { return *norm_factors({}, row, format); }

std::optional<NormFactors> layer_norm_one_pass_factors(const NormRow& row, const Format& format) {
  return norm_factors({.variance = Variance::of_squares}, row, format);
}

std::optional<NormFactors> layer_norm_welford_factors(const NormRow& row, const Format& format) {
  return norm_factors({.variance = Variance::of_updates}, row, format);
}

NormFactors layer_norm_shifted_factors(const NormRow& row, const Format& format) {
  return *norm_factors({.shifts = true}, row, format);
}

std::optional<NormFactors> layer_norm_one_pass_shifted_factors(const NormRow& row, const Format& format) {
  return norm_factors({.variance = Variance::of_squares, .shifts = true}, row, format);
}

NormFactors layer_norm_any_range_factors(const NormRow& row, const Format& format) {
  return *norm_factors({.any_range = true}, row, format);
}

NormFactors rms_norm_factors(const NormRow& row, const Format& format) {
  return *norm_factors({.variance = Variance::none}, row, format);
}

NormFactors rms_norm_any_range_factors(const NormRow& row, const Format& format) {
  return *norm_factors({.variance = Variance::none, .any_range = true}, row, format);
}

Bound rms_norm_stored_twice_bound(const NormFactors& factors, const NormNumber& number, const Format& stored,
                                  const Format& format) {
  const Dyadic u = unit_roundoff(stored.precision);
  const Dyadic computed = norm_error(factors, number, format).numerator +
                          (Dyadic(1) + unit_roundoff(format.precision)) * factors.lost * number.magnitude;
  return {computed + u * (number.product + computed) +
          number.magnitude * smallest_subnormal(stored) * Dyadic::scaled(1, -1)};
}

Dyadic norm_limit(const NormForm& form, const NormRow& row, const NormNumber& number, const Dyadic& size,
                  const Dyadic& inverse_root, const Format& format) {
  return Dyadic(4) * ((size + row.mean + of_mean(form, row, format)) * number.magnitude * inverse_root + number.bias +
                      (Dyadic(2) + number.magnitude + inverse_root) * loss(form, format));
}

}  // namespace assay
