#pragma once
// Fixed-point fractions of N limbs of 64 bits. Integer operations only, so that the bits are the same everywhere.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/hd.hpp"

namespace assay::limb {

/// Σ v[i]·2^(64(i − N)): a number of [0, 1). Its unit is 2^(−64N).
template <int N>
struct Fraction {
  static constexpr int bits = 64 * N;
  std::uint64_t v[N];
};

template <int N>
ASSAY_HD inline bool is_zero(const Fraction<N>& a) {
  std::uint64_t any = 0;
  for (int i = 0; i < N; ++i) any |= a.v[i];
  return any == 0;
}

template <int N>
ASSAY_HD inline bool is_less(const Fraction<N>& a, const Fraction<N>& b) {
  for (int i = N - 1; i >= 0; --i) {
    if (a.v[i] != b.v[i]) return a.v[i] < b.v[i];
  }
  return false;
}

/// a + b = fraction + carry.
template <int N>
struct FractionSum {
  Fraction<N> fraction;
  std::uint64_t carry;
};
template <int N>
ASSAY_HD inline FractionSum<N> add(const Fraction<N>& a, const Fraction<N>& b) {
  FractionSum<N> s{{}, 0};
  for (int i = 0; i < N; ++i) {
    const std::uint64_t t = a.v[i] + s.carry;
    const std::uint64_t from_carry = t < s.carry ? 1 : 0;
    s.fraction.v[i] = t + b.v[i];
    s.carry = from_carry + (s.fraction.v[i] < t ? 1 : 0);
  }
  return s;
}

/// a − b modulo 1, exactly.
template <int N>
ASSAY_HD inline Fraction<N> subtract(const Fraction<N>& a, const Fraction<N>& b) {
  Fraction<N> d{};
  std::uint64_t borrow = 0;
  for (int i = 0; i < N; ++i) {
    const std::uint64_t t = a.v[i] - b.v[i];
    const std::uint64_t from_limbs = a.v[i] < b.v[i] ? 1 : 0;
    d.v[i] = t - borrow;
    borrow = from_limbs + (t < borrow ? 1 : 0);
  }
  return d;
}

/// −a modulo 1, exactly.
template <int N>
ASSAY_HD inline Fraction<N> negated(const Fraction<N>& a) {
  return subtract(Fraction<N>{}, a);
}

/// a·2ⁿ modulo 1, exactly. Requires: n ≥ 0 (not checked).
template <int N>
ASSAY_HD inline Fraction<N> shifted_left(const Fraction<N>& a, int n) {
  const int limbs = n / 64;
  const int bits = n % 64;
  Fraction<N> r{};
  for (int i = N - 1; i >= limbs; --i) {
    const int k = i - limbs;
    const std::uint64_t below = bits != 0 && k >= 1 ? a.v[k - 1] >> (64 - bits) : 0;
    r.v[i] = a.v[k] << bits | below;
  }
  return r;
}

/// a·2⁻ⁿ, cut off: less than a unit too small. Requires: n ≥ 0 (not checked).
template <int N>
ASSAY_HD inline Fraction<N> shifted_right(const Fraction<N>& a, int n) {
  const int limbs = n / 64;
  const int bits = n % 64;
  Fraction<N> r{};
  for (int i = 0; i + limbs < N; ++i) {
    const int k = i + limbs;
    const std::uint64_t above = bits != 0 && k + 1 < N ? a.v[k + 1] << (64 - bits) : 0;
    r.v[i] = a.v[k] >> bits | above;
  }
  return r;
}

/// The zeros above the highest set bit. Requires: a ≠ 0 (not checked).
template <int N>
ASSAY_HD inline int leading_zeros(const Fraction<N>& a) {
  int k = N - 1;
  while (k > 0 && a.v[k] == 0) --k;
  return 64 * (N - 1 - k) + bits::leading_zeros(a.v[k]);
}

/// ab, cut off: too small by less than N units. The limb products below the unit are omitted, except for the highest
/// column. Cost: N(N + 1)/2 products of 64 bits.
template <int N>
ASSAY_HD inline Fraction<N> multiply(const Fraction<N>& a, const Fraction<N>& b) {
  Fraction<N> p{};
  std::uint64_t low = 0;  // the column: high·2¹²⁸ + middle·2⁶⁴ + low
  std::uint64_t middle = 0;
  std::uint64_t high = 0;
  ASSAY_UNROLL(N)
  for (int column = N - 1; column <= 2 * N - 2; ++column) {
    ASSAY_UNROLL(N)
    for (int i = column - N + 1; i < N; ++i) {
      const std::uint64_t x = a.v[i];
      const std::uint64_t y = b.v[column - i];
      const std::uint64_t product = x * y;
      low += product;
      const std::uint64_t upper = bits::high_product(x, y) + (low < product ? 1 : 0);  // at most 2⁶⁴ − 1
      middle += upper;
      high += middle < upper ? 1 : 0;
    }
    if (column >= N) p.v[column - N] = low;
    low = middle;
    middle = high;
    high = 0;
  }
  p.v[N - 1] = low;
  return p;
}

/// a·m modulo 1, exactly.
template <int N>
ASSAY_HD inline Fraction<N> multiply_by_word(const Fraction<N>& a, std::uint64_t m) {
  Fraction<N> p{};
  std::uint64_t carry = 0;
  for (int i = 0; i < N; ++i) {
    p.v[i] = a.v[i] * m + carry;
    carry = bits::high_product(a.v[i], m) + (p.v[i] < carry ? 1 : 0);
  }
  return p;
}

/// A constant of more limbs, cut off: limb_of(k), the limb of weight 2^(−64(k + 1)).
template <int N, class LimbOf>
ASSAY_HD inline Fraction<N> fraction_of(LimbOf limb_of) {
  Fraction<N> f{};
  for (int k = 0; k < N; ++k) f.v[N - 1 - k] = limb_of(k);
  return f;
}

}  // namespace assay::limb
