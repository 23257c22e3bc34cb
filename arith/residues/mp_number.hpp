#pragma once
// Multiple-precision numbers with significands in a residue number system: (−1)^sign·X·2^exponent, format (5) of
// Isupov, Knyazkov, Multiple-precision matrix-vector multiplication on graphics processing units, 2020, cited as IK
// below.
//
// M is the product of the base moduli, B its bits, h = ⌈B/2⌉, so that H = −h = ⌊log₂(1/√M)⌋. A number is *rounded* if
// its digits are those of 0 ≤ X < M, guards included, and its magnitude encloses X/M, is [0, 0] if X = 0, has U < 2^H
// and else U − L ≤ 2⁻¹⁹U. Every function here gives a rounded number and, except for round(), requires rounded numbers
// (not checked). U < 2^H makes X < √M, so that a product is below M.
//
// Rounding is truncation by a power of two if U ≥ 2^H; significands are never scaled upward, so that short ones stay
// exact. An operation is wrong by less than u(M)·|exact| with u(M) < 4/√M: docs/bounds/mp.md derives that and the
// smaller u of a set; if the exact result is 0, the result is 0.
//
// Exponents lie in [−2^30, 2^30]. A result whose exponent does not is *out of range*, a mark that every operation
// passes on, like NaN; nothing is flushed to zero or saturated. The same bits on host and device, by the same
// operations in the same order.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/interval.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/rns.hpp"
#include "arith/residues/scaling.hpp"

