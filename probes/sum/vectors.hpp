#pragma once
// Short vectors in the memory of one thread, and the common parts of their draws.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"
#include "probes/eft/eft.hpp"
#include "probes/stream.hpp"

namespace assay::probes::sum {

/// The longest vectors of probes.
inline constexpr int longest = 32;

/// The terms of a sum.
template <class T>
struct Vector {
  using Number = T;
  int n;
  T x[longest];
  ASSAY_HD constexpr bool is_full() const { return n == longest; }
  /// Requires: there is room (not checked).
  ASSAY_HD constexpr void push(T term) { x[n++] = term; }
};

/// The factors of a dot product.
template <class T>
struct VectorPair {
  using Number = T;
  int n;
  T x[longest];
  T y[longest];
  /// Requires: there is room (not checked).
  ASSAY_HD constexpr void push(T factor, T other) {
    x[n] = factor;
    y[n++] = other;
  }
};

/// The exact sum of at most n numbers of binary64: nonoverlapping words by increasing magnitude, none of them 0.
/// Requires: no sum overflows (not checked). Shewchuk 1997, Grow-Expansion with zero elimination.
template <int n>
struct ExactSum {
  double word[n];
  int words;

  ASSAY_HD constexpr void add(double x) {
    int kept = 0;
    for (int i = 0; i < words; ++i) {
      const assay::Sum<double> sum = two_sum(x, word[i]);
      if (sum.e != 0) word[kept++] = sum.e;
      x = sum.s;
    }
    if (x != 0) word[kept++] = x;
    words = kept;
  }
  /// Near the sum: the largest word.
  ASSAY_HD constexpr double top() const { return words == 0 ? 0 : word[words - 1]; }
};

/// The kinds of significands of terms.
enum class Terms { dense, any, near_power, all_ones };

template <int p>
ASSAY_HD constexpr std::uint64_t draw_significand(Stream& stream, Terms kind) {
  switch (kind) {
    case Terms::all_ones:
      return (std::uint64_t{1} << p) - 1;
    case Terms::near_power:
      return draw_digits<p>(stream, Digits::near_power);
    case Terms::any:
      return draw_digits<p>(stream, Digits::any);
    default:
      return draw_digits<p>(stream, Digits::dense);
  }
}

/// A number with the exponent e; subnormal if e is below emin.
template <class T>
ASSAY_HD constexpr T draw_term(Stream& stream, Terms kind, int e, bool negative) {
  const std::uint64_t m = draw_significand<FloatTraits<T>::precision>(stream, kind);
  return eft::any_number<T>(negative, m, e);
}
template <class T>
ASSAY_HD constexpr T draw_term(Stream& stream, Terms kind, int e) {
  const bool negative = stream.coin();
  return draw_term<T>(stream, kind, e, negative);
}

/// ±2^e.
template <class T>
ASSAY_HD constexpr T power_of_two(bool negative, int e) {
  return eft::any_number<T>(negative, std::uint64_t{1} << (FloatTraits<T>::precision - 1), e);
}
/// ±m·2^e. Requires: 0 ≤ m < 2^p, a number (not checked).
template <class T>
ASSAY_HD constexpr T integer(bool negative, std::uint64_t m, int e) {
  if (m == 0) return eft::any_number<T>(negative, 0, FloatTraits<T>::emin - 1);
  const int length = bits::bit_length(m);
  return eft::any_number<T>(negative, m << (FloatTraits<T>::precision - length), e + length - 1);
}
/// The number that many places above x in magnitude; below if the number is negative. Requires: a normal x that is not
/// near the ends of the range (not checked).
template <class T>
ASSAY_HD constexpr T neighbour(T x, int places) {
  return from_bits<T>(static_cast<BitsOf<T>>(to_bits(x) + static_cast<BitsOf<T>>(places)));
}

/// 0 … longest, mostly 1 … 10, and often the longest.
ASSAY_HD constexpr int draw_length(Stream& stream) {
  constexpr int edges[8] = {0, 1, 2, 3, 4, 31, 32, 32};
  const std::uint32_t kind = stream.below(16);
  if (kind < 9) return stream.between(1, 10);
  if (kind < 12) return edges[stream.below(8)];
  return stream.between(1, longest);
}
ASSAY_HD constexpr int draw_length(Stream& stream, int least) {
  const int n = draw_length(stream);
  return n < least ? least : n;
}

template <class T>
ASSAY_HD constexpr void exchange(T& a, T& b) {
  const T c = a;
  a = b;
  b = c;
}
/// The first n terms in any order.
template <class T>
ASSAY_HD constexpr void shuffle(Stream& stream, T* x, int n) {
  for (int i = n; i > 1; --i) exchange(x[i - 1], x[stream.below(static_cast<std::uint32_t>(i))]);
}

/// The highest exponent at which the sum of n terms stays below 2^(emax − 4).
template <class T>
ASSAY_HD constexpr int highest_exponent(int n) {
  return FloatTraits<T>::emax - 5 - bits::bit_length(static_cast<std::uint32_t>(n));
}

/// log₂ of the largest condition numbers that are drawn.
template <class T>
inline constexpr int hardest_condition = FloatTraits<T>::precision > 24 ? 400 : 90;

/// The exponent of the i-th of n terms, the second half of which cancels the first: any of 0 … b, then falling from b.
ASSAY_HD constexpr int conditioned_exponent(Stream& stream, int i, int n, int b) {
  if (i >= n / 2) return b - (i - n / 2) * b / (n - n / 2);
  const int any = stream.between(0, b);
  return i == 0 ? b : any;
}

}  // namespace assay::probes::sum
