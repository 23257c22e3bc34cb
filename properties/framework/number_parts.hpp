#pragma once
// Numbers of any format as sign, significand and exponent.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "oracle/decode.hpp"

namespace assay {

/// A finite nonzero number as (−1)^negative · significand · 2^exponent with an odd significand.
struct OddParts {
  bool negative;
  std::uint64_t significand;
  long exponent;
  long leading() const { return exponent + static_cast<long>(std::bit_width(significand)) - 1; }
};

inline std::optional<OddParts> parts_of(const oracle::Format& format, std::uint64_t bits) {
  if (!oracle::is_finite(format, bits) || (bits & (format.sign_mask() - 1)) == 0) {
    return std::nullopt;
  }
  const long field = static_cast<long>((bits & format.exponent_mask()) >> format.fraction_bits());
  std::uint64_t significand = bits & format.fraction_mask();
  long exponent = format.emin - format.fraction_bits();
  if (field != 0) {
    significand |= format.fraction_mask() + 1;
    exponent += field - 1;
  }
  const int zeros = std::countr_zero(significand);
  return OddParts{(bits & format.sign_mask()) != 0, significand >> zeros, exponent + zeros};
}

/// The pattern of such a number; empty if it is not a number of the format.
inline std::optional<std::uint64_t> pattern_of(const oracle::Format& format, const OddParts& parts) {
  const long lowest = format.emin - format.fraction_bits();
  if (parts.leading() > format.emax || parts.exponent < lowest ||
      static_cast<int>(std::bit_width(parts.significand)) > format.precision) {
    return std::nullopt;
  }
  const long leading = std::max<long>(parts.leading(), format.emin);
  std::uint64_t magnitude = parts.significand << (parts.exponent - (leading - format.fraction_bits()));
  if (magnitude > format.fraction_mask()) {
    magnitude = (magnitude & format.fraction_mask()) |
                (static_cast<std::uint64_t>(leading - format.emin + 1) << format.fraction_bits());
  }
  const std::uint64_t bits = magnitude | (parts.negative ? format.sign_mask() : 0);
  return oracle::is_finite(format, bits) ? std::optional(bits) : std::nullopt;
}

}  // namespace assay
