#include "errorbounds/triple.hpp"

#include <stdexcept>
#include <string>

#include "errorbounds/precision.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

/// (cubic·u³ + quartic·u⁴)/denominator for p ≥ least.
RelativeBound third_order(int p, int least, const char* operation, int cubic, int quartic, int denominator = 1) {
  require_precision(p, least, operation);
  return {Dyadic::scaled(cubic, -3 * p) + Dyadic::scaled(quartic, -4 * p), denominator};
}

/// A multiple of u³/2 for p = 3, and one for p = 4.
RelativeBound of_lists(int p, const char* operation, int at_3, int at_4) {
  if (p != 3 && p != 4) {
    throw std::domain_error(std::string("the bound of ") + operation +
                            " is for p = 3 and p = 4: p = " + std::to_string(p));
  }
  return {Dyadic::scaled(p == 3 ? at_3 : at_4, -3 * p), 2};
}

}  // namespace

RelativeBound triple_add_bound(int p) { return third_order(p, 6, "the triple-word sum", 10, 21, 5); }
RelativeBound triple_add_sharp_bound(int p) { return third_order(p, 6, "the triple-word sum", 3, 18, 2); }
RelativeBound triple_add_too_small_bound(int p) { return third_order(p, 6, "the triple-word sum", 3, -2, 2); }

RelativeBound triple_mul_accurate_bound(int p) { return third_order(p, 6, "the triple-word product", 28, 107); }
RelativeBound triple_mul_fast_bound(int p) { return third_order(p, 6, "the fast triple-word product", 44, 176); }
RelativeBound triple_mul_accurate_too_small_bound(int p) {
  return third_order(p, 6, "the triple-word product", 27, 107);
}
RelativeBound triple_mul_fast_too_small_bound(int p) {
  return third_order(p, 6, "the fast triple-word product", 43, 176);
}
Bound triple_outside_product_bound(const oracle::Format& format, const Dyadic& product) {
  require_precision(format.precision, 24, "a triple-word product near underflow");
  const Dyadic underflow = Dyadic::scaled(13, format.emin - format.precision - 1);
  return {Dyadic::scaled(192, -3 * format.precision) * product + underflow, 1};
}
RelativeBound triple_mul_double_word_accurate_bound(int p) {
  return third_order(p, 6, "double word × triple word", 21, 78, 2);
}
RelativeBound triple_mul_double_word_fast_bound(int p) {
  return third_order(p, 6, "the fast double word × triple word", 18, 75);
}
RelativeBound triple_add_toy_bound(int p) { return of_lists(p, "the triple-word sum of toy formats", 3, 3); }
RelativeBound triple_mul_accurate_toy_bound(int p) {
  return of_lists(p, "the triple-word product of toy formats", 27, 32);
}
RelativeBound triple_mul_fast_toy_bound(int p) {
  return of_lists(p, "the fast triple-word product of toy formats", 29, 46);
}
RelativeBound triple_mul_double_word_accurate_toy_bound(int p) {
  return of_lists(p, "double word × triple word of toy formats", 12, 14);
}
RelativeBound triple_mul_double_word_fast_toy_bound(int p) {
  return of_lists(p, "the fast double word × triple word of toy formats", 17, 18);
}
RelativeBound triple_mul_double_word_accurate_inverse_bound(int p) {
  return third_order(p, 10, "double word × triple word near an inverse", 7, 200);
}
RelativeBound triple_mul_double_word_fast_inverse_bound(int p) {
  return third_order(p, 10, "the fast double word × triple word near an inverse", 11, 200);
}

RelativeBound triple_mul_near_one_bound(int p) { return third_order(p, 6, "the product by a number near 1", 1, 620); }
RelativeBound triple_mul_near_one_printed_bound(int p) {
  return third_order(p, 6, "the printed product by a number near 1", 1, 260);
}

RelativeBound triple_mul_near_one_ceiling(int p) {
  return third_order(p, 11, "the printed product by a number near 1", 40, 910);
}
RelativeBound triple_mul_near_one_result_bound(int p) {
  return third_order(p, 10, "the product of a result by a number near 1", 3, 1000);
}

RelativeBound triple_reciprocal_accurate_bound(int p) {
  return third_order(p, 10, "the triple-word reciprocal", 23, 3660, 2);
}
RelativeBound triple_reciprocal_fast_bound(int p) {
  return third_order(p, 10, "the fast triple-word reciprocal", 19, 1870);
}
RelativeBound triple_reciprocal_accurate_sharp_bound(int p) {
  return third_order(p, 10, "the triple-word reciprocal", 23, 5400, 3);
}
RelativeBound triple_reciprocal_fast_sharp_bound(int p) {
  return third_order(p, 10, "the fast triple-word reciprocal", 35, 5400, 3);
}
RelativeBound triple_reciprocal_accurate_too_small_bound(int p) {
  return third_order(p, 10, "the triple-word reciprocal", 7, 1800);
}
RelativeBound triple_reciprocal_fast_too_small_bound(int p) {
  return third_order(p, 10, "the fast triple-word reciprocal", 11, 1800);
}

RelativeBound triple_div_accurate_bound(int p) { return third_order(p, 10, "the triple-word quotient", 27, 2500); }
RelativeBound triple_div_fast_bound(int p) { return third_order(p, 10, "the fast triple-word quotient", 42, 2575); }
RelativeBound triple_div_accurate_sharp_bound(int p) {
  return third_order(p, 10, "the triple-word quotient", 41, 5000, 2);
}
RelativeBound triple_div_fast_sharp_bound(int p) {
  return third_order(p, 10, "the fast triple-word quotient", 32, 2500);
}

RelativeBound triple_sqrt_accurate_bound(int p) { return third_order(p, 11, "the triple-word square root", 24, 10260); }
RelativeBound triple_sqrt_fast_bound(int p) {
  return third_order(p, 11, "the fast triple-word square root", 39, 10333);
}
RelativeBound triple_sqrt_accurate_sharp_bound(int p) {
  return third_order(p, 11, "the triple-word square root", 47, 45200, 4);
}
RelativeBound triple_sqrt_fast_sharp_bound(int p) {
  return third_order(p, 11, "the fast triple-word square root", 35, 22600, 2);
}

}  // namespace assay
