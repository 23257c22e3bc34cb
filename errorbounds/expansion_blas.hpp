#pragma once
// Bounds of y ← α·op(A)·x + β·y and C ← α·op(A)·op(B) + β·C with expansions as entries.
// Derived in docs/bounds/expansion.md.

#include <cstdint>
#include <span>

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay {

/// w(x) = maxᵢ |xᵢ|·(2u)⁻ⁱ, the weight of the words x₀, x₁, …: |xᵢ| ≤ (2u)ⁱ·w(x). For an ulp-nonoverlapping expansion
/// it is |x₀|.
oracle::Dyadic expansion_weight(std::span<const oracle::Dyadic> words, int p);

/// How a sum of products of expansions is formed: n products over `lanes` partial results, of which each takes in every
/// lanes-th product, then for d = lanes/2, …, 1 lane c < d takes in lane c + d. Requires: lanes is a power of two (not
/// checked).
struct ExpansionSumShape {
  int words;
  std::uint64_t n;
  std::uint64_t lanes = 1;

  /// h_l = max(⌈n/lanes⌉ − 1, 0) + l(l + 2) + 2·⌈log₂ min(n, lanes)⌉, the logarithm of 0 being 0: the most rounded
  /// additions of level l that a term goes through.
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

/// What the bound of one entry α·s + β·y depends on, s = Σ aⱼxⱼ.
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
  /// 2u)/(1 − 4u) bounds w(ŝ); f is the factor of two products, or of one where a summand is missing. E alone for α =
  /// 1, β = 0; 0 without a summand.
  Bound of(const ExpansionBlasEntry& entry) const;

 private:
  ExpansionSumShape shape_;
  oracle::Format format_;
  ExpansionSumFactors sum_;
  ExpansionSumFactors one_product_;
  ExpansionSumFactors two_products_;
};

}  // namespace assay
