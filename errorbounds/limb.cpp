#include "errorbounds/limb.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

namespace {

RelativeBound limb_gamma(int limbs, std::int64_t n) { return gamma(static_cast<std::uint64_t>(n), 32 * limbs); }

}  // namespace

Bound limb_dot_bound(int limbs, std::int64_t n, const oracle::Dyadic& magnitude) {
  return limb_gamma(limbs, limb_dot_height(n)) * magnitude;
}

Bound limb_gemv_bound(int limbs, std::int64_t n, const oracle::Dyadic& product, const oracle::Dyadic& start) {
  constexpr std::int64_t lanes = 32;
  return named("γ_(h+1)|α||A||x|", limb_gamma(limbs, limb_lanes_height(n, lanes) + 1) * product) +
         named("γ_2|βy|", limb_gamma(limbs, 2) * start);
}

}  // namespace assay
