#include "errorbounds/factorization.hpp"

#include <stdexcept>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {
namespace {

/// c·u·products + (1 + cu)(before + entry)η/2.
Bound residual_bound(std::uint64_t factors, std::uint64_t before, const oracle::Dyadic& products,
                     const oracle::Dyadic& entry, const oracle::Format& format) {
  const oracle::Dyadic growth = oracle::Dyadic(factors) * unit_roundoff(format.precision);
  oracle::Dyadic underflow = (oracle::Dyadic(before) + entry) * smallest_subnormal(format);
  underflow.mul_2exp(-1);
  return Bound{growth * products + (oracle::Dyadic(1) + growth) * underflow};
}

}  // namespace

Bound cholesky_residual_bound(std::uint64_t n, std::uint64_t before, const oracle::Dyadic& products,
                              const oracle::Dyadic& entry, const oracle::Format& format) {
  return residual_bound(n + 1, before, products, entry, format);
}

oracle::Dyadic cholesky_margin(std::uint64_t n, const oracle::Format& format) {
  return oracle::Dyadic(2 * n * (n + 2)) * unit_roundoff(format.precision);
}

Bound lu_residual_bound(std::uint64_t factors, std::uint64_t before, const oracle::Dyadic& products,
                        const oracle::Dyadic& entry, const oracle::Format& format) {
  return residual_bound(factors, before, products, entry, format);
}

Bound lu_growth_bound(std::uint64_t pivots, const oracle::Dyadic& largest, const oracle::Format& format) {
  const oracle::Dyadic error = oracle::Dyadic(pivots + 3) * unit_roundoff(format.precision);
  const oracle::Dyadic rest = oracle::Dyadic(1) - error;
  if (pivots == 0 || rest <= oracle::Dyadic()) {
    throw std::domain_error("the growth of an elimination has a bound for 0 < r and (r + 3)u < 1");
  }
  // α(1 + α)^(r−1) = (1 + ε)2^(r−1)/(1 − ε)^r.
  Bound bound{(oracle::Dyadic(1) + error) * (largest + oracle::Dyadic(pivots) * smallest_subnormal(format))};
  bound.numerator.mul_2exp(static_cast<long>(pivots) - 1);
  for (std::uint64_t k = 0; k < pivots; ++k) bound.denominator *= rest;
  return bound;
}

}  // namespace assay
