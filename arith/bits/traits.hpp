#pragma once

#include <cstdint>

#include "arith/hd.hpp"

namespace assay {

/// What the encodings with the largest exponent field mean. `ieee`: infinities and NaNs.
/// `finite_nan`: numbers, but for all ones, which is NaN; there are no infinities (OCP 8-bit formats, E4M3).
enum class Specials { ieee, finite_nan };

/// A rounding direction: to nearest with ties to even, up, down, toward zero.
enum class Rounding { rn, ru, rd, rz };

/// The parameters of a binary format with subnormals, encoded as sign, exponent field, p − 1 fraction bits:
/// `precision` p, `emin` and `emax` the exponents of the smallest and the largest normal number, `width` in bits,
/// `Bits` an unsigned type that holds the encoding, `specials`, `name`.
template <class T>
struct FloatTraits;

template <>
struct FloatTraits<double> {
  using Bits = std::uint64_t;
  static constexpr int precision = 53;
  static constexpr int emin = -1022;
  static constexpr int emax = 1023;
  static constexpr int width = 64;
  static constexpr Specials specials = Specials::ieee;
  static constexpr const char* name = "binary64";

  ASSAY_HD static constexpr double from_bits(Bits bits) { return __builtin_bit_cast(double, bits); }
};

template <>
struct FloatTraits<float> {
  using Bits = std::uint32_t;
  static constexpr int precision = 24;
  static constexpr int emin = -126;
  static constexpr int emax = 127;
  static constexpr int width = 32;
  static constexpr Specials specials = Specials::ieee;
  static constexpr const char* name = "binary32";

  ASSAY_HD static constexpr float from_bits(Bits bits) { return __builtin_bit_cast(float, bits); }
};

/// The unsigned type that holds an encoding of T.
template <class T>
using BitsOf = typename FloatTraits<T>::Bits;

/// The encoding of x, NaN payloads included.
ASSAY_HD constexpr std::uint64_t to_bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
ASSAY_HD constexpr std::uint32_t to_bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }

/// The number of format T with the given encoding; bits above the width are not checked.
template <class T>
ASSAY_HD constexpr T from_bits(BitsOf<T> bits) {
  return FloatTraits<T>::from_bits(bits);
}

/// RN(a·b + c), one rounding.
ASSAY_HD inline double fma(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}
ASSAY_HD inline float fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}

/// RN(√x); NaN for x < 0, and √−0 = −0.
ASSAY_HD inline double sqrt(double x) {
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}
ASSAY_HD inline float sqrt(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}

namespace bits {

/// The sign bit of format T.
template <class T>
inline constexpr BitsOf<T> sign_bit = static_cast<BitsOf<T>>(BitsOf<T>{1} << (FloatTraits<T>::width - 1));

/// The encoding of the largest finite number of format T.
template <class T>
inline constexpr BitsOf<T> max_finite_bits =
    FloatTraits<T>::specials == Specials::finite_nan
        ? static_cast<BitsOf<T>>(sign_bit<T> - 2)
        : static_cast<BitsOf<T>>(sign_bit<T> - (BitsOf<T>{1} << (FloatTraits<T>::precision - 1)) - 1);

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

/// |x|: the sign bit cleared, of a NaN too.
template <class T>
ASSAY_HD constexpr T abs(T x) {
  return from_bits<T>(bits::magnitude_bits(x));
}

/// Whether the sign bit is set, of zeros and NaNs too.
template <class T>
ASSAY_HD constexpr bool signbit(T x) {
  return (to_bits(x) & bits::sign_bit<T>) != 0;
}

/// Whether x is a number other than ±∞.
template <class T>
ASSAY_HD constexpr bool is_finite(T x) {
  return bits::magnitude_bits(x) <= bits::max_finite_bits<T>;
}

/// Whether x is a NaN.
template <class T>
ASSAY_HD constexpr bool is_nan(T x) {
  constexpr bool infinities = FloatTraits<T>::specials == Specials::ieee;
  return bits::magnitude_bits(x) > bits::max_finite_bits<T> + (infinities ? 1u : 0u);
}

}  // namespace assay
