#pragma once

#include <algorithm>

#include "errorbounds/bound.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/format.hpp"

/// Errors of expansion arithmetic at precision p, u = 2⁻ᵖ, β = 2u, results of R words: |z − exact| ≤ bound·|exact|.
/// Operands are ulp-nonoverlapping, zeros last, of any lengths up to 16; rounding is to nearest, ties to even. Every
/// function throws std::domain_error where its condition on R or p is not met. The boxes say where a format's range is
/// as good as an unbounded one. Derivations: docs/bounds/expansion.md. JMMP: Joldes, Marty, Muller, Popescu, Arithmetic
/// algorithms for extended precision using floating-point expansions, IEEE TC 65(4), 2016. JMP2014: Joldes, Muller,
/// Popescu, On the computation of the reciprocal of floating point expansions using an adapted Newton-Raphson
/// iteration, ASAP 2014. CAMPARY: the bounds that its headers state.
namespace assay {

/// Renormalization to m words of any list that VecSum makes nonoverlapping, and the certified sum:
/// (u^m(1 + 10u)^(m−1) + (4u)^(m+1))/(1 − 4u), for m = 1 4u/(1 − 4u). Requires: m ≥ 1, p ≥ 5.
RelativeBound renormalization_bound(int m, int p);
/// The published one of the certified sum: (9/2)·2^(−(p−1)R). CAMPARY, addition.h. Requires: R ≥ 1, p ≥ 3; checked
/// exhaustively for p < 5.
RelativeBound published_certified_add_bound(int R, int p);
/// The quick sum, absolutely: 8·R!·u^R·(|a₀| + |b₀|), `leading` = |a₀| + |b₀| ≥ 0 (not checked), for operands of at
/// most R words. Requires: 1 ≤ R ≤ 16, p ≥ 11.
Bound quick_add_bound(int R, int p, const oracle::Dyadic& leading);

/// The certified product: r + e + re with r = renormalization_bound(R, p) and
/// e = u^R(17/64 + 2^R(3R + 6)u)/(1 − 5u); (3/2)u for R = 1. Requires: 1 ≤ R ≤ 16, p ≥ 24.
RelativeBound certified_mul_bound(int R, int p);
/// The published one: 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ). CAMPARY, multiplication.h; JMMP. Requires: R ≥ 1, p ≥ 24.
RelativeBound published_certified_mul_bound(int R, int p);
/// The truncated product: 18·R!·(R − 1)!·u^R. Requires: 1 ≤ R ≤ 16, p ≥ 24.
RelativeBound truncated_mul_bound(int R, int p);
/// The published one of another truncated product: 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ + 2^(−p+2)(K + L − R − 2)), operands of K
/// and L words. CAMPARY, multiplication.h. Requires: R ≥ 1, K + L ≥ R + 2, p ≥ 24.
RelativeBound published_truncated_mul_bound(int R, int K, int L, int p);

/// Quotients and roots by Newton's iteration: c·u^R with c = 3 for R ≥ 3, and for R = 1, 2:
/// 1/a: 4, 14;   b/a: 6, 19;   1/√a: 4, 19;   √a: 3, 28. Requires: R ≥ 1, 2R + 6 ≤ p.
RelativeBound reciprocal_bound(int R, int p);
RelativeBound expansion_div_bound(int R, int p);
RelativeBound rsqrt_bound(int R, int p);
RelativeBound expansion_sqrt_bound(int R, int p);

/// The published ones, R = 2^q. 1/a and 1/√a: 2^(−(p−3)R−1). JMP2014 and JMMP.
RelativeBound published_newton_bound(int R, int p);
/// 1/a: 2^(−(p−4)R−2)/(1 − 2^(−p+1)). CAMPARY, newton.h.
RelativeBound published_reciprocal_bound(int R, int p);
/// 1/√a: 2^(−(p−4)R−1)/(1 − 2^(−p+1)). CAMPARY, newton.h.
RelativeBound published_rsqrt_bound(int R, int p);
/// √a: 3·2^(−(p−4)R−2)/(1 − 2^(−p+1)). CAMPARY, newton.h.
RelativeBound published_sqrt_bound(int R, int p);

/// Sums and renormalization: every non-zero word in the box, subnormals included; no intermediate overflows.
/// binary64: [η, 2^1020).
constexpr Box expansion_sum_box(const oracle::Format& format) {
  return {format.emin - format.precision + 1, format.emax - 4};
}

/// The least exponent sum of two leading words at which the underflow of partial products of R words is negligible:
/// emin + p(R − 1) + 6 + 2⌈log₂ R⌉.
constexpr int expansion_product_exponent(const oracle::Format& format, int R) {
  int log2 = 0;
  while ((1 << log2) < R) ++log2;
  return format.emin + format.precision * (R - 1) + 6 + 2 * log2;
}

/// Products: leading words that are not zero in the box, the other words free. binary64, R = 4: [2^-426, 2^510).
constexpr Box expansion_product_box(const oracle::Format& format, int R) {
  const int least = expansion_product_exponent(format, R);
  return {least >= 0 ? (least + 1) / 2 : -(-least / 2), (format.emax - 5) / 2};
}

/// Quotients and roots: leading words that are not zero in the box, the other words free. binary64, R = 4:
/// [2^-424, 2^425). Requires: expansion_product_exponent(format, R) ≤ −6 (not checked).
constexpr Box expansion_quotient_box(const oracle::Format& format, int R) {
  const int side = std::min((-expansion_product_exponent(format, R) - 4) / 2, (format.emax - 8) / 2);
  return {-side, side};
}

}  // namespace assay
