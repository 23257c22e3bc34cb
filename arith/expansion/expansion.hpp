#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/expansion/distillation.hpp"
#include "arith/float/ulp.hpp"
#include "arith/words/double_word.hpp"

namespace assay {

/// Expansion arithmetic. Sources: JMMP as in arith/expansion/distillation.hpp; JMP2014: Joldes, Muller, Popescu, "On
/// the computation of the reciprocal of floating point expansions using an adapted Newton-Raphson iteration", ASAP
/// 2014; the bounds that are not published stand in docs/bounds/expansion.md.
///
/// Operands are ulp-nonoverlapping expansions with zeros last, of any lengths K and L; R is the number of words of the
/// result. Requires throughout: rounding to nearest with ties to even; no overflow; for products, quotients and roots
/// no underflow of a partial product (none of this is checked). In exact arithmetic a zero operand gives what it
/// should; a divisor must not be 0. u = 2⁻ᵖ, β = 2u.
namespace expansion {

/// The expansion x + 0 + … + 0.
template <int K, class T>
ASSAY_HD constexpr Expansion<T, K> from(T x) {
  Expansion<T, K> z{};
  z.x[0] = x;
  ASSAY_UNROLL(detail::unrolled<T>(K - 1))
  for (int i = 1; i < K; ++i) {
    z.x[i] = T(0);
  }
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
ASSAY_HD constexpr Expansion<T, K> integer(bool minus, std::uint64_t m) {
  constexpr int p = FloatTraits<T>::precision;
  Expansion<T, K> z{};
  for (int i = 0; i < K; ++i) {
    z.x[i] = T(0);
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
  return detail::integer<K, T>(false, n);
}
template <class T, int K>
ASSAY_HD constexpr Expansion<T, K> from_integer(std::int64_t n) {
  return detail::integer<K, T>(n < 0, n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n));
}

namespace detail {

/// The sign of the first nonzero word from `first` on: −1, 0 or 1.
template <class T, int N>
ASSAY_HD constexpr int sign_from(int first, const T (&x)[N]) {
  for (int i = first; i < N; ++i) {
    if (x[i] != T(0)) {
      return x[i] < T(0) ? -1 : 1;
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

/// x of a wider format in K words, each the nearest number to what the words before leave: Bailey-nonoverlapping,
/// exactly x if K words hold it (three of binary32 hold a binary64 number). Requires: no overflow, no underflow (not
/// checked). 2K conversions and K subtractions, which are exact.
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
/// VecSum gives e_0 = RN(x_0 + RN(…)), which is the nearest number unless e_0 + e_1 is a tie that the words behind
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

/// z ≈ a + b, relative error < 4.5·2^(−(p−1)R), exact where R words hold the sum; the structure of `renormalize`.
/// JMMP, Algorithm 8. The operations of `merge` and those of `renormalize` of K + L words to R.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> certified_add(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  T x[K + L];
  merge(a, b, x);
  return renormalize<R>(x);
}

namespace detail {

/// VecSum and VecSumErrBranch without the passes behind: exact for any words.
template <int R, class T>
ASSAY_HD constexpr Expansion<T, R> swept(T (&w)[R]) {
  vec_sum(w);
  Expansion<T, R> z{};
  vec_sum_err_branch(w, z.x);
  return z;
}

/// w[l] = RN(… (a_l + b_l) + what the level before left), with TwoSum and the errors left for level l + 1; the last
/// level with plain additions. `count`: the words left by the level before.
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

}  // namespace detail

/// z ≈ a + b, |error| ≤ 8·R!·u^R(|a_0| + |b_0|) for K, L ≤ R and p ≥ 11, and 2^(R+1)u^R(|a_0| + |b_0|) more for longer
/// operands. There is no relative bound: under cancellation the error may be all that is left.
/// Words of equal index are added by TwoSum, with the errors of the index before; VecSum and VecSumErrBranch at the end
/// lose nothing. In the manner of Hida, Li, Bailey, "Algorithms for quad-double precision floating point arithmetic",
/// ARITH-15, 2001; the bound: docs/bounds/expansion.md. For K = L = R ≥ 3: 3R(R − 1) + R + 13R − 14 operations; for two
/// words `dw::sloppy_add`, 11.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> quick_add(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  if constexpr (R == 2 && K == 2 && L == 2) {
    const DoubleWord<T> z = dw::sloppy_add(DoubleWord<T>{a.x[0], a.x[1]}, DoubleWord<T>{b.x[0], b.x[1]});
    return {{z.h, z.l}};
  } else {
    T w[R];
    T carry[R];
    detail::add_levels<0, 0>(a, b, w, carry);
    return detail::swept(w);
  }
}

namespace detail {

/// The products a_i·b_j with i + j = l, of K words by L.
ASSAY_HD constexpr int products(int l, int k, int n) {
  const int low = l < n ? 0 : l - n + 1;
  const int high = l < k ? l : k - 1;
  return high < low ? 0 : high - low + 1;
}

/// How far nvcc unrolls a loop over n products: entirely up to 8, not at all beyond.
template <class T>
ASSAY_HD constexpr int unrolled_products(int n) {
  return n <= 8 ? unrolled<T>(n) : 1;
}

ASSAY_HD constexpr int ceil_log2(int n) { return n <= 1 ? 0 : 1 + ceil_log2((n + 1) / 2); }

/// Level l of the certified product of K words by L: its summands, and g with their sum ≤ 2^(g−1)·β^l·ufp(RN(a_0·b_0)).
/// The derivation: docs/bounds/expansion.md.
struct Level {
  int carries;
  int products;
  int g;
};
ASSAY_HD constexpr Level certified_level(int l, int r, int k, int n) {
  Level level{1, products(1, k, n), 4};
  for (int i = 2; i <= l; ++i) {
    const int summands = level.carries + level.products;
    const int now = i <= r ? products(i, k, n) : 0;
    const int rest = level.g > 20 ? 1 : ((2 * now + level.products) >> (level.g - 1)) + 1;
    level = {summands + (i - 1 < r ? level.products : 0), now, level.g + ceil_log2(summands + rest + 1)};
  }
  return level;
}

/// The last level of the certified product: the first one from R on at which plain additions err by at most u^R/4.
ASSAY_HD constexpr int last_level(int p, int r, int k, int n) {
  int l = r;
  for (;;) {
    const Level level = certified_level(l, r, k, n);
    if (ceil_log2(level.carries + level.products) + level.g + 1 + l <= p * (l + 1 - r)) {
      return l;
    }
    ++l;
  }
}

/// The exponents q of the anchors (3/2)·2^q·ufp(RN(a_0·b_0)) of levels 1 … last − 1.
template <int last>
struct AnchorExponents {
  int q[last];
};
template <int last>
ASSAY_HD constexpr AnchorExponents<last> anchor_exponents(int p, int r, int k, int n) {
  AnchorExponents<last> exponents{};
  for (int l = 1; l < last; ++l) {
    exponents.q[l] = certified_level(l, r, k, n).g - (p - 1) * l;
  }
  return exponents;
}

/// (3/2)·2^q, or 0 where that is below the normal range.
template <class T>
ASSAY_HD constexpr T anchor(int q) {
  constexpr auto upper_half = static_cast<BitsOf<T>>(BitsOf<T>{1} << (FloatTraits<T>::precision - 2));
  return q < FloatTraits<T>::emin
             ? T(0)
             : from_bits<T>(static_cast<BitsOf<T>>(to_bits(bits::power_of_two<T>(q)) | upper_half));
}

/// 2^⌊log₂|x|⌋ of a normal x; 0 for 0.
template <class T>
ASSAY_HD constexpr T leading(T x) {
  return from_bits<T>(
      static_cast<BitsOf<T>>(bits::magnitude_bits(x) & static_cast<BitsOf<T>>(~bits::fraction_mask<T>)));
}

/// s[l] … s[last − 1] are the anchored words of their levels, s[last] is a plain sum: t is added to s[l], the error to
/// s[l + 1], and so on. FastTwoSum is exact, for no summand exceeds the anchor of its level.
template <int l, int last, class T>
ASSAY_HD constexpr void add_anchored(T t, T (&s)[last + 1]) {
  ASSAY_UNROLL(unrolled<T>(last - l))
  for (int k = l; k < last; ++k) {
    const Sum<T> z = fast_two_sum(s[k], t);
    s[k] = z.s;
    t = z.e;
  }
  s[last] = s[last] + t;
}

/// Adds the products of level l and of those behind it up to level R; the products of level R without their errors.
template <int l, int R, int last, class T, int K, int L>
ASSAY_HD constexpr void add_products(const Expansion<T, K>& a, const Expansion<T, L>& b, T (&s)[last + 1]) {
  constexpr int low = l < L ? 0 : l - L + 1;
  constexpr int n = products(l, K, L);
  if constexpr (l < R) {
    ASSAY_UNROLL(unrolled_products<T>(n))
    for (int i = low; i < low + n; ++i) {
      const Product<T> c = two_prod(a.x[i], b.x[l - i]);
      add_anchored<l, last>(c.p, s);
      add_anchored<l + 1, last>(c.e, s);
    }
    add_products<l + 1, R, last>(a, b, s);
  } else {
    ASSAY_UNROLL(unrolled_products<T>(n))
    for (int i = low; i < low + n; ++i) {
      if constexpr (R < last) {
        add_anchored<R, last>(a.x[i] * b.x[R - i], s);
      } else {
        s[R] = fma(a.x[i], b.x[R - i], s[R]);
      }
    }
  }
}

}  // namespace detail

/// z ≈ a·b, relative error ≤ 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ) for p ≥ 24; the structure of `renormalize`.
/// All a_i·b_j with i + j < R by TwoProd and those with i + j = R in one word, summed level by level without loss down
/// to the last level, and renormalized: the words before satisfy the requirement of `renormalize` by construction.
/// docs/bounds/expansion.md; the bound is JMMP's for the full product. For K = L = R: R(R + 1) operations of TwoProd,
/// 3(l² + 2l) + 3 for each level 1 ≤ l < R, R² + 2R − 2 for level R, and `renormalize` of R + 1 words to R. A level R +
/// 1 follows where level R has grown (binary64 from R = 8 on, binary32 from R = 4 on), then level R takes 2(R² + 2R −
/// 2) + R + 2 operations more and level R + 1 the R² + 2R − 2 plain additions; and so on.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> certified_mul(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  constexpr int last = detail::last_level(FloatTraits<T>::precision, R, K, L);
  constexpr int p = FloatTraits<T>::precision;
  const Product<T> c = two_prod(a.x[0], b.x[0]);
  constexpr auto anchors = detail::anchor_exponents<last>(p, R, K, L);
  const T scale = detail::leading(c.p);
  T s[last + 1];
  s[last] = T(0);
  ASSAY_UNROLL(detail::unrolled<T>(last))
  for (int l = 1; l < last; ++l) {
    s[l] = scale * detail::anchor<T>(anchors.q[l]);
  }
  detail::add_anchored<1, last>(c.e, s);
  detail::add_products<1, R, last>(a, b, s);
  s[0] = c.p;
  ASSAY_UNROLL(detail::unrolled<T>(last))
  for (int l = 1; l < last; ++l) {
    s[l] = s[l] - scale * detail::anchor<T>(anchors.q[l]);
  }
  return renormalize<R>(s);
}

namespace detail {

/// s[l] … s[R − 1] are the words of their levels: t is added to s[l], the error to s[l + 1], and so on by TwoSum, in
/// the last level without an error.
template <int l, class T, int R>
ASSAY_HD constexpr void add_cascade(T t, T (&s)[R]) {
  ASSAY_UNROLL(unrolled<T>(R - 1 - l))
  for (int k = l; k < R - 1; ++k) {
    const Sum<T> z = two_sum(s[k], t);
    s[k] = z.s;
    t = z.e;
  }
  s[R - 1] = s[R - 1] + t;
}

/// Adds the products of level l and of those behind it up to level R − 1; the products of level R − 1 without their
/// errors.
template <int l, class T, int K, int L, int R>
ASSAY_HD constexpr void cascade_products(const Expansion<T, K>& a, const Expansion<T, L>& b, T (&s)[R]) {
  constexpr int low = l < L ? 0 : l - L + 1;
  constexpr int n = products(l, K, L);
  if constexpr (l < R - 1) {
    ASSAY_UNROLL(unrolled_products<T>(n))
    for (int i = low; i < low + n; ++i) {
      const Product<T> c = two_prod(a.x[i], b.x[l - i]);
      add_cascade<l>(c.p, s);
      add_cascade<l + 1>(c.e, s);
    }
    cascade_products<l + 1>(a, b, s);
  } else {
    ASSAY_UNROLL(unrolled_products<T>(n))
    for (int i = low; i < low + n; ++i) {
      s[l] = fma(a.x[i], b.x[l - i], s[l]);
    }
  }
}

/// The words of the truncated product before they are made nonoverlapping.
template <class T, int K, int L, int R>
ASSAY_HD constexpr void truncated_words(const Expansion<T, K>& a, const Expansion<T, L>& b, T (&s)[R]) {
  if constexpr (R == 1) {
    s[0] = a.x[0] * b.x[0];
  } else {
    const Product<T> c = two_prod(a.x[0], b.x[0]);
    s[0] = c.p;
    s[1] = c.e;
    ASSAY_UNROLL(unrolled<T>(R - 2))
    for (int l = 2; l < R; ++l) {
      s[l] = T(0);
    }
    cascade_products<1>(a, b, s);
  }
}

}  // namespace detail

/// z ≈ a·b, relative error ≤ 18·R!(R − 1)!·u^R for R ≥ 2 and p ≥ 24.
/// The a_i·b_j with i + j < R − 1 by TwoProd, those with i + j = R − 1 without their errors, summed level by level by
/// TwoSum; the last level by FMA and plain additions; VecSum and VecSumErrBranch at the end lose nothing.
/// docs/bounds/expansion.md. For K = L = R ≥ 3: R(R − 1) operations of TwoProd, 6(l² + 2l − 1) for each level 1 ≤ l ≤ R
/// − 2, R² − 2 for the last one, 13R − 14 for the sweeps; for two words `dw::mul3`, 9.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> truncated_mul(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  if constexpr (R == 2 && K == 2 && L == 2) {
    const DoubleWord<T> z = dw::mul3(DoubleWord<T>{a.x[0], a.x[1]}, DoubleWord<T>{b.x[0], b.x[1]});
    return {{z.h, z.l}};
  } else {
    T w[R];
    detail::truncated_words(a, b, w);
    return detail::swept(w);
  }
}

/// z ≈ a·b without a bound: the words of `truncated_mul`, made nonoverlapping by FastTwoSum upward and downward, which
/// may lose bits where words cancel or a zero stands between them. For K = L = R ≥ 3: 7R − 5 operations less than
/// `truncated_mul`; for two words `dw::mul2`, 8.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> quick_mul(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  if constexpr (R == 2 && K == 2 && L == 2) {
    const DoubleWord<T> z = dw::mul2(DoubleWord<T>{a.x[0], a.x[1]}, DoubleWord<T>{b.x[0], b.x[1]});
    return {{z.h, z.l}};
  } else {
    Expansion<T, R> z{};
    detail::truncated_words(a, b, z.x);
    ASSAY_UNROLL(detail::unrolled<T>(R - 1))
    for (int i = R - 1; i > 0; --i) {
      const Sum<T> c = fast_two_sum(z.x[i - 1], z.x[i]);
      z.x[i - 1] = c.s;
      z.x[i] = c.e;
    }
    vec_sum_err<1>(z.x);
    return z;
  }
}

