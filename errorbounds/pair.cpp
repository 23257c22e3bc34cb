#include "errorbounds/pair.hpp"

#include <algorithm>

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
  return times_u(9, 2, format.precision) * magnitude + Bound{Dyadic(2) * smallest_subnormal(format), 1};
}

Bound pair_conversion_bound(const Dyadic& d, const Format& format) {
  const Bound relative = times_u(1, 2, format.precision) * abs(d);
  const Bound absolute{smallest_subnormal(format), 1};
  return {std::max(relative.numerator, absolute.numerator), 2};
}

}  // namespace assay
