#pragma once

#include "arith/expansion/expansion.hpp"
#include "arith/float/ulp.hpp"

/// The truncated product of expansions as published, for any numbers of words. JMMP: Joldes, Marty, Muller, Popescu,
/// "Arithmetic algorithms for extended precision using floating-point expansions", IEEE TC 65(4), 2016, the algorithm
/// of the product with its Accumulate; CAMPARY has it as truncatedMul.
namespace assay::expansion {

namespace detail {

/// Bin i takes multiples of 2^(e − (i + 1)·bin_bits), e the sum of the exponents of the leading words: 45 bits apart in
/// binary64, as published.
template <class T>
inline constexpr int bin_bits = FloatTraits<T>::precision - 8;

/// The bins of a product of R words. CAMPARY has ⌊Rp/bin_bits⌋ + 2, which leaves out more of the last products.
template <class T>
ASSAY_HD constexpr int bins_of(int R) {
  return (R * FloatTraits<T>::precision + bin_bits<T> - 1) / bin_bits<T> + 2;
}

/// The products a_i·b_j with i + j ≤ R, of K words by L.
ASSAY_HD constexpr int binned_products(int R, int K, int L) {
  int count = 0;
  for (int l = 0; l <= R; ++l) count += products(l, K, L);
  return count;
}

/// Adds t to a bin and returns the part that the bin does not hold; a part beyond the last bin is dropped. FastTwoSum
/// is exact, for no summand exceeds the anchor of its bin.
template <class T, int N>
ASSAY_HD constexpr T put_in_bin(T t, int at, T (&bins)[N]) {
  if (at >= N) return T(0);
  const Sum<T> z = fast_two_sum(bins[at], t);
  bins[at] = z.s;
  return z.e;
}

/// Adds t, which is a multiple of the bin's unit.
template <class T, int N>
ASSAY_HD constexpr void add_to_bin(T t, int at, T (&bins)[N]) {
  if (at < N) bins[at] = bins[at] + t;
}

/// Adds a product p and its error e to the bins from `at` on; `below`: how many places the product lies below the top
/// of bin `at`, 0 ≤ below < bin_bits. Accumulate: JMMP.
template <class T, int N>
ASSAY_HD constexpr void accumulate(Product<T> c, int at, int below, T (&bins)[N]) {
  constexpr int b = bin_bits<T>;
  constexpr int rest = FloatTraits<T>::precision - b - 1;
  const T p = put_in_bin(c.p, at, bins);
  if (below < b - rest) {
    add_to_bin(p, at + 1, bins);
    const T e = put_in_bin(c.e, at + 1, bins);
    if (below < b - 2 * rest - 1) {
      add_to_bin(e, at + 2, bins);
    } else {
      add_to_bin(put_in_bin(e, at + 2, bins), at + 3, bins);
    }
  } else {
    add_to_bin(put_in_bin(p, at + 1, bins), at + 2, bins);
    add_to_bin(put_in_bin(c.e, at + 2, bins), at + 3, bins);
  }
}

}  // namespace detail

/// z ≈ a·b in R words, relative error ≤ 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ + 2^(−p+2)(K + L − R − 2)) for K + L ≥ R + 2; the
/// structure of `renormalize`. The a_i·b_j with i + j < R by TwoProd, those with i + j = R rounded, added to bins whose
/// units are fixed by the leading exponents; then the bins are renormalized. docs/bounds/expansion.md has a closer
/// bound. Requires: at most 12 products, p ≥ 24; the exponents of expansion.binned_mul.1 (not checked). The places of
/// the bins depend on the operands. At most 18 operations and 4 comparisons a product, and `renormalize` of the bins.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> binned_mul(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  static_assert(FloatTraits<T>::precision >= 24 && detail::binned_products(R, K, L) <= 12,
                "the bins have room for 12 products");
  constexpr int count = detail::bins_of<T>(R);
  constexpr int width = detail::bin_bits<T>;
  if (a.x[0] == T(0) || b.x[0] == T(0)) return from<R>(T(0));
  const int top = exponent(a.x[0]) + exponent(b.x[0]);
  T anchors[count];
  T bins[count];
  for (int i = 0; i < count; ++i) {
    anchors[i] = detail::anchor<T>(top - (i + 1) * width + FloatTraits<T>::precision - 1);
    bins[i] = anchors[i];
  }
  for (int i = 0; i < K && i <= R; ++i) {
    for (int j = 0; j < L && i + j <= R; ++j) {
      if (a.x[i] == T(0) || b.x[j] == T(0)) continue;
      const int below = top - exponent(a.x[i]) - exponent(b.x[j]);
      const Product<T> c = i + j < R ? two_prod(a.x[i], b.x[j]) : Product<T>{a.x[i] * b.x[j], T(0)};
      detail::accumulate(c, below / width, below % width, bins);
    }
  }
  for (int i = 0; i < count; ++i) bins[i] = bins[i] - anchors[i];
  return renormalize<R>(bins);
}

}  // namespace assay::expansion
