#pragma once
// + − × ÷ √ and fma of floating-point numbers of L limbs, each rounded once.
//
// Integer operations only, so that the bits are the same everywhere. Special values follow IEEE 754 and MPFR: a NaN
// gives a NaN; so do ∞ − ∞, 0·∞, 0/0, ∞/∞ and the root of a negative number. x/0 is ±∞, √−0 is −0. A sum that is zero
// exactly is +0, and −0 in RD, unless both addends are zeros of one sign. Requires of every operand: the form that
// Float has (not checked). Theorems: docs/bounds/limb.md.

#include <cstdint>

#include "arith/limbs/float.hpp"
#include "arith/limbs/float_rounding.hpp"

namespace assay::limb {
namespace detail {

/// (−1)^minus·X·2^(exponent − 32·count) of an integer X of `count` words.
struct Addend {
  const std::uint32_t* word;
  int count;
  std::int64_t exponent;
  bool minus;
};

/// a + b, rounded once. A window of W words holds a from its highest word on, and b at its place. If b reaches below
/// the window, the only information kept is whether it has bits there. Requires: W is larger than both counts and than
/// L, and one of the two highest bits of each operand is set (not checked). limb.sum.1.
template <int L, int W>
ASSAY_HD constexpr Float<L> rounded_sum(Addend a, Addend b, Rounding to) {
  if (a.exponent < b.exponent) {
    const Addend c = a;
    a = b;
    b = c;
  }
  const std::int64_t below = (a.exponent - b.exponent) - 32 * (W - b.count);  // bits of b below the window
  const bool rest = below > 0 && any_below(b.word, below < 32 * b.count ? below : 32 * b.count);
  const bool opposite = a.minus != b.minus;
  std::uint32_t w[W + 1];
  // a − (b' + t) is (a − b' − 1) + (1 − t) for 0 < t < 1.
  std::uint64_t carry = opposite && !rest ? 1 : 0;
  for (int k = 0; k < W; ++k) {
    const std::uint32_t upper = k + a.count >= W ? a.word[k + a.count - W] : 0;
    const std::uint32_t lower = word_at(b.word, b.count, below + 32 * k);
    carry += std::uint64_t{upper} + (opposite ? static_cast<std::uint32_t>(~lower) : lower);
    w[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  bool minus = a.minus;
  if (opposite) {
    if (carry == 0) {
      negate(w, W);
      minus = b.minus;
    }
    carry = 0;
  }
  w[W] = static_cast<std::uint32_t>(carry);
  if (!rest && bit_length(w) == 0) return zero<L>(zero_sum_is_negative(a.minus, b.minus, to));
  return rounded_float<L>(w, W + 1, a.exponent + 32, minus, rest, to);
}

/// z ← x·y of L words each, 2L words.
template <int L>
ASSAY_HD constexpr void multiply(const std::uint32_t* x, const std::uint32_t* y, std::uint32_t* z) {
  for (int k = 0; k < L; ++k) z[k] = 0;
  for (int i = 0; i < L; ++i) {
    std::uint64_t carry = 0;
    for (int k = 0; k < L; ++k) {
      carry += std::uint64_t{x[i]} * y[k] + z[i + k];
      z[i + k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    z[i + L] = static_cast<std::uint32_t>(carry);
  }
}

/// n ← n − q·d modulo 2^(32(count + 1)), n of count + 1 words and d of `count`; returns whether q·d > n.
ASSAY_HD constexpr bool subtract_multiple(std::uint32_t* n, const std::uint32_t* d, int count, std::uint32_t q) {
  std::uint64_t carry = 0;
  std::uint64_t borrow = 0;
  for (int k = 0; k < count; ++k) {
    carry += std::uint64_t{q} * d[k];
    const std::uint64_t difference = std::uint64_t{n[k]} - bits::low_word(carry) - borrow;
    n[k] = static_cast<std::uint32_t>(difference);
    borrow = difference >> 63;
    carry >>= 32;
  }
  const std::uint64_t difference = std::uint64_t{n[count]} - carry - borrow;
  n[count] = static_cast<std::uint32_t>(difference);
  return difference >> 63 != 0;
}

/// n ← n + d + more modulo 2^(32(count + 1)); returns whether the sum reached it.
ASSAY_HD constexpr bool add_back(std::uint32_t* n, const std::uint32_t* d, int count, std::uint64_t more) {
  for (int k = 0; k < count; ++k) {
    more += std::uint64_t{n[k]} + d[k];
    n[k] = static_cast<std::uint32_t>(more);
    more >>= 32;
  }
  more += n[count];
  n[count] = static_cast<std::uint32_t>(more);
  return more >> 32 != 0;
}

/// ⌊√x⌋, bit by bit. Requires: x ≥ 2⁶² (not checked).
ASSAY_HD constexpr std::uint32_t root_of_word(std::uint64_t x) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    const std::uint64_t next = root | bit;
    if (next * next <= x) root = next;
  }
  return static_cast<std::uint32_t>(root);
}

/// An estimate of a digit, at most 2³² − 1.
ASSAY_HD constexpr std::uint32_t digit(std::uint64_t estimate) {
  return estimate > 0xFFFFFFFFu ? 0xFFFFFFFFu : static_cast<std::uint32_t>(estimate);
}

template <int L>
ASSAY_HD constexpr Addend addend(const Float<L>& x) {
  return {x.word, L, x.exponent, x.sign != 0};
}

/// The sum of two numbers if one or both are zero, infinite or NaN.
template <int L>
ASSAY_HD constexpr Float<L> special_sum(const Float<L>& x, const Float<L>& y, Rounding to) {
  if (is_nan(x) || is_nan(y) || (is_infinite(x) && is_infinite(y) && x.sign != y.sign)) return nan<L>();
  if (is_zero(x) && is_zero(y)) return zero<L>(zero_sum_is_negative(x.sign != 0, y.sign != 0, to));
  return is_infinite(x) || is_zero(y) ? x : y;
}

/// The product of two numbers if one or both are zero, infinite or NaN. It is exact.
template <int L>
ASSAY_HD constexpr Float<L> special_product(const Float<L>& x, const Float<L>& y) {
  if (is_nan(x) || is_nan(y) || (is_zero(x) && is_infinite(y)) || (is_infinite(x) && is_zero(y))) return nan<L>();
  return special<L>(is_zero(x) || is_zero(y) ? zero_exponent : infinity_exponent, x.sign != y.sign);
}

}  // namespace detail

/// x + y, rounded in the direction `to`. limb.add.1. Cost: a few passes.
template <int L>
ASSAY_HD constexpr Float<L> add(const Float<L>& x, const Float<L>& y, Rounding to) {
  if (!is_regular(x) || !is_regular(y)) return detail::special_sum(x, y, to);
  return detail::rounded_sum<L, L + 1>(detail::addend(x), detail::addend(y), to);
}

/// x − y, rounded in the direction `to`. limb.add.1.
template <int L>
ASSAY_HD constexpr Float<L> sub(const Float<L>& x, const Float<L>& y, Rounding to) {
  return add(x, negated(y), to);
}

/// xy, rounded in the direction `to`. limb.mul.1. Cost: L² products of 32 bits.
template <int L>
ASSAY_HD constexpr Float<L> mul(const Float<L>& x, const Float<L>& y, Rounding to) {
  if (!is_regular(x) || !is_regular(y)) return detail::special_product(x, y);
  std::uint32_t product[2 * L];
  detail::multiply<L>(x.word, y.word, product);
  return rounded_float<L>(product, 2 * L, std::int64_t{x.exponent} + y.exponent, x.sign != y.sign, false, to);
}

/// xy + z, rounded once in the direction `to`. limb.fma.1. Cost: L² products of 32 bits.
template <int L>
ASSAY_HD constexpr Float<L> fma(const Float<L>& x, const Float<L>& y, const Float<L>& z, Rounding to) {
  if (!is_regular(x) || !is_regular(y)) return detail::special_sum(detail::special_product(x, y), z, to);
  if (is_nan(z) || is_infinite(z)) return z;
  std::uint32_t product[2 * L];
  detail::multiply<L>(x.word, y.word, product);
  const std::int64_t exponent = std::int64_t{x.exponent} + y.exponent;
  const bool minus = x.sign != y.sign;
  if (is_zero(z)) return rounded_float<L>(product, 2 * L, exponent, minus, false, to);
  return detail::rounded_sum<L, 2 * L + 1>({product, 2 * L, exponent, minus}, detail::addend(z), to);
}

/// x/y, rounded in the direction `to`: L + 2 digits of the quotient, and whether there is a remainder.
/// limb.div.1; Knuth, TAOCP 2, §4.3.1, Algorithm D. Cost: L² products of 32 bits, L divisions of 64 bits by 32.
template <int L>
ASSAY_HD constexpr Float<L> div(const Float<L>& x, const Float<L>& y, Rounding to) {
  const bool minus = x.sign != y.sign;
  if (!is_regular(x) || !is_regular(y)) {
    if (is_nan(x) || is_nan(y) || (is_zero(x) && is_zero(y)) || (is_infinite(x) && is_infinite(y))) return nan<L>();
    return special<L>(is_infinite(x) || is_zero(y) ? infinity_exponent : zero_exponent, minus);
  }
  std::uint32_t n[2 * L + 2] = {};  // X·2^(32(L + 1))
  for (int k = 0; k < L; ++k) n[L + 1 + k] = x.word[k];
  std::uint32_t quotient[L + 2];
  for (int k = L + 1; k >= 0; --k) {
    const std::uint64_t top = std::uint64_t{n[k + L]} << 32 | n[k + L - 1];
    std::uint32_t q = detail::digit(top / y.word[L - 1]);
    bool negative = detail::subtract_multiple(n + k, y.word, L, q);
    while (negative) {
      --q;
      negative = !detail::add_back(n + k, y.word, L, 0);
    }
    quotient[k] = q;
  }
  return rounded_float<L>(quotient, L + 2, std::int64_t{x.exponent} - y.exponent + 32, minus, bit_length(n, L) != 0,
                          to);
}

/// √x, rounded in the direction `to`: L + 1 digits of the root S of an integer N, and whether S² ≠ N.
/// limb.sqrt.1. Cost: L²/2 products of 32 bits, L divisions of 64 bits by 32.
template <int L>
ASSAY_HD constexpr Float<L> sqrt(const Float<L>& x, Rounding to) {
  if (is_zero(x) || is_nan(x)) return x;
  if (x.sign != 0) return nan<L>();
  if (is_infinite(x)) return x;
  const bool odd = (x.exponent & 1) != 0;
  std::uint32_t n[2 * L + 3] = {};  // N = X·2^(32(L + 2)), or half of that for an odd exponent, and a word 0
  for (int k = 0; k <= L; ++k) n[L + 1 + k] = word_at(x.word, L, 32 * (k - 1) + (odd ? 1 : 0));
  std::uint32_t root[L + 1];
  std::uint32_t twice[L + 3] = {};  // 2S·2³² + q from word L + 1 − k on for k digits of S
  for (int k = 0; k <= L; ++k) {
    std::uint32_t* const rest = n + 2 * (L - k);
    std::uint32_t* const d = twice + (L + 1 - k);
    std::uint32_t q = 0;
    if (k == 0) {
      q = detail::root_of_word(std::uint64_t{rest[1]} << 32 | rest[0]);
    } else {
      const std::uint64_t top =
          std::uint64_t{rest[k + 2]} << 63 | std::uint64_t{rest[k + 1]} << 31 | std::uint64_t{rest[k]} >> 1;
      q = detail::digit(top / root[L]);
    }
    d[0] = q;
    bool negative = detail::subtract_multiple(rest, d, k + 2, q);
    while (negative) {
      --q;
      d[0] = q;
      negative = !detail::add_back(rest, d, k + 2, std::uint64_t{q} + 1);
    }
    root[L - k] = q;
    d[0] = q << 1;
    d[1] |= q >> 31;
  }
  return rounded_float<L>(root, L + 1, (std::int64_t{x.exponent} + (odd ? 1 : 0)) / 2, false, bit_length(n) != 0, to);
}

}  // namespace assay::limb
