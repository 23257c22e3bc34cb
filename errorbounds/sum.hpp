#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

/// Absolute errors of sums and dot products in rounding to nearest, any tie rule, u = 2⁻ᵖ. They take numbers: n, the
/// height of a tree, and the exact s = Σ xⱼ, S = Σ |xⱼ|, d = Σ xⱼyⱼ, T = Σ |xⱼyⱼ|. `magnitude` is |s| or |d| and may be
/// given with its sign. Nothing may overflow; underflow is harmless in sums (an addition with a subnormal result is
/// exact) and has its own term, in η, in dot products. A hypothesis on n that is not met throws std::domain_error.
/// Kernels that start from +0 add exactly there. Bounds without a published theorem in their docstring are derived in
/// docs/bounds/sum.md and docs/bounds/dot.md; those with one are derived there again.
namespace assay {

/// Recursive summation in any order, and any binary tree of additions over n terms: (n − 1)·u·S, for every n.
/// Jeannerod, Rump, Improved error bounds for inner products in floating-point arithmetic, SIMAX 34(2), 2013,
/// Proposition 3.1. Derived in docs/bounds/sum.md.
Bound recursive_sum_bound(std::uint64_t n, const oracle::Dyadic& S, int p);

/// A binary tree of additions of height h: γ_h·S. Requires: hu < 1. Higham 2002, §4.2. Pairwise: h = ⌈log₂ n⌉.
Bound tree_sum_bound(std::uint64_t h, const oracle::Dyadic& S, int p);
/// ⌈log₂ n⌉; 0 for n ≤ 1.
std::uint64_t pairwise_height(std::uint64_t n);

/// Kahan's compensated sum: u·|s| + (1 + u)(2u + 11nu²)·S. Requires: 16nu ≤ 1 and p ≥ 5. Derived in
/// docs/bounds/sum.md (Higham 2002, §4.3, has (2u + O(nu²))·S).
Bound kahan_sum_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);

/// 3u, relative to |s|: an often stated bound of Kahan's sum. It does not hold (sum.kahan.2).
RelativeBound kahan_relative_bound(int p);

/// Sum2: u·|s| + γ²_{n−1}·S. Requires: nu < 1.
/// Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 4.5. Derived in
/// docs/bounds/sum.md.
Bound sum2_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);
/// φ(n) = Σ 2^⌊log₂ j⌋ over j = 1 … n: (n² + 2n)/3 for n = 2ᵐ − 1, up to (3/8)(n + 1)² in between.
oracle::Dyadic sum_of_leading_bits(std::uint64_t n);
/// Sum2: u·|s| + φ(n − 2)·u²/(1 − nu)·(S + |s|)/2, a sixth to three sixteenths of n²u²S for large n and small s.
/// Requires: nu < 1. Derived in docs/bounds/sum.md.
Bound sum2_sharp_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);
/// A bound that Sum2 does not keep (sum.sum2.4): u·|s| + (3/10)·n²u²·(S + |s|)/2.
Bound sum2_too_small_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);
/// Neumaier's sum: the bound of Sum2, because its error terms are the same numbers. Neumaier, Rundungsfehleranalyse
/// einiger Verfahren zur Summation endlicher Summen, ZAMM 54, 1974; derived in docs/bounds/sum.md.
Bound neumaier_sum_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);

/// SumK: (u + 3γ²_{n−1})·|s| + γ^K_{2n−2}·S/4. Requires: K ≥ 3, 4nu ≤ 1.
/// Ogita, Rump, Oishi 2005, Proposition 4.10. Derived in docs/bounds/sum.md.
Bound sum_k_bound(int k, std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);

/// SumK: (u + (3/2)λ)·|s| + λ·γ^{K−2}_{n−1}·(S + |s|)/2, λ = φ(n − 2)·u²/(1 − nu). Requires: K ≥ 3, 4nu ≤ 1. Derived in
/// docs/bounds/sum.md.
Bound sum_k_sharp_bound(int k, std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);

/// AccSum with few extractions, if it is not faithful: u^k·S.
Bound prec_sum_bound(int k, const oracle::Dyadic& S, int p);

/// Binned sums of K bins of W bits, before the sum of the bins is rounded: n·m·2^((1 − K)W), m the largest |xⱼ|.
/// Requires: K ≥ 1. Derived in docs/bounds/sum.md.
Bound binned_sum_bound(int k, int width, std::uint64_t n, const oracle::Dyadic& largest);
/// Binned dot products: (1 + u)·(3/2)·n·m·2^((1 − K)W), m the largest |xⱼyⱼ|. Requires: K ≥ 1. Derived in
/// docs/bounds/dot.md.
Bound binned_dot_bound(int k, int width, std::uint64_t n, const oracle::Dyadic& largest, int p);
/// Binned norms before the last rounding, relative to r = √Σxⱼ²: ε + (3/2)v(1 + v)(1 + ε) with v = 2⁻⁵³, where
/// δ = (1 + u)·(3/2)·n·2^((1 − K)W) and ε = δ/(2 − δ) for δ ≤ 1, otherwise max(1, δ/2). Requires: K ≥ 1. Derived in
/// docs/bounds/dot.md.
RelativeBound binned_norm_bound(int k, int width, std::uint64_t n, int p);

