#include "oracle/ball.hpp"

namespace assay::oracle {

Ball::Ball(const Dyadic& midpoint, const Dyadic& radius) : Ball(midpoint) { arf_get_mag(arb_radref(x_), radius.arf()); }

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

Ball combined(void (*combine)(arb_struct*, const arb_struct*, const arb_struct*, long), const Ball& a, const Ball& b,
              long bits) {
  Ball result;
  combine(result.get(), a.get(), b.get(), bits);
  return result;
}

}  // namespace

Ball add(const Ball& a, const Ball& b, long bits) { return combined(arb_add, a, b, bits); }
Ball sub(const Ball& a, const Ball& b, long bits) { return combined(arb_sub, a, b, bits); }
Ball mul(const Ball& a, const Ball& b, long bits) { return combined(arb_mul, a, b, bits); }
Ball div(const Ball& a, const Ball& b, long bits) { return combined(arb_div, a, b, bits); }

Ball sqrt(const Ball& a, long bits) {
  Ball result;
  arb_sqrt(result.get(), a.get(), bits);
  return result;
}

Ball abs(const Ball& a) {
  Ball result;
  arb_abs(result.get(), a.get());
  return result;
}

Answer less(const Ball& a, const Ball& b) {
  if (arb_lt(a.get(), b.get())) return Answer::yes;
  return arb_ge(a.get(), b.get()) ? Answer::no : Answer::undecided;
}

Answer less_equal(const Ball& a, const Ball& b) {
  if (arb_le(a.get(), b.get())) return Answer::yes;
  return arb_gt(a.get(), b.get()) ? Answer::no : Answer::undecided;
}

std::string to_string(const Ball& x, int digits) {
  char* const text = arb_get_str(x.get(), digits, 0);
  std::string result(text);
  flint_free(text);
  return result;
}

}  // namespace assay::oracle
