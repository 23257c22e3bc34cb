#pragma once
// Scales of blocks, from the least, the largest and the largest magnitude of their numbers. Every operation is one of
// binary32 to nearest, in the order written.

#include <cstdint>
#include <type_traits>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/quantize/elements.hpp"
#include "arith/quantize/rule.hpp"

namespace assay::quantize {

/// The largest magnitude of the numbers of a block, as a pattern: that of a NaN is above that of an infinity.
struct Amax {
  std::uint32_t amax;

  ASSAY_HD static constexpr Amax none() { return {0}; }
  ASSAY_HD void add(float x) { join({to_bits(x) & ~detail::sign_mask}); }
  ASSAY_HD void join(const Amax& other) { amax = other.amax > amax ? other.amax : amax; }
};

/// The least and the largest number of a block. Requires: no NaN (not checked).
struct Ends {
  float least, largest;

  ASSAY_HD static constexpr Ends none() {
    return {from_bits<float>(detail::exponent_mask), from_bits<float>(detail::exponent_mask | detail::sign_mask)};
  }
  ASSAY_HD void add(float x) { join({x, x}); }
  ASSAY_HD void join(const Ends& other) {
    least = detail::smaller(least, other.least);
    largest = detail::larger(largest, other.largest);
  }
};

/// What the plan of a block is made from.
template <Scaling scaling>
using RangeOf = std::conditional_t<scaling == Scaling::zero_point || scaling == Scaling::minimum, Ends, Amax>;

/// What two levels take from the tensor: its largest magnitude T, 2688/T and the reciprocal of that.
struct TensorScale {
  float amax, encode, decode;

  ASSAY_HD static TensorScale of(Amax range) {
    const float amax = from_bits<float>(range.amax);
    const float encode = 2688 / amax;
    return {amax, encode, 1 / encode};
  }
};

namespace detail {

/// RN(x/d), without a division. Requires: `reciprocal` is RN(1/d), and reciprocal + rest is (1 + 2⁻⁴⁵)·1/d at most, and
/// at least (1 − 2⁻⁴⁵)·1/d; 2⁻⁸⁰ ≤ d ≤ 2¹⁰⁰, 2⁻¹⁰⁰ ≤ |x| and 2⁻¹¹⁰ ≤ |x/d| ≤ 2¹²⁶ (not checked).
ASSAY_HD inline float quotient_of(float x, float d, float reciprocal, float rest) {
  const float q = fma(x, reciprocal, x * rest);
  return fma(fma(-q, d, x), reciprocal, q);
}
/// A number that compares with every number of at most 9 bits as RN(x/d) does (quantize.quotient.2). Requires: x has at
/// most 11 bits, and `rest` is that of BlockPlan::divide_by() (not checked).
ASSAY_HD inline float short_quotient_of(float x, float reciprocal, float rest) { return fma(x, reciprocal, x * rest); }

}  // namespace detail

/// How the entries of a block become codes, and what is stored for the block.
struct BlockPlan {
  float multiplier = 1;      ///< an entry is multiplied by this,
  float divisor = 0;         ///< or divided by this, if it is not 0
  float reciprocal = 0;      ///< RN(1/divisor), or 0 where quotient() is not for every entry
  float rest = 0;            ///< 1/divisor − reciprocal, nearly
  float shift = 0;           ///< subtracted from an entry first
  float offset = 0;          ///< added before an entry is rounded
  int zero_point = 0;        ///< added to the rounded number
  bool is_open = false;      ///< the rule leaves the codes open: they are 0
  std::uint32_t scale = 0;   ///< code or pattern
  std::uint32_t second = 0;  ///< zero point or minimum, as a code
  bool is_inside = false;    ///< no rounded entry is outside of the codes

