#pragma once
// Bounds of y ← α·op(A)·x + β·y with multiple-precision numbers in residue number systems.
// Derived in docs/bounds/gemv.md.

#include <cstdint>
#include <span>

#include "errorbounds/bound.hpp"
#include "errorbounds/mp.hpp"
#include "oracle/dyadic.hpp"

namespace assay {

/// u = (1 + 2⁻²⁰)·mp_unit(M): a unit of one operation with enough margin for a bound without a denominator.
RelativeBound mp_gemv_unit(const oracle::Dyadic& M);

/// How the decomposed GEMV forms one entry: `terms` products over `threads` partial results, each of which adds every
/// threads-th product, then a tree of them.
struct MpGemvShape {
  std::uint64_t terms;
  std::uint64_t threads;
  bool scales;        ///< α·x rounds: the significand of α is not 1
  bool adds_start;    ///< β ≠ 0
  bool scales_start;  ///< β·y rounds: the significand of β is not 0 or 1

  /// The number of rounded operations that a product goes through: ⌈n/T⌉ + ⌈log₂ min(T, n)⌉, one more with α·x, one
  /// more with β·y.
  std::uint64_t product_roundings() const;
  /// The number of rounded operations that β·y goes through: 0, 1 or 2.
  std::uint64_t start_roundings() const;
};

/// The magnitudes of one entry: Σ|αaⱼxⱼ| and |βy|.
struct MpGemvWeights {
  oracle::Dyadic products;
  oracle::Dyadic start;
};

/// The factor (N + 2)u/(1 − (N + 2)u) of (16) to (19), N the inner dimension.
/// Requires: (N + 2)u < 1; throws std::domain_error that says so.
RelativeBound mp_gemv_published_factor(std::uint64_t inner, const RelativeBound& unit);

/// (15), one entry: |ŷ − y| ≤ (N + 2)u/(1 − (N + 2)u)·(|βy| + Σ|αaⱼxⱼ|).
Bound mp_gemv_published_bound(std::uint64_t inner, const RelativeBound& unit, const MpGemvWeights& entry);
/// (18), the l₁ norm of the result: the sum of the entries' bounds.
Bound mp_gemv_published_norm_bound(std::uint64_t inner, const RelativeBound& unit,
                                   std::span<const MpGemvWeights> entries);

/// The decomposed form, one entry: |ŷ − y| ≤ k·u·Σ|αaⱼxⱼ| + k₀·u·|βy|, k = product_roundings(), k₀ =
/// start_roundings(). No denominator, because every rounding truncates.
Bound mp_gemv_tree_bound(const MpGemvShape& shape, const RelativeBound& unit, const MpGemvWeights& entry);

/// RN_P(x): x rounded to P bits, ties to even. Requires: P ≥ 1 (not checked).
oracle::Dyadic rounded_to_bits(int precision, const oracle::Dyadic& x);

/// The exact-accumulating form, one entry: |ŷ − y| ≤ 2⁻ᴾ|y|, one rounding to nearest with P bits. docs/bounds/gemv.md.
Bound mp_gemv_exact_bound(int precision, const oracle::Dyadic& truth);

}  // namespace assay
