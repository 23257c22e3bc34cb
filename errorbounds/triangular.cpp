#include "errorbounds/triangular.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

Bound triangular_residual_bound(std::uint64_t beside, const oracle::Dyadic& products, const oracle::Dyadic& entries,
                                const oracle::Format& format) {
  const RelativeBound growth = gamma(beside + 1, format.precision);
  const RelativeBound half{1, 2};
  return growth * products +
         (RelativeBound{1, 1} + growth) * half * ((oracle::Dyadic(beside) + entries) * smallest_subnormal(format));
}

}  // namespace assay
