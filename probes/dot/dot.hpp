#pragma once
// Probes of dot products of vectors of up to 32 numbers, against bounds of n, |d|, Σ|xy| and η.

#include "arith/accumulators/summation.hpp"
#include "exec/elementwise.hpp"
#include "probes/dot/draws.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"
#include "probes/sum/bounds.hpp"

namespace assay::probes::dot {

using sum::Coefficients;

/// Products of binary32 are exact in binary64: |z − Σxy| and the bound.
template <int passes, class R>
ASSAY_HD constexpr Scaled error_of_dot(const VectorPair<float>& c, R z, const Coefficients& bound) {
  double terms[longest + 1] = {};
  double magnitudes = 0;
  for (int i = 0; i < c.n; ++i) {
    terms[i] = static_cast<double>(c.x[i]) * static_cast<double>(c.y[i]);
    magnitudes += absolute(terms[i]);
  }
  const auto result = static_cast<double>(z);
  terms[c.n] = -result;
  const double upper = magnitude<passes>(terms, c.n + 1).upper;
  const double d = sum::at_most_sum(result, terms[0], upper);
  // Products in binary64 do not underflow.
  constexpr double smallest = FloatTraits<R>::precision < 53 ? 0x1p-149 : 0;
  return {upper, bound.at_least(c.n, d, sum::at_most_total(magnitudes, c.n), smallest)};
}

/// |z − Σxy| and the bound. If all products are small, they are multiplied by 2⁵⁰⁰ with z: the smaller factor of each
/// is scaled, exactly. A product below 2⁻⁹⁶⁹ is omitted, and 2⁻⁹⁶⁸ is added to the error for it. Requires: finite
/// numbers, Σ|xy| ≤ 2¹⁰²² (not checked).
template <int passes>
ASSAY_HD constexpr Scaled error_of_dot(const VectorPair<double>& c, double z, const Coefficients& bound) {
  double largest = 0;
  for (int i = 0; i < c.n; ++i) {
    const double size = absolute(c.x[i] * c.y[i]);
    largest = size > largest ? size : largest;
  }
  const double up = largest < 0x1p-400 ? 0x1p500 : 1;
  double terms[2 * longest + 1] = {};
  double magnitudes = 0;
  double left_out = 0;
  for (int i = 0; i < c.n; ++i) {
    const bool x_is_smaller = absolute(c.x[i]) < absolute(c.y[i]);
    const double x = x_is_smaller ? c.x[i] * up : c.x[i];
    const double y = x_is_smaller ? c.y[i] : c.y[i] * up;
    const assay::Product<double> product = two_prod(x, y);
    const bool is_zero = x == 0 || y == 0;
    const bool is_exact = is_zero || absolute(product.p) >= 0x1p-969;
    terms[2 * i] = is_exact ? product.p : 0;
    terms[2 * i + 1] = is_exact ? product.e : 0;
    magnitudes += absolute(terms[2 * i]);
    left_out += is_exact ? 0 : 0x1p-968;
  }
  const double result = z * up;
  terms[2 * c.n] = -result;
  const double error = magnitude<passes>(terms, 2 * c.n + 1).upper;
  const double upper = left_out == 0 ? error : (error + left_out) * (1 + 0x1p-51);
  const double d = sum::at_most_sum(result, terms[0], upper);
  // 2⁻¹⁰⁷⁴·2⁵⁰⁰; compared with larger products η is negligible.
  const double smallest = up == 1 ? 0 : 0x1p-574;
  return {upper, bound.at_least(c.n, d, sum::at_most_total(magnitudes, c.n + 1), smallest)};
}

/// The dot product of an accumulator whose error is of the order u^order·Σ|xy|.
template <class T, class Accumulator, int order>
struct DotProduct {
  using Classes = Draws;
  using Number = T;
  using Input = VectorPair<T>;
  using Output = typename Accumulator::Result;
  static constexpr int classes = Draws::classes;
  Coefficients bound;

  ASSAY_HD constexpr Input draw(Stream& stream, int input_class) const {
    return Draws::draw<Input>(stream, input_class);
  }
  ASSAY_HD constexpr Output run(const Input& c) const {
    Accumulator sum{};
    for (int i = 0; i < c.n; ++i) sum.add(c.x[i], c.y[i]);
    return sum.result();
  }
  ASSAY_HD constexpr Scaled error(const Input& c, const Output& z) const {
    return error_of_dot<sum::passes_for_order<Output, order>>(c, z, bound);
  }
};

template <class T>
using Recursive = DotProduct<T, summation::Recursive<T>, 1>;
template <class T>
using Dot2 = DotProduct<T, summation::Compensated<T>, 2>;
template <class T>
using Dot3 = DotProduct<T, summation::DotLevels<T, 3>, 3>;
template <class T>
using Dot4 = DotProduct<T, summation::DotLevels<T, 4>, 4>;
using Widened = DotProduct<float, summation::Widened, 1>;

using Probes = Operations<Recursive, Dot2, Dot3, Dot4>;

}  // namespace assay::probes::dot