namespace assay::mp {

/// (−1)^sign·X·2^exponent: X by its residues, and an enclosure of X/M. Zero has all members zero.
template <class Set>
struct Number {
  rns::Residues<Set> digits;
  Interval magnitude;
  std::int32_t exponent;
  std::int32_t sign;
};

/// The exponents of numbers lie in [−exponent_limit, exponent_limit]; a number out of range has out_of_range_exponent
/// and all other members zero.
inline constexpr std::int32_t exponent_limit = std::int32_t{1} << 30;
inline constexpr std::int32_t out_of_range_exponent = 2147483647;

/// h = ⌈B/2⌉ for the B bits of M: rounded significands have at most h bits, and at least h after a truncation, except
/// for those next to 2^(h − 1).
template <class Set>
inline constexpr int significand_bits = (rns::product_exponent<Set> + 2) / 2;

template <class Set>
ASSAY_HD Number<Set> zero() {
  return Number<Set>{};
}

template <class Set>
ASSAY_HD Number<Set> out_of_range() {
  Number<Set> r{};
  r.exponent = out_of_range_exponent;
  return r;
}

template <class Set>
ASSAY_HD bool is_zero(const Number<Set>& x) {
  return x.magnitude.upper.fraction == 0 && x.exponent != out_of_range_exponent;
}

template <class Set>
ASSAY_HD bool is_out_of_range(const Number<Set>& x) {
  return x.exponent == out_of_range_exponent;
}

/// [RD(RD(LxLy)/RU(1/M)), RU(RU(UxUy)/RD(1/M))] contains XY/M if the operands contain X/M and Y/M.
template <class Set>
ASSAY_HD Interval product_magnitude(const Interval& x, const Interval& y) {
  const Interval& unit = rns::tables<Set>().reciprocal_product;
  return {div_rd(mul_rd(x.lower, y.lower), unit.upper), div_ru(mul_ru(x.upper, y.upper), unit.lower)};
}

namespace detail {

/// 2^k·x.
ASSAY_HD inline Interval scaled(const Interval& x, std::int64_t k) { return {scale(x.lower, k), scale(x.upper, k)}; }

/// Whether U − L > 2⁻²⁰U, or L = 0 < U.
ASSAY_HD inline bool is_wide(const Interval& x) {
  return assay::compare(scale(sub_ru(x.upper, x.lower), 20), x.upper) > 0;
}

/// (−1)^sign·X·2^exponent, or out of range.
template <class Set>
ASSAY_HD Number<Set> with_exponent(const rns::Residues<Set>& digits, const Interval& magnitude, std::int64_t exponent,
                                   std::int32_t sign) {
  if (exponent > exponent_limit || exponent < -exponent_limit) return out_of_range<Set>();
  return {digits, magnitude, static_cast<std::int32_t>(exponent), sign};
}

/// ⌊X/2^d⌋: in one step, or in steps of 32 bits for a single step and if the tables do not reach that far.
template <class Set>
ASSAY_HD rns::Residues<Set> scaled_down(const rns::Residues<Set>& digits, std::int64_t d) {
  if constexpr (rns::detail::columns_fit<Set>) {
    using Scaling = rns::ScalingTables<Set>;
    if (d > 32 && d <= Scaling::limb_bits * Scaling::limbs) return rns::scale_down_at_once(digits, static_cast<int>(d));
  }
  return rns::scale_down(digits, d);
}

/// round() of (−1)^sign·X·2^exponent with an exponent that need not be in range.
template <class Set>
ASSAY_HD ASSAY_NOINLINE Number<Set> rounded(const rns::Residues<Set>& digits, Interval magnitude, std::int64_t exponent,
                                            std::int32_t sign) {
  static_assert(significand_bits<Set> >= 24, "M is at least 2^46");
  if (rns::is_zero(digits)) return zero<Set>();
  if (is_wide(magnitude)) magnitude = rns::evaluate(digits);
  const std::int64_t excess = magnitude.upper.exponent + significand_bits<Set>;
  if (excess < 0) return with_exponent(digits, magnitude, exponent, sign);
  const std::int64_t d = excess + 1;
  const Interval kept = scaled(magnitude, -d);
  const Extended unit = rns::tables<Set>().reciprocal_product.upper;
  return with_exponent(scaled_down(digits, d), Interval{sub_rd(kept.lower, unit), kept.upper}, exponent + d, sign);
}

/// x + y for numbers that are not zero, x.exponent ≥ y.exponent. y is dropped if U of the scaled x is 1/2 or more.
template <class Set>
ASSAY_HD ASSAY_NOINLINE Number<Set> add_ordered(const Number<Set>& x, const Number<Set>& y) {
  const std::int64_t shift = std::int64_t{x.exponent} - y.exponent;
  if (x.magnitude.upper.exponent + shift >= -1) return x;
  const rns::Residues<Set> high = rns::scale_up<Set>(x.digits, static_cast<int>(shift));
  const Interval a = scaled(x.magnitude, shift);
  const Interval b = y.magnitude;
  if (x.sign == y.sign) {
    return rounded(rns::add<Set>(high, y.digits), {add_rd(a.lower, b.lower), add_ru(a.upper, b.upper)}, y.exponent,
                   x.sign);
  }
  const int order = rns::compare(high, a, y.digits, b);
  if (order == 0) return zero<Set>();
  const Interval& large = order > 0 ? a : b;
  const Interval& small = order > 0 ? b : a;
  const Interval difference{sub_rd(large.lower, small.upper), sub_ru(large.upper, small.lower)};
  return order > 0 ? rounded(rns::sub<Set>(high, y.digits), difference, y.exponent, x.sign)
                   : rounded(rns::sub<Set>(y.digits, high), difference, y.exponent, y.sign);
}

/// The sign of |x| − |y| for numbers that are not zero, x.exponent ≥ y.exponent.
template <class Set>
ASSAY_HD int compare_magnitudes(const Number<Set>& x, const Number<Set>& y) {
  const std::int64_t shift = std::int64_t{x.exponent} - y.exponent;
  const Interval a = scaled(x.magnitude, shift);
  if (assay::compare(a.lower, y.magnitude.upper) > 0) return 1;
  return rns::compare(rns::scale_up(x.digits, static_cast<int>(shift)), a, y.digits, y.magnitude);
}

/// [RD(n/M), RU((n + 1)/M)]·2^k, or only n/M if it is exact. Requires: 0 < n < 2^53 (not checked).
template <class Set>
ASSAY_HD Interval magnitude_of(std::uint64_t n, bool exact, std::int64_t k) {
  const Interval& unit = rns::tables<Set>().reciprocal_product;
  return scaled(Interval{mul_rd(to_extended(static_cast<double>(n)), unit.lower),
                         mul_ru(to_extended(static_cast<double>(exact ? n : n + 1)), unit.upper)},
                k);
}

}  // namespace detail

/// x rounded once: the least truncation by a power of two with U < 2^H, after the enclosure has been evaluated anew if
/// it is wider than 2⁻²⁰U. Requires: digits and magnitude of one X < M, of any size and any width (not checked). The
/// error is in (−u(M)|x|, 0] toward zero. Source: Isupov, Knyazkov, Kuvaev, Design and implementation of
/// multiple-precision BLAS Level 1 functions for graphics processing units, 2020. Cost: a comparison; if it truncates
/// by D bits, 2n⌈D/30⌉ + 20n products of words.
template <class Set>
ASSAY_HD Number<Set> round(const Number<Set>& x) {
  return is_out_of_range(x) ? x : detail::rounded(x.digits, x.magnitude, x.exponent, x.sign);
}

/// xy, rounded. Cost: n modular products, 4 directed ones, and round().
template <class Set>
ASSAY_HD ASSAY_NOINLINE Number<Set> mul(const Number<Set>& x, const Number<Set>& y) {
  if (is_out_of_range(x) || is_out_of_range(y)) return out_of_range<Set>();
  if (is_zero(x) || is_zero(y)) return zero<Set>();
  return detail::rounded(rns::mul(x.digits, y.digits), product_magnitude<Set>(x.magnitude, y.magnitude),
                         std::int64_t{x.exponent} + y.exponent, x.sign ^ y.sign);
}

/// x + y, rounded. The operand with the larger exponent is scaled up to the other's; if its U would reach 1/2, the
/// other operand is dropped, which is below u(M) of the sum. Where the enclosures overlap, comparison of the
/// significands decides the sign, and the difference is evaluated anew. Source: IK, (6); docs/bounds/mp.md. Cost: 2n
/// modular products, n additions, and round().
template <class Set>
ASSAY_HD Number<Set> add(const Number<Set>& x, const Number<Set>& y) {
  if (is_out_of_range(x) || is_zero(y)) return x;
  if (is_out_of_range(y) || is_zero(x)) return y;
  return x.exponent >= y.exponent ? detail::add_ordered(x, y) : detail::add_ordered(y, x);
}

/// −x, exactly.
template <class Set>
ASSAY_HD Number<Set> negate(Number<Set> x) {
  if (!is_zero(x) && !is_out_of_range(x)) x.sign ^= 1;
  return x;
}
/// |x|, exactly.
template <class Set>
ASSAY_HD Number<Set> abs(Number<Set> x) {
  x.sign = 0;
  return x;
}

/// x − y as x + (−y).
template <class Set>
ASSAY_HD Number<Set> sub(const Number<Set>& x, const Number<Set>& y) {
  return add(x, negate(y));
}

/// The sign of x − y: −1, 0 or 1, exactly. Requires: neither is out of range (not checked).
/// Cost: a comparison of enclosures; if they overlap, n modular products and a comparison of significands.
template <class Set>
ASSAY_HD ASSAY_NOINLINE int compare(const Number<Set>& x, const Number<Set>& y) {
  const int sign_of_x = is_zero(x) ? 0 : 1 - 2 * x.sign;
  const int sign_of_y = is_zero(y) ? 0 : 1 - 2 * y.sign;
  if (sign_of_x != sign_of_y) return sign_of_x < sign_of_y ? -1 : 1;
  if (sign_of_x == 0) return 0;
  return sign_of_x * (x.exponent >= y.exponent ? detail::compare_magnitudes(x, y) : -detail::compare_magnitudes(y, x));
}

/// (−1)^negative·Σ limbs[k]·2^(32k)·2^exponent, rounded once however long it is: truncated to h bits, and by one or two
/// further bits if U reaches 2^H. Requires: count ≥ 0 (not checked). Cost: ⌈h/32⌉n modular products, no evaluation.
template <class Set>
ASSAY_HD ASSAY_NOINLINE Number<Set> from_limbs(const std::uint32_t* limbs, int count, std::int64_t exponent,
                                               bool negative) {
  constexpr int h = significand_bits<Set>;
  constexpr int words = (h + 31) / 32;
  const std::int64_t bits = limb::bit_length(limbs, count);
  if (bits == 0) return zero<Set>();
  const std::int64_t dropped = bits > h ? bits - h : 0;
  std::uint32_t kept[words];
  for (int k = 0; k < words; ++k) kept[k] = limb::word_at(limbs, count, dropped + 32 * k);
  const std::int64_t first = bits - dropped - 52;  // of the 52 leading bits
  const std::uint64_t leading = limb::bits_at(kept, words, static_cast<int>(first)) & bits::fraction_mask<double>;
  const bool exact = first <= 0 || !limb::any_below(kept, first);
  return detail::rounded(rns::from_limbs<Set>(kept, words), detail::magnitude_of<Set>(leading, exact, first),
                         exponent + dropped, negative ? 1 : 0);
}

/// x: exact if h ≥ 56, otherwise rounded. An infinity or a NaN is out of range; −0 is zero.
template <class Set>
ASSAY_HD Number<Set> from_double(double x) {
  if (!is_finite(x)) return out_of_range<Set>();
  const bits::Significand s = bits::significand(x);
  const std::uint32_t limbs[2] = {bits::low_word(s.m), bits::low_word(s.m >> 32)};
  return from_limbs<Set>(limbs, 2, s.e, s.minus);
}

/// RN(x), ties to even, subnormal numbers and infinities per IEEE 754; NaN for a number out of range.
/// Cost: a conversion to mixed radix, n² modular products.
template <class Set>
ASSAY_HD ASSAY_NOINLINE double to_double(const Number<Set>& x) {
  if (is_out_of_range(x)) return from_bits<double>(0x7FF8000000000000u);
  if (is_zero(x)) return 0;
  constexpr int words = rns::limbs<Set>;
  std::uint32_t limbs[words];
  rns::to_limbs<Set>(x.digits, limbs);
  const double r = limb::nearest(limbs, words, x.exponent);
  return x.sign != 0 ? -r : r;
}

}  // namespace assay::mp
