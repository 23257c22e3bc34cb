#include "oracle/ball.hpp"

namespace assay::oracle {

Ball::Ball(const Rational& value, long bits) : Ball() {
  arb_set_fmpq(x_, value.get(), bits);
  if (watch::is_on) watch::ball_of(value, *this);
}

Ball::Ball(const Dyadic& midpoint, const Dyadic& radius) : Ball(midpoint) {
  arf_get_mag(arb_radref(x_), radius.arf());
  if (watch::is_on) watch::ball_about(midpoint, radius, *this);
}

Dyadic Ball::lower() const {
  Dyadic result;
  arf_set_mag(result.arf(), arb_radref(x_));
  arf_sub(result.arf(), arb_midref(x_), result.arf(), ARF_PREC_EXACT, ARF_RND_DOWN);
  return result;
}

Dyadic Ball::upper() const {
  Dyadic result;
  arf_set_mag(result.arf(), arb_radref(x_));
  arf_add(result.arf(), arb_midref(x_), result.arf(), ARF_PREC_EXACT, ARF_RND_DOWN);
  return result;
}

namespace {

Ball combined(char operation, void (*combine)(arb_struct*, const arb_struct*, const arb_struct*, long), const Ball& a,
              const Ball& b, long bits) {
  Ball result;
  combine(result.get(), a.get(), b.get(), bits);
  if (watch::is_on) watch::ball(operation, a, b, result);
  return result;
}

/// The answer about a < b, or a ≤ b.
Answer answered(const Ball& a, const Ball& b, bool or_equal, Answer answer) {
  if (watch::is_on) watch::ball_order(a, b, or_equal, answer);
  return answer;
}

}  // namespace

Ball add(const Ball& a, const Ball& b, long bits) { return combined('+', arb_add, a, b, bits); }
Ball sub(const Ball& a, const Ball& b, long bits) { return combined('-', arb_sub, a, b, bits); }
Ball mul(const Ball& a, const Ball& b, long bits) { return combined('*', arb_mul, a, b, bits); }
Ball div(const Ball& a, const Ball& b, long bits) { return combined('/', arb_div, a, b, bits); }

Ball sqrt(const Ball& a, long bits) {
  Ball result;
  arb_sqrt(result.get(), a.get(), bits);
  if (watch::is_on) watch::ball_root(a, result);
  return result;
}

Ball abs(const Ball& a) {
  Ball result;
  arb_abs(result.get(), a.get());
  if (watch::is_on) watch::ball_abs(a, result);
  return result;
}

Answer less(const Ball& a, const Ball& b) {
  const Answer otherwise = arb_ge(a.get(), b.get()) != 0 ? Answer::no : Answer::undecided;
  return answered(a, b, false, arb_lt(a.get(), b.get()) != 0 ? Answer::yes : otherwise);
}

Answer less_equal(const Ball& a, const Ball& b) {
  const Answer otherwise = arb_gt(a.get(), b.get()) != 0 ? Answer::no : Answer::undecided;
  return answered(a, b, true, arb_le(a.get(), b.get()) != 0 ? Answer::yes : otherwise);
}

std::string to_string(const Ball& x, int digits) {
  char* const text = arb_get_str(x.get(), digits, 0);
  std::string result(text);
  flint_free(text);
  return result;
}

}  // namespace assay::oracle
