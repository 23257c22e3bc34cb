#pragma once
// Arithmetic in residues with one mistake each, as element-wise kernels.

#include <cstdint>

#include "arith/residues/interval.hpp"
#include "arith/residues/rns.hpp"
#include "exec/elementwise.hpp"
#include "mutated/N15/arith/residues/interval.hpp"
#include "mutated/N2/arith/residues/interval.hpp"
#include "mutated/N3/arith/residues/interval.hpp"
#include "mutated/N4/arith/residues/interval.hpp"
#include "mutated/N6/arith/residues/interval.hpp"
#include "mutated/N7/arith/residues/interval.hpp"
#include "mutated/N8/arith/residues/interval.hpp"

namespace assay::mutants {

/// The set on which mistakes are injected.
using Moduli = rns::Standard<8>;

/// A set with moduli whose rounded reciprocals are less than half a place above the reciprocals: Moduli has none, so
/// that products rounded to nearest are upper bounds there.
using ManyModuli = rns::Standard<64>;

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
    const auto y = rns::from_limbs<Moduli>(c.y, rns::limbs<Moduli>);
    const auto& t = rns::tables<Moduli>();
    Output z;
    for (int i = 0; i < Moduli::size; ++i) {
      z.r[i] = Reduction::reduce(std::uint64_t{x.r[i]} * y.r[i], t.m[i], t.barrett[i]);
    }
    return z;
  }
};

/// The operations of arith/residues/interval.hpp as they are, and in copies with one mistake each.
struct Right {
  template <class Set>
  ASSAY_HD static Interval evaluate(const rns::Residues<Set>& x) {
    return rns::evaluate(x);
  }
  ASSAY_HD static int compare(const rns::Residues<Moduli>& x, const rns::Residues<Moduli>& y) {
    return rns::compare(x, y);
  }
};

/// N2: the upper sum is rounded to nearest.
struct NearestUpperSum {
  ASSAY_HD static Interval evaluate(const rns::Residues<Moduli>& x) { return rns::n2::evaluate(x); }
};

/// N3: the upper bound is rounded to nearest throughout.
struct NearestUpper {
  ASSAY_HD static Interval evaluate(const rns::Residues<Moduli>& x) { return rns::n3::evaluate(x); }
};

/// N4: the products of the upper bound are rounded to nearest.
struct NearestUpperProducts {
  ASSAY_HD static Interval evaluate(const rns::Residues<ManyModuli>& x) { return rns::n4::evaluate(x); }
};

/// N6: bounds with an integer between them are not distinguished
struct NeverAmbiguous {
  ASSAY_HD static Interval evaluate(const rns::Residues<Moduli>& x) { return rns::n6::evaluate(x); }
};

/// N7: a small X is not scaled up.
struct NeverRefines {
  ASSAY_HD static Interval evaluate(const rns::Residues<Moduli>& x) { return rns::n7::evaluate(x); }
};

/// N8: the power of two that undoes the scaling of X is off by one.
struct ExponentOffByOne {
  ASSAY_HD static Interval evaluate(const rns::Residues<Moduli>& x) { return rns::n8::evaluate(x); }
};

/// N15: overlapping intervals are treated as equal numbers.
struct OverlappingAreEqual {
  ASSAY_HD static int compare(const rns::Residues<Moduli>& x, const rns::Residues<Moduli>& y) {
    return rns::n15::compare(x, rns::evaluate(x), y, rns::evaluate(y));
  }
};

template <class Set>
struct LimbInteger {
  std::uint32_t x[rns::limbs<Set>];
};

/// I(X/M).
template <class Row, class Set = Moduli>
struct Evaluation {
  using Input = LimbInteger<Set>;
  using Output = Interval;
  ASSAY_HD Output operator()(const Input& c) const { return Row::evaluate(rns::from_limbs<Set>(c.x, rns::limbs<Set>)); }
};

/// The sign of X − Y.
template <class Row>
struct Comparison {
  using Input = LimbPair;
  using Output = double;
  ASSAY_HD Output operator()(const Input& c) const {
    return Row::compare(rns::from_limbs<Moduli>(c.x, rns::limbs<Moduli>),
                        rns::from_limbs<Moduli>(c.y, rns::limbs<Moduli>));
  }
};

}  // namespace assay::mutants
