#pragma once

#include "errorbounds/bound.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

/// Errors of QD's four-term networks at precision p, u = 2⁻ᵖ. Operands have |x_{i+1}| ≤ ulp(x_i)/2; rounding is to
/// nearest with ties to even. Every function requires p ≥ 16 and throws std::domain_error otherwise. Derived in
/// docs/bounds/qd.md, together with the boxes in which a format's range is equivalent to an unbounded one; QD's authors
/// (Hida, Li, Bailey, Algorithms for quad-double precision floating point arithmetic, ARITH-15, 2001) state no
/// constants.
namespace assay {

/// sloppy_add: 10u⁴(|x| + |y|); `magnitudes` = |x| + |y| ≥ 0 (not checked).
Bound quad_sloppy_add_bound(int p, const oracle::Dyadic& magnitudes);
/// The same for operands of one sign, relatively: 10u⁴.
RelativeBound quad_sloppy_add_same_sign_bound(int p);

/// The bound that the headers of QD call IEEE-style: 2⁻²⁰⁹ relatively in binary64, 8u⁴. False for sloppy_add and for
/// ieee_add.
RelativeBound quad_ieee_style_bound(int p);

/// ieee_add: (18/5)u·`sixth` + 42u⁴(|x| + |y|); `sixth` ≥ 0, the sixth largest magnitude of the eight words, and
/// `magnitudes` = |x| + |y| ≥ 0 (not checked).
Bound quad_ieee_add_bound(int p, const oracle::Dyadic& sixth, const oracle::Dyadic& magnitudes);

/// Products, relatively: 45u⁴, sloppy 150u⁴, by a number 12u⁴.
RelativeBound quad_mul_bound(int p);
RelativeBound quad_sloppy_mul_bound(int p);
RelativeBound quad_mul_fp_bound(int p);

/// sloppy_add, sloppy_mul, mul and mul_fp by their steps: u·`rounded` + (101/100)u·`out_of_order` + `dropped`, the sum
/// of 2^⌊log₂|s|⌋ over the results s of rounded operations, of |b| over the FastTwoSums (a, b) with 0 < |a| < |b|, and
/// of |xᵢyⱼ| over the omitted products, each ≥ 0 (not checked).
Bound quad_steps_bound(int p, const oracle::Dyadic& rounded, const oracle::Dyadic& out_of_order,
                       const oracle::Dyadic& dropped);

/// Sums: every word in the box, subnormals included. binary64: [η, 2^1014].
constexpr Box quad_add_box(const oracle::Format& format) {
  return {format.emin - format.precision + 1, format.emax - 9};
}
/// Products: every non-zero word in the box. binary64: [2^-484, 2^484]; binary32: [2^-51, 2^51].
constexpr Box quad_product_box(const oracle::Format& format) { return product_box(format); }

}  // namespace assay
