#include "properties/catalog/elementary/functions.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace assay::elementary {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The largest number.
Dyadic largest() { return Dyadic::scaled(1, 1024) - Dyadic::scaled(1, 971); }

bool is_periodic(WordFunction f) { return f == WordFunction::sin || f == WordFunction::cos || f == WordFunction::tan; }

/// The exact value, enclosed as a real number. `may_be_near_zero`: the operand may be near a zero or pole other than 0.
Truth of_value(WordFunction f, std::size_t words, Exact value, bool may_be_near_zero) {
  Truth truth;
  const bool too_large = oracle::compare(value, largest()) > 0;
  const bool too_small = oracle::compare(value, -largest()) < 0;
  truth.is_bounded = !too_large && !too_small;
  if (oracle::compare(value, Dyadic::scaled(1, 1024)) >= 0) truth.limit = infinity;
  if (oracle::compare(value, -Dyadic::scaled(1, 1024)) <= 0) truth.limit = -infinity;
  if (may_be_near_zero) {
    const long least = words == 2 ? -199 : -329;
    const long exponent = oracle::exponent(value);
    truth.is_bounded = exponent >= least && (f != WordFunction::tan || exponent < -least);
  }
  truth.value = std::move(value);
  return truth;
}

Truth of_limit(double limit) { return {.value = std::nullopt, .is_bounded = false, .limit = limit}; }

/// The limit at an infinite x or beyond ±1024.
double far_limit(WordFunction f, bool negative) {
  switch (f) {
    case WordFunction::exp:
      return negative ? 0.0 : infinity;
    case WordFunction::expm1:
      return negative ? -1.0 : infinity;
    case WordFunction::sinh:
      return negative ? -infinity : infinity;
    case WordFunction::tanh:
      return negative ? -1.0 : 1.0;
    case WordFunction::cosh:
      return infinity;
    case WordFunction::log:
    case WordFunction::log1p:
      return negative ? not_a_number : infinity;
    default:
      return not_a_number;
  }
}

/// The coordinate of a point in the direction of the limit: ±1 for an infinite one, ±0 for a finite one next to it.
Operand of_point(const Operand& x, bool other_is_infinite) {
  if (!is_finite_number(x.first)) return {signbit(x.first) ? -1.0 : 1.0, signbit(x.first) ? -1 : 1};
  return other_is_infinite ? Operand{signbit(x.first) ? -0.0 : 0.0, 0} : x;
}

bool is_odd_integer(const Operand& y) { return !y.value.is_zero() && y.value.lowest_exponent() == 0; }

Exact negated(const Exact& value) {
  if (const auto* number = std::get_if<Dyadic>(&value)) return -*number;
  const oracle::Enclosure balls = std::get<oracle::Enclosure>(value);
  return oracle::Enclosure{
      [balls, zero = oracle::Ball()](long bits) { return oracle::sub(zero, balls.at(bits), bits); }};
}

Truth truth_of_atan2(std::size_t words, const Operand& y, const Operand& x) {
  if (is_not_a_number(y.first) || is_not_a_number(x.first)) return of_limit(not_a_number);
  const bool any_infinite = !is_finite_number(y.first) || !is_finite_number(x.first);
  const Operand b = of_point(y, any_infinite);
  const Operand a = of_point(x, any_infinite);
  if (b.value.is_zero() && !signbit(a.first)) return of_limit(b.first);
  Exact angle = oracle::angle(abs(b.value), a.value.is_zero() && signbit(a.first) && b.value.is_zero() ? -1 : a.value);
  if (signbit(b.first)) angle = negated(angle);
  return of_value(WordFunction::atan2, words, std::move(angle), false);
}

