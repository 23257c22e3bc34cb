#pragma once

#include "arith/bits/bits.hpp"
#include "arith/expansion/distillation.hpp"
#include "arith/expansion/sums.hpp"
#include "arith/words/double_word.hpp"

/// Products, quotients and roots of expansions. The sources and the requirements are in arith/expansion/sums.hpp.
namespace assay::expansion {

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
    level = {summands + (i - 1 < r ? level.products : 0), now, level.g + ceil_log2(summands + 2)};
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

/// (3/2)·2^q, or 0 if that is below the normal range.
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

/// Adds the products of level l and of the later levels up to level R; the products of level R without their errors.
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

/// Adds the products of level l and of the later levels up to level R − 1; the products of level R − 1 without their
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
/// TwoSum; the last level by FMA and plain additions; VecSum and VecSumErrBranch at the end lose nothing. A word may be
/// more than an ulp of the word before it (1.5 ulp for R = 8): `renormalize` makes an operand of the result.
/// docs/bounds/expansion.md. For K = L = R ≥ 3: R(R − 1) operations of TwoProd, 6(l² + 2l − 1) for each level 1 ≤ l ≤ R
/// − 2, R² − 2 for the last one, 13R − 14 for the sweeps; for two words `dw::mul3`, 9.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> truncated_mul(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  return detail::by_words<R, dw::mul3<T>, detail::truncated_words<T, K, L, R>>(a, b);
}

/// z ≈ a·b without a bound by u^R: the words of `truncated_mul`, made nonoverlapping by FastTwoSum upward and downward,
/// which may lose bits if words cancel or a zero is between them: at most 1.01u|b| where 0 < |a| < |b|.
/// docs/bounds/expansion.md. For K = L = R ≥ 3: 7R − 5 operations less than `truncated_mul`; for two words `dw::mul2`,
/// 8.
template <int R, class T, int K, int L>
ASSAY_HD constexpr Expansion<T, R> quick_mul(const Expansion<T, K>& a, const Expansion<T, L>& b) {
  if constexpr (R == 2 && K == 2 && L == 2) {
    return detail::by_double_words<dw::mul2<T>>(a, b);
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

}  // namespace assay::expansion
