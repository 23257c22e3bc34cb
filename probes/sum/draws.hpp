#pragma once
// The classes of sums: the classes of the property's domain, in short vectors.

#include "probes/sum/vectors.hpp"

namespace assay::probes::sum {

namespace detail {

template <class T>
ASSAY_HD constexpr Vector<T> draw_terms(Stream& stream, int n, Terms kind, int low, int high, bool one_sign) {
  Vector<T> c{};
  const bool negative = stream.coin();
  for (int i = 0; i < n; ++i) {
    const bool other = stream.coin();
    const int e = stream.between(low, high);
    c.push(draw_term<T>(stream, kind, e, one_sign ? negative : other));
  }
  return c;
}

/// GenSum: a half with random exponents, then terms that cancel the exact partial sum down to smaller and smaller
/// numbers. Ogita, Rump, Oishi 2005, Algorithm 6.1, for sums.
template <class T>
ASSAY_HD constexpr Vector<T> draw_conditioned(Stream& stream) {
  const int n = draw_length(stream, 6);
  const int b = stream.between(1, hardest_condition<T>);
  Vector<T> c{};
  ExactSum<longest> partial{};
  for (int i = 0; i < n; ++i) {
    const int e = conditioned_exponent(stream, i, n, b) - b / 2;
    const T fresh = draw_term<T>(stream, Terms::any, e);
    c.push(i < n / 2 ? fresh : static_cast<T>(static_cast<double>(fresh) - partial.top()));
    partial.add(static_cast<double>(c.x[i]));
  }
  if (stream.coin()) shuffle(stream, c.x, c.n);
  return c;
}

/// A number, half its last place, and mostly a tiny term; half of the cases among pairs that cancel.
template <class T>
ASSAY_HD constexpr Vector<T> draw_tied(Stream& stream) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr int lowest = FloatTraits<T>::emin - p + 1;
  Vector<T> c{};
  const int e = stream.between(-8, 8);
  // Next to a power of two a tie attains the bounds of compensated sums, so that the oracle must judge.
  const Terms kind = stream.below(8) == 0 ? Terms::any : Terms::dense;
  c.push(draw_term<T>(stream, kind, e));
  c.push(power_of_two<T>(stream.coin(), e - p));
  if (stream.below(4) != 0) {
    const int below = e - p - stream.between(1, 3 * p);
    c.push(draw_term<T>(stream, Terms::any, below < lowest ? lowest : below));
  }
  if (stream.coin()) {
    const int pairs = stream.between(1, (longest - 3) / 2);
    for (int i = 0; i < pairs; ++i) {
      const int of_pair = e + stream.between(0, p);
      const T v = draw_term<T>(stream, Terms::any, of_pair);
      c.push(v);
      c.push(-v);
    }
    shuffle(stream, c.x, c.n);
  }
  return c;
}

/// v and −v in another order, and a small term.
template <class T>
ASSAY_HD constexpr Vector<T> draw_cancelling(Stream& stream) {
  const int length = draw_length(stream, 2) / 2;
  const int pairs = length < longest / 2 ? length : longest / 2 - 1;
  const int spread = stream.between(0, 40);
  Vector<T> c = draw_terms<T>(stream, pairs, Terms::any, -spread, spread, false);
  for (int i = 0; i < pairs; ++i) c.push(-c.x[i]);
  shuffle(stream, c.x + pairs, pairs);
  const int e = -spread - stream.between(1, FloatTraits<T>::precision);
  c.push(draw_term<T>(stream, Terms::any, e));
  exchange(c.x[c.n - 1], c.x[stream.below(static_cast<std::uint32_t>(pairs) + 1)]);
  return c;
}

/// Random terms completed to a power of two or a number at most two places from it.
template <class T>
ASSAY_HD constexpr Vector<T> draw_at_power_of_two(Stream& stream) {
  const bool one_sign = stream.coin();
  const int n = stream.between(1, 12);
  Vector<T> c = draw_terms<T>(stream, n, Terms::any, -12, 12, one_sign);
  const bool negative = stream.coin();
  const int e = stream.between(-12, 16);
  const int places = stream.between(-2, 2);
  ExactSum<longest + 1> rest{};
  rest.add(static_cast<double>(neighbour(power_of_two<T>(negative, e), places)));
  for (int i = 0; i < n; ++i) rest.add(-static_cast<double>(c.x[i]));
  while (rest.words != 0 && !c.is_full()) {
    const T next = static_cast<T>(rest.top());
    c.push(next);
    rest.add(-static_cast<double>(next));
  }
  if (stream.coin()) shuffle(stream, c.x, c.n);
  return c;
}

/// 1, u, u, … scaled, each u some places off: the errors of the additions have one sign; or u only at the places 2^k,
/// with the same effect for a tree. With u itself and its neighbors the bound is attained up to a few u of it, so that
/// the oracle must judge: one case in 64.
template <class T>
ASSAY_HD constexpr Vector<T> draw_worst_order(Stream& stream) {
  const int n = draw_length(stream, 2);
  const int e = stream.between(-8, 8);
  const bool negative = stream.coin();
  const bool near = stream.below(64) == 0;
  const int places = stream.between(near ? 0 : 1, 3);
  const int off = places << (near ? 0 : stream.between(8, 20));
  const bool below = stream.coin();
  const std::uint32_t kind = stream.below(3);
  const T u = power_of_two<T>(negative, e - FloatTraits<T>::precision);
  const T term = neighbour(u, below ? -off : off);
  Vector<T> c{};
  c.push(power_of_two<T>(negative, e));
  for (int i = 1; i < n; ++i) c.push(kind < 2 || (i & (i - 1)) == 0 ? term : T(0));
  if (kind == 1) shuffle(stream, c.x, c.n);
  return c;
}

/// 2^k − 1 numbers just below u·2^e: the small terms of sum.sum2.3. Each is the error of an addition to 2^e, and each
/// addition of these errors is a tie that loses half an ulp, always with the same sign. Requires: 2 ≤ k ≤ p − 2 (not
/// checked).
template <class T>
ASSAY_HD constexpr void push_one_way_errors(Vector<T>& c, int k, int e, bool negative) {
  constexpr int p = FloatTraits<T>::precision;
  std::uint64_t lacking = 0;  // j·u minus the rounded sum of j errors, in units of u²
  std::uint64_t half_ulp = 1;
  for (std::uint64_t j = 1; j < std::uint64_t{1} << k; ++j) {
    while (2 * half_ulp < j) half_ulp *= 2;
    const std::uint64_t below = j == 1 ? 4 : lacking % (4 * half_ulp) == 0 ? 3 * half_ulp : half_ulp;
    lacking += below + (j == 1 ? 0 : half_ulp);
    c.push(integer<T>(negative, (std::uint64_t{1} << p) - below, e - 2 * p));
  }
}

/// 1, small numbers, −1, scaled: the terms of sum.sum2.3. Or those of sum.sum_k.3: 1, 2^k times u, small numbers times
/// 2^k·u, −1 − 2^k·u.
template <class T>
ASSAY_HD constexpr Vector<T> draw_one_way_errors(Stream& stream) {
  constexpr int p = FloatTraits<T>::precision;
  const bool twice = stream.below(4) == 0;
  const int k = stream.between(2, twice ? 3 : 4);
  const int e = stream.between(-8, 8);
  const bool negative = stream.coin();
  Vector<T> c{};
  c.push(power_of_two<T>(negative, e));
  for (int i = 0; twice && i < 1 << k; ++i) c.push(power_of_two<T>(negative, e - p));
  push_one_way_errors(c, k, twice ? e + k - p : e, negative);
  c.push(twice ? -neighbour(c.x[0], 1 << (k - 1)) : -c.x[0]);
  return c;
}

/// Terms, B, terms, −B with B far above.
template <class T>
ASSAY_HD constexpr Vector<T> draw_swallowed(Stream& stream) {
  constexpr int p = FloatTraits<T>::precision;
  const int e = stream.between(p + 1, 2 * p + 20);
  const T big = draw_term<T>(stream, Terms::any, e);
  const bool before = stream.coin();
  const int n = stream.between(1, 3);
  Vector<T> c = draw_terms<T>(stream, n, Terms::any, -4, 4, before);
  c.push(big);
  const bool after = stream.coin();
  const int m = stream.between(1, 3);
  const Vector<T> more = draw_terms<T>(stream, m, Terms::any, -4, 4, after);
  for (int i = 0; i < m; ++i) c.push(more.x[i]);
  c.push(-big);
  return c;
}

/// Integers times a power of two, with so few bits that every sum is exact.
template <class T>
ASSAY_HD constexpr Vector<T> draw_exact(Stream& stream) {
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  const int n = draw_length(stream);
  const int width = p - bits::bit_length(static_cast<std::uint32_t>(n));
  const int scale = stream.between(F::emin - p + 1, F::emax - 2 * p);
  Vector<T> c{};
  for (int i = 0; i < n; ++i) {
    const std::uint64_t m = stream.word() >> (64 - width);
    c.push(integer<T>(stream.coin(), m, scale));
  }
  return c;
}

}  // namespace detail