/// ISO/IEC 9899:2024 (C), F.10.4.4.
Truth truth_of_pow(std::size_t words, const Operand& x, const Operand& y) {
  const bool is_x_finite = is_finite_number(x.first);
  if (y.first == 0 || (is_x_finite && x.value == Dyadic(1))) return of_limit(1.0);
  if (is_not_a_number(x.first) || is_not_a_number(y.first)) return of_limit(not_a_number);
  const bool is_y_finite = is_finite_number(y.first);
  const double sign = signbit(x.first) && is_y_finite && is_odd_integer(y) ? -1.0 : 1.0;
  const bool falls = signbit(y.first);
  if (x.first == 0) return of_limit(sign * (falls ? infinity : 0.0));
  if (!is_x_finite) return of_limit(sign * (falls ? 0.0 : infinity));
  if (x.first < 0 && is_y_finite && !y.value.is_integer()) return of_limit(not_a_number);
  const Dyadic base = abs(x.value);
  if (base == Dyadic(1)) return of_limit(sign);
  const double grows = (base > Dyadic(1)) != falls ? infinity : 0.0;
  if (!is_y_finite) return of_limit(grows);
  const Exact log = oracle::elementary_by_balls(Elementary::log, base);
  if (oracle::exponent(log) + y.value.exponent() >= 10) return of_limit(sign * grows);
  const Exact power = oracle::power(base, y.value);
  return of_value(WordFunction::pow, words, sign < 0 ? negated(power) : power, false);
}

Dyadic draw_integer(Draw& draw, int bits) {
  const auto k = static_cast<std::int64_t>(draw.word() >> (64 - draw.between(1, bits)));
  return draw.coin() ? Dyadic(k) : Dyadic(-k);
}
Dyadic half_integer(const Dyadic& k) { return k + Dyadic::scaled(1, -1); }
Dyadic draw_multiple_of_ln2(Draw& draw) { return draw_integer(draw, 10) * ln2(); }
Dyadic draw_reduction_of_exp(Draw& draw) { return half_integer(draw_integer(draw, 10)) * ln2(); }
Dyadic draw_small_reduction_of_exp(Draw& draw) { return half_integer(draw_integer(draw, 3)) * ln2(); }
Dyadic draw_zero_or_pole(Draw& draw) { return draw_integer(draw, 60) * half_pi(); }
Dyadic draw_eighth_turn(Draw& draw) { return half_integer(draw_integer(draw, 30)) * half_pi(); }
Dyadic draw_reduction_of_log(Draw& draw) { return abs(draw_integer(draw, 1)) + root_half(); }
Dyadic draw_power_of_two(Draw& draw) { return Dyadic::scaled(1, draw.between(-200, 200)); }
Dyadic draw_reduction_of_atan(Draw& draw) { return Dyadic::scaled(draw.between(-40, 40), -4) + Dyadic::scaled(1, -5); }
Dyadic draw_one(Draw&) { return 1; }
Dyadic draw_minus_one(Draw&) { return -1; }
Dyadic draw_half(Draw& draw) { return Dyadic::scaled(draw.coin() ? 1 : -1, -1); }
Dyadic draw_end_of_exp(Draw& draw) {
  constexpr int ends[] = {1024, -1022, -1074, -968};
  return Dyadic(ends[draw.below(4)]) * ln2();
}

}  // namespace

Elementary of_oracle(WordFunction f) {
  switch (f) {
    case WordFunction::exp:
      return Elementary::exp;
    case WordFunction::expm1:
      return Elementary::expm1;
    case WordFunction::log:
      return Elementary::log;
    case WordFunction::log1p:
      return Elementary::log1p;
    case WordFunction::sin:
      return Elementary::sin;
    case WordFunction::cos:
      return Elementary::cos;
    case WordFunction::tan:
      return Elementary::tan;
    case WordFunction::atan:
      return Elementary::atan;
    case WordFunction::sinh:
      return Elementary::sinh;
    case WordFunction::cosh:
      return Elementary::cosh;
    case WordFunction::tanh:
      return Elementary::tanh;
    case WordFunction::atan2:
    case WordFunction::pow:
      break;
  }
  throw std::logic_error("a function of two numbers");
}

bool grows_like_exp(WordFunction f) {
  return f == WordFunction::exp || f == WordFunction::expm1 || f == WordFunction::sinh || f == WordFunction::cosh ||
         f == WordFunction::tanh;
}

