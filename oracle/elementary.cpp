#include "oracle/elementary.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

#include "oracle/flint_functions.hpp"

namespace assay::oracle {
namespace {

/// f(x) at a precision of `bits`. Requires: f is defined at x.
using Evaluate = void (*)(arb_struct* result, const arb_struct* x, slong bits);

/// bˣ, where the logarithm of b has more bits than x has before its binary point.
void power(ulong base, arb_struct* result, const arb_struct* x, slong bits) {
  arb_t log;
  arb_init(log);
  arb_log_ui(log, base, bits + 16);
  arb_mul(log, log, x, bits + 16);
  arb_exp(result, log, bits);
  arb_clear(log);
}

void cube_root(arb_struct* result, const arb_struct* x, slong bits) {
  if (arf_sgn(arb_midref(x)) >= 0) {
    arb_root_ui(result, x, 3, bits);
    return;
  }
  arb_neg(result, x);
  arb_root_ui(result, result, 3, bits);
  arb_neg(result, result);
}

Evaluate evaluation_of(Elementary f) {
  switch (f) {
    case Elementary::exp:
      return arb_exp;
    case Elementary::exp2:
      return [](arb_struct* result, const arb_struct* x, slong bits) { power(2, result, x, bits); };
    case Elementary::exp10:
      return [](arb_struct* result, const arb_struct* x, slong bits) { power(10, result, x, bits); };
    case Elementary::expm1:
      return arb_expm1;
    case Elementary::log:
      return arb_log;
    case Elementary::log2:
      return [](arb_struct* result, const arb_struct* x, slong bits) { arb_log_base_ui(result, x, 2, bits); };
    case Elementary::log10:
      return [](arb_struct* result, const arb_struct* x, slong bits) { arb_log_base_ui(result, x, 10, bits); };
    case Elementary::log1p:
      return arb_log1p;
    case Elementary::sin:
      return arb_sin;
    case Elementary::cos:
      return arb_cos;
    case Elementary::tan:
      return arb_tan;
    case Elementary::asin:
      return arb_asin;
    case Elementary::acos:
      return arb_acos;
    case Elementary::atan:
      return arb_atan;
    case Elementary::sinh:
      return arb_sinh;
    case Elementary::cosh:
      return arb_cosh;
    case Elementary::tanh:
      return arb_tanh;
    case Elementary::asinh:
      return arb_asinh;
    case Elementary::acosh:
      return arb_acosh;
    case Elementary::atanh:
      return arb_atanh;
    case Elementary::erf:
      return arb_hypgeom_erf;
    case Elementary::erfc:
      return arb_hypgeom_erfc;
    case Elementary::cbrt:
      return cube_root;
    case Elementary::sqrt:
    case Elementary::rsqrt:
      break;
  }
  throw std::logic_error("square roots are exact");
}

/// 10ᵏ for k ≥ 0.
Dyadic power_of_ten(long k) {
  Dyadic power = 1;
  for (long i = 0; i < k; ++i) power *= Dyadic(10);
  return power;
}

/// 2^e as an Enclosure: its digits must not be written out.
Exact power_of_two(long e, bool negative = false) {
  return Enclosure{[ball = Ball(Dyadic::scaled(negative ? -1 : 1, e))](long) { return ball; }};
}

/// An integer at which 2ˣ and 10ˣ may be a number of a format, or a midpoint of two.
bool is_small_integer(const Dyadic& x) { return x.is_integer() && compare_abs(x, 2048) < 0; }

/// ∛x if it is a dyadic number.
std::optional<Dyadic> exact_cube_root(const Dyadic& x) {
  if (x.lowest_exponent() % 3 != 0) return std::nullopt;
  fmpz_t m;
  fmpz_t e;
  fmpz_init(m);
  fmpz_init(e);
  arf_get_fmpz_2exp(m, e, x.arf());
  fmpz_root(m, m, 3);
  Dyadic root;
  arf_set_fmpz(root.arf(), m);
  fmpz_clear(m);
  fmpz_clear(e);
  root.mul_2exp(x.lowest_exponent() / 3);
  if (root * root * root != x) return std::nullopt;
  return root;
}

/// The value if it is rational.
std::optional<Exact> rational_value(Elementary f, const Dyadic& x) {
  switch (f) {
    case Elementary::exp:
    case Elementary::cos:
    case Elementary::cosh:
    case Elementary::erfc:
      return x.is_zero() ? std::optional<Exact>(Dyadic(1)) : std::nullopt;
    case Elementary::exp2: {
      if (!x.is_integer()) return std::nullopt;
      const auto k = static_cast<long>(x.to_double_nearest());
      return is_small_integer(x) ? Exact(Dyadic::scaled(1, k)) : power_of_two(k);
    }
    case Elementary::exp10: {
      if (!is_small_integer(x)) return std::nullopt;
      const auto k = static_cast<long>(x.to_double_nearest());
      return k < 0 ? Exact(quotient(1, power_of_ten(-k))) : Exact(power_of_ten(k));
    }
    case Elementary::log:
    case Elementary::acos:
    case Elementary::acosh:
      return x == Dyadic(1) ? std::optional<Exact>(Dyadic()) : std::nullopt;
    case Elementary::log2:
      return x.bit_length() == 1 ? std::optional<Exact>(Dyadic(x.exponent())) : std::nullopt;
    case Elementary::log10: {
      const long k = x.lowest_exponent();  // of 10ᵏ = 5ᵏ·2ᵏ
      const bool is_power = k >= 0 && k <= x.bit_length() && x == power_of_ten(k);
      return is_power ? std::optional<Exact>(Dyadic(k)) : std::nullopt;
    }
    case Elementary::cbrt: {
      if (x.is_zero()) return Dyadic();
      std::optional<Dyadic> root = exact_cube_root(x);
      return root ? std::optional<Exact>(std::move(*root)) : std::nullopt;
    }
    case Elementary::expm1:
    case Elementary::log1p:
    case Elementary::sin:
    case Elementary::tan:
    case Elementary::asin:
    case Elementary::atan:
    case Elementary::sinh:
    case Elementary::tanh:
    case Elementary::asinh:
    case Elementary::atanh:
    case Elementary::erf:
      return x.is_zero() ? std::optional<Exact>(Dyadic()) : std::nullopt;
    case Elementary::sqrt:
    case Elementary::rsqrt:
      break;
  }
  return std::nullopt;
}

/// Whether |f(x)| is e^y with |y| ≥ 2⁴⁹, so that its exponent may have more than 60 bits. Requires: f(x) is not near to
/// ±1 or 2.
bool is_beyond_exponents(Elementary f, const Dyadic& x) {
  switch (f) {
    case Elementary::exp:
    case Elementary::exp2:
    case Elementary::exp10:
    case Elementary::expm1:
    case Elementary::sinh:
    case Elementary::cosh:
      return compare_abs(x, Dyadic::scaled(1, 50)) >= 0;
    case Elementary::erfc:
      return x >= Dyadic::scaled(1, 25);
    default:
      return false;
  }
}

/// A number on that side of c, nearer to c than 2⁻¹⁵⁰|c|.
Dyadic beside(const Dyadic& c, bool above) {
  const Dyadic distance = Dyadic::scaled(1, c.exponent() - 160);
  return above ? c + distance : c - distance;
}

/// A substitute for the value at a small x ≠ 0 that no question can distinguish from the value, if the value is nearer
/// to x or 1 than 2⁻¹⁵⁰ of it; empty otherwise. Each function is c + d·xᵏ + … with c = x, k = 3 or 2, or with c = 1, k
/// = 1 or 2.
std::optional<Dyadic> near_value(Elementary f, const Dyadic& x) {
  if (x.bit_length() > 53) return std::nullopt;
  const bool positive = x.sign() > 0;
  const bool is_small = x.exponent() < -76;
  const bool is_tiny = x.exponent() < -154;
  switch (f) {
    case Elementary::sin:
    case Elementary::atan:
    case Elementary::tanh:
    case Elementary::asinh:
      return is_small ? std::optional(beside(x, !positive)) : std::nullopt;
    case Elementary::tan:
    case Elementary::asin:
    case Elementary::sinh:
    case Elementary::atanh:
      return is_small ? std::optional(beside(x, positive)) : std::nullopt;
    case Elementary::cos:
    case Elementary::cosh:
      return is_small ? std::optional(beside(1, f == Elementary::cosh)) : std::nullopt;
    case Elementary::expm1:
    case Elementary::log1p:
      return is_tiny ? std::optional(beside(x, f == Elementary::expm1)) : std::nullopt;
    case Elementary::exp:
    case Elementary::exp2:
    case Elementary::exp10:
      return is_tiny ? std::optional(beside(1, positive)) : std::nullopt;
    case Elementary::erfc:
      return is_tiny ? std::optional(beside(1, !positive)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// A substitute for the value at a large |x| that no question can distinguish from the value; empty if Arb gives the
/// value.
std::optional<Exact> far_value(Elementary f, const Dyadic& x) {
  const bool negative = x.sign() < 0;
  const bool is_near_to_limit = compare_abs(x, f == Elementary::erf || f == Elementary::erfc ? 16 : 128) >= 0;
  if (is_near_to_limit && f == Elementary::expm1 && negative) return beside(-1, true);
  if (is_near_to_limit && (f == Elementary::tanh || f == Elementary::erf)) {
    return negative ? beside(-1, true) : beside(1, false);
  }
  if (is_near_to_limit && f == Elementary::erfc && negative) return beside(2, false);
  if (!is_beyond_exponents(f, x)) return std::nullopt;
  constexpr long far = 1L << 50;
  const bool is_tiny = f == Elementary::erfc || (negative && f != Elementary::sinh && f != Elementary::cosh);
  return power_of_two(is_tiny ? -far : far, negative && f == Elementary::sinh);
}

Ball evaluated(Elementary f, const Dyadic& x, long bits) {
  const Ball at(x);
  Ball result;
  evaluation_of(f)(result.get(), at.get(), bits);
  return result;
}

/// A function as its balls; a Dyadic if the first ball has radius 0.
template <class At>
Exact by_balls(const At& at) {
  constexpr long first = Ziv{}.first;
  const Ball ball = at(first);
  if (arb_is_exact(ball.get()) != 0 && ball.is_finite()) return ball.lower();
  return Enclosure{[at, ball](long bits) { return bits == first ? ball : at(bits); }};
}

/// f(x, y) of two numbers, by f of Arb.
template <class F>
Exact of_two(F f, const Dyadic& x, const Dyadic& y) {
  return by_balls([f, x, y](long bits) {
    Ball result;
    f(result.get(), Ball(x).get(), Ball(y).get(), bits);
    return result;
  });
}

}  // namespace

bool is_defined(Elementary f, const Dyadic& x) {
  switch (f) {
    case Elementary::log:
    case Elementary::log2:
    case Elementary::log10:
    case Elementary::rsqrt:
      return x.sign() > 0;
    case Elementary::sqrt:
      return x.sign() >= 0;
    case Elementary::log1p:
      return x > Dyadic(-1);
    case Elementary::asin:
    case Elementary::acos:
      return compare_abs(x, 1) <= 0;
    case Elementary::atanh:
      return compare_abs(x, 1) < 0;
    case Elementary::acosh:
      return x >= Dyadic(1);
    default:
      return true;
  }
}

Exact elementary(Elementary f, const Dyadic& x) {
  if (!is_defined(f, x)) throw std::domain_error("a function outside of its domain");
  if (f == Elementary::sqrt) return square_root(x);
  if (f == Elementary::rsqrt) return square_root(quotient(1, x));
  if (std::optional<Exact> far = far_value(f, x)) return std::move(*far);
  if (std::optional<Exact> rational = rational_value(f, x)) return std::move(*rational);
  if (std::optional<Dyadic> near = near_value(f, x)) return std::move(*near);
  constexpr long first = Ziv{}.first;
  return Enclosure{
      [f, x, ball = evaluated(f, x, first)](long bits) { return bits == first ? ball : evaluated(f, x, bits); }};
}

Exact elementary_by_balls(Elementary f, const Dyadic& x) {
  if (!is_defined(f, x)) throw std::domain_error("a function outside of its domain");
  if (f == Elementary::sqrt || f == Elementary::rsqrt) throw std::domain_error("a square root by balls");
  return by_balls([f, x](long bits) { return evaluated(f, x, bits); });
}

Exact angle(const Dyadic& y, const Dyadic& x) { return of_two(arb_atan2, y, x); }

Exact power(const Dyadic& x, const Dyadic& y) { return of_two(arb_pow, x, y); }

}  // namespace assay::oracle
