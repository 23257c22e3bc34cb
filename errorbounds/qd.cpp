#include "errorbounds/qd.hpp"

#include <stdexcept>
#include <string>

namespace assay {

using oracle::Dyadic;

namespace {

/// c·u^k for p ≥ 16.
Dyadic power_of_u(int p, int c, int k) {
  if (p < 16) {
    throw std::domain_error("the bounds of four-term networks require p >= 16: p = " + std::to_string(p));
  }
  return Dyadic::scaled(c, -k * p);
}

}  // namespace

Bound quad_sloppy_add_bound(int p, const Dyadic& magnitudes) { return {power_of_u(p, 10, 4) * magnitudes, 1}; }
RelativeBound quad_sloppy_add_same_sign_bound(int p) { return {power_of_u(p, 10, 4), 1}; }

RelativeBound quad_ieee_style_bound(int p) { return {power_of_u(p, 8, 4), 1}; }
Bound quad_ieee_add_bound(int p, const Dyadic& sixth, const Dyadic& magnitudes) {
  return {power_of_u(p, 18, 1) * sixth + power_of_u(p, 210, 4) * magnitudes, 5};
}

RelativeBound quad_mul_bound(int p) { return {power_of_u(p, 45, 4), 1}; }
RelativeBound quad_sloppy_mul_bound(int p) { return {power_of_u(p, 150, 4), 1}; }
RelativeBound quad_mul_fp_bound(int p) { return {power_of_u(p, 12, 4), 1}; }

Bound quad_steps_bound(int p, const Dyadic& rounded, const Dyadic& out_of_order, const Dyadic& dropped) {
  return {power_of_u(p, 100, 1) * rounded + power_of_u(p, 101, 1) * out_of_order + Dyadic(100) * dropped, 100};
}

}  // namespace assay
