#pragma once

#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"

namespace assay {

/// A floating-point expansion: the unevaluated sum x[0] + … + x[K − 1], words by decreasing magnitude, zeros last.
template <class T, int K>
struct Expansion {
  static_assert(K >= 1, "an expansion has a word");
  T x[K];
};

/// Distillation: sums of words made nonoverlapping. Sources:
/// JMMP: Joldes, Marty, Muller, Popescu, "Arithmetic algorithms for extended precision using floating-point
/// expansions", IEEE TC 65(4), 2016. BJMP: Boldo, Joldes, Muller, Popescu, "Formal verification of a floating-point
/// expansion renormalization algorithm", ITP 2017.
///
/// u = 2⁻ᵖ, ulp(x) = 2^(⌊log₂|x|⌋ − p + 1), uls(x) the weight of the lowest set bit of x. Nonzero words x_i, x_(i+1),
/// skipping zeros between them, are ulp-nonoverlapping if |x_(i+1)| ≤ ulp(x_i), Priest-nonoverlapping if < ulp(x_i),
/// Shewchuk-nonoverlapping if < uls(x_i), Bailey-nonoverlapping if ≤ ulp(x_i)/2; they overlap by d bits if their
/// exponents differ by p − d. Requires throughout: rounding to nearest with ties to even; nothing overflows (not
/// checked). Sums tolerate gradual underflow. Counts are of operations in T, comparisons included.
namespace expansion {

namespace detail {

/// How far nvcc unrolls a loop of n steps: entirely up to 32; not at all beyond, or if T is a software type.
template <class T>
ASSAY_HD constexpr int unrolled(int n) {
  return n <= 32 && n > 1 && FloatTraits<T>::precision >= 24 ? n : 1;
}

}  // namespace detail

/// The same sum, from the last word to the first: x[0] = RN(… RN(x[N−2] + x[N−1]) …), x[i] the error of the step at i
/// − 1. Exact for any words. Words that overlap by at most p − 1 bits, zeros allowed anywhere, become
/// Shewchuk-nonoverlapping (N ≤ 12 in binary32, N ≤ 39 in binary64).
/// VecSum: JMMP, Algorithm 4; BJMP, Theorem 1. 6(N − 1) operations, no branch.
template <class T, int N>
ASSAY_HD constexpr void vec_sum(T (&x)[N]) {
  ASSAY_UNROLL(detail::unrolled<T>(N - 1))
  for (int i = N - 1; i > 0; --i) {
    const Sum<T> z = two_sum(x[i - 1], x[i]);
    x[i - 1] = z.s;
    x[i] = z.e;
  }
}

namespace detail {

/// f[j] = x for a j ≤ most that is known only at run time; nothing for j ≥ M. Written as a choice for every word, so
/// that f stays in registers.
template <class T, int M>
ASSAY_HD constexpr void put(T x, int j, int most, T (&f)[M]) {
  ASSAY_UNROLL(unrolled<T>(M))
  for (int k = 0; k < M; ++k) {
    if (k <= most) {
      f[k] = k == j ? x : f[k];
    }
  }
}

}  // namespace detail

/// f: the same sum from the first word to the last, an output word for each nonzero error, then zeros, cut off after M
/// words; exact if there are at most M output words. Shewchuk-nonoverlapping words e become ulp-nonoverlapping. The
/// last TwoSum puts out both its words: without the second the error of the last step would be lost. VecSumErrBranch:
/// JMMP, Algorithm 6. 7(N − 2) + 6 operations for N ≥ 2, N − 1 TwoSums and N − 2 tests for 0; the published count 7(N −
/// 2) + 1 has N − 2 TwoSums and N − 1 tests: it leaves the last TwoSum out and tests once more. No branch: the output
/// index depends on the data, the number of steps does not.
template <int M, class T, int N>
ASSAY_HD constexpr void vec_sum_err_branch(const T (&e)[N], T (&f)[M]) {
  ASSAY_UNROLL(detail::unrolled<T>(M))
  for (int i = 0; i < M; ++i) {
    f[i] = T(0);
  }
  int j = 0;
  T eps = e[0];
  ASSAY_UNROLL(detail::unrolled<T>(N - 2))
  for (int i = 0; i < N - 2; ++i) {
    const Sum<T> z = two_sum(eps, e[i + 1]);
    const bool inexact = z.e != T(0);
    detail::put(z.s, j, i, f);
    j += inexact ? 1 : 0;
    eps = inexact ? z.e : z.s;
  }
  if constexpr (N > 1) {
    const Sum<T> z = two_sum(eps, e[N - 1]);
    detail::put(z.s, j, N - 2, f);
    detail::put(z.e, j + 1, N - 1, f);
  } else {
    f[0] = eps;
  }
}

/// The same sum of words first … N − 1, from the first to the last: f[i] = RN(ρ + f[i+1]), ρ the error of the step.
/// Requires: f ulp-nonoverlapping, zeros last (not checked); then FastTwoSum is exact: ρ starts as f[first], of which
/// f[first+1] is at most an ulp, and is later 0 or the error of a sum in which f[i] took part, hence a multiple of
/// ulp(f[i]) ≥ |f[i+1]|. |f[first+1]| ≤ (1/2 + 4u)ulp(f[first]) afterwards, the others stay ulp-nonoverlapping, and a
/// zero moves one place on. VecSumErr: JMMP, Algorithm 7. 3(N − 1 − first) operations, no branch.
template <int first = 0, class T, int N>
ASSAY_HD constexpr void vec_sum_err(T (&f)[N]) {
  if constexpr (first < N - 1) {
    T rho = f[first];
    ASSAY_UNROLL(detail::unrolled<T>(N - 1 - first))
    for (int i = first; i < N - 1; ++i) {
      const Sum<T> z = fast_two_sum(rho, f[i + 1]);
      f[i] = z.s;
      rho = z.e;
    }
    f[N - 1] = rho;
  }
}

namespace detail {

/// vec_sum_err on words j … N − 1 for each j from `first` to `last`.
template <int first, int last, class T, int N>
ASSAY_HD constexpr void vec_sum_err_passes(T (&f)[N]) {
  if constexpr (first <= last) {
    vec_sum_err<first>(f);
    vec_sum_err_passes<first + 1, last>(f);
  }
}

/// The first M of N words.
template <int M, class T, int N>
ASSAY_HD constexpr Expansion<T, M> first_words(const T (&x)[N]) {
  Expansion<T, M> z{};
  ASSAY_UNROLL(unrolled<T>(M))
  for (int i = 0; i < M; ++i) {
    z.x[i] = i < N ? x[i < N ? i : 0] : T(0);
  }
  return z;
}

}  // namespace detail

/// The first M words of a nonoverlapping expansion of Σ x_i: |z_(i+1)| ≤ (1/2 + 4u + u)ulp(z_i), zeros last, exact if M
/// words hold the sum. Requires: words overlap by at most p − 2 bits; among them may be pairs that overlap by p (not
/// checked). Zeros of either sign may occur anywhere; for N ≥ 2 zero words of the result are +0. JMMP, Algorithm 5 and
/// Theorem 4; BJMP. VecSum, VecSumErrBranch keeping M + 1 words, VecSumErr on words j … M for j = 0 … M − 2: 13N +
/// (3/2)M² + (3/2)M − 17 operations for N, M ≥ 2, which are the published 13N + (3/2)M² + (3/2)M − 22 with the last
/// TwoSum of VecSumErrBranch instead of one more test.
template <int M, class T, int N>
ASSAY_HD constexpr Expansion<T, M> renormalize(const T (&x)[N]) {
  T e[N];
  ASSAY_UNROLL(detail::unrolled<T>(N))
  for (int i = 0; i < N; ++i) {
    e[i] = x[i];
  }
  vec_sum(e);
  T f[M + 1];
  vec_sum_err_branch<M + 1>(e, f);
  detail::vec_sum_err_passes<0, M - 2>(f);
  return detail::first_words<M>(f);
}

/// The first M words of a Priest-nonoverlapping expansion of Σ x_i, zeros last, exact if M words hold the sum.
/// Requires: words overlap by at most p − 2 bits (not checked).
/// Three sweeps of TwoSum as in Priest, "Algorithms for arbitrary precision floating point arithmetic", ARITH-10, 1991:
/// upward, upward with a test that drops zeros, downward with a test that drops zeros. 20(N − 1) operations in the
/// worst case: 6(N − 1) + 7(N − 1) + 7(N − 1); every zero that the second sweep drops saves 7.
template <int M, class T, int N>
ASSAY_HD constexpr Expansion<T, M> priest_renormalize(const T (&x)[N]) {
  T e[N];
  for (int i = 0; i < N; ++i) {
    e[i] = x[i];
  }
  vec_sum(e);
  T up = e[N - 1];
  int top = N;  // e[top] … e[N − 1] are the words put out, the last of them first
  for (int i = N - 2; i >= 0; --i) {
    const Sum<T> z = two_sum(e[i], up);
    if (z.e != T(0)) {
      e[--top] = z.e;
    }
    up = z.s;
  }
  T f[N > M ? N : M];
  for (T& each : f) {
    each = T(0);
  }
  int j = 0;
  T eps = up;
  for (int i = top; i < N; ++i) {
    const Sum<T> z = two_sum(eps, e[i]);
    const bool inexact = z.e != T(0);
    f[j] = z.s;
    j += inexact ? 1 : 0;
    eps = inexact ? z.e : z.s;
  }
  f[j] = eps;
  Expansion<T, M> result{};
  for (int i = 0; i < M; ++i) {
    result.x[i] = f[i];
  }
  return result;
}

/// The first M words of x, then zeros where M > K: x truncated, not rounded. No operation.
template <int M, class T, int K>
ASSAY_HD constexpr Expansion<T, M> truncate(const Expansion<T, K>& x) {
  return detail::first_words<M>(x.x);
}

/// −x, exactly; a zero word keeps its value. K sign changes.
template <class T, int K>
ASSAY_HD constexpr Expansion<T, K> negate(const Expansion<T, K>& x) {
  Expansion<T, K> z{};
  ASSAY_UNROLL(detail::unrolled<T>(K))
  for (int i = 0; i < K; ++i) {
    z.x[i] = -x.x[i];
  }
  return z;
}

namespace detail {

/// Exchanges a and b if |a| < |b|. 1 operation.
template <class T>
ASSAY_HD constexpr void order(T& a, T& b) {
  const T first = a;
  const T second = b;
  const bool exchange = abs(first) < abs(second);
  a = exchange ? second : first;
  b = exchange ? first : second;
}

/// The rounds of the odd-even merge of two halves that compare words `distance`, distance/2, …, 1 apart.
template <int distance, class T, int N>
ASSAY_HD constexpr void merge_rounds(T (&x)[N]) {
  if constexpr (distance > 0) {
    ASSAY_UNROLL(unrolled<T>(N))
    for (int i = distance; i < N - distance; ++i) {
      if (i / distance % 2 == 1) {
        order(x[i], x[i + distance]);
      }
    }
    merge_rounds<distance / 2>(x);
  }
}

/// The smallest power of two that is not below n.
ASSAY_HD constexpr int power_at_least(int n) { return n <= 1 ? 1 : 2 * power_at_least((n + 1) / 2); }

}  // namespace detail

/// out: the words of a and b by decreasing magnitude; words of equal magnitude in no particular order.
/// Requires: the words of a and of b by decreasing magnitude, zeros last (not checked). If a word is infinite or NaN,
/// so is one of `out`. Batcher's odd-even merge, "Sorting networks and their applications", AFIPS 1968: every index is
/// known when compiled. For K = L = 2^s: s2^s + 1 comparisons; otherwise as for the next power of two.
template <class T, int K, int L>
ASSAY_HD constexpr void merge(const Expansion<T, K>& a, const Expansion<T, L>& b, T (&out)[K + L]) {
  constexpr int half = detail::power_at_least(K > L ? K : L);
  T x[2 * half];
  ASSAY_UNROLL(detail::unrolled<T>(half))
  for (int i = 0; i < half; ++i) {
    x[i] = i < K ? a.x[i < K ? i : 0] : T(0);
    x[half + i] = i < L ? b.x[i < L ? i : 0] : T(0);
  }
  ASSAY_UNROLL(detail::unrolled<T>(half))
  for (int i = 0; i < half; ++i) {
    detail::order(x[i], x[half + i]);
    if constexpr (2 * half > K + L) {  // zeros are left out below, and no NaN, which no comparison moves
      x[i] = is_nan(x[half + i]) ? x[half + i] : x[i];
    }
  }
  detail::merge_rounds<half / 2>(x);
  ASSAY_UNROLL(detail::unrolled<T>(K + L))
  for (int i = 0; i < K + L; ++i) {
    out[i] = x[i];
  }
}

}  // namespace expansion
}  // namespace assay
