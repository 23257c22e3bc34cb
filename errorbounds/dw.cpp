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
RelativeBound div_word3_bound(int p) { return times_u2(p, 4, "double-word ÷ word, Algorithm 15,", 3); }

RelativeBound div2_bound(int p) {
  require_precision(p, 7, "double-word ÷ double-word, Algorithm 17,");
  return {Dyadic::scaled(15, -2 * p) + Dyadic::scaled(56, -3 * p), 1};
}
RelativeBound div3_bound(int p) { return times_u2(p, 14, "double-word ÷ double-word, Algorithm 18,", 49, 5); }

RelativeBound sqrt_bound(int p) { return times_u2(p, 5, "the double-word square root", 25, 8); }

}  // namespace assay
