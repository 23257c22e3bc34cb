#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::oracle {

/// The meaning of the patterns with the largest exponent field. `ieee`: all ones in the exponent field are an infinity
/// (fraction 0) or a NaN. `finite_nan`: they are numbers like any other, except that all ones in exponent and fraction
/// are a NaN; there is no infinity (E4M3 of the OCP 8-bit floating-point specification).
enum class Specials { ieee, finite_nan };

/// A binary interchange format: finite numbers m·2^(e−p+1) with |m| < 2^p and emin ≤ e ≤ emax, where e is the exponent
/// of a normal number 1.xxx·2^e and subnormals have e = emin. Patterns are sign, biased exponent (bias 1 − emin),
/// fraction without the leading bit, in the low width() bits of a word. The exponent field has the fewest bits that
/// hold every exponent; if it can hold more than emax, those patterns are not numbers and decode to NaN. Requires:
/// precision ≥ 2, emin ≤ emax, width() ≤ 64 (not checked).
struct Format {
  int precision;
  int emin;
  int emax;
  Specials specials = Specials::ieee;

  // Inlined in builds for speed of compilation, too: every number that is read asks for them.
  [[gnu::always_inline]] constexpr int fraction_bits() const { return precision - 1; }
  [[gnu::always_inline]] constexpr int exponent_bits() const {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(emax - emin + (specials == Specials::ieee ? 2 : 1))));
  }
  [[gnu::always_inline]] constexpr int width() const { return 1 + exponent_bits() + fraction_bits(); }
  [[gnu::always_inline]] constexpr std::uint64_t fraction_mask() const {
    return (std::uint64_t{1} << fraction_bits()) - 1;
  }
  [[gnu::always_inline]] constexpr std::uint64_t exponent_mask() const {
    return ((std::uint64_t{1} << exponent_bits()) - 1) << fraction_bits();
  }
  [[gnu::always_inline]] constexpr std::uint64_t sign_mask() const { return std::uint64_t{1} << (width() - 1); }

  [[gnu::always_inline]] constexpr bool has_infinity() const { return specials == Specials::ieee; }
  /// The pattern of +∞. Requires: has_infinity().
  [[gnu::always_inline]] constexpr std::uint64_t infinity() const { return exponent_mask(); }
  /// A quiet NaN, sign 0: the one with only the quiet bit set (ieee), or the only positive one (finite_nan).
  [[gnu::always_inline]] constexpr std::uint64_t nan() const {
    return has_infinity() ? exponent_mask() | (std::uint64_t{1} << (fraction_bits() - 1))
                          : exponent_mask() | fraction_mask();
  }
  /// The largest finite number: (2 − 2^(1−p))·2^emax, one unit less for finite_nan if that pattern is the NaN.
  [[gnu::always_inline]] constexpr std::uint64_t largest_finite() const {
    const std::uint64_t field = (static_cast<std::uint64_t>(emax - emin + 1) << fraction_bits()) | fraction_mask();
    return field == (exponent_mask() | fraction_mask()) ? field - 1 : field;
  }

  friend constexpr bool operator==(const Format&, const Format&) = default;
};

inline constexpr Format binary64{53, -1022, 1023};
inline constexpr Format binary32{24, -126, 127};
inline constexpr Format binary16{11, -14, 15};
inline constexpr Format bfloat16{8, -126, 127};
inline constexpr Format e4m3{4, -6, 8, Specials::finite_nan};
inline constexpr Format e5m2{3, -14, 15};

/// A format with its own name.
struct NamedFormat {
  std::string_view name;
  Format format;
};
inline constexpr std::array<NamedFormat, 6> named_formats{{{"binary64", binary64},
                                                           {"binary32", binary32},
                                                           {"binary16", binary16},
                                                           {"bfloat16", bfloat16},
                                                           {"e4m3", e4m3},
                                                           {"e5m2", e5m2}}};

/// Rounding to nearest with ties to even, toward +∞, toward −∞, toward zero: RN, RU, RD, RZ.
enum class Rounding { nearest, up, down, zero };

/// "binary64", …, "e5m2"; any other format as "p8:-126:127" with ":finite_nan" where it applies.
std::string name(const Format& format);

/// The format of that name. Throws std::invalid_argument for a string that name() never returns.
Format format_named(const std::string& name);

}  // namespace assay::oracle
