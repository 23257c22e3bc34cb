#include "errorbounds/factorization.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

Bound cholesky_residual_bound(std::uint64_t n, std::uint64_t before, const oracle::Dyadic& products,
                              const oracle::Dyadic& entry, const oracle::Format& format) {
  const oracle::Dyadic growth = oracle::Dyadic(n + 1) * unit_roundoff(format.precision);
  oracle::Dyadic underflow = (oracle::Dyadic(before) + entry) * smallest_subnormal(format);
  underflow.mul_2exp(-1);
  return Bound{growth * products + (oracle::Dyadic(1) + growth) * underflow};
}

oracle::Dyadic cholesky_margin(std::uint64_t n, const oracle::Format& format) {
  return oracle::Dyadic(2 * n * (n + 2)) * unit_roundoff(format.precision);
}

}  // namespace assay
