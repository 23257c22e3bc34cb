#pragma once
// Multiple-precision numbers with significands in a residue number system: (−1)^sign·X·2^exponent, format (5) of Isupov,
// Knyazkov, Multiple-precision matrix-vector multiplication on graphics processing units, 2020, cited as IK below.
//
// M is the product of the base moduli, B its bits, h = ⌈B/2⌉, so that H = −h = ⌊log₂(1/√M)⌋. A number is *rounded* if its
// digits are those of 0 ≤ X < M, guards included, its magnitude encloses X/M, is [0, 0] where X = 0, has U < 2^H and
// else U − L ≤ 2⁻¹⁹U. Every function here gives a rounded number and, but for round(), requires rounded numbers (not
// checked). U < 2^H makes X < √M, so that a product is below M.
//
// Rounding is truncation by a power of two where U ≥ 2^H; significands are never scaled upward, so that short ones stay
// exact. An operation is wrong by less than u(M)·|exact| with u(M) < 4/√M: docs/bounds/mp.md derives that and the sharper
// u of a set; where the exact result is 0, the result is 0.
//
// Exponents lie in [−2^30, 2^30]. A result whose exponent does not is *out of range*, a mark that every operation hands
// on, as NaN is; nothing is flushed to zero or saturated. The same bits on host and device, by the same operations in the
// same order.

#include <cstdint>

#include "arith/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/rns.hpp"
#include "arith/rns_interval.hpp"
#include "arith/rns_moduli.hpp"
#include "arith/traits.hpp"

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

/// h = ⌈B/2⌉ for the B bits of M: rounded significands have at most h bits, and at least h after a truncation but for
/// those next to 2^(h − 1).
template <class Set>
inline constexpr int significand_bits = (rns::bits_of_product<Set> + 1) / 2;

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

/// x rounded once: the least truncation by a power of two with U < 2^H, after the enclosure has been evaluated anew
/// where it is wider than 2⁻²⁰U. Requires: digits and magnitude of one X < M, of any size and any width (not checked).
/// The error is in (−u(M)|x|, 0] toward zero.
/// Source: Isupov, Knyazkov, Kuvaev, Design and implementation of multiple-precision BLAS Level 1 functions for graphics
/// processing units, 2020. Cost: a comparison; where it truncates by D bits, 3n⌈D/30⌉ modular products.
template <class Set>
ASSAY_HD Number<Set> round(const Number<Set>& x);

/// xy, rounded. Cost: n modular products, 4 directed ones, and round().
template <class Set>
ASSAY_HD Number<Set> mul(const Number<Set>& x, const Number<Set>& y);

/// x + y, rounded. The operand with the larger exponent is scaled up to the other's; where its U would reach 1/2, the
/// other operand is dropped, which is below u(M) of the sum. Where the enclosures overlap, comparison of the significands
/// decides the sign, and the difference is evaluated anew.
/// Source: IK, (6); docs/bounds/mp.md. Cost: 2n modular products, n additions, and round().
template <class Set>
ASSAY_HD Number<Set> add(const Number<Set>& x, const Number<Set>& y);
template <class Set>
ASSAY_HD Number<Set> sub(const Number<Set>& x, const Number<Set>& y);

/// The sign of x − y: −1, 0 or 1, exactly. Requires: neither is out of range (not checked).
template <class Set>
ASSAY_HD int compare(const Number<Set>& x, const Number<Set>& y);

/// −x and |x|, exactly.
template <class Set>
ASSAY_HD Number<Set> negate(const Number<Set>& x);
template <class Set>
ASSAY_HD Number<Set> abs(const Number<Set>& x);

/// (−1)^negative·Σ limbs[k]·2^(32k)·2^exponent, rounded once however long it is: truncated to h bits, and by one further
/// bit where U reaches 2^H. Requires: count ≥ 0. Cost: ⌈h/32⌉n modular products, no evaluation.
template <class Set>
ASSAY_HD Number<Set> from_limbs(const std::uint32_t* limbs, int count, std::int64_t exponent, bool negative);

/// x: exactly where h ≥ 53, otherwise rounded. An infinity or a NaN is out of range; −0 is zero.
template <class Set>
ASSAY_HD Number<Set> from_double(double x);

/// RN(x), ties to even, subnormal numbers and infinities as IEEE 754 has them; NaN for a number out of range.
/// Cost: a conversion to mixed radix, n² modular products.
template <class Set>
ASSAY_HD double to_double(const Number<Set>& x);

}  // namespace assay::mp
