#pragma once

#include "errorbounds/bound.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/format.hpp"

/// Relative errors of the triple-word algorithms at precision p, u = 2⁻ᵖ: |r − exact| ≤ bound·|exact|.
/// Every function requires its theorem's condition on p and throws std::domain_error if it is not met; operands are
/// triple words (P-nonoverlapping) or double words (h = RN(h + l)), rounding is to nearest with ties to even, and the
/// theorems assume an unbounded exponent range: in the boxes below a format's range suffices. FMP:
/// Fabiano, Muller, Picot, Algorithms for triple-word arithmetic, IEEE Trans. Computers 68(11), 2019, and its numbers
/// of algorithms and theorems. T: Théry, a machine-checked proof of FMP, 2026, github.com/thery/threewords, and the
/// names of its statements. Where the two differ, the bound is T's: the printed one is a function of its own.
namespace assay {

/// Sum of two triple words (Algorithm 8): 2u³ + (21/5)u⁴. Requires: p ≥ 6. FMP, Theorems 3 and 6; T, TWSum_error.
RelativeBound triple_add_bound(int p);
/// The same: (3/2)u³ + 9u⁴. Derived in docs/bounds/triple.md.
RelativeBound triple_add_sharp_bound(int p);
/// A bound that the sum does not keep: (3/2)u³ − u⁴ (triple.add.3). Requires: p ≥ 6.
RelativeBound triple_add_too_small_bound(int p);

/// Triple word × triple word. Algorithm 9, accurate: 28u³ + 107u⁴. Requires: p ≥ 6. FMP, Theorem 7; T,
/// ThreeProd_error.
RelativeBound triple_mul_accurate_bound(int p);
/// Algorithm 10, fast: 44u³ + 176u⁴. Requires: p ≥ 6. FMP, §6; T, ThreeProdFast_error.
RelativeBound triple_mul_fast_bound(int p);
/// Both products where operands may be of any magnitude and the words of the result are finite: 192u³|xy| + (13/4)η, η
/// the format's smallest subnormal. Requires: p ≥ 24; `product` = |xy| (not checked). Derived in docs/bounds/triple.md.
Bound triple_outside_product_bound(const oracle::Format& format, const oracle::Dyadic& product);
/// Double word × triple word. Algorithm 11, accurate: (21/2)u³ + 39u⁴. Requires: p ≥ 6. FMP, Theorem 8; T,
/// ThreeProdDW_error.
RelativeBound triple_mul_double_word_accurate_bound(int p);
/// Algorithm 12, fast: 18u³ + 75u⁴. Requires: p ≥ 6. FMP, §7; T, ThreeProdDWFast_error.
RelativeBound triple_mul_double_word_fast_bound(int p);

/// Bounds that the products of triple words do not keep: 27u³ + 107u⁴ and 43u³ + 176u⁴ (triple.mul_accurate.2,
/// triple.mul_fast.2). Requires: p ≥ 6.
RelativeBound triple_mul_accurate_too_small_bound(int p);
RelativeBound triple_mul_fast_too_small_bound(int p);
/// The sum and the products at p = 3 and p = 4, where the bounds above have no proof: the least multiples of u³/2. For
/// p = 3 they are 3/2 (sum), 27/2, 29/2, 6, 17/2 (Algorithms 9 to 12), for p = 4 3/2, 16, 23, 7, 9. Requires: p = 3 or
/// p = 4, operands of the lists of docs/bounds/small_formats.md (not checked).
RelativeBound triple_add_toy_bound(int p);
RelativeBound triple_mul_accurate_toy_bound(int p);
RelativeBound triple_mul_fast_toy_bound(int p);
RelativeBound triple_mul_double_word_accurate_toy_bound(int p);
RelativeBound triple_mul_double_word_fast_toy_bound(int p);
/// Algorithms 11 and 12 if the product is within 220u² of a power of two, relatively: 7u³ + 200u⁴ and 11u³ + 200u⁴.
/// Requires: p ≥ 10. Derived in docs/bounds/triple.md.
RelativeBound triple_mul_double_word_accurate_inverse_bound(int p);
RelativeBound triple_mul_double_word_fast_inverse_bound(int p);

/// Double word × triple word (1, y1, y2) with |y − 1| ≤ 40u², with sorted FastTwoSums: u³ + 620u⁴. Requires: p ≥ 6. T,
/// ThreeProdOne_error, on FMP's Algorithm 18.
RelativeBound triple_mul_near_one_bound(int p);
/// The bound that FMP states for Algorithm 18 as printed: u³ + 260u⁴. False: the error can be 40u³.
RelativeBound triple_mul_near_one_printed_bound(int p);
/// The bound of Algorithm 18 as printed: 40u³ + 910u⁴. Requires: p ≥ 11. Derived in docs/bounds/triple.md.
RelativeBound triple_mul_near_one_ceiling(int p);
/// A result of Algorithm 11 or 12 × triple word (1, y1, y2) with |y − 1| ≤ 110u² (Algorithm 20): 3u³ + 1000u⁴.
/// Requires: p ≥ 10. Derived in docs/bounds/triple.md.
RelativeBound triple_mul_near_one_result_bound(int p);

/// Reciprocal (Algorithm 13) with sorted FastTwoSums. Accurate: (23/2)u³ + 1830u⁴, fast: 19u³ + 1870u⁴. Requires:
/// p ≥ 10. T, ThreeReci_error, ThreeReciFast_error.
RelativeBound triple_reciprocal_accurate_bound(int p);
RelativeBound triple_reciprocal_fast_bound(int p);
/// The same: (23/3)u³ + 1800u⁴, (35/3)u³ + 1800u⁴. Requires: p ≥ 10. Derived in docs/bounds/triple.md.
RelativeBound triple_reciprocal_accurate_sharp_bound(int p);
RelativeBound triple_reciprocal_fast_sharp_bound(int p);
/// Bounds that the reciprocals do not keep: 7u³ + 1800u⁴ and 11u³ + 1800u⁴ (triple.reciprocal_accurate.3,
/// triple.reciprocal_fast.3). Requires: p ≥ 10.
RelativeBound triple_reciprocal_accurate_too_small_bound(int p);
RelativeBound triple_reciprocal_fast_too_small_bound(int p);

/// Quotient (Algorithm 14) with sorted FastTwoSums. Accurate: 27u³ + 2500u⁴, fast: 42u³ + 2575u⁴. Requires: p ≥ 10. T,
/// ThreeDiv_error, ThreeDivFast_error. FMP, Theorem 10 has 24u³ + 1509u⁴ and 39u³ + 1582u⁴, which follow from the
/// smaller bounds below.
RelativeBound triple_div_accurate_bound(int p);
RelativeBound triple_div_fast_bound(int p);
/// The same: (41/2)u³ + 2500u⁴, 32u³ + 2500u⁴. Requires: p ≥ 10. Derived in docs/bounds/triple.md.
RelativeBound triple_div_accurate_sharp_bound(int p);
RelativeBound triple_div_fast_sharp_bound(int p);

/// Square root (Algorithm 15) with sorted FastTwoSums. Accurate: 24u³ + 10260u⁴, fast: 39u³ + 10333u⁴. Requires:
/// p ≥ 11. FMP, Theorem 11; T, ThreeSqRt_error, ThreeSqRtFast_error.
RelativeBound triple_sqrt_accurate_bound(int p);
RelativeBound triple_sqrt_fast_bound(int p);
/// The same: (47/4)u³ + 11300u⁴, (35/2)u³ + 11300u⁴. Requires: p ≥ 11. Derived in docs/bounds/triple.md.
RelativeBound triple_sqrt_accurate_sharp_bound(int p);
RelativeBound triple_sqrt_fast_sharp_bound(int p);

/// Sums, comparisons: every non-zero word in the box, subnormals included. binary64: [η, 2^1016].
/// Derived in docs/bounds/triple.md, as are all boxes here.
constexpr Box triple_add_box(const oracle::Format& format) { return add_box(format); }

/// Rounding to one word: the leading word in the box; the others are free. binary64: [2^-969, 2^1021].
constexpr Box triple_round_box(const oracle::Format& format) {
  return {format.emin + format.precision, format.emax - 2};
}

/// Products: every non-zero word in the box. binary64: [2^-484, 2^484]; binary32: [2^-51, 2^51].
constexpr Box triple_product_box(const oracle::Format& format) { return product_box(format); }

/// Whether the format has a box for reciprocals, quotients and square roots: binary64 has, binary32 has not.
constexpr bool has_triple_quotients(const oracle::Format& format) { return -format.emin > 12 * format.precision; }

/// Reciprocals: every non-zero word in the box. binary64: [2^-200, 2^26]. Requires: has_triple_quotients (not checked).
constexpr Box triple_reciprocal_box(const oracle::Format& format) {
  const int high = format.precision / 2;
  return {-((-format.emin - 6 * format.precision + 2 - 4 * high) / 3), high};
}

/// Quotients: every non-zero word in the box. binary64: [2^-150, 2^13]. Requires: has_triple_quotients (not checked).
constexpr Box triple_quotient_box(const oracle::Format& format) {
  const int high = format.precision / 4;
  return {high - (-format.emin - 7 * format.precision + 3) / 4, high};
}

/// Square roots: every non-zero word in the box. binary64: [2^-152, 2^34]. Requires: has_triple_quotients (not
/// checked).
constexpr Box triple_sqrt_box(const oracle::Format& format) {
  const int half = format.precision / 3;
  return {-((-format.emin - 9 * format.precision - 2 - 5 * half) / 3), 2 * half};
}

}  // namespace assay
