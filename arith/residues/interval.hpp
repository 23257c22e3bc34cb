#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/rns.hpp"

/// The operations on residues that need the magnitude of X: I(X/M), an interval of floating-point numbers that encloses
/// X/M, and what follows from it. Sources: Isupov, "Using floating-point intervals for non-modular computations in
/// residue number system", IEEE Access 8, 2020; Isupov, Knyazkov, "Multiple-precision matrix-vector multiplication on
/// graphics processing units", 2020, (4). Where intervals do not decide, an exact computation does: nothing here is
/// heuristic.
///
/// Requires throughout: operands with 0 ≤ X < M, and guard residues of the same X (not checked).
namespace assay::rns {

/// A freshly evaluated interval is not wider than this, relative to X/M: 10⁻⁷.
inline constexpr double evaluation_width = 1e-7;

namespace detail {

constexpr int ceil_log2(int n) { return bits::bit_length(static_cast<std::uint32_t>(n - 1)); }

/// Where the upper bound is below this, X is scaled up and evaluated again. With v = 2⁻⁵² and L = ⌈log₂ n⌉ the bounds
/// enclose Σ s_i/m_i < n within a width of 2(L + 2)vn(1 + 10⁻⁹); an upper bound of at least this width·(1 + ε)/ε has a
/// relative width of at most ε = 10⁻⁷. For n ≥ 4 a power of two this is 4vn·log₂ n·(1 + ε/2)/ε of Isupov 2020, and a
/// little more.
template <class Set>
inline constexpr double refinement_threshold = [] {
  constexpr int levels = ceil_log2(Set::n);
  constexpr int factor = 2 * levels > levels + 2 ? 2 * levels : levels + 2;
  return 2.0 * factor * Set::n * bits::power_of_two<double>(-52) * 1.0000002e7;
}();

/// ⌊log₂(1/(2·threshold))⌋: below the threshold X can be scaled up by this power of two and stay below M/2.
template <class Set>
inline constexpr int refinement_step = -assay::exponent(2 * refinement_threshold<Set>) - 1;

/// For n terms, the sum by halves: n − 1 additions; no term goes through more than ⌈log₂ n⌉ of them.
template <int n, class Term, class Add>
ASSAY_HD double pairwise_sum(const Term& term, const Add& add) {
  if constexpr (n == 1) {
    return term(0);
  } else {
    constexpr int half = (n + 1) / 2;
    double sum[half];
    ASSAY_UNROLL(unrolled(half))
    for (int i = 0; i < half; ++i) {
      sum[i] = i + half < n ? add(term(i), term(i + half)) : term(i);
    }
    ASSAY_UNROLL(1)
    for (int count = half; count > 1; count = (count + 1) / 2) {
      ASSAY_UNROLL(1)
      for (int i = 0; i < count / 2; ++i) {
        sum[i] = add(sum[i], sum[i + (count + 1) / 2]);
      }
    }
    return sum[0];
  }
}

/// A lower and an upper bound of Σ s_i/m_i: products and a sum by halves, all rounded outward.
template <class Set>
ASSAY_HD ASSAY_NOINLINE double lower_sum(const std::uint32_t (&s)[Set::n]) {
  const Tables<Set>& t = tables<Set>();
  return pairwise_sum<Set::n>([&](int i) { return assay::mul_in_range<Rounding::rd>(s[i], t.reciprocal_rd[i]); },
                              [](double a, double b) { return assay::add_in_range<Rounding::rd>(a, b); });
}
template <class Set>
ASSAY_HD ASSAY_NOINLINE double upper_sum(const std::uint32_t (&s)[Set::n]) {
  const Tables<Set>& t = tables<Set>();
  return pairwise_sum<Set::n>([&](int i) { return assay::mul_in_range<Rounding::ru>(s[i], t.reciprocal_ru[i]); },
                              [](double a, double b) { return assay::add_in_range<Rounding::ru>(a, b); });
}

/// ⌊Σ s_i/m_i⌋ from the guard g, as (Σ s_i·M_i − X)/M mod g. Shenoy, Kumaresan, "Fast base extension using a redundant
/// modulus in RNS", IEEE Transactions on Computers 38(2), 1989. n multiplications, a reduction for each four.
template <class Set>
ASSAY_HD ASSAY_NOINLINE int rank_by_guard(const Residues<Set>& x, const std::uint32_t (&s)[Set::n]) {
  static_assert(Set::guards > 0);
  const Tables<Set>& t = tables<Set>();
  const std::uint32_t guard = t.m[Set::n];
  const std::uint64_t mu = t.barrett[Set::n];
  std::uint64_t sum = std::uint64_t{guard - x.r[Set::n]} * t.guard_product_inverse;
  ASSAY_UNROLL(1)
  for (int i = 0; i < Set::n;) {
    sum = reduce(sum, guard, mu);
    const int end = i + 3 < Set::n ? i + 3 : Set::n;
    for (; i < end; ++i) {
      sum += std::uint64_t{s[i]} * t.guard_inverse[i];
    }
  }
  return static_cast<int>(reduce(sum, guard, mu));
}

/// s_i·2^k mod m_i, 0 ≤ k ≤ 64.
template <class Set>
ASSAY_HD void scale_digits(std::uint32_t (&s)[Set::n], int k) {
  const Tables<Set>& t = tables<Set>();
  const int first = k < 32 ? k : 32;
  ASSAY_UNROLL(unrolled(Set::n))
  for (int i = 0; i < Set::n; ++i) {
    s[i] = reduce(std::uint64_t{s[i]} << first, t.m[i], t.barrett[i]);
    if (k > first) {
      s[i] = reduce(std::uint64_t{s[i]} << (k - first), t.m[i], t.barrett[i]);
    }
  }
}

}  // namespace detail

namespace detail {

/// Distinguishes an X close to M from an X close to 0, if the bounds of Σ s_i/m_i have an integer between them.
enum class CloseTest {
  none,   ///< X is known not to be close to M
  rank,   ///< the rank by the guard; the most significant digit for a set without guards
  digits  ///< as published: the most significant mixed-radix digit, which is 0 only for X < M/m_{n−1}
};

/// Whether X is close to M, for an X that is close to 0 or to M; `lower_floor` is ⌊lower bound of Σ s_i/m_i⌋.
template <CloseTest test, class Set>
ASSAY_HD bool close_to_product(const Residues<Set>& x, const std::uint32_t (&s)[Set::n], int lower_floor) {
  if constexpr (test == CloseTest::rank && Set::guards > 0) {
    return rank_by_guard(x, s) == lower_floor;
  } else {
    return mixed_radix(x).v[Set::n - 1] != 0;
  }
}

template <CloseTest test, class Set>
ASSAY_HD ASSAY_NOINLINE Interval evaluate(const Residues<Set>& x) {
  std::uint32_t s[Set::n];
  crt_digits(x, s);
  double upper = upper_sum<Set>(s);
  if (upper == 0.0) {
    return {{0.0, 0}, {0.0, 0}};
  }
  double lower = lower_sum<Set>(s);
  const int lower_floor = static_cast<int>(lower);
  const int upper_floor = static_cast<int>(upper);
  lower -= lower_floor;
  upper -= upper_floor;
  const bool ambiguous = test != CloseTest::none && lower_floor != upper_floor;
  if (ambiguous && close_to_product<test>(x, s, lower_floor)) {
    return {to_extended(lower), {1.0, 0}};
  }
  constexpr double threshold = refinement_threshold<Set>;
  if (upper >= threshold) {
    return {ambiguous ? tables<Set>().reciprocal_product.lower : to_extended(lower), to_extended(upper)};
  }
  constexpr double least = bits::power_of_two<double>(-52);  // of the upper bounds of an X that is not 0
  std::int64_t total = 0;
  do {
    const double bound = upper < least ? least : upper;
    const int logarithm = assay::exponent(bound) + (bits::fraction_bits(bound) == 0 ? 0 : 1);  // ⌈log₂⌉
    const int k = -(logarithm + 1) > refinement_step<Set> ? -(logarithm + 1) : refinement_step<Set>;
    scale_digits<Set>(s, k);
    upper = upper_sum<Set>(s);
    upper -= static_cast<int>(upper);
    total += k;
  } while (upper < threshold);
  lower = lower_sum<Set>(s);
  lower -= static_cast<int>(lower);
  return {scale(to_extended(lower), -total), scale(to_extended(upper), -total)};
}

/// The sign of X − Y if the intervals overlap: equal residues, or mixed-radix digits.
template <class Set>
ASSAY_HD int compare_overlapping(const Residues<Set>& x, const Residues<Set>& y) {
  return equal(x, y) ? 0 : compare_by_digits(x, y);
}

}  // namespace detail

/// I(X/M): lower ≤ X/M ≤ upper for every X; 0 for X = 0; upper − lower ≤ 10⁻⁷·X/M.
/// Isupov 2020, general form: the bounds of Σ s_i/m_i without their integer parts; if these differ, X is close to 0 or
/// to M, and an exact computation decides which. A small X is scaled up, s_i ← s_i·2^k mod m_i with upper·2^k ≤ 1/2,
/// until the upper bound is large against the rounding errors: that takes some log₂(M/X)/46 passes of n reductions and
/// n − 1 directed additions.
template <class Set>
ASSAY_HD Interval evaluate(const Residues<Set>& x) {
  return detail::evaluate<detail::CloseTest::rank>(x);
}

/// I(X/M) as `evaluate`, in the published way: the most significant mixed-radix digit decides whether X is close to M,
/// with or without a guard.
template <class Set>
ASSAY_HD Interval evaluate_mixed_radix(const Residues<Set>& x) {
  return detail::evaluate<detail::CloseTest::digits>(x);
}

/// I(X/M) as `evaluate`, for an X that is not close to M: X ≤ M(1 − n·2⁻⁴⁰) is enough (not checked).
/// Isupov 2020, fast form: without the test for ambiguity.
template <class Set>
ASSAY_HD Interval evaluate_fast(const Residues<Set>& x) {
  return detail::evaluate<detail::CloseTest::none>(x);
}

/// ⌊Σ s_i/m_i⌋, the ρ of X = Σ s_i·M_i − ρM, exactly, from s = crt_digits(x). With a guard n multiplications; without,
/// the bounds of the sum, and the most significant mixed-radix digit if their integer parts differ.
template <class Set>
ASSAY_HD int rank(const Residues<Set>& x, const std::uint32_t (&s)[Set::n]) {
  if constexpr (Set::guards > 0) {
    return detail::rank_by_guard(x, s);
  } else {
    const int lower = static_cast<int>(detail::lower_sum<Set>(s));
    const int upper = static_cast<int>(detail::upper_sum<Set>(s));
    // Both are 0 for X = 0.
    return lower == upper || detail::close_to_product<detail::CloseTest::rank>(x, s, lower) ? lower : upper;
  }
}

/// The sign of X − Y: −1, 0 or 1, given intervals that enclose X/M and Y/M.
/// Isupov 2020: disjoint intervals decide, otherwise equality of the residues, otherwise the mixed-radix digits.
template <class Set>
ASSAY_HD int compare(const Residues<Set>& x, const Interval& x_over_m, const Residues<Set>& y,
                     const Interval& y_over_m) {
  if (assay::compare(x_over_m.lower, y_over_m.upper) > 0) {
    return 1;
  }
  if (assay::compare(x_over_m.upper, y_over_m.lower) < 0) {
    return -1;
  }
  return detail::compare_overlapping(x, y);
}

/// The sign of X − Y: −1, 0 or 1. Two evaluations and the comparison above.
template <class Set>
ASSAY_HD int compare(const Residues<Set>& x, const Residues<Set>& y) {
  return compare(x, evaluate(x), y, evaluate(y));
}

/// The sign of the integer in −(M − 1)/2 … (M − 1)/2 that is congruent to X modulo M: −1, 0 or 1; 1 for 0 < X < M/2.
/// The interval decides, or the mixed-radix digits of X and of (M − 1)/2, which are (m_i − 1)/2.
template <class Set>
ASSAY_HD int sign(const Residues<Set>& x) {
  if (is_zero(x)) {
    return 0;
  }
  const Interval i = evaluate(x);
  constexpr Extended half = {1.0, -1};
  if (i.upper.exponent < half.exponent) {  // the upper bound is below 1/2
    return 1;
  }
  if (assay::compare(i.lower, half) > 0) {
    return -1;
  }
  const Tables<Set>& t = tables<Set>();
  MixedRadix<Set> middle;
  for (int k = 0; k < Set::n; ++k) {
    middle.v[k] = t.m[k] >> 1;
  }
  return compare_digits(mixed_radix(x), middle) <= 0 ? 1 : -1;
}

/// Whether X + Y ≥ M: whether the residues of the sum in the base are those of X + Y − M.
/// The sum of the intervals decides, or the comparison of X with M − Y.
template <class Set>
ASSAY_HD bool overflows(const Residues<Set>& x, const Residues<Set>& y) {
  const Interval a = evaluate(x);
  const Interval b = evaluate(y);
  constexpr Extended one = {1.0, 0};
  if (assay::compare(add_ru(a.upper, b.upper), one) < 0) {
    return false;
  }
  if (assay::compare(add_rd(a.lower, b.lower), one) >= 0) {
    return true;
  }
  return !is_zero(y) && detail::compare_overlapping(x, complement(y)) >= 0;
}

namespace detail {

/// ⌊X/2^j⌋, 1 ≤ j ≤ 32.
template <class Set>
ASSAY_HD void scale_step(Residues<Set>& x, int j) {
  const Tables<Set>& t = tables<Set>();
  std::uint32_t s[Set::n];
  crt_digits(x, s);
  std::uint32_t rest = 0 - static_cast<std::uint32_t>(rank(x, s)) * t.product32;
  ASSAY_UNROLL(unrolled(Set::n))
  for (int i = 0; i < Set::n; ++i) {
    rest += s[i] * t.cofactor32[i];
  }
  const std::uint32_t mask = ~std::uint32_t{0} >> (32 - j);
  rest &= mask;  // X mod 2^j
  ASSAY_UNROLL(unrolled(Set::size))
  for (int i = 0; i < Set::size; ++i) {
    const std::uint32_t q = ((rest - x.r[i]) * t.inverse32[i]) & mask;
    x.r[i] = bits::low_word((std::uint64_t{q} * t.m[i] + x.r[i] - rest) >> j);
  }
}

}  // namespace detail

/// ⌊X/2^d⌋ for any d ≥ 0, guards included.
/// Steps of up to 32 bits: X mod 2^j = (Σ s_i·M_i − ρM) mod 2^j =: r with the exact rank ρ; then x_i ← (x_i − r +
/// q·m_i)/2^j with q = (r − x_i)·m_i⁻¹ mod 2^j is an exact division (Montgomery, "Modular multiplication without trial
/// division", 1985), an integer in 0 … m_i − 1. ⌈d/32⌉·(4n + guards) multiplications and one rank for each step.
template <class Set>
ASSAY_HD ASSAY_NOINLINE Residues<Set> scale_down(const Residues<Set>& x, std::int64_t d) {
  if (d > tables<Set>().product_exponent) {
    return Residues<Set>{};
  }
  Residues<Set> z = x;
  ASSAY_UNROLL(1)
  for (int left = static_cast<int>(d); left > 0; left -= 32) {
    detail::scale_step(z, left < 32 ? left : 32);
  }
  return z;
}

/// X = quotient·Y + remainder, 0 ≤ remainder < Y.
template <class Set>
struct Quotient {
  Residues<Set> quotient, remainder;
};

/// ⌊X/Y⌋ and X mod Y. Requires: Y ≠ 0 (not checked; quotient 0 and remainder X for Y = 0).
/// Isupov 2020: the leading bits of a lower bound of remainder/Y are subtracted as a multiple of Y, until the bound is
/// below 1, when the remainder is below 2Y. A step gains 22 bits and more, mostly 40: evaluations of log₂(X/Y)/40
/// remainders, and one comparison.
template <class Set>
ASSAY_HD ASSAY_NOINLINE Quotient<Set> divide(const Residues<Set>& x, const Residues<Set>& y) {
  Quotient<Set> z{Residues<Set>{}, x};
  if (is_zero(y)) {
    return z;
  }
  const Extended divisor = evaluate(y).upper;
  constexpr int most_steps = 32 * limbs<Set> / 22 + 2;
  ASSAY_UNROLL(1)
  for (int step = 0; step < most_steps; ++step) {
    const Extended bound = div_rd(evaluate(z.remainder).lower, divisor);
    if (bound.fraction == 0.0 || bound.exponent < 0) {
      break;
    }
    const std::uint64_t significand = bits::normal_significand(bound.fraction).m;
    const int e = static_cast<int>(bound.exponent) - 52;
    const Residues<Set> q = e <= 0 ? residues_of<Set>(significand >> -e) : scale_up(residues_of<Set>(significand), e);
    z.quotient = add(z.quotient, q);
    z.remainder = sub(z.remainder, mul(q, y));
  }
  if (compare(z.remainder, y) >= 0) {
    z.quotient = add(z.quotient, residues_of<Set>(std::uint64_t{1}));
    z.remainder = sub(z.remainder, y);
  }
  return z;
}

}  // namespace assay::rns
