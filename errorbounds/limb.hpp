#pragma once
// Bounds of sums of products with floating-point numbers of L limbs. Theorems: docs/bounds/limb.md.

#include <bit>
#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"

namespace assay {

/// The largest number of roundings that one of n products goes through, if `lanes` lanes, a power of two, add terms in
/// turn by fused operations, and a tree adds the lanes (limb.height.1). 0 for no products.
constexpr std::int64_t limb_lanes_height(std::int64_t n, std::int64_t lanes) {
  if (n <= 0) return 0;
  const std::int64_t used = n < lanes ? n : lanes;
  return (n + lanes - 1) / lanes + static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(used - 1)));
}

/// The same for a dot product: ⌈n/512⌉ blocks of 128 lanes, at most 1024; if there are several blocks, one block adds
/// their sums.
constexpr std::int64_t limb_dot_height(std::int64_t n) {
  constexpr std::int64_t lanes = 128;
  const std::int64_t wanted = (n + 4 * lanes - 1) / (4 * lanes);
  const std::int64_t blocks = wanted < 1024 ? wanted : 1024;
  if (blocks <= 1) return limb_lanes_height(n, lanes);
  const std::int64_t tree = std::bit_width(static_cast<std::uint64_t>(lanes - 1));
  return (n + blocks * lanes - 1) / (blocks * lanes) + tree + limb_lanes_height(blocks, lanes) - 1;
}

/// Σxᵢyᵢ of n terms, `magnitude` = Σ|xᵢyᵢ|: γ_h·Σ|xᵢyᵢ|, h = limb_dot_height(n), u = 2^(−32·limbs).
Bound limb_dot_bound(int limbs, std::int64_t n, const oracle::Dyadic& magnitude);

/// α·Σaᵢxᵢ + βy of n terms in 32 lanes, `product` = |α|Σ|aᵢxᵢ|, `start` = |βy|: γ_(h+1)·product + γ₂·start.
Bound limb_gemv_bound(int limbs, std::int64_t n, const oracle::Dyadic& product, const oracle::Dyadic& start);

/// |aᵢⱼ − Σlᵢₖlⱼₖ| of Cholesky's factorization in column j = 0, 1, …, `magnitude` = Σ|lᵢₖlⱼₖ| over k ≤ j:
/// γ_k·magnitude, k = max(3, limb_lanes_height(j, 32)).
Bound limb_cholesky_bound(int limbs, std::int64_t j, const oracle::Dyadic& magnitude);

/// |b − Ax| of a system of order n that was solved with that factor, `magnitude` = |L||Lᵀ||x|: γ_(3n+3)·magnitude.
Bound limb_cholesky_solve_bound(int limbs, std::int64_t n, const oracle::Dyadic& magnitude);

/// |(PA)ᵢⱼ − Σlᵢₖuₖⱼ| of an LU factorization for entries with min(i, j) = t, `magnitude` = Σ|lᵢₖuₖⱼ|: γ_m·magnitude,
/// m = max(2, limb_lanes_height(t, 32)).
Bound limb_lu_bound(int limbs, std::int64_t t, const oracle::Dyadic& magnitude);

/// |b − Ax| of a system of order n that was solved with that factor, `magnitude` = |L||U||x|: γ_(3n)·magnitude.
Bound limb_lu_solve_bound(int limbs, std::int64_t n, const oracle::Dyadic& magnitude);

}  // namespace assay
