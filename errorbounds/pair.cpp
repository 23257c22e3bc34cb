#include "errorbounds/pair.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/precision.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

/// m·u^k.
RelativeBound times_u(std::int64_t m, int k, int p) { return {Dyadic::scaled(m, -k * p), 1}; }

/// 1/(1 − u)²: |xₕyₕ| over |xy|, at most.
RelativeBound inverse_of_magnitude(int p) {
  const Dyadic one_minus_u = Dyadic(1) - unit_roundoff(p);
  return {1, one_minus_u * one_minus_u};
}

/// A recursive sum of k products by fma, every term with at most `factors` rounding factors: γ·T + (1 + γ)·kη/2.
Bound fused_sum_bound(std::uint64_t k, std::uint64_t factors, const Dyadic& T, const Format& format) {
  const RelativeBound growth = gamma(factors, format.precision);
  Bound underflow = (RelativeBound{1, 1} + growth) * (Dyadic(k) * smallest_subnormal(format));
  underflow.denominator *= Dyadic(2);
  return named("γ|A||B|", growth * T) + named("kη/2", std::move(underflow));
}

}  // namespace

RelativeBound native_mul_mask_bound(int p, MaskWidth width) {
  require_precision(p, 8, "the masked product of words");
  if (p % 2 == 0) {
    return {Dyadic::scaled(1, 2 + p / 2 - 2 * p) + Dyadic::scaled(4, -2 * p), 1};
  }
  if (width == MaskWidth::wide) {
    return {Dyadic::scaled(1, 2 + (p + 1) / 2 - 2 * p) + Dyadic::scaled(12, -2 * p), 1};
  }
  return {Dyadic::scaled(1, -p) + Dyadic::scaled(1, (1 - p) / 2 - p), 1};
}

RelativeBound pair_mul_split_bound(int p) {
  require_precision(p, 8, "the product of pairs by split");
  return times_u(9, 2, p) * inverse_of_magnitude(p);
}

RelativeBound pair_mul_mask_bound(int p, MaskWidth width) {
  return (times_u(13, 2, p) + native_mul_mask_bound(p, width)) * inverse_of_magnitude(p);
}

RelativeBound pair_good_mul_bound(int p) {
  require_precision(p, 8, "the product of pairs with its low product");
  return {Dyadic::scaled(3, -2 * p) + Dyadic::scaled(26, -3 * p), 2};
}

RelativeBound pair_good_mul_mask_bound(int p, MaskWidth width) {
  require_precision(p, 12, "the product of pairs with its low product, by mask,");
  return native_mul_mask_bound(p, width) + times_u(9, 2, p);
}

Bound pair_mul_underflow_bound(const Dyadic& magnitude, const Format& format) {
  require_precision(format.precision, 8, "the product of pairs");
  return named("9u²|xy|", times_u(9, 2, format.precision) * magnitude) +
         named("2η", {Dyadic(2) * smallest_subnormal(format), 1});
}

Bound pair_conversion_bound(const Dyadic& d, const Format& format) {
  const Bound relative = times_u(1, 2, format.precision) * abs(d);
  const Bound absolute{smallest_subnormal(format), 1};
  return {std::max(relative.numerator, absolute.numerator), 2};
}

RelativeBound pair_relative_conversion_bound(int p) { return {Dyadic::scaled(1, -2 * p), 2}; }

Bound product_single_bound(std::uint64_t k, const Dyadic& T) { return fused_sum_bound(k, k + 2, T, oracle::binary32); }

Bound product_pair_bound(std::uint64_t k, const Dyadic& T) {
  const Dyadic relative = (Dyadic(3) * Dyadic(k) + Dyadic(8)).mul_2exp(-2 * oracle::binary32.precision);
  if (relative > Dyadic::scaled(1, -3)) {
    throw std::domain_error("the bound of the product in native pairs requires (3k + 8)u^2 <= 1/8: k = " +
                            std::to_string(k));
  }
  return named("Nu²|A||B|", RelativeBound{relative, Dyadic(1) - relative} * T) +
         named("3kη", {Dyadic(3) * Dyadic(k) * smallest_subnormal(oracle::binary32), 1});
}

Bound product_double_bound(std::uint64_t k, const Dyadic& T) { return fused_sum_bound(k, k, T, oracle::binary64); }

}  // namespace assay
