#pragma once
// Number formats of the scales of blocks: unsigned, with conversions alone.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"
#include "arith/hd.hpp"

namespace assay {

/// Powers of two: the code c is 2^(c − 127), and 255 is NaN. OCP Microscaling Formats, 2023, §5.4.1.
class e8m0 {
 public:
  using Bits = std::uint8_t;
  constexpr e8m0() = default;
  /// RN(x), a tie to the even code. 0, numbers below 2⁻¹²⁷ and negative ones give 2⁻¹²⁷, numbers that round beyond 2¹²⁷
  /// and infinities above 0 NaN.
  ASSAY_HD explicit constexpr e8m0(double x) : bits_(rounded(x, Rounding::rn)) {}
  ASSAY_HD explicit constexpr e8m0(float x) : e8m0(static_cast<double>(x)) {}
  /// The same, rounded in that direction; rz and rd give 2¹²⁷ instead of NaN.
  ASSAY_HD static constexpr e8m0 round(double x, Rounding to) { return of_bits(rounded(x, to)); }

  ASSAY_HD static constexpr e8m0 of_bits(Bits bits) {
    e8m0 result;
    result.bits_ = bits;
    return result;
  }
  [[nodiscard]] ASSAY_HD constexpr Bits bits() const { return bits_; }

  /// The value, exactly.
  ASSAY_HD explicit constexpr operator double() const {
    return bits_ == nan_bits ? __builtin_bit_cast(double, std::uint64_t{0x7ff8000000000000})
                             : bits::power_of_two<double>(bits_ - 127);
  }
  ASSAY_HD explicit constexpr operator float() const { return static_cast<float>(static_cast<double>(*this)); }

 private:
  static constexpr Bits nan_bits = 255;

  ASSAY_HD static constexpr Bits rounded(double x, Rounding to) {
    if (is_nan(x)) return nan_bits;
    if (!(x > 0x1p-127)) return 0;
    const bool is_inward = to == Rounding::rz || to == Rounding::rd;
    if (!is_finite(x)) return nan_bits;
    const std::uint64_t pattern = to_bits(x);
    const int code = static_cast<int>(pattern >> 52) - 1023 + 127;
    const std::uint64_t rest = pattern << 12;
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    const bool is_up =
        to == Rounding::rn ? rest > half - static_cast<std::uint64_t>(code & 1) : !is_inward && rest != 0;
    if (code + (is_up ? 1 : 0) < nan_bits) return static_cast<Bits>(code + (is_up ? 1 : 0));
    return is_inward ? nan_bits - 1 : nan_bits;
  }

  Bits bits_ = 0;
};

/// E4M3 without its sign bit: seven bits, the largest code is NaN. PTX ISA 8.7, ue4m3.
class ue4m3 {
 public:
  using Bits = std::uint8_t;
  constexpr ue4m3() = default;
  /// RN(x) as in e4m3: overflow gives NaN. Negative numbers give 0.
  ASSAY_HD explicit constexpr ue4m3(double x) : bits_(e4m3(x < 0 ? 0 : x).bits() & magnitude_mask) {}
  ASSAY_HD explicit constexpr ue4m3(float x) : ue4m3(static_cast<double>(x)) {}

  ASSAY_HD static constexpr ue4m3 of_bits(Bits bits) {
    ue4m3 result;
    result.bits_ = bits;
    return result;
  }
  [[nodiscard]] ASSAY_HD constexpr Bits bits() const { return bits_; }

  /// The value, exactly.
  ASSAY_HD explicit constexpr operator double() const { return static_cast<double>(e4m3::of_bits(bits_)); }
  ASSAY_HD explicit constexpr operator float() const { return static_cast<float>(static_cast<double>(*this)); }

 private:
  static constexpr Bits magnitude_mask = 127;

  Bits bits_ = 0;
};

}  // namespace assay
