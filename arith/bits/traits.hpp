#pragma once

#include <cstdint>

#include "arith/hd.hpp"

namespace assay {

/// Which encodings are no finite numbers. `ieee`: those with the largest exponent field are infinities and NaNs.
/// `finite_nan`: all exponent and fraction bits set is NaN (OCP E4M3). `finite`: none (OCP E3M2, E2M3, E2M1). `fnuz`:
/// the encoding of −0 is the one NaN. `p3109`: as fnuz, and all exponent and fraction bits set is an infinity (interim
/// report of IEEE P3109). The formats without −0 give +0 for it.
enum class Specials { ieee, finite_nan, finite, fnuz, p3109 };

/// A rounding direction: to nearest with ties to even, up, down, toward zero.
enum class Rounding { rn, ru, rd, rz };

/// The parameters of a binary format with subnormals, encoded as sign, exponent field, p − 1 fraction bits:
/// `precision` p, `emin` and `emax` the exponents e of the smallest and the largest normal number 1.f·2^e, `width` in
/// bits, `Bits` an unsigned type that holds the encoding, `specials`, `name`. binary64 and binary32 are below, all
/// other formats in arith/float/small_float.hpp. A format has a to_bits(), too.
template <class T>
struct FloatTraits;

namespace detail {

/// The parameters of an IEEE 754 interchange format: p bits of precision, encodings of type B.
template <class T, class B, int p, int most_exponent>
struct IeeeTraits {
  using Bits = B;
  static constexpr int precision = p;
  static constexpr int emin = 1 - most_exponent;
  static constexpr int emax = most_exponent;
  static constexpr int width = 8 * sizeof(B);
  static constexpr Specials specials = Specials::ieee;

  ASSAY_HD static constexpr T from_bits(B bits) { return __builtin_bit_cast(T, bits); }
};

}  // namespace detail

template <>
struct FloatTraits<double> : detail::IeeeTraits<double, std::uint64_t, 53, 1023> {
  static constexpr const char* name = "binary64";
};

template <>
struct FloatTraits<float> : detail::IeeeTraits<float, std::uint32_t, 24, 127> {
  static constexpr const char* name = "binary32";
};

/// The unsigned type that holds an encoding of T.
template <class T>
using BitsOf = typename FloatTraits<T>::Bits;

/// The encoding of x, NaN payloads included.
ASSAY_HD constexpr std::uint64_t to_bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
ASSAY_HD constexpr std::uint32_t to_bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }

/// The number of format T with the given encoding. Requires: the bits above `width` are 0 (not checked).
template <class T>
ASSAY_HD constexpr T from_bits(BitsOf<T> bits) {
  return FloatTraits<T>::from_bits(bits);
}

/// RN(a·b + c), one rounding.
ASSAY_HD inline double fma(double a, double b, double c) {
  return ASSAY_ON_DEVICE(__fma_rn(a, b, c), __builtin_fma(a, b, c));
}
ASSAY_HD inline float fma(float a, float b, float c) {
  return ASSAY_ON_DEVICE(__fmaf_rn(a, b, c), __builtin_fmaf(a, b, c));
}

/// RN(√x); NaN for x < 0, and √−0 = −0.
ASSAY_HD inline double sqrt(double x) { return ASSAY_ON_DEVICE(__dsqrt_rn(x), __builtin_sqrt(x)); }
ASSAY_HD inline float sqrt(float x) { return ASSAY_ON_DEVICE(__fsqrt_rn(x), __builtin_sqrtf(x)); }

namespace bits {

/// The sign bit of format T.
template <class T>
inline constexpr BitsOf<T> sign_bit = static_cast<BitsOf<T>>(BitsOf<T>{1} << (FloatTraits<T>::width - 1));

/// Whether format T has infinities, and whether it has −0. A format without −0 has its NaN there.
template <class T>
inline constexpr bool has_infinity =
    FloatTraits<T>::specials == Specials::ieee || FloatTraits<T>::specials == Specials::p3109;
template <class T>
inline constexpr bool has_negative_zero =
    FloatTraits<T>::specials != Specials::fnuz && FloatTraits<T>::specials != Specials::p3109;

/// The number of encodings of a sign above the largest finite number.
template <class T>
inline constexpr BitsOf<T> special_count =
    FloatTraits<T>::specials == Specials::ieee ? static_cast<BitsOf<T>>(BitsOf<T>{1} << (FloatTraits<T>::precision - 1))
    : FloatTraits<T>::specials == Specials::finite_nan || FloatTraits<T>::specials == Specials::p3109 ? 1
                                                                                                      : 0;

/// The encoding of the largest finite number of format T.
template <class T>
inline constexpr BitsOf<T> max_finite_bits = static_cast<BitsOf<T>>(sign_bit<T> - special_count<T> - 1);

/// The encoding of x without its sign bit.
template <class T>
ASSAY_HD constexpr BitsOf<T> magnitude_bits(T x) {
  return static_cast<BitsOf<T>>(to_bits(x) & (sign_bit<T> - 1));
}

/// 2^k. Requires: emin ≤ k ≤ emax (not checked).
template <class T>
ASSAY_HD constexpr T power_of_two(int k) {
  using F = FloatTraits<T>;
  return from_bits<T>(static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(k - F::emin + 1) << (F::precision - 1)));
}

}  // namespace bits

/// |x|: x with its sign bit cleared, also for a NaN, but for the NaN of a format without −0.
template <class T>
ASSAY_HD constexpr T abs(T x) {
  if (!bits::has_negative_zero<T> && to_bits(x) == bits::sign_bit<T>) return x;
  return from_bits<T>(bits::magnitude_bits(x));
}

/// Whether the sign bit is set, also for zeros and NaNs.
template <class T>
ASSAY_HD constexpr bool signbit(T x) {
  return (to_bits(x) & bits::sign_bit<T>) != 0;
}

/// Whether x is neither an infinity nor a NaN.
template <class T>
ASSAY_HD constexpr bool is_finite(T x) {
  if (!bits::has_negative_zero<T> && to_bits(x) == bits::sign_bit<T>) return false;
  return bits::magnitude_bits(x) <= bits::max_finite_bits<T>;
}

/// Whether x is a NaN.
template <class T>
ASSAY_HD constexpr bool is_nan(T x) {
  if (!bits::has_negative_zero<T>) return to_bits(x) == bits::sign_bit<T>;
  return bits::magnitude_bits(x) > bits::max_finite_bits<T> + (bits::has_infinity<T> ? 1u : 0u);
}

}  // namespace assay