namespace detail {

/// The words with which a Newton iteration for R words starts its last step: twice as many are R + 1 or more (R ≥ 3),
/// so that the square of the error before is far below the last word.
ASSAY_HD constexpr int start_words(int r) { return r == 2 ? 1 : r / 2 + 1; }

/// x/2, exactly.
template <class T, int K>
ASSAY_HD constexpr Expansion<T, K> half(const Expansion<T, K>& x) {
  Expansion<T, K> z{};
  ASSAY_UNROLL(unrolled<T>(K))
  for (int i = 0; i < K; ++i) {
    z.x[i] = x.x[i] * bits::power_of_two<T>(-1);
  }
  return z;
}

/// The leading words of a that matter for R words.
template <int R, class T, int K>
ASSAY_HD constexpr auto leading_words(const Expansion<T, K>& a) {
  return truncate<(K < R ? K : R)>(a);
}

/// a·b, c − a·b in R words with a·b in P, and x + y·d, as functions that the iterations share.
template <int R, class T, int K, int L>
ASSAY_HD ASSAY_NOINLINE constexpr Expansion<T, R> product(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  return certified_mul<R>(a, b);
}
template <int R, int P, class T, int J, int K, int L>
ASSAY_HD ASSAY_NOINLINE constexpr Expansion<T, R> residual(const Expansion<T, J>& c, const Expansion<T, K>& a,
                                                           const Expansion<T, L>& b) {
  return certified_add<R>(c, negate(product<P>(a, b)));
}
template <int R, class T, int K, int L, int J>
ASSAY_HD ASSAY_NOINLINE constexpr Expansion<T, R> corrected(const Expansion<T, K>& x, const Expansion<T, L>& y,
                                                            const Expansion<T, J>& d) {
  return certified_add<R>(x, product<J>(y, d));
}

}  // namespace detail