  ASSAY_HD void divide_by(float d) {
    divisor = d;
    if (!(d >= 0x1p-80f)) return;
    reciprocal = 1 / d;
    const float error = fma(-d, reciprocal, 1);
    const float first = error * reciprocal;
    rest = fma(first, error, first);
  }
  /// RN(x/divisor) of an entry x of the block, or, where that is below 2⁻²⁰, a number below 2⁻¹⁹ with its sign
  /// (quantize.quotient.1).
  [[nodiscard]] ASSAY_HD float quotient(float x) const {
    return ASSAY_ON_DEVICE(detail::quotient_of(x, divisor, reciprocal, rest), x / divisor);
  }
  /// A number with the same code as RN(x/divisor), of an entry of at most 11 bits (quantize.quotient.2).
  [[nodiscard]] ASSAY_HD float short_quotient(float x) const {
    return ASSAY_ON_DEVICE(detail::short_quotient_of(x, reciprocal, rest), x / divisor);
  }
};

namespace detail {

/// The least k ≥ −127 with x ≤ 2^k. Requires: x ≥ 0 (not checked).
ASSAY_HD constexpr int ceil_log2(float x) {
  const std::uint32_t bits = to_bits(x);
  const std::uint32_t fraction = bits & fraction_mask;
  const int field = static_cast<int>(bits >> 23);
  if (field == 0) return fraction > std::uint32_t{1} << 22 ? -126 : -127;
  return field - 127 + (fraction != 0 ? 1 : 0);
}

/// The exponent of a scale that is a power of two, at least −127, of a block that is not zero. A subnormal M gives −127
/// under every rule, since V ≥ 6.
template <class Element>
ASSAY_HD int exponent_of_scale(ScaleRule rule, std::uint32_t amax) {
  constexpr float top = Element::value(Element::largest_bits);
  const int field = static_cast<int>(amax >> 23);
  const std::uint32_t fraction = amax & fraction_mask;
  if (field == 0) return -127;
  int k = field - 127 - Element::largest_exponent;
  switch (rule) {
    case ScaleRule::ceil:
      k += fraction != 0 ? 1 : 0;
      break;
    case ScaleRule::round_up:
      k += fraction > Element::largest_fraction ? 1 : 0;
      break;
    case ScaleRule::round_up_f32:
      return ceil_log2(from_bits<float>(amax) * (1 / top));
    case ScaleRule::round_even:  // M ≥ (2 − u)·2^e, u = 2^−p
      k += fraction >> (23 - Element::precision) == (std::uint32_t{1} << Element::precision) - 1 ? 1 : 0;
      break;
    case ScaleRule::log2:  // the least number of 24 bits above √2·2²³ is 0xB504F4
      k += fraction >= 0xB504F4u - 0x800000u ? 1 : 0;
      break;
    default:
      break;
  }
  return k > -127 ? k : -127;
}

ASSAY_HD constexpr float least_of(Least least) {
  return least == Least::e4    ? 1e-4f
         : least == Least::e5  ? 1e-5f
         : least == Least::e10 ? 1e-10f
         : least == Least::e12 ? 1e-12f
                               : 0;
}

/// The quotient as a number of binary32 that is on the same side of every number of at most 22 bits: the last bit is 1
/// if it was rounded.
ASSAY_HD inline float odd_quotient(double a, double b) {
  const double q = a / b;
  auto f = static_cast<float>(q);
  const double size = q < 0 ? -q : q;
  if (static_cast<double>(magnitude(f)) > size) f = from_bits<float>(to_bits(f) - 1);
  return static_cast<double>(magnitude(f)) == size ? f : from_bits<float>(to_bits(f) | 1);
}

/// Scales in E8M0; a block with a NaN or an infinity has the code FF.
template <class Element>
ASSAY_HD BlockPlan power_of_two_plan(const Rule& rule, Amax range) {
  if (range.amax >= exponent_mask) return {.is_open = true, .scale = 0xFF};
  const int k =
      range.amax == 0 ? (rule.zeros_have_scale_one ? 0 : -127) : exponent_of_scale<Element>(rule.scale, range.amax);
  return {.multiplier = bits::power_of_two<float>(-k), .scale = static_cast<std::uint32_t>(k + 127)};
}

/// The number for which M stands.
template <class Element>
ASSAY_HD constexpr float top_of(Range range) {
  if constexpr (Element::is_integer) {
    return static_cast<float>(Element::most) + (range == Range::half ? 0.5f : range == Range::full ? 1.0f : 0.0f);
  } else {
    return Element::value(Element::largest_bits);
  }
}

/// Scales in binary32; with `is_half` they are stored in binary16.
template <class Element, bool is_half>
ASSAY_HD BlockPlan factor_plan(const Rule& rule, Amax range) {
  const float amax = larger(from_bits<float>(range.amax), least_of(rule.least));
  BlockPlan plan;
  if (amax == 0) {
    plan.scale = rule.zeros_have_scale_one ? to_bits(1.0f) : 0;
    plan.is_open = std::is_same_v<Element, Nf4> && plan.scale == 0;
    return plan;
  }
  const float top = top_of<Element>(rule.range);
  float scale = rule.scale == ScaleRule::reciprocal ? amax * (1 / top) : amax / top;
  if (rule.scale == ScaleRule::power) scale = bits::power_of_two<float>(ceil_log2(scale));
  if (rule.scale == ScaleRule::inverse) {
    plan.multiplier = top / amax;
    scale = 1 / plan.multiplier;
  } else if (rule.factor == Factor::product) {
    plan.multiplier = 1 / scale;
  } else {
    plan.divide_by(scale);
  }
  plan.scale = is_half ? half_pattern(scale) : to_bits(scale);
  return plan;
}

/// Two levels, of which the scale of a block is stored in E4M3.
ASSAY_HD inline BlockPlan two_level_plan(const Rule& rule, Amax range, const TensorScale& tensor) {
  BlockPlan plan;
  const float amax = from_bits<float>(range.amax);
  if (amax == 0) return plan;
  plan.scale = E4m3::nearest_even(rule.scale == ScaleRule::two_level ? odd_quotient(448.0 * amax, tensor.amax)
                                                                     : amax * (tensor.encode * (1.0f / 6)));
  plan.is_open = plan.scale == 0;
  plan.multiplier = 1 / (E4m3::value(plan.scale) * tensor.decode);
  return plan;
}

/// RN(width/(L − l)), with the largest and the least code of the elements.
template <class Element>
ASSAY_HD float over(float width) {
  constexpr auto steps = static_cast<float>(Element::most - Element::least);
#if defined(__CUDA_ARCH__)
  constexpr float reciprocal = 1 / steps;
  constexpr auto rest = static_cast<float>(1.0 / steps - reciprocal);
  if (width >= 0x1p-100f) return quotient_of(width, steps, reciprocal, rest);
#endif
  return width / steps;
}

/// A scale and a zero point.
template <class Element>
ASSAY_HD BlockPlan zero_point_plan(const Rule& rule, const Ends& range) {
  const float low = rule.spans_zero ? smaller(range.least, 0) : range.least;
  const float high = rule.spans_zero ? larger(range.largest, 0) : range.largest;
  const float width = larger(high - low, least_of(rule.least));
  constexpr auto steps = static_cast<float>(Element::most - Element::least);
  float scale = rule.scale == ScaleRule::reciprocal ? width * (1 / steps) : over<Element>(width);
  if (rule.least == Least::scale) scale = larger(scale, 0x1p-23f);
  const bool is_zero = scale == 0;
  BlockPlan plan;
  if (!is_zero) plan.divide_by(scale);
  const float ratio = is_zero ? 0 : plan.reciprocal != 0 ? plan.quotient(low) : low / scale;
  constexpr int far = 1 << 10;
  const int zero = rule.zero_point_of_sum ? Element::rounded(static_cast<float>(Element::least) - ratio, Element::least,
                                                             Element::most, rule.direction)
                                          : Element::least - Element::rounded(ratio, -far, far, rule.direction);
  plan.zero_point = zero < Element::least ? Element::least : zero > Element::most ? Element::most : zero;
  plan.scale = to_bits(is_zero && rule.zeros_have_scale_one ? 1.0f : scale);
  plan.second = static_cast<std::uint32_t>(plan.zero_point) & 0xFF;
  plan.multiplier = 0;
  if (is_zero || rule.factor == Factor::quotient) return plan;
  plan.multiplier = plan.reciprocal != 0 ? plan.reciprocal : 1 / scale;
  plan.divisor = 0;
  if (rule.factor != Factor::product) plan.offset = static_cast<float>(plan.zero_point);
  return plan;
}

/// llama.cpp's formats without minimum. `first` is the first entry of largest magnitude, +0 in a block of zeros.
template <class Element>
ASSAY_HD BlockPlan offset_plan(const Rule& rule, float first) {
  constexpr float zero = 1 << (Element::bits - 1);
  const float scale = first * (-1 / zero);
  return {.multiplier = scale == 0 ? 0 : 1 / scale,
          .offset = zero + (rule.direction == Direction::ties_up ? 0.5f : 0),
          .scale = half_pattern(scale)};
}

/// llama.cpp's formats with a minimum. `first` is the first of the least entries.
template <class Element>
ASSAY_HD BlockPlan minimum_plan(const Rule& rule, const Ends& range, float first) {
  // A block of equal numbers has the difference +0, whatever the signs of its zeros.
  const float width = range.largest == first ? 0 : range.largest - first;
  const float scale = width / static_cast<float>(Element::most);
  return {.multiplier = scale == 0 ? 0 : 1 / scale,
          .shift = first,
          .offset = rule.direction == Direction::ties_up ? 0.5f : 0,
          .scale = half_pattern(scale),
          .second = half_pattern(first)};
}

}  // namespace detail

}  // namespace assay::quantize
