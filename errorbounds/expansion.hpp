#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "errorbounds/bound.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

/// Errors of expansion arithmetic at precision p, u = 2⁻ᵖ, β = 2u, results of R words: |z − exact| ≤ bound·|exact|.
/// Operands are ulp-nonoverlapping, zeros last, of any lengths up to 16; rounding is to nearest, ties to even. Every
/// function throws std::domain_error if its condition on R or p is not met. In the boxes a format's range is equivalent
/// to an unbounded one. Derivations: docs/bounds/expansion.md. JMMP: Joldes, Marty, Muller, Popescu, Arithmetic
/// algorithms for extended precision using floating-point expansions, IEEE TC 65(4), 2016. JMP2014: Joldes, Muller,
/// Popescu, On the computation of the reciprocal of floating point expansions using an adapted Newton-Raphson
/// iteration, ASAP 2014. CAMPARY: the bounds that its headers state.
namespace assay {

/// Renormalization to m words of any list that VecSum makes nonoverlapping, and the certified sum:
/// (u^m(1 + 10u)^(m−1) + (4u)^(m+1))/(1 − 4u), for m = 1 4u/(1 − 4u). Requires: m ≥ 1, p ≥ 5.
RelativeBound renormalization_bound(int m, int p);
/// The published bound of the certified sum: (9/2)·2^(−(p−1)R). CAMPARY, addition.h. Requires: R ≥ 1, p ≥ 3; checked
/// exhaustively for p < 5.
RelativeBound published_certified_add_bound(int R, int p);
/// The quick sum, absolutely: 8·R!·u^R·(|a₀| + |b₀|), `leading` = |a₀| + |b₀| ≥ 0 (not checked), for operands of at
/// most R words. Requires: 1 ≤ R ≤ 16, p ≥ 11.
Bound quick_add_bound(int R, int p, const oracle::Dyadic& leading);

/// The quick sum by its last level, absolutely: u·S, `last_sums` = S, the sum of 2^⌊log₂|s|⌋ over the rounded sums s of
/// the last level.
Bound quick_add_levels_bound(int p, const oracle::Dyadic& last_sums);

/// The certified product: r + e + re with r = renormalization_bound(R, p) and
/// e = u^R(17/64 + 2^R(3R + 6)u)/(1 − 5u); (3/2)u for R = 1. Requires: 1 ≤ R ≤ 16, p ≥ 24.
RelativeBound certified_mul_bound(int R, int p);
/// The published bound: 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ). CAMPARY, multiplication.h; JMMP. Requires: R ≥ 1, p ≥ 24.
RelativeBound published_certified_mul_bound(int R, int p);
/// The truncated product: 18·R!·(R − 1)!·u^R. Requires: 1 ≤ R ≤ 16, p ≥ 24.
RelativeBound truncated_mul_bound(int R, int p);
/// The truncated product by its last level, absolutely: u·S + D + u^R|x₀y₀|/64, S as in the quick sum, `dropped` = D =
/// Σ |xᵢyⱼ| over i + j ≥ R, `leading` = |x₀y₀|. Requires: R ≥ 2.
Bound truncated_mul_levels_bound(int R, int p, const oracle::Dyadic& last_sums, const oracle::Dyadic& dropped,
                                 const oracle::Dyadic& leading);
/// The quick product: (101/100)u·`out_of_order` more, Σ |b| over the FastTwoSums (a, b) of its sweeps with 0 < |a| <
/// |b|. Requires: R ≥ 2, p ≥ 16.
Bound quick_mul_levels_bound(int R, int p, const oracle::Dyadic& last_sums, const oracle::Dyadic& dropped,
                             const oracle::Dyadic& leading, const oracle::Dyadic& out_of_order);
/// The published bound of another truncated product: 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ + 2^(−p+2)(K + L − R − 2)), operands of
/// K and L words. CAMPARY, multiplication.h. Requires: R ≥ 1, K + L ≥ R + 2, p ≥ 24.
RelativeBound published_truncated_mul_bound(int R, int K, int L, int p);

/// The bound of the published truncated product itself, of K and L words in R: r + e + re with r =
/// renormalization_bound(R, p) and e = (d_R·2^R·u^(R+1) + Σ d_l(2u)^l + 2²³u^(R+2))/(1 − 5u), the sum over l = R + 1 …
/// K + L − 2, d_l the number of the xᵢyⱼ with i + j = l. Requires: R ≥ 2, p ≥ 24, at most 12 products with i + j ≤ R.
RelativeBound binned_mul_bound(int K, int L, int R, int p);

/// Quotients and roots by Newton's iteration: c·u^R with c = 3 for R ≥ 3, and for R = 1, 2:
/// 1/a: 4, 14;   b/a: 6, 19;   1/√a: 4, 19;   √a: 3, 28. Requires: 1 ≤ R ≤ 16, p ≥ 24, 2R + 6 ≤ p.
RelativeBound reciprocal_bound(int R, int p);
RelativeBound expansion_div_bound(int R, int p);
RelativeBound rsqrt_bound(int R, int p);
RelativeBound expansion_sqrt_bound(int R, int p);

/// The published bounds, R = 2^q. 1/a and 1/√a: 2^(−(p−3)R−1). JMP2014 and JMMP.
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

/// The published truncated product: leading words that are not zero in the box, the other words free. binary64, R = 4:
/// [2^-363, 2^506).
constexpr Box binned_product_box(const oracle::Format& format, int R) {
  const int least = format.emin + format.precision * (R + 2) - 23;
  return {-(-least / 2), (format.emax - 12) / 2};
}

/// Quotients and roots: leading words that are not zero in the box, the other words free. binary64, R = 4:
/// [2^-424, 2^425). Requires: expansion_product_exponent(format, R) ≤ −6 (not checked).
constexpr Box expansion_quotient_box(const oracle::Format& format, int R) {
  const int side = std::min((-expansion_product_exponent(format, R) - 4) / 2, (format.emax - 8) / 2);
  return {-side, side};
}

// The factors found by enumeration of small formats (small_formats.expansions.1 and .2).

/// A list of n words renormalized to m words: 3u for m = 1, (5/4)u^m for 1 < m < n, 0 for m = n.
RelativeBound measured_renormalization_bound(int n, int m, int p);
/// The certified sum: (5/4)u^R.
RelativeBound measured_certified_add_bound(int R, int p);

/// A 64-bit integer as an expansion of k words: 2^(1 − pk).
RelativeBound expansion_integer_bound(int k, int p);

// Bounds of y ← α·op(A)·x + β·y and C ← α·op(A)·op(B) + β·C with expansions as entries.

/// w(x) = maxᵢ |xᵢ|·(2u)⁻ⁱ, the weight of the words x₀, x₁, …: |xᵢ| ≤ (2u)ⁱ·w(x). For an ulp-nonoverlapping expansion
/// it is |x₀|.
oracle::Dyadic expansion_weight(std::span<const oracle::Dyadic> words, int p);

/// How a sum of products of expansions is formed: n products over `lanes` partial results, each of which adds every
/// lanes-th product; then for d = lanes/2, …, 1 lane c < d adds lane c + d. Requires: lanes is a power of two (not
/// checked).
struct ExpansionSumShape {
  int words;
  std::uint64_t n;
  std::uint64_t lanes = 1;