/// Dot product, products rounded, added in any order: u(n + 2(n − 1)u)/(1 + u)·T + (1 + (n − 1)u)·nη/2, for every n;
/// below (1 + u)·n·u·T if nothing underflows. Derived in docs/bounds/sum.md (Jeannerod, Rump 2013, Theorem
/// 4.2, has n·u·T).
Bound recursive_dot_bound(std::uint64_t n, const oracle::Dyadic& T, const oracle::Format& format);
/// Dot product, products rounded, added by a tree of height h: γ_{h+1}·T + (1 + γ_h)·nη/2. Requires: (h + 1)u < 1.
/// Higham 2002, §3.1 and §4.2; the underflow term: docs/bounds/sum.md.
Bound tree_dot_bound(std::uint64_t n, std::uint64_t h, const oracle::Dyadic& T, const oracle::Format& format);

/// Dot2: u·|d| + γ²ₙ·T + (1 + 5γₙ)·nη/2. Requires: 2nu ≤ 1.
/// Ogita, Rump, Oishi 2005, Proposition 5.5. Derived in docs/bounds/sum.md.
Bound dot2_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& T,
                 const oracle::Format& format);
/// A bound that Dot2 does not keep (dot.dot2.4): u·|d| + n²u²·(T + |d|)/8 + (1 + 5γₙ)·nη/2. Requires: nu < 1.
Bound dot2_too_small_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& T,
                           const oracle::Format& format);
/// Dot2: u·|d| + κu·(T + |d|)/2 + (1 + u + κ)·nη/2, κ = (φ(n + 3) + n − 6)·u/(1 − (n + 2)u). Requires: n²u ≤ 1 and
/// (n + 2)u < 1. Derived in docs/bounds/dot.md.
Bound dot2_sharp_bound(std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& T,
                       const oracle::Format& format);
/// DotK: (u + 2γ²_{4n−2})·|d| + γ^K_{4n−2}·T/4 + (1 + 5γ_{4n−2})·nη/2. Requires: K is 3 or 4, 8nu ≤ 1.
/// Ogita, Rump, Oishi 2005, Proposition 5.11. Derived, with the underflow term, in docs/bounds/sum.md.
Bound dot_k_bound(int k, std::uint64_t n, const oracle::Dyadic& magnitude, const oracle::Dyadic& T,
                  const oracle::Format& format);

/// The shape of a cooperative sum: each of `threads` threads (a power of two) adds every threads-th element in
/// ascending order, then the partial results are combined over log₂(threads) levels of a binary tree.
struct BlockShape {
  std::uint64_t n;
  std::uint64_t threads;

  /// m = ⌈n/threads⌉, the most elements of one thread.
  constexpr std::uint64_t per_thread() const { return (n + threads - 1) / threads; }
  constexpr std::uint64_t levels() const {
    std::uint64_t count = 0;
    while ((std::uint64_t{1} << count) < threads) ++count;
    return count;
  }
  /// h = max(m − 1, 0) + log₂(threads): the height of the tree of additions.
  constexpr std::uint64_t height() const { return (per_thread() > 1 ? per_thread() - 1 : 0) + levels(); }
  /// The largest number of additions that one error term of the compensated sum goes through: max(m − 2, 0) +
  /// 2·log₂(threads).
  constexpr std::uint64_t sum2_correction_height() const {
    return (per_thread() > 2 ? per_thread() - 2 : 0) + 2 * levels();
  }
  /// The same for the compensated dot product: m + 2·log₂(threads).
  constexpr std::uint64_t dot2_correction_height() const { return per_thread() + 2 * levels(); }
};

/// Cooperative sum: γ_h·S. Requires: hu < 1. docs/bounds/sum.md.
Bound block_sum_bound(const BlockShape& shape, const oracle::Dyadic& S, int p);
/// Cooperative Sum2: u·|s| + γ_{c+1}·γ_h·S, c the correction height. Requires: (c + 1)u < 1.
/// docs/bounds/sum.md.
Bound block_sum2_bound(const BlockShape& shape, const oracle::Dyadic& magnitude, const oracle::Dyadic& S, int p);
/// Cooperative dot product: tree_dot_bound of height h. docs/bounds/sum.md.
Bound block_dot_bound(const BlockShape& shape, const oracle::Dyadic& T, const oracle::Format& format);
/// Cooperative Dot2: u·|d| + (1 + u)γ_c·γ_{h+1}·T + (1 + 5γ_{c+1})·nη/2, c the correction height.
/// Requires: 2(c + 1)u ≤ 1. docs/bounds/sum.md.
Bound block_dot2_bound(const BlockShape& shape, const oracle::Dyadic& magnitude, const oracle::Dyadic& T,
                       const oracle::Format& format);

}  // namespace assay
