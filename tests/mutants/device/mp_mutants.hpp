#pragma once
// The V rows of the mutant catalog that concern single multiple-precision operations, as element-wise kernels. The
// mistake is a value, so that the correct operation is the same kernel.

#include "arith/residues/mp_number.hpp"
#include "exec/elementwise.hpp"
#include "mutated/V15/arith/residues/mp_number.hpp"

namespace assay::mutants {

/// Two and three numbers.
using MpMutantSet = rns::Standard<16>;
struct MpOperands {
  mp::Number<MpMutantSet> x, y, w;
};

/// x + y. V15: the smaller operand is dropped if U of the aligned larger one is 1/4 or more; the limit should be 1/2.
template <class Set>
ASSAY_HD mp::Number<Set> sum_that_drops_too_early(const mp::Number<Set>& x, const mp::Number<Set>& y) {
  using Mutated = mp::v15::Number<Set>;
  const Mutated z = mp::v15::add(Mutated{x.digits, x.magnitude, x.exponent, x.sign},
                                 Mutated{y.digits, y.magnitude, y.exponent, y.sign});
  return {z.digits, z.magnitude, z.exponent, z.sign};
}
struct MpSum {
  using Input = MpOperands;
  using Output = mp::Number<MpMutantSet>;
  bool drops_too_early = false;
  ASSAY_HD Output operator()(const Input& c) const {
    return drops_too_early ? sum_that_drops_too_early(c.x, c.y) : mp::add(c.x, c.y);
  }
};

/// (xy)w, V9: the first product is not rounded unless `rounds`.
struct MpProducts {
  using Input = MpOperands;
  using Output = mp::Number<MpMutantSet>;
  bool rounds = true;
  ASSAY_HD Output operator()(const Input& c) const {
    if (rounds || mp::is_zero(c.x) || mp::is_zero(c.y)) return mp::mul(mp::mul(c.x, c.y), c.w);
    const Output product{rns::mul(c.x.digits, c.y.digits),
                         mp::product_magnitude<MpMutantSet>(c.x.magnitude, c.y.magnitude), c.x.exponent + c.y.exponent,
                         c.x.sign ^ c.y.sign};
    return mp::mul(product, c.w);
  }
};

/// xy, V19: unless `evaluates`, the enclosure of the product is kept however wide it is.
struct MpProduct {
  using Input = MpOperands;
  using Output = mp::Number<MpMutantSet>;
  bool evaluates = true;
  ASSAY_HD Output operator()(const Input& c) const {
    Output z = mp::mul(c.x, c.y);
    if (evaluates || mp::is_zero(z)) return z;
    // The quotient of the product by its truncated value is a power of two.
    const Interval wide = mp::product_magnitude<MpMutantSet>(c.x.magnitude, c.y.magnitude);
    const std::int64_t dropped = std::int64_t{z.exponent} - c.x.exponent - c.y.exponent;
    const Extended unit = rns::tables<MpMutantSet>().reciprocal_product.upper;
    const Extended lower = scale(wide.lower, -dropped);
    z.magnitude = {dropped == 0 ? lower : sub_rd(lower, unit), scale(wide.upper, -dropped)};
    return z;
  }
};

}  // namespace assay::mutants
