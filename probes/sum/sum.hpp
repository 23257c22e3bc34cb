#pragma once
// Probes of sums of up to 32 terms, against bounds of n, |s| and S.

#include "arith/accumulators/summation.hpp"
#include "exec/elementwise.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"
#include "probes/sum/bounds.hpp"
#include "probes/sum/draws.hpp"

namespace assay::probes::sum {

/// |z − Σx| and the bound. If all terms are small, they are multiplied by 2⁶⁰⁰ with z, exactly, so that no part of the
/// bound is subnormal. Requires: finite terms, S ≤ 2¹⁰²² (not checked).
template <int passes, class T>
ASSAY_HD constexpr Scaled error_of_sum(const Vector<T>& c, T z, const Coefficients& bound) {
  double terms[longest + 1] = {};
  double largest = 0;
  for (int i = 0; i < c.n; ++i) {
    const double size = absolute(static_cast<double>(c.x[i]));
    largest = size > largest ? size : largest;
  }
  const double up = largest < 0x1p-400 ? 0x1p600 : 1;
  double magnitudes = 0;
  for (int i = 0; i < c.n; ++i) {
    terms[i] = static_cast<double>(c.x[i]) * up;
    magnitudes += absolute(terms[i]);
  }
  const double result = static_cast<double>(z) * up;
  terms[c.n] = -result;
  const double upper = magnitude<passes>(terms, c.n + 1).upper;
  const double sum = at_most_sum(result, terms[0], upper);
  return {upper, bound.at_least(c.n, sum, at_most_total(magnitudes, c.n), 0)};
}

/// The sum of an accumulator whose error is of the order u^order·S.
template <class T, class Accumulator, int order>
struct Summation {
  using Classes = Draws;
  using Number = T;
  using Input = Vector<T>;
  using Output = T;
  static constexpr int classes = Draws::classes;
  Coefficients bound;

  ASSAY_HD constexpr Input draw(Stream& stream, int input_class) const {
    return Draws::draw<Input>(stream, input_class);
  }
  ASSAY_HD constexpr Output run(const Input& c) const {
    Accumulator sum{};
    for (int i = 0; i < c.n; ++i) sum.add(c.x[i]);
    return sum.result();
  }
  ASSAY_HD constexpr Scaled error(const Input& c, const Output& z) const {
    return error_of_sum<passes_for_order<T, order>>(c, z, bound);
  }
};

template <class T>
using Recursive = Summation<T, summation::Recursive<T>, 1>;
template <class T>
using Pairwise = Summation<T, summation::Pairwise<T>, 1>;
template <class T>
using Kahan = Summation<T, summation::Kahan<T>, 1>;
template <class T>
using Neumaier = Summation<T, summation::Neumaier<T>, 2>;
template <class T>
using Sum2 = Summation<T, summation::Compensated<T>, 2>;
template <class T>
using Sum3 = Summation<T, summation::Levels<T, 3>, 3>;
template <class T>
using Sum4 = Summation<T, summation::Levels<T, 4>, 4>;

using Probes = Operations<Recursive, Pairwise, Kahan, Neumaier, Sum2, Sum3, Sum4>;

}  // namespace assay::probes::sum