/// z ≈ 1/a, relative error ≤ 2^(−(p−3)R−1) for p ≥ 24, JMP2014's bound (R = 2^q there).
/// Newton, x + x(1 − ax), from half the words; 1 − ax cancels its leading words exactly. Requires: a_0 ≠ 0.
/// For R ≥ 2 the operations for h = R/2 + 1 words (1 for R = 2), two certified products and two certified sums.
template <int R, class T, int K>
ASSAY_HD ASSAY_NOINLINE constexpr Expansion<T, R> reciprocal(const Expansion<T, K>& a) {
  if constexpr (R == 1) {
    return {{T(1) / a.x[0]}};
  } else {
    constexpr int start = detail::start_words(R);
    constexpr int rest = R - start + 1;
    const auto x = reciprocal<start>(detail::leading_words<start>(a));
    return detail::corrected<R>(x, x, detail::residual<rest, R>(from<1>(T(1)), a, x));
  }
}

/// z ≈ b/a, relative error ≤ 6u for R = 1 and ≤ 2^(−(p−3)R−1) for R ≥ 2 and p ≥ 24.
/// q + x(b − aq) with x ≈ 1/a and q ≈ bx in half the words (Karp, Markstein, ACM TOMS 23(4), 1997). Requires: a_0 ≠ 0.
/// For R ≥ 2 a reciprocal of h = R/2 + 1 words (1 for R = 2), three certified products and two certified sums.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> div(const Expansion<T, K>& b, const Expansion<T, L>& a) {
  if constexpr (R == 1) {
    return {{b.x[0] / a.x[0]}};
  } else {
    constexpr int start = detail::start_words(R);
    constexpr int rest = R - start + 1;
    const auto x = reciprocal<start>(detail::leading_words<start>(a));
    const auto q = detail::product<start>(detail::leading_words<start>(b), x);
    return detail::corrected<R>(q, x, detail::residual<rest, R>(b, a, q));
  }
}

