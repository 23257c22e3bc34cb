#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

/// Errors of native-pair arithmetic at precision p, u = 2⁻ᵖ, η the smallest subnormal: our own bounds, because the
/// source of the operations states none. Derived in docs/bounds/pair.md. Operands are normalized pairs or native words,
/// rounding is to nearest with ties to even. Every function throws std::domain_error if p is too small for its
/// derivation. The sum of pairs is the sloppy sum of double words, and the product by FMA is Algorithm 10:
/// `sloppy_add_absolute_bound`, `sloppy_add_same_sign_bound`, `mul1_bound` of errorbounds/dw.hpp.
namespace assay {

/// How many low bits of a significand a mask clears: ⌊p/2⌋ or ⌈p/2⌉. For even p both are the same.
enum class MaskWidth { narrow, wide };

/// The product of two native words from masked halves, the sum of the cross products rounded:
/// p even: (2^(p/2) + 1)·4u²; p odd, wide: (2^((p+1)/2) + 3)·4u²; p odd, narrow: (1 + 2^((1−p)/2))·u.
/// Requires: p ≥ 8; normal operands or 0, |ab| = 0 or |ab| ≥ 2^(emin + p) (not checked). Attained up to 0.2 % in
/// binary32.
RelativeBound native_mul_mask_bound(int p, MaskWidth width);

/// The product of pairs whose high product is exact, from Dekker's halves, but not normalized: 9u²/(1 − u)².
/// Requires: p ≥ 8. Nearly attained: with a normalized high product, as by FMA, it is 5u².
RelativeBound pair_mul_split_bound(int p);
/// The same from masked halves: (13u² + native_mul_mask_bound)/(1 − u)². Requires: p ≥ 8.
RelativeBound pair_mul_mask_bound(int p, MaskWidth width);

/// The product from the pairs of all four products, each of them exact: (3/2)u² + 13u³. Requires: p ≥ 8. Nearly
/// attained.
RelativeBound pair_good_mul_bound(int p);
/// The same from masked halves: 9u² more than native_mul_mask_bound. Requires: p ≥ 12.
RelativeBound pair_good_mul_mask_bound(int p, MaskWidth width);

/// The product of pairs by FMA if anything may underflow: 9u²·|xy| + 2η. Requires: p ≥ 8, no overflow; `magnitude` =
/// |xy| ≥ 0 (not checked).
Bound pair_mul_underflow_bound(const oracle::Dyadic& magnitude, const oracle::Format& format);

/// The pair next to a number d of a wider format: max(u²/2·|d|, η/2). Requires: d rounds to a finite number (not
/// checked).
Bound pair_conversion_bound(const oracle::Dyadic& d, const oracle::Format& format);

/// u²/2·|d|, which does not hold if the low word underflows.
RelativeBound pair_relative_conversion_bound(int p);

// Errors of one entry c = Σ a_l·b_l, l = 1 … k, of a matrix product with binary64 data: |ĉ − c| ≤ bound, T =
// Σ|a_l·b_l| ≥ 0, nothing overflows, data zero or with exponents in the box of the arithmetic (neither is checked).
// Every function throws std::domain_error if k is too large for it. Derived in docs/bounds/pair.md.

/// In binary32, c = fma(RN(a), RN(b), c): γ_{k+2}·T + (1 + γ_{k+2})·kη/2, u = 2⁻²⁴, η = 2⁻¹⁴⁹. Requires: (k + 2)u < 1.
/// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §3.1 and §3.5, with the conversions of the
/// data.
Bound product_single_bound(std::uint64_t k, const oracle::Dyadic& T);

/// In native pairs of binary32, c = add(c, mul(a, b)), mul by FMA: Nu²/(1 − Nu²)·T + 3kη, N = 3k + 8, u = 2⁻²⁴.
/// Requires: Nu² ≤ 1/8.
Bound product_pair_bound(std::uint64_t k, const oracle::Dyadic& T);

/// In binary64, c = fma(a, b, c): γ_k·T + (1 + γ_k)·kη/2, u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴. Requires: ku < 1. Higham 2002, §3.1.
Bound product_double_bound(std::uint64_t k, const oracle::Dyadic& T);

/// Data of the products in binary32 and in pairs: [2⁻¹⁰¹, 2⁵⁵), where conversions have relative errors and 128 products
/// do not overflow; data of the products in binary64: every number below 2⁵⁰¹.
inline constexpr Box product_data_box_binary32{-101, 54};
inline constexpr Box product_data_box_binary64{-1074, 500};

}  // namespace assay
