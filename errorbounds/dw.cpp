#include "errorbounds/dw.hpp"

#include "errorbounds/precision.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

/// (num/den)·u². Throws std::domain_error unless p ≥ least.
RelativeBound times_u2(int p, int least, const char* what, int num, int den = 1) {
  require_precision(p, least, what);
  return {Dyadic::scaled(num, -2 * p), den};
}

/// The smallest subnormal.
Dyadic smallest(const oracle::Format& format) { return Dyadic::scaled(1, format.emin - format.precision + 1); }

/// num·u²·value + eighths·η/8.
Bound outside_product(const oracle::Format& format, int num, const Dyadic& value, int eighths) {
  require_precision(format.precision, 10, "a double-word product near underflow");
  return {Dyadic::scaled(num, -2 * format.precision) * value + Dyadic::scaled(eighths, -3) * smallest(format), 1};
}

/// num·u²·x/y + (9/16)η + sixteenths·η/(16y).
Bound outside_quotient(const oracle::Format& format, int num, const Dyadic& x, const Dyadic& y, int sixteenths) {
  require_precision(format.precision, 10, "a double-word quotient near underflow");
  const Dyadic underflow = Dyadic::scaled(9, -4) * y + Dyadic::scaled(sixteenths, -4);
  return {Dyadic::scaled(num, -2 * format.precision) * x + underflow * smallest(format), y};
}

}  // namespace

RelativeBound add_word_bound(int p) { return times_u2(p, 3, "double-word + word", 2); }

RelativeBound accurate_add_bound(int p) {
  require_precision(p, 3, "the accurate double-word sum");
  return {Dyadic::scaled(3, -2 * p), Dyadic(1) - Dyadic::scaled(4, -p)};
}

RelativeBound sloppy_add_same_sign_bound(int p) { return times_u2(p, 5, "the sloppy double-word sum", 3); }
Bound sloppy_add_absolute_bound(int p, const Dyadic& magnitudes) {
  require_precision(p, 3, "the sloppy double-word sum");
  return {Dyadic::scaled(3, -2 * p) * magnitudes, 1};
}

RelativeBound mul_word1_bound(int p) {
  require_precision(p, 4, "double-word × word, Algorithm 7,");
  return {Dyadic::scaled(3, -2 * p) + Dyadic::scaled(8, -3 * p), 2};
}
RelativeBound mul_word2_bound(int p) { return times_u2(p, 3, "double-word × word, Algorithm 8,", 3); }
RelativeBound mul_word3_bound(int p) { return times_u2(p, 3, "double-word × word, Algorithm 9,", 2); }

RelativeBound mul1_bound(int p) {
  require_precision(p, 6, "double-word × double-word, Algorithm 10,");
  const Dyadic one_plus_u = Dyadic(1) + Dyadic::scaled(1, -p);
  return {Dyadic::scaled(5, -2 * p), one_plus_u * one_plus_u};
}
RelativeBound mul1_any_tie_bound(int p) { return times_u2(p, 6, "double-word × double-word, Algorithm 10,", 11, 2); }
RelativeBound mul2_bound(int p) { return times_u2(p, 5, "double-word × double-word, Algorithm 11,", 5); }
RelativeBound mul3_bound(int p) { return times_u2(p, 5, "double-word × double-word, Algorithm 12,", 4); }

RelativeBound div_word2_bound(int p) { return times_u2(p, 4, "double-word ÷ word, Algorithm 14,", 7, 2); }
RelativeBound div_word2_sharp_bound(int p) { return times_u2(p, 3, "double-word ÷ word, Algorithm 14,", 3); }
RelativeBound div_word3_bound(int p) { return times_u2(p, 4, "double-word ÷ word, Algorithm 15,", 3); }

RelativeBound div2_bound(int p) {
  require_precision(p, 7, "double-word ÷ double-word, Algorithm 17,");
  return {Dyadic::scaled(15, -2 * p) + Dyadic::scaled(56, -3 * p), 1};
}
RelativeBound div2_sharp_bound(int p) {
  require_precision(p, 5, "double-word ÷ double-word, Algorithm 17,");
  return {Dyadic::scaled(17, -2 * p - 1) + Dyadic::scaled(16, -3 * p), 1};
}
RelativeBound div3_bound(int p) { return times_u2(p, 14, "double-word ÷ double-word, Algorithm 18,", 49, 5); }
RelativeBound div3_sharp_bound(int p) {
  require_precision(p, 14, "double-word ÷ double-word, Algorithm 18,");
  return {Dyadic::scaled(27, -2 * p - 2) + Dyadic::scaled(32, -3 * p), 1};
}

RelativeBound sqrt_bound(int p) { return times_u2(p, 5, "the double-word square root", 25, 8); }

Bound outside_product_word_bound(const oracle::Format& format, const Dyadic& product) {
  return outside_product(format, 4, product, 9);
}
Bound outside_product_bound(const oracle::Format& format, const Dyadic& product) {
  return outside_product(format, 9, product, 17);
}
Bound outside_quotient_word_bound(const oracle::Format& format, const Dyadic& x, const Dyadic& y) {
  return outside_quotient(format, 9, x, y, 9);
}
Bound outside_quotient_bound(const oracle::Format& format, const Dyadic& x, const Dyadic& y) {
  return outside_quotient(format, 20, x, y, 18);
}
Bound outside_div3_bound(const oracle::Format& format, const Dyadic& x, const Dyadic& y) {
  require_precision(format.precision, 10, "a double-word quotient near underflow");
  const Dyadic underflow = (Dyadic(48) * x + Dyadic(85)) * smallest(format);  // of 40
  return {(Dyadic::scaled(680, -2 * format.precision) * x + underflow * y), Dyadic(40) * y};
}
RelativeBound outside_root_bound(const oracle::Format& format, const Dyadic& x) {
  require_precision(format.precision, 10, "the double-word square root near underflow");
  if (x.is_zero()) return {0, 1};
  return {Dyadic::scaled(45, -2 * format.precision) * x + Dyadic(3) * smallest(format), Dyadic(10) * x};
}

}  // namespace assay
