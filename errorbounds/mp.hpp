#pragma once

#include <bit>
#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/fraction.hpp"

/// Errors of multiple-precision arithmetic in residues, M the product of the base moduli, B its bits, h = ⌈B/2⌉. Every
/// function throws std::domain_error unless h ≥ 24. Derivations: docs/bounds/mp.md. IK: Isupov, Knyazkov,
/// Multiple-precision matrix-vector multiplication on graphics processing units, 2020.
namespace assay {

/// h: the bits of a rounded significand.
int mp_significand_bits(const oracle::Dyadic& M);

/// The unit of a set: the larger one of 2^(h+1)/(M(1 − 2⁻²⁰)) for truncation and 2^(1−h)/(1 − 2⁻¹⁹ − 2^(1−h)) for a
/// dropped operand. One operation: |z − (x ∘ y)| < u|x ∘ y|, and z = 0 if x ∘ y = 0.
RelativeBound mp_unit(const oracle::Dyadic& M);

/// The published unit, 4/√M, rounded down by less than 2⁻⁶⁰ of it. IK, (6); Isupov, Knyazkov, Kuvaev, 2020.
RelativeBound mp_published_unit(const oracle::Dyadic& M);

/// γ_k = ku/(1 − ku): k operations one after the other. Higham, Accuracy and stability of numerical algorithms, 2002,
/// Lemma 3.1. Throws std::domain_error unless ku < 1 and k ≥ 0.
RelativeBound mp_gamma(long k, const RelativeBound& u);

/// One operation, a conversion or a rounding: u.
RelativeBound mp_operation_bound(const RelativeBound& u);
/// (x − y)w: γ₂.
RelativeBound mp_difference_product_bound(const RelativeBound& u);
/// αx, `product` = |αx|: γ₁|αx|.
Bound mp_scal_bound(const RelativeBound& u, const oracle::Dyadic& product);
/// αx + y, `product` = |αx|, `start` = |y|: γ₂|αx| + γ₁|y|.
Bound mp_axpy_bound(const RelativeBound& u, const oracle::Dyadic& product, const oracle::Dyadic& start);
/// β(αx + y), `product` = |βαx|, `start` = |βy|: γ₃|βαx| + γ₂|βy|.
Bound mp_axpy_scal_bound(const RelativeBound& u, const oracle::Dyadic& product, const oracle::Dyadic& start);
/// αx + βy, `magnitude` = |αx| + |βy|: γ₂(|αx| + |βy|).
Bound mp_waxpby_bound(const RelativeBound& u, const oracle::Dyadic& magnitude);
/// αxy + a, `product` = |αxy|, `start` = |a|: γ₃|αxy| + γ₁|a|.
Bound mp_ger_bound(const RelativeBound& u, const oracle::Dyadic& product, const oracle::Dyadic& start);
/// d(l) of mp.sum_depth.1: the largest number of additions that one of l addends goes through, if ⌈l/256⌉ blocks, at
/// most 4096, of 32 lanes add terms in turn, each block adds its lanes by a tree, and the results of several blocks are
/// added in the same way.
constexpr long mp_sum_height(std::int64_t l) {
  constexpr std::int64_t lanes = 32;
  const auto parts = [](std::int64_t n, std::int64_t size) { return (n + size - 1) / size; };
  const auto tree = [](std::int64_t leaves) {
    return static_cast<long>(std::bit_width(static_cast<std::uint64_t>((leaves < lanes ? leaves : lanes) - 1)));
  };
  const auto one_block = [&](std::int64_t n) { return static_cast<long>(parts(n, lanes) - 1) + tree(n); };
  if (l <= 0) return 0;
  const std::int64_t blocks = parts(l, 8 * lanes) < 4096 ? parts(l, 8 * lanes) : 4096;
  if (blocks == 1) return one_block(l);
  return static_cast<long>(parts(l, lanes * blocks) - 1) + tree(l) + mp_sum_height(blocks);
}

/// Σ|xᵢ|, `magnitude`, added by a tree of this depth: γ_depth·Σ|xᵢ|.
Bound mp_asum_bound(const RelativeBound& u, long depth, const oracle::Dyadic& magnitude);
/// Σxᵢyᵢ, `magnitude` = Σ|xᵢyᵢ|, added by a tree of this depth: γ_(depth+1)·Σ|xᵢyᵢ|.
Bound mp_dot_bound(const RelativeBound& u, long depth, const oracle::Dyadic& magnitude);
/// √Σxᵢ² of a sum by a tree of this depth: v/(1 − v), v = (depth + 3)u/2. Throws std::domain_error unless v < 1.
RelativeBound mp_nrm2_bound(const RelativeBound& u, long depth);

}  // namespace assay
