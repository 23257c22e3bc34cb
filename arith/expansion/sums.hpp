#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/expansion/distillation.hpp"
#include "arith/float/ulp.hpp"
#include "arith/words/double_word.hpp"

namespace assay {

/// Expansion arithmetic: here conversions, comparison and sums; products, quotients and roots are in
/// arith/expansion/expansion.hpp. Sources: JMMP as in arith/expansion/distillation.hpp; JMP2014: Joldes, Muller,
/// Popescu, "On the computation of the reciprocal of floating point expansions using an adapted Newton-Raphson
/// iteration", ASAP 2014; the bounds that are not published are in docs/bounds/expansion.md.
///
/// Operands are ulp-nonoverlapping expansions with zeros last, of any lengths K and L; R is the number of words of the
/// result. Requires throughout: rounding to nearest with ties to even; no overflow; for products, quotients and roots
/// no underflow of a partial product (none of this is checked). In exact arithmetic a zero operand gives the right
/// result; a divisor must not be 0. u = 2⁻ᵖ, β = 2u.
namespace expansion {

/// The expansion x + 0 + … + 0.
template <int K, class T>
ASSAY_HD constexpr Expansion<T, K> from(T x) {
  Expansion<T, K> z{};
  z.x[0] = x;
  return z;
}

namespace detail {

/// m·2^e, exactly. Requires: 0 < m < 2^p, and a result in the normal range (not checked).
template <class T>
ASSAY_HD constexpr T scaled(std::uint64_t m, int e) {
  using F = FloatTraits<T>;
  int shift = 0;
  while ((m << shift & std::uint64_t{1} << (F::precision - 1)) == 0) {
    ++shift;
  }
  const auto fraction = static_cast<BitsOf<T>>((m << shift) & ((std::uint64_t{1} << (F::precision - 1)) - 1));
  const auto field = static_cast<BitsOf<T>>(e - shift + F::precision - F::emin);
  return from_bits<T>(static_cast<BitsOf<T>>(field << (F::precision - 1) | fraction));
}

/// ±m in K words, each the next p bits from the first one on.
template <int K, class T>
ASSAY_HD constexpr Expansion<T, K> integer(bits::SignedMagnitude n) {
  constexpr int p = FloatTraits<T>::precision;
  auto [m, minus] = n;
  Expansion<T, K> z{};
  for (int i = 0; i < K; ++i) {
    if (m != 0) {
      int e = 0;
      while (m >> e >= std::uint64_t{1} << p) {
        ++e;
      }
      const T word = scaled<T>(m >> e, e);
      z.x[i] = minus ? -word : word;
      m &= (std::uint64_t{1} << e) - 1;
    }
  }
  return z;
}

}  // namespace detail

/// n, exactly if K·p ≥ 64, otherwise the first K words of it: each takes p bits from the first set bit on, so that the
/// words are Shewchuk-nonoverlapping and of one sign. Requires: p ≤ 63, emax ≥ 63. Integer operations only.
template <class T, int K>
ASSAY_HD constexpr Expansion<T, K> from_integer(std::uint64_t n) {
  return detail::integer<K, T>({n, false});
}
template <class T, int K>
ASSAY_HD constexpr Expansion<T, K> from_integer(std::int64_t n) {
  return detail::integer<K, T>(bits::signed_magnitude(n));
}

namespace detail {

/// The sign of the first nonzero word from `first` on: −1, 0 or 1.
template <class T, int N>
ASSAY_HD constexpr int sign_from(int first, const T (&x)[N]) {
  for (int i = first; i < N; ++i) {
    if (x[i] != T(0)) {
      return signbit(x[i]) ? -1 : 1;
    }
  }
  return 0;
}

}  // namespace detail

/// The sum of x as an integer, rounded toward zero; outside −2⁶³ … 2⁶³ − 1 the nearer of the two, and 0 for NaN.
/// Exact: VecSum makes the words Shewchuk-nonoverlapping, so that the first word with a fraction decides on the
/// integer: what follows is less than its distance from the integers next to it. 6(K − 1) operations, comparisons, and
/// integer operations.
template <class T, int K>
ASSAY_HD constexpr std::int64_t to_int64(const Expansion<T, K>& x) {
  Expansion<T, K> e = x;
  vec_sum(e.x);
  const T top = e.x[0];
  if (is_nan(top) || top == T(0)) {
    return 0;
  }
  const bool minus = signbit(top);
  const int rest = detail::sign_from(1, e.x);
  const int high = exponent(top);
  const bool least = bits::fraction_bits(top) == 0;  // of the numbers of its binade
  const bool inward = least && rest == (minus ? 1 : -1);
  if (high > 63 || (high == 63 && !inward)) {
    return minus ? INT64_MIN : INT64_MAX;
  }
  std::uint64_t floor = 0;  // modulo 2⁶⁴
  bool fraction = false;
  for (int i = 0; i < K && !fraction; ++i) {
    const T word = e.x[i];
    if (word == T(0)) {
      continue;
    }
    const auto [m, shift, negative] = bits::significand(word);
    const std::uint64_t whole = shift >= 0 ? m << shift : shift > -64 ? m >> -shift : 0;
    fraction = shift < 0 && (shift <= -64 || (m & ((std::uint64_t{1} << -shift) - 1)) != 0);
    floor += negative ? 0 - whole - (fraction ? 1 : 0) : whole;
  }
  return static_cast<std::int64_t>(floor + (fraction && minus ? 1 : 0));
}

/// x of a wider format in K words, each the nearest number to the remainder after the words before it:
/// Bailey-nonoverlapping, exactly x if K words hold it (three of binary32 hold a binary64 number). Requires: no
/// overflow, no underflow (not checked). 2K conversions and K subtractions, which are exact.
template <class T, int K, class U>
ASSAY_HD constexpr Expansion<T, K> from_wider(U x) {
  Expansion<T, K> z{};
  for (int i = 0; i < K; ++i) {
    z.x[i] = static_cast<T>(x);
    x = x - static_cast<U>(z.x[i]);
  }
  return z;
}

/// The sum of x in L words of a wider format U: its words, exactly, renormalized.
/// K conversions and `renormalize` of K words to L.
template <class U, int L, class T, int K>
ASSAY_HD constexpr Expansion<U, L> to_wider(const Expansion<T, K>& x) {
  U words[K];
  for (int i = 0; i < K; ++i) {
    words[i] = static_cast<U>(x.x[i]);
  }
  return renormalize<L>(words);
}

/// RN(Σ x_i), ties to even.
/// VecSum gives e_0 = RN(x_0 + RN(…)), which is the nearest number unless e_0 + e_1 is a tie that the later words
/// break the other way: there e_0 + 2e_1 is a number. 6(K − 1) + 3 operations, and the search for a nonzero word.
template <class T, int K>
ASSAY_HD constexpr T nearest(const Expansion<T, K>& x) {
  if constexpr (K == 1) {
    return x.x[0];
  } else if constexpr (K == 2) {
    return x.x[0] + x.x[1];
  } else {
    Expansion<T, K> e = x;
    vec_sum(e.x);
    const T twice = e.x[1] + e.x[1];
    const T next = e.x[0] + twice;
    const int side = e.x[1] < T(0) ? -1 : 1;
    const bool broken_outward = detail::sign_from(2, e.x) == side;
    return broken_outward && next - e.x[0] == twice ? next : e.x[0];
  }
}

/// The sign of Σ a_i − Σ b_i: −1, 0 or 1, exactly.
/// The words of a and −b by decreasing magnitude, VecSum and VecSumErrBranch without rounding: the first word that
/// comes out has the sign of the sum, or is 0 with it. The operations of
/// `merge`, 13(K + L) − 14 and at most two comparisons.
template <class T, int K, int L>
ASSAY_HD constexpr int compare(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  T x[K + L];
  merge(a, negate(b), x);
  vec_sum(x);
  T f[1];
  vec_sum_err_branch(x, f);
  return f[0] < T(0) ? -1 : f[0] > T(0) ? 1 : 0;
}

/// z ≈ a + b, relative error < 4.5·2^(−(p−1)R), exact if R words hold the sum; the structure of `renormalize`. JMMP,
/// Algorithm 8. The operations of `merge`, plus those of `renormalize` of K + L words to R.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> certified_add(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  T x[K + L];
  merge(a, b, x);
  return renormalize<R>(x);
}

namespace detail {

/// f(a, b) of two double words, as an expansion.
template <auto f, class T>
ASSAY_HD constexpr Expansion<T, 2> by_double_words(const Expansion<T, 2>& a, const Expansion<T, 2>& b) {
  const DoubleWord<T> z = f(DoubleWord<T>{a.x[0], a.x[1]}, DoubleWord<T>{b.x[0], b.x[1]});
  return {{z.h, z.l}};
}

/// VecSum and VecSumErrBranch without the later passes: exact for any words.
template <int R, class T>
ASSAY_HD constexpr Expansion<T, R> swept(T (&w)[R]) {
  vec_sum(w);
  Expansion<T, R> z{};
  vec_sum_err_branch(w, z.x);
  return z;
}

/// w[l] = RN(… (a_l + b_l) + the remainders of the level before), with TwoSum and the errors passed to level l + 1; the
/// last level with plain additions. `count`: the remaining words of the level before.
template <int l, int count, int R, class T, int K, int L>
ASSAY_HD constexpr void add_levels(const Expansion<T, K>& a, const Expansion<T, L>& b, T (&w)[R], T (&carry)[R]) {
  T s = l < K ? a.x[l < K ? l : 0] : T(0);
  if constexpr (l < R - 1) {
    ASSAY_UNROLL(unrolled<T>(count))
    for (int k = 0; k < count; ++k) {
      const Sum<T> z = two_sum(s, carry[k]);
      s = z.s;
      carry[k] = z.e;
    }
    if constexpr (l < L) {
      const Sum<T> z = two_sum(s, b.x[l]);
      s = z.s;
      carry[count] = z.e;
    }
    w[l] = s;
    add_levels<l + 1, count + (l < L ? 1 : 0)>(a, b, w, carry);
  } else {
    ASSAY_UNROLL(unrolled<T>(count))
    for (int k = 0; k < count; ++k) {
      s = s + carry[k];
    }
    w[l] = l < L ? s + b.x[l < L ? l : 0] : s;
  }
}

/// The words of the quick sum before they are made nonoverlapping.
template <class T, int K, int L, int R>
ASSAY_HD constexpr void added_words(const Expansion<T, K>& a, const Expansion<T, L>& b, T (&w)[R]) {
  T carry[R];
  add_levels<0, 0>(a, b, w, carry);
}

/// Two words of two words by an operation on double words; other lengths by words(a, b, w), made nonoverlapping.
template <int R, auto of_double_words, auto words, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> by_words(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  if constexpr (R == 2 && K == 2 && L == 2) {
    return by_double_words<of_double_words>(a, b);
  } else {
    T w[R];
    words(a, b, w);
    return swept(w);
  }
}

}  // namespace detail

/// z ≈ a + b, |error| ≤ 8·R!·u^R(|a_0| + |b_0|) for K, L ≤ R and p ≥ 11, and 2^(R+1)u^R(|a_0| + |b_0|) more for longer
/// operands. No relative bound holds: under cancellation only the error may remain. Words of equal index are added by
/// TwoSum, with the errors of the index before; VecSum and VecSumErrBranch at the end lose nothing. In the manner of
/// Hida, Li, Bailey, "Algorithms for quad-double precision floating point arithmetic", ARITH-15, 2001; the bound:
/// docs/bounds/expansion.md. For K = L = R ≥ 3: 3R(R − 1) + R + 13R − 14 operations; for two words `dw::sloppy_add`,
/// 11.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> quick_add(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  return detail::by_words<R, dw::sloppy_add<T>, detail::added_words<T, K, L, R>>(a, b);
}

}  // namespace expansion
}  // namespace assay
