#pragma once

#include <cstdint>

#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay::oracle {

/// The meaning of a bit pattern. `value` is the number if finite (0 for ±0, distinguished by `negative`), else 0.
struct Decoded {
  enum class Kind { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  Dyadic value;
};

/// The class of `bits`, without its value: integer comparisons only.
[[gnu::always_inline]] constexpr Decoded::Kind kind_of(const Format& format, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & (format.sign_mask() - 1);
  if (magnitude <= format.largest_finite()) return Decoded::Kind::finite;
  return format.has_infinity() && magnitude == format.infinity() ? Decoded::Kind::infinite : Decoded::Kind::nan;
}
[[gnu::always_inline]] constexpr bool is_finite(const Format& format, std::uint64_t bits) {
  return kind_of(format, bits) == Decoded::Kind::finite;
}
[[gnu::always_inline]] constexpr bool is_nan(const Format& format, std::uint64_t bits) {
  return kind_of(format, bits) == Decoded::Kind::nan;
}
[[gnu::always_inline]] constexpr bool is_negative(const Format& format, std::uint64_t bits) {
  return (bits & format.sign_mask()) != 0;
}

/// The meaning of the low width() bits of `bits`; the bits above are ignored. Integer arithmetic only.
Decoded decode(const Format& format, std::uint64_t bits);

/// x = the number with the encoding `bits`, exactly; into an existing object, without allocation. Requires:
/// is_finite(format, bits) (not checked). Cost: about 5 ns.
void decode_finite(const Format& format, std::uint64_t bits, Dyadic& x);
Dyadic decode_finite(const Format& format, std::uint64_t bits);

/// The value of a double, its bits taken as binary64. Requires: finite (not checked).
Dyadic exact(double x);
/// The value of a float, its bits taken as binary32. Requires: finite (not checked).
Dyadic exact(float x);

}  // namespace assay::oracle
