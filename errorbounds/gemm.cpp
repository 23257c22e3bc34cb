#include "errorbounds/gemm.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "oracle/format.hpp"

namespace assay {

Bound gemm_growth_bound(std::uint64_t k, bool sum_alone, const oracle::Dyadic& T) {
  constexpr int p = oracle::binary64.precision;
  if (sum_alone) return {oracle::Dyadic(k) * unit_roundoff(p) * T, 1};
  return gamma(k + 2, p) * T;
}

}  // namespace assay
