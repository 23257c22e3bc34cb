#pragma once
// Random words as a function of a case: any case can be made again alone, on the host and on a device.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay::probes {

/// The words of one case of one class.
class Stream {
 public:
  ASSAY_HD constexpr Stream(std::uint64_t seed, std::uint64_t input_class, std::uint64_t number)
      : random_{
            bits::SplitMix64::mixed(bits::SplitMix64::mixed(seed + bits::SplitMix64::step * input_class) + number)} {}

  ASSAY_HD constexpr std::uint64_t word() { return random_(); }
  /// Uniform in 0 … n − 1 but for a bias below n·2⁻³². Requires: 0 < n < 2³² (not checked).
  ASSAY_HD constexpr std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((word() >> 32) * n) >> 32);
  }
  /// Uniform in low … high. Requires: low ≤ high (not checked).
  ASSAY_HD constexpr int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low) + 1));
  }
  ASSAY_HD constexpr bool coin() { return (word() >> 63) != 0; }

 private:
  bits::SplitMix64 random_;
};

/// The exponents of the words that a probe draws, both ends included.
struct Range {
  int low;
  int high;
};

/// How a significand of p bits looks.
enum class Digits {
  dense,       ///< uniformly random bits
  sparse,      ///< at most three bits set, or at most two not set
  near_power,  ///< a few bits beside a power of two, above or below it
  any          ///< one of the others, a power of two, or all ones
};

/// A significand of p bits, its leading bit set.
template <int p>
ASSAY_HD constexpr std::uint64_t draw_digits(Stream& stream, Digits kind) {
  constexpr std::uint64_t top = std::uint64_t{1} << (p - 1);
  constexpr std::uint64_t ones = top | (top - 1);
  if (kind == Digits::any) {
    switch (stream.below(6)) {
      case 0:
        return top;
      case 1:
        return ones;
      case 2:
        kind = Digits::sparse;
        break;
      case 3:
        kind = Digits::near_power;
        break;
      default:
        kind = Digits::dense;
        break;
    }
  }
  if (kind == Digits::dense) return top | (stream.word() >> (64 - p));
  const std::uint64_t some =
      kind == Digits::sparse ? std::uint64_t{1} << stream.below(p) | std::uint64_t{1} << stream.below(p)
                             : ((stream.word() & (top - 1)) >> stream.below(p)) & ((std::uint64_t{2} << (p / 3)) - 1);
  return stream.coin() ? top | some : (ones ^ some) | top;
}

/// (−1)^negative · m·2^(e − p + 1) for a significand m of p bits; 0 where e lies outside the range of normal numbers.
template <class T>
ASSAY_HD constexpr T number(bool negative, std::uint64_t m, int e) {
  using F = FloatTraits<T>;
  using Bits = BitsOf<T>;
  if (e < F::emin || e > F::emax) return T(0);
  const std::uint64_t fraction = m & ((std::uint64_t{1} << (F::precision - 1)) - 1);
  const std::uint64_t field = static_cast<std::uint64_t>(e - F::emin + 1) << (F::precision - 1);
  const std::uint64_t sign = std::uint64_t{negative} << (F::width - 1);
  return from_bits<T>(static_cast<Bits>(field | fraction | sign));
}

/// A number of either sign with the exponent e. Draws stand in statements of their own: compilers evaluate the
/// arguments of a call in different orders, and a case must be the same on the host and on a device.
template <class T>
ASSAY_HD constexpr T draw_number(Stream& stream, Digits kind, int e) {
  const bool negative = stream.coin();
  const std::uint64_t m = draw_digits<FloatTraits<T>::precision>(stream, kind);
  return number<T>(negative, m, e);
}

}  // namespace assay::probes
