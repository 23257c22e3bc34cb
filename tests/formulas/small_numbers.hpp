#pragma once
// Inputs beside and below the normal range, and beside the largest number.

#include <cmath>
#include <cstdint>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/framework/draw.hpp"

namespace assay::formulas {

/// The number of a pattern, infinities and NaN as those of binary64.
inline double number(const oracle::Format& format, std::uint64_t word) {
  const oracle::Decoded decoded = oracle::decode(format, word);
  if (decoded.kind == oracle::Decoded::Kind::finite) {
    const double x = decoded.value.to_double_nearest();
    return decoded.negative && x == 0 ? -0.0 : x;
  }
  if (decoded.kind == oracle::Decoded::Kind::nan) return NAN;
  return decoded.negative ? -INFINITY : INFINITY;
}

inline std::uint64_t bits_of(const oracle::Format& format, double x) {
  if (std::isnan(x)) return format.nan();
  if (std::isinf(x)) return format.infinity() | (x < 0 ? format.sign_mask() : 0);
  return oracle::round(oracle::exact(x), format, oracle::Rounding::nearest);
}

/// Moves numbers of a format toward the smallest normal number of another one: all or some of them, or so far that
/// their products come there.
inline void make_small(const oracle::Format& format, const oracle::Format& least, std::vector<std::uint64_t>& words,
                       Draw& draw) {
  const std::uint64_t kind = draw.below(4);
  const bool is_single = kind > 1 && draw.coin();
  const int shift = least.emin / (kind == 1 ? 2 : 1) + draw.between(-3, 3);
  for (std::uint64_t& word : words) {
    const double x = number(format, word);
    if (kind == 0 || !std::isfinite(x) || (is_single && !draw.one_in(3))) continue;
    const int own = kind == 3 ? least.emin - draw.between(0, least.precision) : shift;
    word = bits_of(format, std::ldexp(x, own));
  }
}

/// Rounds numbers of a format to those of a narrower one. Larger ones, and some of the others, come near to its largest
/// number. `has_range`: none but those that are too large.
inline void make_large(const oracle::Format& format, const oracle::Format& toy, std::vector<std::uint64_t>& words,
                       Draw& draw, bool has_range) {
  const std::uint64_t kind = has_range ? 0 : draw.below(4);
  const int shift = toy.emax / (kind == 1 ? 2 : 1) - draw.between(0, 3);
  for (std::uint64_t& word : words) {
    double x = number(format, word);
    if (!std::isfinite(x)) continue;
    const bool is_moved = kind == 1 || (kind > 1 && draw.one_in(kind == 2 ? 1 : 3));
    if (is_moved && x != 0) x = std::ldexp(x, shift - std::ilogb(x) / 2);
    if (std::abs(x) >= std::ldexp(1.0, toy.emax)) x = std::copysign(std::ldexp(1.75, toy.emax - draw.between(0, 2)), x);
    word = bits_of(format, number(toy, bits_of(toy, x)));
  }
}

}  // namespace assay::formulas
