#pragma once
// Arithmetic in residues with one mistake each, as element-wise kernels.

#include <cstdint>

#include "arith/rns.hpp"
#include "kernels/elementwise.hpp"

namespace assay::mutants {

/// The set on which mistakes are injected.
using Moduli = rns::Standard<8>;

struct LimbPair {
  std::uint32_t x[rns::limbs<Moduli>], y[rns::limbs<Moduli>];
};

/// x mod m by a reciprocal in binary64. N10: without the correction of the quotient by ±1.
template <bool corrected>
struct FloatingReduction {
  ASSAY_HD static std::uint32_t reduce(std::uint64_t x, std::uint32_t m, std::uint64_t) {
    const auto q = static_cast<std::int64_t>(static_cast<double>(x) * (1.0 / m));
    std::int64_t r = static_cast<std::int64_t>(x) - q * m;
    if (corrected) {
      r += r < 0 ? m : r >= m ? -std::int64_t{m} : 0;
    }
    return static_cast<std::uint32_t>(r);
  }
};

/// x mod m for x ≤ (m − 1)², m of b bits, by Barrett's ⌊2ᵏ/m⌋ and one conditional subtraction, k = 2b.
/// N11: k = 2b − 1.
template <int too_small>
struct BarrettReduction {
  ASSAY_HD static std::uint32_t reduce(std::uint64_t x, std::uint32_t m, std::uint64_t mu) {
    int b = 31;
    while (m >> (b - 1) == 0) --b;
    const int k = 2 * b - too_small;
    const std::uint64_t q = rns::detail::mul_high(x << (64 - 2 * b), mu >> (64 - k) << too_small);
    const auto r = static_cast<std::uint32_t>(x - q * m);
    return r >= m ? r - m : r;
  }
};

/// The residues of XY.
template <class Reduction>
struct ResidueProduct {
  using Input = LimbPair;
  using Output = rns::Residues<Moduli>;
  ASSAY_HD Output operator()(const Input& c) const {
    const auto x = rns::from_limbs<Moduli>(c.x, rns::limbs<Moduli>);
    return rns::mul<Reduction>(x, rns::from_limbs<Moduli>(c.y, rns::limbs<Moduli>));
  }
};

}  // namespace assay::mutants
