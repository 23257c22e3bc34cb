#pragma once

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"

namespace assay {

/// The front of an exact sum: N words, to which a term is added by TwoSum, word after word; the remainder after the
/// last word is added to a superaccumulator, exactly. Words and superaccumulator together are the exact sum of any
/// finite terms:
/// numbers of 2⁹⁷⁰ or more, products whose TwoProd might be inexact or overflow, and zeros for their sign, go to the
/// superaccumulator at once. Requires: fewer than 2⁴⁰ terms (not checked), so that no word overflows. `Exact` is a
/// Superaccumulator, or has its add(double) and add_product(double, double). Collange, Defour, Graillat, Iakymchuk,
/// Parallel Computing 49, 2015 (FPE with early exit; N = 3, 4, 6, 8). 6 operations a word that the term reaches.
template <int N>
struct AccumulatingExpansion {
  static_assert(N >= 1);
  double x[N];

  /// The empty sum. A word is −0 until a term is added to it.
  [[nodiscard]] ASSAY_HD static constexpr AccumulatingExpansion empty() {
    AccumulatingExpansion z{};
    for (double& word : z.x) {
      word = -0.0;
    }
    return z;
  }

  /// Adds v; stops at the first word that leaves no error.
  template <class Exact>
  ASSAY_HD constexpr void add(double v, Exact& exact) {
    if (!(abs(v) < most) || v == 0) {
      exact.add(v);
      return;
    }
    take_in(0, v, exact);
  }

  /// Adds a·b as the two numbers of TwoProd, the error from word 1 on, or as an exact product of significands if
  /// |RN(ab)| is not within [2⁻⁹⁶⁸, 2⁹⁷⁰).
  template <class Exact>
  ASSAY_HD constexpr void add_product(double a, double b, Exact& exact) {
    const Product<double> z = two_prod(a, b);
    if (!(abs(z.p) < most && abs(z.p) >= least_product)) {
      exact.add_product(a, b);
      return;
    }
    take_in(0, z.p, exact);
    if (z.e != 0) {
      take_in(N > 1 ? 1 : 0, z.e, exact);
    }
  }

  /// Moves the words into `exact`.
  template <class Exact>
  ASSAY_HD constexpr void flush(Exact& exact) {
    for (double& word : x) {
      if (to_bits(word) != to_bits(-0.0)) {
        exact.add(word);
        word = -0.0;
      }
    }
  }

 private:
  static constexpr double most = bits::power_of_two<double>(970);
  static constexpr double least_product = bits::power_of_two<double>(-968);

  template <class Exact>
  ASSAY_HD constexpr void take_in(int first, double v, Exact& exact) {
    ASSAY_UNROLL(N)
    for (int i = 0; i < N; ++i) {
      if (i < first) {
        continue;
      }
      const Sum<double> z = two_sum(x[i], v);
      x[i] = z.s;
      v = z.e;
      if (v == 0) {
        return;
      }
    }
    exact.add(v);
  }
};

}  // namespace assay
