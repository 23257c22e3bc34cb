#pragma once
// Arithmetic in residues with one mistake each, as element-wise kernels.

#include <cstdint>

#include "arith/residues/interval.hpp"
#include "arith/residues/rns.hpp"
#include "exec/elementwise.hpp"

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
    const std::uint64_t q = bits::high_product(x << (64 - 2 * b), mu >> (64 - k) << too_small);
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

/// N2: the upper sum rounded to nearest.
struct NearestUpperSum : rns::Steps {
  ASSAY_HD static double upper_add(double a, double b) { return a + b; }
};

/// N3: the upper bound rounded to nearest throughout.
struct NearestUpper : rns::Steps {
  template <class Set>
  ASSAY_HD static double upper_term(const rns::Tables<Set>& t, int i, std::uint32_t s) {
    return s * (1.0 / t.m[i]);
  }
  ASSAY_HD static double upper_add(double a, double b) { return a + b; }
};

/// N6: bounds with an integer between them are not told apart.
struct NeverAmbiguous : rns::Steps {
  ASSAY_HD static bool ambiguous(int, int) { return false; }
};

/// N7: a small X is not scaled up.
struct NeverRefines : rns::Steps {
  ASSAY_HD static bool refines(double, double) { return false; }
};

/// N8: the power of two that takes a scaled X back is off by one.
struct ExponentOffByOne : rns::Steps {
  ASSAY_HD static std::int64_t exponent(std::int64_t k) { return 1 - k; }
};

/// N15: overlapping intervals are equal numbers.
struct OverlappingAreEqual : rns::Steps {
  template <class Set>
  ASSAY_HD static int compare_overlapping(const rns::Residues<Set>&, const rns::Residues<Set>&) {
    return 0;
  }
};

struct LimbInteger {
  std::uint32_t x[rns::limbs<Moduli>];
};

/// I(X/M).
template <class Steps>
struct Evaluation {
  using Input = LimbInteger;
  using Output = Interval;
  ASSAY_HD Output operator()(const Input& c) const {
    return rns::evaluate<Steps>(rns::from_limbs<Moduli>(c.x, rns::limbs<Moduli>));
  }
};

/// The sign of X − Y.
template <class Steps>
struct Comparison {
  using Input = LimbPair;
  using Output = double;
  ASSAY_HD Output operator()(const Input& c) const {
    return rns::compare<Steps>(rns::from_limbs<Moduli>(c.x, rns::limbs<Moduli>),
                               rns::from_limbs<Moduli>(c.y, rns::limbs<Moduli>));
  }
};

}  // namespace assay::mutants
