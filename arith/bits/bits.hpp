#pragma once
// Decoding of floating-point numbers into sign, significand and exponent, and encoding; counts of bits; products of
// 64-bit integers.
//
// Integer operations only, so that the results are the same everywhere. Formats as in arith/bits/traits.hpp: precision
// p, a sign bit, an exponent field, p − 1 fraction bits. A number is normal if |x| ≥ 2^emin.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay::bits {

/// The zeros above the highest set bit of x. Requires: x ≠ 0 (not checked). One instruction.
ASSAY_HD constexpr int leading_zeros(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return __clzll(static_cast<long long>(x));
#endif
  return __builtin_clzll(x);
}

/// The zeros below the lowest set bit of x. Requires: x ≠ 0 (not checked). One or two instructions.
ASSAY_HD constexpr int trailing_zeros(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return __ffsll(static_cast<long long>(x)) - 1;
#endif
  return 63 - leading_zeros(x & (0 - x));
}

/// ⌊log₂ x⌋ + 1, and 0 for x = 0: the least b with x < 2^b.
ASSAY_HD constexpr int bit_length(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return 64 - __clzll(static_cast<long long>(x));
#endif
  return x == 0 ? 0 : 64 - __builtin_clzll(x);
}
ASSAY_HD constexpr int bit_length(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return 32 - __clz(static_cast<int>(x));
#endif
  return x == 0 ? 0 : 32 - __builtin_clz(x);
}

/// The lower 32 bits of x.
ASSAY_HD constexpr std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }

/// A product of two 64-bit integers: a·b = high·2⁶⁴ + low, exactly.
struct WideProduct {
  std::uint64_t low, high;
};
ASSAY_HD constexpr WideProduct wide_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t mask = 0xFFFFFFFFu;
  const std::uint64_t low = (a & mask) * (b & mask);
  const std::uint64_t left = (a >> 32) * (b & mask) + (low >> 32);
  const std::uint64_t right = (a & mask) * (b >> 32) + (left & mask);
  return {right << 32 | (low & mask), (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32)};
}

/// ⌊a·b/2⁶⁴⌋.
ASSAY_HD inline std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
#endif
}

/// The fraction bits in the encodings of format T.
template <class T>
inline constexpr BitsOf<T> fraction_mask =
    static_cast<BitsOf<T>>((BitsOf<T>{1} << (FloatTraits<T>::precision - 1)) - 1);

/// The fraction bits of x. They are 0 for a power of two that is normal, and for ±0.
template <class T>
ASSAY_HD constexpr BitsOf<T> fraction_bits(T x) {
  return static_cast<BitsOf<T>>(to_bits(x) & fraction_mask<T>);
}

/// (−1)^minus·m.
struct SignedMagnitude {
  std::uint64_t m;
  bool minus;
};

/// n in sign and magnitude, −2⁶³ too. 0 has no minus.
ASSAY_HD constexpr SignedMagnitude signed_magnitude(std::int64_t n) {
  const auto m = static_cast<std::uint64_t>(n);
  const bool minus = n < 0;
  return {minus ? 0 - m : m, minus};
}

/// (−1)^minus·m·2^e with m < 2^p.
struct Significand {
  std::uint64_t m;
  int e;
  bool minus;
};

/// x as ±m·2^e with the least e ≥ emin − p + 1 and m < 2^p. For a normal x, 2^(p − 1) ≤ m; for a subnormal x or a zero,
/// e = emin − p + 1. Requires: x finite (not checked).
template <class T>
ASSAY_HD constexpr Significand significand(T x) {
  using F = FloatTraits<T>;
  const BitsOf<T> magnitude = magnitude_bits(x);
  const int field = static_cast<int>(magnitude >> (F::precision - 1));
  const auto fraction = static_cast<std::uint64_t>(magnitude & fraction_mask<T>);
  return {field == 0 ? fraction : fraction | std::uint64_t{1} << (F::precision - 1),
          (field == 0 ? 1 : field) + F::emin - F::precision, signbit(x)};
}

/// The same for normal x, without the case of a subnormal one. Requires: x normal (not checked).
template <class T>
ASSAY_HD constexpr Significand normal_significand(T x) {
  using F = FloatTraits<T>;
  const BitsOf<T> magnitude = magnitude_bits(x);
  return {static_cast<std::uint64_t>(magnitude & fraction_mask<T>) | std::uint64_t{1} << (F::precision - 1),
          static_cast<int>(magnitude >> (F::precision - 1)) + F::emin - F::precision, signbit(x)};
}

/// x as ±m·2^e with m odd, or m = 0 and e = 0. Requires: x finite (not checked).
template <class T>
ASSAY_HD constexpr Significand odd_part(T x) {
  const Significand s = significand(x);
  if (s.m == 0) return {0, 0, s.minus};
  const int zeros = trailing_zeros(s.m);
  return {s.m >> zeros, s.e + zeros, s.minus};
}

/// ⌊log₂|x|⌋. Requires: x normal (not checked).
template <class T>
ASSAY_HD constexpr int normal_exponent(T x) {
  using F = FloatTraits<T>;
  return static_cast<int>(magnitude_bits(x) >> (F::precision - 1)) + F::emin - 1;
}

/// x·2^−normal_exponent(x): a number of the sign of x with magnitude in [1, 2). Requires: x normal (not checked).
template <class T>
ASSAY_HD constexpr T normal_fraction(T x) {
  constexpr BitsOf<T> kept = static_cast<BitsOf<T>>(sign_bit<T> | fraction_mask<T>);
  return from_bits<T>(static_cast<BitsOf<T>>((to_bits(x) & kept) | to_bits(power_of_two<T>(0))));
}

/// The upper 32 bits of |x|: they order magnitudes.
ASSAY_HD constexpr std::int32_t high_bits(double x) { return static_cast<std::int32_t>(magnitude_bits(x) >> 32); }

/// x·2^k, exactly. Requires: x and x·2^k normal (not checked). One addition.
ASSAY_HD constexpr double scaled_normal(double x, std::int64_t k) {
  return from_bits<double>(to_bits(x) + (static_cast<std::uint64_t>(k) << 52));
}

/// (−1)^minus·m·2^e, exactly; the zero of that sign for m = 0. Requires: m < 2⁵³, the result 0 or normal (not checked).
ASSAY_HD constexpr double compose(bool minus, std::uint64_t m, int e) {
  const std::uint64_t sign = minus ? sign_bit<double> : 0;
  if (m == 0) return from_bits<double>(sign);
  const int shift = leading_zeros(m) - 11;  // the leading bit becomes bit 52
  return from_bits<double>(sign | static_cast<std::uint64_t>(e - shift + 1075) << 52 |
                           (m << shift & fraction_mask<double>));
}

}  // namespace assay::bits
