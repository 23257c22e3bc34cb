#include "errorbounds/eft.hpp"

#include <algorithm>

#include "errorbounds/gamma.hpp"
#include "oracle/decode.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

/// e_x = max(⌊log₂|x|⌋, emin). Requires: x ≠ 0.
long exponent_in(const Dyadic& x, const Format& format) { return std::max<long>(x.exponent(), format.emin); }

Dyadic largest_finite(const Format& format) { return oracle::decode_finite(format, format.largest_finite()); }

bool at_most_power(const Dyadic& x, long e) { return compare_abs(x, Dyadic::scaled(1, e)) <= 0; }

}  // namespace

bool rounds_to_finite(const Dyadic& exact, const Format& format) {
  return compare_abs(exact, largest_finite(format) + Dyadic::scaled(1, format.emax - format.precision)) < 0;
}

bool two_sum_is_exact(const Dyadic& a, const Dyadic& b, const Format& format) {
  return compare_abs(a, largest_finite(format)) < 0 && rounds_to_finite(a + b, format);
}

bool fast_two_sum_is_exact(const Dyadic& a, const Dyadic& b, const Format& format) {
  const bool ordered =
      a.is_zero() || b.is_zero() || a.lowest_exponent() >= exponent_in(b, format) - format.precision + 1;
  return ordered && rounds_to_finite(a + b, format);
}

bool two_prod_is_exact(const Dyadic& a, const Dyadic& b, const Format& format) {
  if (a.is_zero() || b.is_zero()) {
    return true;
  }
  return exponent_in(a, format) + exponent_in(b, format) >= format.emin + format.precision - 1 &&
         rounds_to_finite(a * b, format);
}

bool product_error_is_representable(const Dyadic& a, const Dyadic& b, const Format& format) {
  return a.is_zero() || b.is_zero() || a.lowest_exponent() + b.lowest_exponent() >= format.emin - format.precision + 1;
}

bool quotient_residual_is_exact(const Dyadic& a, const Dyadic& b, const Dyadic& q, const Format& format) {
  if (a.is_zero()) {
    return true;
  }
  return !q.is_zero() && exponent_in(b, format) + exponent_in(q, format) >= format.emin + format.precision - 1;
}

bool root_residual_is_exact(const Dyadic& root, const Format& format) {
  return root.is_zero() || 2 * exponent_in(root, format) >= format.emin + format.precision - 1;
}

bool veltkamp_split_is_exact(const Dyadic& x, const Format& format) {
  return rounds_to_finite((Dyadic::scaled(1, split_bits(format)) + Dyadic(1)) * x, format);
}

bool dekker_product_is_exact(const Dyadic& a, const Dyadic& b, const Format& format) {
  const long widest = format.emax - split_bits(format) - 2;
  if (!at_most_power(a, widest) || !at_most_power(b, widest)) {
    return false;
  }
  if (a.is_zero() || b.is_zero()) {
    return true;
  }
  return (a * b).exponent() >= format.emin + format.precision &&
         exponent_in(a, format) + exponent_in(b, format) <= format.emax - 3;
}

bool masked_product_is_exact(const Dyadic& a, const Dyadic& b, const Format& format) {
  return format.precision % 2 == 0 && dekker_product_is_exact(a, b, format);
}

bool err_fma_is_exact(const Dyadic& a, const Dyadic& x, const Dyadic& y, const Format& format) {
  const Dyadic product = a * x;
  const bool product_is_exact =
      product.is_zero() || exponent_in(a, format) + exponent_in(x, format) >= format.emin + format.precision - 1;
  return format.precision >= 5 && product_is_exact && at_most_power(abs(product) + abs(y), format.emax - 1);
}

}  // namespace assay
