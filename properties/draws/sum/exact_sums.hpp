#pragma once
// Cases of sums and dot products, and their exact sums.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/exact.hpp"
#include "oracle/round.hpp"
#include "properties/draws/sum/long_sums.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::sum {

/// The longest vectors of the domains: 16·n·u ≤ 1 holds in binary32 with a margin.
inline constexpr std::size_t longest_sum = 8192;

/// The terms of a sum.
template <FloatingPoint T>
using SumCase = VectorCase<T>;

/// The factors of a dot product: vectors of equal length.
template <FloatingPoint T>
using DotCase = VectorPairCase<T>;

/// s = Σxⱼ and S = Σ|xⱼ|, or of products, exactly.
struct ExactSums {
  oracle::Dyadic sum;
  oracle::Dyadic magnitudes;
};

/// Whether the terms of two cases are equal.
template <FloatingPoint T>
bool same_numbers(const SumCase<T>& a, const SumCase<T>& b) {
  return a.x == b.x;
}
template <FloatingPoint T>
bool same_numbers(const DotCase<T>& a, const DotCase<T>& b) {
  return a.x == b.x && a.y == b.y;
}

/// Whether the sums of a case of n terms are computed by exponents.
template <FloatingPoint T>
bool is_long(std::size_t n) {
  return has_long_sums<T> && n >= fewest_long && !oracle::watch::is_on;
}
/// Whether what was computed of the last case of n terms is kept. A copy of a longer case would take too much memory.
constexpr bool is_kept(std::size_t n) { return n <= longest_sum; }

namespace detail {

template <FloatingPoint T>
ExactSums computed_sums(const SumCase<T>& c) {
  if (is_long<T>(c.x.size())) {
    const oracle::LongSum all = long_sum_of(c.x);
    return {all.sum(), all.magnitudes()};
  }
  ExactSums sums;
  oracle::Dyadic term;
  for (const T& each : c.x) {
    oracle::decode_finite(format_of<T>(), bits_of(each), term);
    sums.sum += term;
    oracle::decode_finite(format_of<T>(), bits_of(abs(each)), term);
    sums.magnitudes += term;
  }
  return sums;
}
template <FloatingPoint T>
ExactSums computed_sums(const DotCase<T>& c) {
  if (is_long<T>(c.x.size())) {
    const oracle::LongSum all = long_sum_of(c.x, &c.y);
    return {all.sum(), all.magnitudes()};
  }
  ExactSums sums;
  oracle::Dyadic a;
  oracle::Dyadic b;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    oracle::decode_finite(format_of<T>(), bits_of(c.x[i]), a);
    oracle::decode_finite(format_of<T>(), bits_of(c.y[i]), b);
    sums.sum.add_mul(a, b);
    oracle::decode_finite(format_of<T>(), bits_of(abs(c.x[i])), a);
    oracle::decode_finite(format_of<T>(), bits_of(abs(c.y[i])), b);
    sums.magnitudes.add_mul(a, b);
  }
  return sums;
}

}  // namespace detail

/// Of a SumCase or a DotCase. Those of the last case of a thread are kept, so that the truth, the features and the
/// claims of one case share them. Requires: finite numbers, equal lengths (not checked).
template <class Case>
ExactSums exact_sums(const Case& c) {
  if (!is_kept(c.x.size())) return detail::computed_sums(c);
  thread_local Case last;  // the empty case, whose sums are 0
  thread_local ExactSums kept;
  if (!same_numbers(c, last)) {
    kept = detail::computed_sums(c);
    last = c;
  }
  return kept;
}

/// The truth of a sum or dot product.
template <class Case>
oracle::Dyadic exact_sum_of(const Case& c) {
  return exact_sums(c).sum;
}

/// The terms are multiples of one power of two g ≥ η with S ≤ most·g.
template <FloatingPoint T>
bool is_on_a_grid(const SumCase<T>& c, std::int64_t most) {
  long lowest = FloatTraits<T>::emax;
  for (const T& each : c.x) {
    if (const oracle::Dyadic value = value_of(each); !value.is_zero()) {
      lowest = std::min(lowest, value.lowest_exponent());
    }
  }
  return exact_sums(c).magnitudes <= oracle::Dyadic::scaled(most, lowest);
}

/// Every partial sum in every order is a number: the terms are multiples of one power of two g ≥ η with
/// S ≤ 2ᵖ·g. Then no addition rounds (docs/bounds/sum.md).
template <FloatingPoint T>
bool sums_exactly(const SumCase<T>& c) {
  return is_on_a_grid(c, std::int64_t{1} << FloatTraits<T>::precision);
}
template <FloatingPoint T>
bool sums_exactly(const DotCase<T>& c) {
  long lowest = FloatTraits<T>::emax;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const oracle::Dyadic a = value_of(c.x[i]);
    const oracle::Dyadic b = value_of(c.y[i]);
    if (!a.is_zero() && !b.is_zero()) {
      lowest = std::min(lowest, a.lowest_exponent() + b.lowest_exponent());
    }
  }
  return lowest >= FloatTraits<T>::emin - FloatTraits<T>::precision + 1 &&
         exact_sums(c).magnitudes <= oracle::Dyadic::scaled(1, lowest + FloatTraits<T>::precision);
}

namespace detail {

/// The number nearest to x.
template <FloatingPoint T, class Truth>
T nearest(const Truth& x) {
  return number_of<T>(oracle::round(x, format_of<T>(), oracle::Rounding::nearest));
}

/// Appends numbers whose sum is exactly `rest`, each of them nearest to the remainder. Requires: rest is a multiple of
/// η below overflow (not checked).
template <FloatingPoint T>
void append_exactly(std::vector<T>& x, oracle::Dyadic rest) {
  while (!rest.is_zero()) {
    x.push_back(nearest<T>(rest));
    rest -= value_of(x.back());
  }
}

}  // namespace detail

}  // namespace assay::sum
