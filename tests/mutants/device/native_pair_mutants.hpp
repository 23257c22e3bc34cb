#pragma once
// Native pairs of float with one mistake each, as element-wise kernels.

#include "arith/words/native_pair.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay::mutants {

/// P1: the constant of the split is 2¹¹ + 1.
struct PairSplitOneBitShort {
  using Input = Pair<float>;
  using Output = DoubleWord<float>;
  ASSAY_HD static Split<float> split(float x) {
    const float g = (0x1p11f + 1) * x;
    const float h = g + (x - g);
    return {h, x - h};
  }
  ASSAY_HD Output operator()(const Input& x) const { return pair::detail::product_of_halves(split(x.a), split(x.b)); }
};

/// P2: the mask of Dekker's product with masked halves clears `cleared` bits.
template <int cleared>
struct PairMaskOf {
  using Input = Pair<float>;
  using Output = Product<float>;
  ASSAY_HD static Split<float> split(float x) {
    const float h = from_bits<float>(to_bits(x) & ~((std::uint32_t{1} << cleared) - 1));
    return {h, x - h};
  }
  ASSAY_HD Output operator()(const Input& x) const {
    const float p = x.a * x.b;
    return {p, detail::split_product_error(split(x.a), split(x.b), p)};
  }
};

/// P3: the product of pairs by split, without the product of the low halves.
struct PairDroppedLowProduct {
  using Input = DwDw<float>;
  using Output = DoubleWord<float>;
  ASSAY_HD Output operator()(const Input& c) const {
    const Split<float> a = veltkamp_split(c.x.h);
    const Split<float> b = veltkamp_split(c.y.h);
    const float mid_a = a.h * b.l;
    const float mid_b = b.h * a.l;
    const DoubleWord<float> tops = pair::normalize(a.h * b.h, mid_a + mid_b);
    const float hilo_a = c.x.h * c.y.l;
    const float hilo_b = c.y.h * c.x.l;
    return pair::normalize(tops.h, tops.l + (hilo_a + hilo_b));
  }
};

/// P4: the product of pairs by FMA as a compiler leaves it that contracts the high product into the sum that normalises
/// it.
struct PairContractedProduct {
  using Input = DwDw<float>;
  using Output = DoubleWord<float>;
  ASSAY_HD Output operator()(const Input& c) const {
    const Product<float> p = two_prod(c.x.h, c.y.h);
    const float hilo_a = c.x.h * c.y.l;
    const float hilo_b = c.y.h * c.x.l;
    const float low = p.e + (hilo_a + hilo_b);
    const float h = fma(c.x.h, c.y.h, low);
    return {h, low - (h - p.p)};
  }
};

/// P5: the split with its last difference contracted: x − (2¹² + 1)x in one rounding.
struct PairContractedSplit {
  using Input = Pair<float>;
  using Output = DoubleWord<float>;
  ASSAY_HD static Split<float> split(float x) {
    constexpr float c = 0x1p12f + 1;
    const float h = c * x + fma(-c, x, x);
    return {h, x - h};
  }
  ASSAY_HD Output operator()(const Input& x) const { return pair::detail::product_of_halves(split(x.a), split(x.b)); }
};

}  // namespace assay::mutants