/// z ≈ 1/√a, relative error ≤ 2^(−(p−3)R−1) for p ≥ 24, JMMP's bound (R = 2^q there).
/// Newton, x + (x/2)(1 − ax²), from half the words. Requires: a_0 > 0.
/// For R ≥ 2 the operations for h = R/2 + 1 words (1 for R = 2), three certified products and two certified sums.
template <int R, class T, int K>
ASSAY_HD ASSAY_NOINLINE constexpr Expansion<T, R> rsqrt(const Expansion<T, K>& a) {
  using assay::sqrt;
  if constexpr (R == 1) {
    return {{T(1) / sqrt(a.x[0])}};
  } else {
    constexpr int start = detail::start_words(R);
    constexpr int rest = R - start + 1;
    const auto x = rsqrt<start>(detail::leading_words<start>(a));
    const auto d = detail::residual<rest, R>(from<1>(T(1)), a, detail::product<R>(x, x));
    return detail::corrected<R>(x, detail::half(x), d);
  }
}

/// z ≈ √a, relative error ≤ 2^(−(p−3)R−1) for p ≥ 24; √0 = 0.
/// s + (x/2)(a − s²) with x ≈ 1/√a and s ≈ ax in half the words (Karp, Markstein, ACM TOMS 23(4), 1997). Requires: a_0
/// ≥ 0. For R ≥ 2 a reciprocal root of h = R/2 + 1 words (1 for R = 2), three certified products, two certified sums.
template <int R, class T, int K>
ASSAY_HD constexpr Expansion<T, R> sqrt(const Expansion<T, K>& a) {
  using assay::sqrt;
  if constexpr (R == 1) {
    return {{sqrt(a.x[0])}};
  } else {
    if (a.x[0] == T(0)) {
      return from<R>(T(0));
    }
    constexpr int start = detail::start_words(R);
    constexpr int rest = R - start + 1;
    const auto x = rsqrt<start>(detail::leading_words<start>(a));
    const auto s = detail::product<start>(detail::leading_words<start>(a), x);
    return detail::corrected<R>(s, detail::half(x), detail::residual<rest, R>(a, s, s));
  }
}

}  // namespace expansion
}  // namespace assay
