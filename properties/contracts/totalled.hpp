#pragma once
// What claims about sums need of cases that nothing holds.

#include <cstdint>
#include <optional>
#include <string>

#include "arith/float/small_float.hpp"
#include "oracle/term_totals.hpp"
#include "properties/contracts/reduction_claims.hpp"

namespace assay::contracts::reductions {

/// What the claims need of a case that nothing holds.
template <FloatingPoint T>
struct Totalled {
  Terms terms{};
  Sizes sizes{};
  std::uint64_t special = 0;  ///< the infinity or the NaN that the terms give; 0 for numbers
  bool has_both = false;      ///< a NaN and an infinity are among the terms
};
template <FloatingPoint T>
bool is_finite_case(const Totalled<T>& c) {
  return c.special == 0;
}

/// The totals as the claims see them. `magnitudes`: the terms count by their magnitudes.
template <FloatingPoint T>
Totalled<T> totalled(const oracle::TermTotals& totals, bool has_products, bool magnitudes) {
  Totalled<T> c;
  c.terms.n = totals.n;
  c.terms.sum = totals.sum();
  c.terms.magnitudes = totals.magnitudes();
  if (has_products) c.terms.products = c.terms.magnitudes;
  c.terms.lost = totals.lost();
  c.terms.grid = totals.grid;
  c.terms.least = totals.least;
  c.terms.emin = FloatTraits<T>::emin;
  c.sizes = {totals.n, totals.least, totals.most};
  const bool minus = totals.has_infinity[1] && !magnitudes;
  const bool plus = totals.has_infinity[0] || (totals.has_infinity[1] && magnitudes);
  c.has_both = totals.has_nan && (plus || minus);
  if (totals.has_nan || (plus && minus)) {
    c.special = format<T>.nan();
  } else if (plus || minus) {
    c.special = format<T>.infinity() | (minus ? format<T>.sign_mask() : 0);
  }
  return c;
}

/// f(T{}) for the number type of a format, or nothing.
template <class F>
auto in_type_of(const std::string& format, const F& f) -> decltype(f(double{})) {
  if (format == "f64") return f(double{});
  if (format == "f32") return f(float{});
  if (format == "f16") return f(binary16{});
  if (format == "bf16") return f(bfloat16{});
  return std::nullopt;
}

}  // namespace assay::contracts::reductions
