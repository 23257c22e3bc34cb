#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/dyadic.hpp"

/// Errors of one entry c = Σ a_l·b_l, l = 1 … k, of a matrix product with binary64 data: |ĉ − c| ≤ bound, T =
/// Σ|a_l·b_l| ≥ 0, nothing overflows, data zero or with exponents in the box of the arithmetic (neither is checked).
/// Every function throws std::domain_error where k is too large for it. Derived in docs/bounds/pair.md.
namespace assay {

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
/// do not overflow; of those in binary64: every number below 2⁵⁰¹.
inline constexpr Box product_data_box_binary32{-101, 54};
inline constexpr Box product_data_box_binary64{-1074, 500};

}  // namespace assay
