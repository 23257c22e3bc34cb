#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/float/directed.hpp"
#include "arith/float/error_free.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

/// fraction·2^exponent: 0, as {0, 0}, or 1 ≤ |fraction| < 2. Numbers that leave the range of binary64: no overflow and
/// no underflow as long as the exponents stay in 64 bits (not checked).
struct Extended {
  double fraction;
  std::int64_t exponent;
};

/// The reals from `lower` to `upper`. Requires: lower ≤ upper (not checked).
struct Interval {
  Extended lower, upper;
};

namespace detail {

/// `nearest` or its neighbor, in the direction `to`, if a number of the sign of `error` is missing. Integers in place
/// of branches: signs of errors are random. Requires: nearest is normal with normal neighbors, or the error is 0 (not
/// checked).
template <Rounding to>
ASSAY_HD double stepped_in_range(double nearest, double error) {
  static_assert(to == Rounding::rd || to == Rounding::ru);
  constexpr bool up = to == Rounding::ru;
  const std::uint64_t bits = to_bits(nearest);
  const std::uint64_t steps = up ? error > 0.0 : error < 0.0;
  const std::uint64_t inward = bits >> 63 ^ (up ? 0 : 1);  // 1 if the neighbor is nearer to 0
  return from_bits<double>(bits + steps - 2 * (steps & inward));
}

template <Rounding to, class Exact>
ASSAY_HD double stepped_by_error(const Exact& z) {
  const auto [nearest, error] = z;
  return stepped_in_range<to>(nearest, error);
}

template <Rounding to>
ASSAY_HD double stepped_quotient(double a, double b) {
  const double q = a / b;
  const double rest = assay::fma(-q, b, a);
  return stepped_in_range<to>(q, b < 0.0 ? -rest : rest);
}

}  // namespace detail

/// a + b, a·b and a/b rounded in the direction `to`, for results in the middle of the range of binary64: the results of
/// the functions of arith/float/directed.hpp, without their steps near underflow and overflow. Requires: finite
/// operands, b ≠ 0 in a/b, and results that are 0 or of magnitude 2⁻⁸⁰⁰ … 2⁸⁰⁰ (not checked). An exact 0 from a + b is
/// of either sign.
template <Rounding to>
ASSAY_HD double add_in_range(double a, double b) {
  return ASSAY_ON_DEVICE(detail::DirectedAdd::intrinsic(to, a, b), detail::stepped_by_error<to>(two_sum(a, b)));
}
template <Rounding to>
ASSAY_HD double mul_in_range(double a, double b) {
  return ASSAY_ON_DEVICE(detail::DirectedMul::intrinsic(to, a, b), detail::stepped_by_error<to>(two_prod(a, b)));
}
template <Rounding to>
ASSAY_HD double div_in_range(double a, double b) {
  return ASSAY_ON_DEVICE(detail::DirectedDiv::intrinsic(to, a, b), detail::stepped_quotient<to>(a, b));
}

/// The representation of x·2^e. Requires: x is 0 or normal (not checked). Integer operations only.
ASSAY_HD constexpr Extended extended(double x, std::int64_t e) {
  if (x == 0.0) {
    return {0.0, 0};
  }
  return {bits::normal_fraction(x), e + bits::normal_exponent(x)};
}

namespace detail {

/// a + b rounded in the direction `to`. The operand with the smaller exponent is scaled by 2⁻¹²⁸ if its scale would be
/// smaller still: below 2⁻⁶⁰ of the other operand only its sign matters, so that the result stays directed for any gap.
template <Rounding to>
ASSAY_HD Extended add_extended(const Extended& a, const Extended& b) {
  if (a.fraction == 0.0) {
    return b;
  }
  if (b.fraction == 0.0) {
    return a;
  }
  const bool swap = a.exponent < b.exponent;
  const Extended& high = swap ? b : a;
  const Extended& low = swap ? a : b;
  const std::int64_t gap = high.exponent - low.exponent;
  const double scale = bits::power_of_two<double>(gap < 128 ? -static_cast<int>(gap) : -128);
  return extended(add_in_range<to>(high.fraction, low.fraction * scale), high.exponent);
}

template <Rounding to>
ASSAY_HD Extended mul_extended(const Extended& a, const Extended& b) {
  return extended(mul_in_range<to>(a.fraction, b.fraction), a.exponent + b.exponent);
}

template <Rounding to>
ASSAY_HD Extended div_extended(const Extended& a, const Extended& b) {
  return extended(div_in_range<to>(a.fraction, b.fraction), a.exponent - b.exponent);
}

}  // namespace detail

/// x, exactly. Requires: x finite and normal or 0 (not checked). Integer operations only.
ASSAY_HD constexpr Extended to_extended(double x) { return extended(x, 0); }

/// x·2^k, exactly.
ASSAY_HD constexpr Extended scale(const Extended& x, std::int64_t k) {
  return x.fraction == 0.0 ? x : Extended{x.fraction, x.exponent + k};
}

/// −x, exactly.
ASSAY_HD constexpr Extended negate(const Extended& x) {
  return x.fraction == 0.0 ? x : Extended{-x.fraction, x.exponent};
}

/// The sign of a − b: −1, 0 or 1, exactly. Comparisons only.
ASSAY_HD constexpr int compare(const Extended& a, const Extended& b) {
  const int sign_a = a.fraction < 0.0 ? -1 : a.fraction > 0.0 ? 1 : 0;
  const int sign_b = b.fraction < 0.0 ? -1 : b.fraction > 0.0 ? 1 : 0;
  if (sign_a != sign_b || sign_a == 0) {
    return sign_a < sign_b ? -1 : sign_a > sign_b ? 1 : 0;
  }
  if (a.exponent != b.exponent) {
    return a.exponent < b.exponent ? -sign_a : sign_a;
  }
  return a.fraction < b.fraction ? -1 : a.fraction > b.fraction ? 1 : 0;
}

// Rounded toward −∞ (RD) or +∞ (RU) to 53 bits, whatever the exponents are: lower and upper bounds of the exact result.
// A dozen operations each on the host, one instruction and the handling of the exponents on a device.

/// RD(a + b), RU(a + b).
ASSAY_HD inline Extended add_rd(const Extended& a, const Extended& b) {
  return detail::add_extended<Rounding::rd>(a, b);
}
ASSAY_HD inline Extended add_ru(const Extended& a, const Extended& b) {
  return detail::add_extended<Rounding::ru>(a, b);
}

/// RD(a − b), RU(a − b).
ASSAY_HD inline Extended sub_rd(const Extended& a, const Extended& b) { return add_rd(a, negate(b)); }
ASSAY_HD inline Extended sub_ru(const Extended& a, const Extended& b) { return add_ru(a, negate(b)); }

/// RD(a·b), RU(a·b).
ASSAY_HD inline Extended mul_rd(const Extended& a, const Extended& b) {
  return detail::mul_extended<Rounding::rd>(a, b);
}
ASSAY_HD inline Extended mul_ru(const Extended& a, const Extended& b) {
  return detail::mul_extended<Rounding::ru>(a, b);
}

/// RD(a/b), RU(a/b). Requires: b ≠ 0 (not checked).
ASSAY_HD inline Extended div_rd(const Extended& a, const Extended& b) {
  return detail::div_extended<Rounding::rd>(a, b);
}
ASSAY_HD inline Extended div_ru(const Extended& a, const Extended& b) {
  return detail::div_extended<Rounding::ru>(a, b);
}

}  // namespace assay
