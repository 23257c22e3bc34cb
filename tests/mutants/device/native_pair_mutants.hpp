#pragma once
// Native pairs of float with one mistake each, as element-wise kernels.

#include "arith/words/native_pair.hpp"
#include "arith/words/operands.hpp"
#include "kernels/function.hpp"
#include "tests/mutants/device/error_free_mutants.hpp"

namespace assay::mutants {

/// The product of numbers by the halves that `split` makes.
template <auto split>
ASSAY_HD DoubleWord<float> pair_product_by(float a, float b) {
  return pair::detail::product_of_halves(split(a), split(b));
}

/// P1: the constant of the split is 2¹¹ + 1.
ASSAY_HD inline Split<float> pair_split_one_bit_short(float x) { return split_by(0x1p11f + 1, x); }
using PairSplitOneBitShort = Function<Pair<float>, pair_product_by<pair_split_one_bit_short>>;

/// P2: the mask of Dekker's product with masked halves clears `cleared` bits.
template <int cleared>
ASSAY_HD Split<float> pair_split_by_mask(float x) {
  const float h = from_bits<float>(to_bits(x) & ~((std::uint32_t{1} << cleared) - 1));
  return {h, x - h};
}
template <int cleared>
using PairMaskOf = Function<Pair<float>, product_by<pair_split_by_mask<cleared>, float>>;

/// P3: the product of pairs by split, without the product of the low halves.
ASSAY_HD inline DoubleWord<float> pair_dropped_low_product(DoubleWord<float> x, DoubleWord<float> y) {
  const Split<float> a = veltkamp_split(x.h);
  const Split<float> b = veltkamp_split(y.h);
  const float mid_a = a.h * b.l;
  const float mid_b = b.h * a.l;
  const DoubleWord<float> tops = pair::normalize(a.h * b.h, mid_a + mid_b);
  const float hilo_a = x.h * y.l;
  const float hilo_b = y.h * x.l;
  return pair::normalize(tops.h, tops.l + (hilo_a + hilo_b));
}
using PairDroppedLowProduct = Function<DwDw<float>, pair_dropped_low_product>;

/// P4: the product of pairs by FMA, as compiled by a compiler that contracts the high product into the sum that
/// normalizes it.
ASSAY_HD inline DoubleWord<float> pair_contracted_product(DoubleWord<float> x, DoubleWord<float> y) {
  const Product<float> p = two_prod(x.h, y.h);
  const float hilo_a = x.h * y.l;
  const float hilo_b = y.h * x.l;
  const float low = p.e + (hilo_a + hilo_b);
  const float h = fma(x.h, y.h, low);
  return {h, low - (h - p.p)};
}
using PairContractedProduct = Function<DwDw<float>, pair_contracted_product>;

/// P5: the split with its last difference contracted: x − (2¹² + 1)x in one rounding.
ASSAY_HD inline Split<float> pair_contracted_split(float x) {
  constexpr float c = 0x1p12f + 1;
  const float h = c * x + fma(-c, x, x);
  return {h, x - h};
}
using PairContractedSplit = Function<Pair<float>, pair_product_by<pair_contracted_split>>;

}  // namespace assay::mutants