  /// h_l = max(⌈n/lanes⌉ − 1, 0) + l(l + 2) + 2·⌈log₂ min(n, lanes)⌉, with the logarithm of 0 taken as 0: the largest
  /// number of rounded additions of level l that a term goes through.
  std::uint64_t height(int level) const;
};

/// |ŝ − s| ≤ relative·W + underflow·n·η with W = Σ w(aⱼ)·w(xⱼ).
struct ExpansionSumFactors {
  RelativeBound relative;
  RelativeBound underflow;
};

/// The factors of ExpansionAccumulator. Requires: K ≥ 2; h_l·u < 1 on each level; throws std::domain_error that says
/// so.
ExpansionSumFactors expansion_sum_factors(const ExpansionSumShape& shape, int p);

/// ŝ against s = Σ aⱼxⱼ, `weight` = Σ w(aⱼ)·w(xⱼ).
Bound expansion_sum_bound(const ExpansionSumFactors& factors, std::uint64_t n, const oracle::Dyadic& weight,
                          const oracle::Format& format);

/// The data for the bound of one entry α·s + β·y, s = Σ aⱼxⱼ.
struct ExpansionBlasEntry {
  bool adds_product;            ///< α ≠ 0 and there are products
  bool adds_start;              ///< β ≠ 0
  bool alpha_is_one;            ///< α = 1, its other words 0
  oracle::Dyadic alpha;         ///< |α|
  oracle::Dyadic alpha_weight;  ///< w(α)
  oracle::Dyadic weight;        ///< W = Σ w(aⱼ)·w(xⱼ)
  oracle::Dyadic start_weight;  ///< w(β)·w(y)
};

/// The bound of the entries of one shape.
class ExpansionBlasBound {
 public:
  ExpansionBlasBound(const ExpansionSumShape& shape, const oracle::Format& format);

  /// |ŷ − (α·s + β·y)| ≤ |α|·E + f·(w(α)·ω + w(β)·w(y)) + underflow. E is the bound of ŝ; ω = (W/(1 − 2u)² + E)·(1 −
  /// 2u)/(1 − 4u) bounds w(ŝ); f is the factor of two products, or of one if a summand is missing. Only E for α = 1, β
  /// = 0; 0 without a summand.
  Bound of(const ExpansionBlasEntry& entry) const;

 private:
  ExpansionSumShape shape_;
  oracle::Format format_;
  ExpansionSumFactors sum_;
  ExpansionSumFactors one_product_;
  ExpansionSumFactors two_products_;
};

/// The bound of the entries of this shape.
ExpansionBlasBound expansion_blas_bound(const ExpansionSumShape& shape, const oracle::Format& format);

}  // namespace assay
