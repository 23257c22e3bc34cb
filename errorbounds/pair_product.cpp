#include "errorbounds/pair_product.hpp"

#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "oracle/format.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

/// A recursive sum of k products by fma, every term with at most `factors` rounding factors: γ·T + (1 + γ)·kη/2.
Bound fused_sum_bound(std::uint64_t k, std::uint64_t factors, const Dyadic& T, const Format& format) {
  const RelativeBound growth = gamma(factors, format.precision);
  Bound underflow = (RelativeBound{1, 1} + growth) * (Dyadic(k) * smallest_subnormal(format));
  underflow.denominator *= Dyadic(2);
  return growth * T + underflow;
}

}  // namespace

Bound product_single_bound(std::uint64_t k, const Dyadic& T) { return fused_sum_bound(k, k + 2, T, oracle::binary32); }

Bound product_pair_bound(std::uint64_t k, const Dyadic& T) {
  const Dyadic relative = (Dyadic(3) * Dyadic(k) + Dyadic(8)).mul_2exp(-2 * oracle::binary32.precision);
  if (relative > Dyadic::scaled(1, -3)) {
    throw std::domain_error("the bound of the product in native pairs requires (3k + 8)u^2 <= 1/8: k = " +
                            std::to_string(k));
  }
  return RelativeBound{relative, Dyadic(1) - relative} * T +
         Bound{Dyadic(3) * Dyadic(k) * smallest_subnormal(oracle::binary32), 1};
}

Bound product_double_bound(std::uint64_t k, const Dyadic& T) { return fused_sum_bound(k, k, T, oracle::binary64); }

}  // namespace assay
