#pragma once
// Floating-point numbers with a significand of L limbs (words of 32 bits), 2 ≤ L ≤ 64. The values are those of MPFR
// with a precision of 32·L bits and its default range of exponents.

#include <cstdint>

#include "arith/hd.hpp"

namespace assay::limb {

/// Exponents of finite numbers: MPFR's default range.
inline constexpr std::int32_t most_exponent = (std::int32_t{1} << 30) - 1;
inline constexpr std::int32_t least_exponent = -most_exponent;
/// The exponents of zeros, infinities and NaNs.
inline constexpr std::int32_t zero_exponent = INT32_MIN;
inline constexpr std::int32_t infinity_exponent = INT32_MAX - 1;
inline constexpr std::int32_t nan_exponent = INT32_MAX;

/// (−1)^sign·W·2^(exponent − 32L), W = Σ word_k·2^(32k), in one form for each value: 2^(32L − 1) ≤ W < 2^(32L) and
/// least_exponent ≤ exponent ≤ most_exponent; zeros, infinities and NaNs have W = 0, and a NaN has sign 0.
template <int L>
struct Float {
  static_assert(2 <= L && L <= 64);
  std::uint32_t word[L];
  std::int32_t exponent;
  std::uint32_t sign;
};

template <int L>
ASSAY_HD constexpr bool is_nan(const Float<L>& x) {
  return x.exponent == nan_exponent;
}
template <int L>
ASSAY_HD constexpr bool is_infinite(const Float<L>& x) {
  return x.exponent == infinity_exponent;
}
template <int L>
ASSAY_HD constexpr bool is_zero(const Float<L>& x) {
  return x.exponent == zero_exponent;
}
/// Whether x is neither zero nor infinite nor a NaN.
template <int L>
ASSAY_HD constexpr bool is_regular(const Float<L>& x) {
  return x.exponent >= least_exponent && x.exponent <= most_exponent;
}

/// ±0, ±∞ or a NaN, by its exponent.
template <int L>
ASSAY_HD constexpr Float<L> special(std::int32_t exponent, bool minus = false) {
  Float<L> x{};
  x.exponent = exponent;
  x.sign = minus ? 1 : 0;
  return x;
}
template <int L>
ASSAY_HD constexpr Float<L> zero(bool minus = false) {
  return special<L>(zero_exponent, minus);
}
template <int L>
ASSAY_HD constexpr Float<L> infinity(bool minus = false) {
  return special<L>(infinity_exponent, minus);
}
template <int L>
ASSAY_HD constexpr Float<L> nan() {
  return special<L>(nan_exponent);
}

/// 1.
template <int L>
ASSAY_HD constexpr Float<L> one() {
  Float<L> x{};
  x.word[L - 1] = std::uint32_t{1} << 31;
  x.exponent = 1;
  return x;
}

/// −x; a NaN is not changed.
template <int L>
ASSAY_HD constexpr Float<L> negated(Float<L> x) {
  if (!is_nan(x)) x.sign ^= 1;
  return x;
}

}  // namespace assay::limb
