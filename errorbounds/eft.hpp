#pragma once

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

/// The preconditions of error-free transforms as exact predicates on numbers of a format: if they are true, the
/// transform is exact with rounding to nearest. e_x = max(⌊log₂|x|⌋, emin) is the exponent of a number in its format, η
/// the smallest subnormal, Ω the largest finite number. Derivations: docs/bounds/eft.md.
namespace assay {

/// |exact| < Ω + ulp(Ω)/2: rounding to nearest gives a finite number.
bool rounds_to_finite(const oracle::Dyadic& exact, const oracle::Format& format);

/// TwoSum(a, b) is exact and no intermediate overflows: |a| < Ω and a + b rounds to a finite number.
/// Møller, Quasi double-precision in floating point addition, BIT 5, 1965; overflow: Boldo, Graillat, Muller, On the
/// robustness of the 2Sum and Fast2Sum algorithms, ACM TOMS 44(1), 2017. The first operand matters: with |a| = Ω the
/// intermediate s − b may overflow.
bool two_sum_is_exact(const oracle::Dyadic& a, const oracle::Dyadic& b, const oracle::Format& format);

/// FastTwoSum(a, b) is exact: a = 0 or b = 0 or a is an integer multiple of ulp(b) = 2^(e_b − p + 1), and a + b rounds
/// to a finite number. Sufficient: |a| ≥ |b|, or e_a ≥ e_b. Dekker, A floating-point technique for extending the
/// available precision, Numer. Math. 18, 1971.
bool fast_two_sum_is_exact(const oracle::Dyadic& a, const oracle::Dyadic& b, const oracle::Format& format);

/// TwoProd(a, b) with FMA is exact: ab = 0, or e_a + e_b ≥ emin + p − 1 and ab rounds to a finite number.
/// Boldo, Daumas, Representable correcting terms for possibly underflowing floating point operations, ARITH-16, 2003.
bool two_prod_is_exact(const oracle::Dyadic& a, const oracle::Dyadic& b, const oracle::Format& format);
/// ab is a multiple of η: for ab that rounds to a finite number, necessary and sufficient for TwoProd to be exact.
bool product_error_is_representable(const oracle::Dyadic& a, const oracle::Dyadic& b, const oracle::Format& format);

/// fma(−q, b, a) is the exact a − qb: a = 0, or q ≠ 0 and e_b + e_q ≥ emin + p − 1.
/// Requires: b ≠ 0, q = RN(a/b) to nearest (not checked). Boldo, Daumas 2003.
bool quotient_residual_is_exact(const oracle::Dyadic& a, const oracle::Dyadic& b, const oracle::Dyadic& q,
                                const oracle::Format& format);
/// fma(−s, s, a) with s = RN(√a) is the exact a − s²: 2e_s ≥ emin + p − 1, or a = 0. Boldo, Daumas 2003.
bool root_residual_is_exact(const oracle::Dyadic& root, const oracle::Format& format);

/// ⌈p/2⌉, where splits cut.
constexpr int split_bits(const oracle::Format& format) { return (format.precision + 1) / 2; }

/// Veltkamp's split of x is exact with a high part of p − s and a low part of s − 1 bits and a sign, s = ⌈p/2⌉:
/// (2^s + 1)·x rounds to a finite number. Requires: p ≥ 3 (not checked). Dekker 1971; Boldo, Pitfalls of a full
/// floating-point proof: example on the formal proof of the Veltkamp/Dekker algorithms, IJCAR 2006.
bool veltkamp_split_is_exact(const oracle::Dyadic& x, const oracle::Format& format);

/// Dekker's product of a and b is exact: ab = 0, or |ab| ≥ 2^(emin + p); |a|, |b| ≤ 2^(emax − ⌈p/2⌉ − 2), and
/// e_a + e_b ≤ emax − 3. binary64: |ab| ≥ 2⁻⁹⁶⁹, magnitudes ≤ 2⁹⁹⁴. Dekker 1971; Boldo 2006.
bool dekker_product_is_exact(const oracle::Dyadic& a, const oracle::Dyadic& b, const oracle::Format& format);

/// The product with the integer-mask split, ⌈p/2⌉ bits cleared, is exact: p is even, and the conditions of
/// dekker_product_is_exact hold. docs/bounds/eft.md.
bool masked_product_is_exact(const oracle::Dyadic& a, const oracle::Dyadic& b, const oracle::Format& format);

/// ErrFma(a, x, y) is exact: p ≥ 5, ax = 0 or e_a + e_x ≥ emin + p − 1, and |ax| + |y| ≤ 2^(emax − 1).
/// Boldo, Muller, Exact and approximated error of the FMA, IEEE TC 60(2), 2011.
bool err_fma_is_exact(const oracle::Dyadic& a, const oracle::Dyadic& x, const oracle::Dyadic& y,
                      const oracle::Format& format);

}  // namespace assay
