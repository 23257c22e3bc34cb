#pragma once
// The classes of dot products: the classes of the property's domain, in short vectors.

#include "probes/sum/draws.hpp"

namespace assay::probes::dot {

using sum::longest;
using sum::Terms;
using sum::Vector;
using sum::VectorPair;

namespace detail {

/// Products with exponents in low … high, split at random between the factors.
template <class T>
ASSAY_HD constexpr VectorPair<T> draw_factors(Stream& stream, int n, Terms kind, int low, int high, bool one_sign) {
  using F = FloatTraits<T>;
  VectorPair<T> c{};
  const bool negative = stream.coin();
  for (int i = 0; i < n; ++i) {
    const int product = stream.between(low, high);
    const int half = product / 2;
    const int larger = half > product - half ? half : product - half;
    const int smaller = product - larger;
    const int above = F::emax - 1 - larger;
    const int below = smaller - (F::emin - F::precision + 1);
    const int least = above < below ? above : below;
    const int room = least > 0 ? least : 0;
    const int any = stream.between(-room, room);
    const int shift = stream.coin() ? 0 : any;
    const bool minus = stream.coin();
    const bool other = stream.coin();
    const T x = sum::draw_term<T>(stream, kind, half + shift, minus);
    c.push(x, sum::draw_term<T>(stream, kind, product - half - shift, one_sign ? minus != negative : other));
  }
  return c;
}

/// GenDot: Ogita, Rump, Oishi 2005, Algorithm 6.1, with the exact partial sum.
template <class T>
ASSAY_HD constexpr VectorPair<T> draw_conditioned(Stream& stream) {
  const int n = sum::draw_length(stream, 10);
  const int b = stream.between(2, sum::hardest_condition<T>) / 2;
  VectorPair<T> c{};
  sum::ExactSum<2 * longest> partial{};
  for (int i = 0; i < n; ++i) {
    const int e = sum::conditioned_exponent(stream, i, n, b);
    const T x = sum::draw_term<T>(stream, Terms::any, e);
    const T fresh = sum::draw_term<T>(stream, Terms::any, e);
    const double rest = static_cast<double>(fresh) - partial.top();
    c.push(x, i < n / 2 ? fresh : static_cast<T>(rest / static_cast<double>(x)));
    const assay::Product<double> product = two_prod(static_cast<double>(x), static_cast<double>(c.y[i]));
    partial.add(product.p);
    if (product.e != 0) partial.add(product.e);
  }
  if (stream.coin()) {
    for (int i = n; i > 1; --i) {
      const std::uint32_t other = stream.below(static_cast<std::uint32_t>(i));
      sum::exchange(c.x[i - 1], c.x[other]);
      sum::exchange(c.y[i - 1], c.y[other]);
    }
  }
  return c;
}

/// (x, y) and (−y, x), with a small product between.
template <class T>
ASSAY_HD constexpr VectorPair<T> draw_cancelling(Stream& stream) {
  const int length = sum::draw_length(stream, 2) / 2;
  const int pairs = length < longest / 2 ? length : longest / 2 - 1;
  VectorPair<T> c = draw_factors<T>(stream, pairs, Terms::any, -20, 20, false);
  const int small = -20 - stream.between(0, FloatTraits<T>::precision);
  const T x = sum::draw_term<T>(stream, Terms::any, small / 2);
  c.push(x, sum::draw_term<T>(stream, Terms::any, small - small / 2));
  for (int i = 0; i < pairs; ++i) c.push(-c.y[i], c.x[i]);
  return c;
}

/// A sum with powers of two as the other factors: the products are exact.
template <class T>
ASSAY_HD constexpr VectorPair<T> draw_sum(Stream& stream, int class_of_sums) {
  const auto terms = sum::Draws::draw<Vector<T>>(stream, class_of_sums);
  VectorPair<T> c{};
  for (int i = 0; i < terms.n; ++i) {
    const bool minus = stream.coin();
    c.push(minus ? -terms.x[i] : terms.x[i], minus ? T(-1) : T(1));
  }
  return c;
}

}  // namespace detail

/// Dot products with Σ|xy| ≤ 2^(emax − 2). Products may underflow.
struct Draws {
  static constexpr int classes = 15;
  static constexpr const char* names[classes] = {"dense, mixed signs",
                                                 "dense, products of one sign",
                                                 "any significand, exponents within ±p",
                                                 "all ones",
                                                 "near powers of two",
                                                 "condition up to the hardest",
                                                 "cancellation to a small product",
                                                 "sum: tie, tie ± tiny",
                                                 "sum: 1, u, u, … in worst order",
                                                 "sum: 1, errors that all err one way, −1",
                                                 "sum: swallowed by a large pair",
                                                 "sum: exact in every order",
                                                 "full range",
                                                 "products in the range of underflow",
                                                 "near overflow"};
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = typename Case::Number;
    using F = FloatTraits<T>;
    constexpr int p = F::precision;
    if (input_class == 5) return detail::draw_conditioned<T>(stream);
    if (input_class == 6) return detail::draw_cancelling<T>(stream);
    if (input_class >= 7 && input_class < 12) {
      constexpr int of_sums[5] = {5, 8, 9, 10, 11};
      return detail::draw_sum<T>(stream, of_sums[input_class - 7]);
    }
    // The classes that differ only by their exponents and digits. One in four of the classes near underflow has
    // products below half the smallest number, all of one sign: each is rounded to 0, and so is its error. With the
    // largest of them the bound is attained up to a few u of it, so that the oracle must judge.
    constexpr int subnormal = F::emin - p + 1;
    const int n = sum::draw_length(stream);
    const bool coin = stream.coin();
    const bool lost = input_class == 13 && stream.below(4) == 0;
    const bool most = lost && stream.below(16) == 0;
    const int highest = sum::highest_exponent<T>(n) - 2;
    const Terms kind = input_class < 2            ? Terms::dense
                       : input_class == 3 || most ? Terms::all_ones
                       : input_class == 4         ? Terms::near_power
                                                  : Terms::any;
    const bool one_sign = input_class == 1 || lost || (input_class == 14 && coin);
    const int reach = input_class < 2 ? 8 : input_class == 2 ? p : 2;
    int low = -reach;
    int high = reach;
    if (input_class == 12) {
      low = 2 * F::emin;
      high = highest;
    } else if (input_class == 13) {
      low = lost ? subnormal - 3 : subnormal - 4;
      high = lost ? low : F::emin + 2 * p;
    } else if (input_class == 14) {
      low = highest - 3;
      high = highest;
    }
    return detail::draw_factors<T>(stream, n, kind, low, high, one_sign);
  }
};

}  // namespace assay::probes::dot
