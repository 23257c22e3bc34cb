#pragma once
// Whether a sum of a few numbers and products is 0, decided with integers only, without any rounded operation.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "probes/probe.hpp"

namespace assay::probes {

/// ±(high·2⁶⁴ + low)·2^e with an odd integer, or 0.
struct ExactTerm {
  std::uint64_t high, low;
  int e;
  bool minus;

  ASSAY_HD constexpr bool is_zero() const { return (high | low) == 0; }
  ASSAY_HD constexpr int bit_length() const { return high != 0 ? 64 + bits::bit_length(high) : bits::bit_length(low); }
  ASSAY_HD constexpr bool cancels(const ExactTerm& other) const {
    return high == other.high && low == other.low && e == other.e && minus != other.minus;
  }
  ASSAY_HD constexpr ExactTerm operator-() const { return {high, low, e, !minus}; }
};

/// Requires: x is finite (not checked).
template <class T>
ASSAY_HD constexpr ExactTerm exact_term(T x) {
  const bits::Significand s = bits::odd_part(x);
  return {0, s.m, s.e, s.minus};
}
/// ab. Requires: a and b are finite (not checked).
template <class T>
ASSAY_HD constexpr ExactTerm exact_term(T a, T b) {
  const bits::Significand x = bits::odd_part(a);
  const bits::Significand y = bits::odd_part(b);
  const bits::WideProduct m = bits::wide_product(x.m, y.m);
  return {m.high, m.low, x.e + y.e, x.minus != y.minus};
}

namespace detail {

/// Bits position … position + 63 of high·2⁶⁴ + low; those outside are 0.
ASSAY_HD constexpr std::uint64_t bits_from(std::uint64_t high, std::uint64_t low, int position) {
  if (position <= -64 || position >= 128) return 0;
  if (position < 0) return low << -position;
  if (position == 0) return low;
  if (position >= 64) return high >> (position - 64);
  return low >> position | high << (64 - position);
}

}  // namespace detail

/// Whether the sum of the terms is 0 for certain. Terms that cancel each other in pairs are removed. The others are
/// integers over the smallest exponent among them, and are added in `limbs` words of 64 bits if these hold n times the
/// largest of them and a sign; otherwise the answer is no.
template <int limbs, int n>
ASSAY_HD constexpr bool is_zero_sum(ExactTerm (&terms)[n]) {
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (terms[i].cancels(terms[j])) terms[i] = terms[j] = ExactTerm{0, 0, 0, false};
    }
  }
  constexpr int none = 1 << 20;
  int low = none;
  int high = -none;
  for (const ExactTerm& each : terms) {
    if (each.is_zero()) continue;
    const int top = each.e + each.bit_length();
    low = each.e < low ? each.e : low;
    high = top > high ? top : high;
  }
  if (low == none) return true;
  if (high - low + bits::bit_length(std::uint32_t{n}) + 1 > 64 * limbs) return false;
  std::uint64_t sum[limbs] = {};
  for (const ExactTerm& each : terms) {
    if (each.is_zero()) continue;
    std::uint64_t carry = each.minus ? 1 : 0;
    for (int k = 0; k < limbs; ++k) {
      const std::uint64_t word = detail::bits_from(each.high, each.low, 64 * k - (each.e - low));
      const std::uint64_t addend = each.minus ? ~word : word;
      const std::uint64_t partial = sum[k] + addend;
      const std::uint64_t whole = partial + carry;
      carry = (partial < addend ? 1u : 0u) + (whole < carry ? 1u : 0u);
      sum[k] = whole;
    }
  }
  std::uint64_t any = 0;
  for (const std::uint64_t word : sum) any |= word;
  return any == 0;
}

/// The error of a result that is exact, or about which nothing is known.
ASSAY_HD constexpr Scaled exact_or_unknown(bool is_exact) {
  return {is_exact ? 0 : from_bits<double>(0x7FF0000000000000u), 0};
}

}  // namespace assay::probes
