#include "errorbounds/limb.hpp"

#include <algorithm>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

namespace {

constexpr std::int64_t gemv_lanes = 32;

RelativeBound limb_gamma(int limbs, std::int64_t n) { return gamma(static_cast<std::uint64_t>(n), 32 * limbs); }

}  // namespace

Bound limb_dot_bound(int limbs, std::int64_t n, const oracle::Dyadic& magnitude) {
  return limb_gamma(limbs, limb_dot_height(n)) * magnitude;
}

Bound limb_gemv_bound(int limbs, std::int64_t n, const oracle::Dyadic& product, const oracle::Dyadic& start) {
  return named("γ_(h+1)|α||A||x|", limb_gamma(limbs, limb_lanes_height(n, gemv_lanes) + 1) * product) +
         named("γ_2|βy|", limb_gamma(limbs, 2) * start);
}

Bound limb_cholesky_bound(int limbs, std::int64_t j, const oracle::Dyadic& magnitude) {
  return limb_gamma(limbs, std::max<std::int64_t>(3, limb_lanes_height(j, gemv_lanes))) * magnitude;
}

Bound limb_cholesky_solve_bound(int limbs, std::int64_t n, const oracle::Dyadic& magnitude) {
  return limb_gamma(limbs, 3 * n + 3) * magnitude;
}

Bound limb_lu_bound(int limbs, std::int64_t t, const oracle::Dyadic& magnitude) {
  return limb_gamma(limbs, std::max<std::int64_t>(2, limb_lanes_height(t, gemv_lanes))) * magnitude;
}

Bound limb_lu_solve_bound(int limbs, std::int64_t n, const oracle::Dyadic& magnitude) {
  return limb_gamma(limbs, 3 * n) * magnitude;
}

}  // namespace assay
