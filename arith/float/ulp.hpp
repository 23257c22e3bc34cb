#pragma once

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay {

/// The smallest number of the format above x; +∞ (finite_nan: NaN) above the largest; x for NaN and +∞. The format has
/// infinities or a NaN, and −0 (checked when compiled).
/// next_up(−η) = −0 and next_up(±0) = η. IEEE 754-2019, §5.3.1. Integer operations only.
template <class T>
ASSAY_HD constexpr T next_up(T x) {
  static_assert(bits::has_negative_zero<T> && FloatTraits<T>::specials != Specials::finite);
  const BitsOf<T> bits = to_bits(x);
  const BitsOf<T> magnitude = bits::magnitude_bits(x);
  if (is_nan(x) || (bits::has_infinity<T> && bits == bits::max_finite_bits<T> + 1)) {
    return x;
  }
  if (magnitude == 0) {
    return from_bits<T>(1);
  }
  return from_bits<T>(static_cast<BitsOf<T>>(signbit(x) ? bits - 1 : bits + 1));
}

/// The largest number of the format below x: −next_up(−x).
template <class T>
ASSAY_HD constexpr T next_down(T x) {
  return from_bits<T>(static_cast<BitsOf<T>>(
      to_bits(next_up(from_bits<T>(static_cast<BitsOf<T>>(to_bits(x) ^ bits::sign_bit<T>)))) ^ bits::sign_bit<T>));
}

/// ⌊log₂|x|⌋; for x = 0 that of the smallest number above 0; emax + 1 for infinities and NaNs of an IEEE format.
template <class T>
ASSAY_HD constexpr int exponent(T x) {
  using F = FloatTraits<T>;
  const BitsOf<T> magnitude = bits::magnitude_bits(x);
  const int field = static_cast<int>(magnitude >> (F::precision - 1));
  if (field != 0) {
    return field - 1 + F::emin;
  }
  return F::emin - F::precision + bits::bit_length(std::uint64_t{magnitude} | 1);
}

namespace bits {

/// 2^k for any k with η ≤ 2^k, subnormal results included.
template <class T>
ASSAY_HD constexpr T power_of_two_or_subnormal(int k) {
  using F = FloatTraits<T>;
  return k >= F::emin ? power_of_two<T>(k)
                      : from_bits<T>(static_cast<BitsOf<T>>(BitsOf<T>{1} << (k - F::emin + F::precision - 1)));
}

}  // namespace bits

/// The unit in the first place 2^⌊log₂|x|⌋; 0 for x = 0. Requires: x finite (not checked).
/// Rump, "Error estimation of floating-point summation and dot product", BIT 52, 2012.
template <class T>
ASSAY_HD constexpr T ufp(T x) {
  return bits::magnitude_bits(x) == 0 ? from_bits<T>(0) : bits::power_of_two_or_subnormal<T>(exponent(x));
}

/// The unit in the last place 2^(max(e, emin) − p + 1), e = ⌊log₂|x|⌋: Goldberg's, at a power of two the gap above it;
/// the smallest subnormal η for subnormals and 0. Requires: x finite (not checked).
/// Muller, "On the definition of ulp(x)", INRIA RR-5504, 2005.
template <class T>
ASSAY_HD constexpr T ulp(T x) {
  return bits::power_of_two_or_subnormal<T>(bits::significand(x).e);
}

}  // namespace assay