/// Sums with S ≤ 2^(emax − 2).
struct Draws {
  static constexpr int classes = 15;
  static constexpr const char* names[classes] = {"dense, mixed signs",
                                                 "dense, one sign",
                                                 "any significand, exponents within ±p",
                                                 "all ones, one sign",
                                                 "condition up to the hardest",
                                                 "tie, tie ± tiny",
                                                 "cancellation to a small term",
                                                 "at a power of two and its neighbours",
                                                 "1, u, u, … in worst order",
                                                 "1, errors that all err one way, −1",
                                                 "swallowed by a large pair",
                                                 "exact in every order",
                                                 "full range",
                                                 "gradual underflow",
                                                 "near overflow"};
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = typename Case::Number;
    using F = FloatTraits<T>;
    constexpr int p = F::precision;
    switch (input_class) {
      case 4:
        return detail::draw_conditioned<T>(stream);
      case 5:
        return detail::draw_tied<T>(stream);
      case 6:
        return detail::draw_cancelling<T>(stream);
      case 7:
        return detail::draw_at_power_of_two<T>(stream);
      case 8:
        return detail::draw_worst_order<T>(stream);
      case 9:
        return detail::draw_one_way_errors<T>(stream);
      case 10:
        return detail::draw_swallowed<T>(stream);
      case 11:
        return detail::draw_exact<T>(stream);
      default:
        break;
    }
    // The classes that differ only by their exponents and digits.
    constexpr int subnormal = F::emin - p + 1;
    const int n = draw_length(stream);
    const int above = stream.between(0, p);
    const bool coin = stream.coin();
    const int highest = highest_exponent<T>(n);
    const Terms kind = input_class < 2 ? Terms::dense : input_class == 3 ? Terms::all_ones : Terms::any;
    const bool one_sign = input_class == 1 || input_class == 3 || (input_class == 14 && coin);
    const int reach = input_class < 2 ? 8 : input_class == 2 ? p : 2;
    const int low = input_class < 4 ? -reach : input_class < 14 ? subnormal : highest - 3;
    const int high = input_class < 4 ? reach : input_class == 13 ? F::emin + above : highest;
    return detail::draw_terms<T>(stream, n, kind, low, high, one_sign);
  }
};

}  // namespace assay::probes::sum