bool is_odd(WordFunction f) {
  return f != WordFunction::exp && f != WordFunction::log && f != WordFunction::cos && f != WordFunction::cosh;
}

bool needs_positive(WordFunction f) { return f == WordFunction::log || f == WordFunction::pow; }

Dyadic magnitude_of(const Exact& value) {
  if (const auto* number = std::get_if<Dyadic>(&value)) return abs(*number);
  const auto& balls = std::get<oracle::Enclosure>(value);
  for (long bits = 128; bits <= oracle::Ziv{}.last; bits *= 2) {
    const oracle::Ball ball = oracle::abs(balls.at(bits));
    if (!ball.is_finite()) continue;
    Dyadic low = ball.lower();
    if (low.sign() > 0 && (ball.upper() - low) * Dyadic::scaled(1, 60) <= low) return low;
  }
  throw oracle::Undecided("the magnitude of an elementary function");
}

Truth truth_of(WordFunction f, std::size_t words, const Operand& x) {
  if (f == WordFunction::atan) return truth_of_atan2(words, x, {1.0, 1});
  if (is_not_a_number(x.first)) return of_limit(not_a_number);
  if (!is_finite_number(x.first)) return of_limit(far_limit(f, signbit(x.first)));
  if (x.value.is_zero() && is_odd(f)) return of_limit(x.first);
  if (grows_like_exp(f) && compare_abs(x.value, 1024) >= 0) return of_limit(far_limit(f, signbit(x.first)));
  if (f == WordFunction::log && x.value.is_zero()) return of_limit(-infinity);
  if (f == WordFunction::log1p && x.value == Dyadic(-1)) return of_limit(-infinity);
  if (!oracle::is_defined(of_oracle(f), x.value)) return of_limit(not_a_number);
  const bool may_be_near_zero = is_periodic(f) && compare_abs(x.value, Dyadic::scaled(1, -1)) > 0;
  return of_value(f, words, oracle::elementary_by_balls(of_oracle(f), x.value), may_be_near_zero);
}

Truth truth_of(WordFunction f, std::size_t words, const Operand& x, const Operand& y) {
  return f == WordFunction::pow ? truth_of_pow(words, x, y) : truth_of_atan2(words, x, y);
}

std::vector<ExponentRange> exponent_ranges(WordFunction f) {
  const ExponentRange tiny{"tiny", 2, {-1074, -300}};
  const ExponentRange small{"small", 4, {-120, -3}};
  const ExponentRange centre{"about 1", 6, {-3, 3}};
  const ExponentRange huge{"huge", 2, {10, 1023}};
  if (grows_like_exp(f)) return {tiny, small, centre, {"up to the ends of the range", 4, {3, 9}}, huge};
  return {tiny, small, centre, {"large", 4, {3, 120}}, huge};
}

std::vector<NearNumbers> near_numbers(WordFunction f) {
  if (is_periodic(f)) {
    return {{"near zeros and poles: multiples of π/2", 6, draw_zero_or_pole},
            {"near odd multiples of π/4, where the reduction changes", 3, draw_eighth_turn},
            {"near ±1/2, where the reduction begins", 1, draw_half}};
  }
  if (grows_like_exp(f)) {
    return {{"near multiples of ln 2", 6, draw_multiple_of_ln2},
            {"near odd multiples of ln(2)/2, where the reduction changes", 3, draw_reduction_of_exp},
            {"the same up to 8 of them", 3, draw_small_reduction_of_exp},
            {"near the ends of the range", 2, draw_end_of_exp}};
  }
  if (f == WordFunction::log || f == WordFunction::pow) {
    return {{"near 1", 6, draw_one},
            {"near √½ and √½ + 1", 2, draw_reduction_of_log},
            {"near powers of two", 3, draw_power_of_two}};
  }
  if (f == WordFunction::log1p) return {{"near −1", 4, draw_minus_one}, {"near ±1/2", 2, draw_half}};
  return {{"near odd multiples of 1/32, where the reduction changes", 5, draw_reduction_of_atan},
          {"near 1", 2, draw_one}};
}

}  // namespace assay::elementary
