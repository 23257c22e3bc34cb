#include "errorbounds/triangular.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {
namespace {

/// γ·Σ|products| + (1 + γ)(beside + Σ|entries|)η/2 with γ of this many factors (1 + δ).
Bound substitution_bound(std::uint64_t factors, std::uint64_t beside, const oracle::Dyadic& products,
                         const oracle::Dyadic& entries, const oracle::Format& format) {
  const RelativeBound growth = gamma(factors, format.precision);
  const RelativeBound half{1, 2};
  return growth * products +
         (RelativeBound{1, 1} + growth) * half * ((oracle::Dyadic(beside) + entries) * smallest_subnormal(format));
}

}  // namespace

Bound triangular_residual_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                                const oracle::Format& format) {
  return substitution_bound(beside + 1, beside, products, entries, format);
}

Bound triangular_reciprocal_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                                  const oracle::Format& format) {
  return substitution_bound(beside + 2, beside, products, entries, format);
}

Bound triangular_flushed_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                               const oracle::Dyadic& lost, const oracle::Format& format) {
  const RelativeBound growth = gamma(beside + 1, format.precision);
  const oracle::Dyadic flushed = (oracle::Dyadic(2 * beside) + entries) * oracle::Dyadic::scaled(1, format.emin);
  return growth * products + (RelativeBound{1, 1} + growth) * flushed + Bound{lost};
}

Bound triangular_wide_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                            const oracle::Dyadic& own, int precision, const oracle::Format& format) {
  const RelativeBound growth = gamma(beside + 1, precision);
  oracle::Dyadic underflow = (oracle::Dyadic(beside) + oracle::Dyadic(2) * entries) * smallest_subnormal(format);
  underflow.mul_2exp(-1);
  return growth * products + (RelativeBound{1, 1} + growth) * (unit_roundoff(format.precision) * own + underflow);
}

}  // namespace assay
