#pragma once

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

/// Integers of words of 32 bits (limbs), least significant first, and the binary64 numbers that they are made of.
/// Integer operations only, so that the bits are the same everywhere.
namespace limb {

/// (−1)^sign·(Σ word_i·2^(32i))·2^exponent, where `fits`; otherwise 0. The integer is odd or 0, with exponent and sign
/// 0.
template <int L>
struct Number {
  std::uint32_t word[L];
  std::int32_t sign;
  std::int32_t exponent;
  bool fits;
};

namespace detail {

/// x = ±m·2^e with m odd, or m = 0 and e = 0. Requires: x finite (not checked).
struct Odd {
  std::uint64_t m;
  int e;
};
ASSAY_HD constexpr Odd odd_part(double x) {
  const std::uint64_t bits = bits::magnitude_bits(x);
  if (bits == 0) {
    return {0, 0};
  }
  const int field = static_cast<int>(bits >> 52);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  Odd z{field == 0 ? fraction : fraction | std::uint64_t{1} << 52, (field == 0 ? 1 : field) - 1075};
  while ((z.m & 1) == 0) {
    z.m >>= 1;
    ++z.e;
  }
  return z;
}

/// The 64 bits of x from `position` on; below and above are zeros.
ASSAY_HD constexpr std::uint64_t bits_at(const std::uint32_t* x, int count, int position) {
  std::uint64_t bits = 0;
  for (int b = 0; b < 96; b += 32) {
    const int k = (position >= 0 ? position / 32 : -((31 - position) / 32)) + b / 32;
    const int shift = 32 * k - position;  // of word k in the result
    if (k >= 0 && k < count && shift < 64) {
      const std::uint64_t word = x[k];
      bits |= shift >= 0 ? word << shift : word >> -shift;
    }
  }
  return bits;
}

}  // namespace detail

/// The bits of x: ⌊log₂ x⌋ + 1, and 0 for x = 0.
ASSAY_HD constexpr int bit_length(const std::uint32_t* x, int count) {
  int k = count;
  while (k > 0 && x[k - 1] == 0) {
    --k;
  }
  if (k == 0) {
    return 0;
  }
  int bits = 32 * (k - 1);
  for (std::uint32_t top = x[k - 1]; top != 0; top >>= 1) {
    ++bits;
  }
  return bits;
}

/// The sign of x − y, both of `count` words: −1, 0 or 1.
ASSAY_HD constexpr int compare(const std::uint32_t* x, const std::uint32_t* y, int count) {
  for (int k = count - 1; k >= 0; --k) {
    if (x[k] != y[k]) {
      return x[k] < y[k] ? -1 : 1;
    }
  }
  return 0;
}

/// x ← ⌊x/2^d⌋, d ≥ 0.
ASSAY_HD constexpr void shift_right(std::uint32_t* x, int count, int d) {
  for (int k = 0; k < count; ++k) {
    x[k] = static_cast<std::uint32_t>(detail::bits_at(x, count, 32 * k + d));
  }
}

/// The sum of `count` numbers, exactly, if L words hold the sum and each number in units of the smallest bit among
/// them. Words need not be nonoverlapping. Infinities and NaNs do not fit. Requires: count < 2³¹ (not checked).
template <int L>
ASSAY_HD constexpr Number<L> sum(const double* x, int count) {
  Number<L> z{};
  int least = 2048;
  for (int i = 0; i < count; ++i) {
    if (!is_finite(x[i])) {
      return z;
    }
    const detail::Odd odd = detail::odd_part(x[i]);
    least = odd.m != 0 && odd.e < least ? odd.e : least;
  }
  std::uint32_t w[L + 1] = {};  // two's complement
  for (int i = 0; i < count; ++i) {
    const detail::Odd odd = detail::odd_part(x[i]);
    if (odd.m == 0) {
      continue;
    }
    if (assay::exponent(x[i]) - least >= 32 * L) {
      return z;
    }
    const int first = (odd.e - least) / 32;
    const int shift = (odd.e - least) % 32;
    const std::uint32_t parts[3] = {static_cast<std::uint32_t>(odd.m << shift),
                                    static_cast<std::uint32_t>(odd.m << shift >> 32),
                                    shift == 0 ? 0 : static_cast<std::uint32_t>(odd.m >> (64 - shift))};
    const bool minus = signbit(x[i]);
    std::uint64_t carry = minus ? 1 : 0;  // −m is ~m + 1
    for (int k = first; k <= L; ++k) {
      const std::uint32_t part = k - first < 3 ? parts[k - first] : 0;
      carry += std::uint64_t{w[k]} + (minus ? ~part : part);
      w[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  const bool minus = w[L] >> 31 != 0;
  std::uint64_t carry = minus ? 1 : 0;
  for (int k = 0; k <= L; ++k) {
    carry += minus ? ~w[k] : w[k];
    w[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (w[L] != 0) {
    return z;
  }
  z.fits = true;
  if (bit_length(w, L) == 0) {
    return z;
  }
  int zeros = 0;
  while ((w[zeros / 32] >> (zeros % 32) & 1) == 0) {
    ++zeros;
  }
  shift_right(w, L, zeros);
  for (int k = 0; k < L; ++k) {
    z.word[k] = w[k];
  }
  z.sign = minus ? 1 : 0;
  z.exponent = least + zeros;
  return z;
}

/// m·2^e exactly. Requires: m < 2⁵³, and a result that is 0 or normal (not checked).
ASSAY_HD constexpr double scaled(std::uint64_t m, int e) {
  if (m == 0) {
    return 0.0;
  }
  int shift = 0;
  while ((m << shift & std::uint64_t{1} << 52) == 0) {
    ++shift;
  }
  return from_bits<double>(static_cast<std::uint64_t>(e - shift + 1075) << 52 |
                           ((m << shift) & ((std::uint64_t{1} << 52) - 1)));
}

/// (−1)^minus·x·2^e of an integer x of `count` words, rounded to binary64 in the direction `to`, RN with ties to even:
/// subnormal results as IEEE 754 has them, from 2¹⁰²⁴ (RN: 2¹⁰²⁴ − 2⁹⁷⁰) on ±∞ or the largest number, whichever the
/// direction asks for; x = 0 gives the zero of that sign. Requires: |e| < 2³⁰ (not checked).
ASSAY_HD constexpr double rounded(const std::uint32_t* x, int count, int e, bool minus, Rounding to) {
  const std::uint64_t sign = minus ? bits::sign_bit<double> : 0;
  const int bits = bit_length(x, count);
  if (bits == 0) {
    return from_bits<double>(sign);
  }
  const int position = bits - 53 > -1074 - e ? bits - 53 : -1074 - e;  // of the last bit that the result has
  const bool outward = to == Rounding::ru ? !minus : to == Rounding::rd && minus;
  std::uint64_t m = position < bits ? detail::bits_at(x, count, position) : 0;
  if (position > 0) {
    const int half = position - 1;
    const bool round = half < bits && (x[half / 32] >> (half % 32) & 1) != 0;
    const int below = half < bits ? half : bits;  // the bits that `rest` looks at
    bool rest = below % 32 != 0 && (x[below / 32] & ((std::uint32_t{1} << (below % 32)) - 1)) != 0;
    for (int k = 0; k < below / 32 && !rest; ++k) {
      rest = x[k] != 0;
    }
    m += (to == Rounding::rn ? round && (rest || (m & 1) != 0) : outward && (round || rest)) ? 1 : 0;
  }
  // m ≤ 2⁵³; the first bit of m counts for one in the exponent field, a carry for two.
  const int field = position + e + 1074;
  std::uint64_t magnitude = bits::max_finite_bits<double> + 1;
  if (field < 2046) {
    magnitude = (static_cast<std::uint64_t>(field) << 52) + m;
  }
  if (magnitude > bits::max_finite_bits<double>) {
    magnitude = bits::max_finite_bits<double> + (to == Rounding::rn || outward ? 1 : 0);
  }
  return from_bits<double>(sign | magnitude);
}

/// RN(x·2^e), ties to even, of an integer x of `count` words; +∞ from 2¹⁰²⁴ − 2⁹⁷⁰ on.
ASSAY_HD constexpr double nearest(const std::uint32_t* x, int count, int e) {
  return rounded(x, count, e, false, Rounding::rn);
}

/// out[0 … k − 1]: (−1)^sign·x·2^e of an integer x of `count` words, exactly if k words hold it, otherwise its first
/// words: each takes 53 bits from the first set bit on, so that the words are Shewchuk-nonoverlapping and of one sign.
/// Requires: words that are 0 or of magnitude 2⁻¹⁰²² … 2¹⁰²⁴ (not checked).
ASSAY_HD constexpr void leading_words(const std::uint32_t* x, int count, int sign, int e, double* out, int k) {
  int bits = bit_length(x, count);
  for (int i = 0; i < k; ++i) {
    const int position = bits - 53;
    const std::uint64_t m = detail::bits_at(x, count, position) & ((std::uint64_t{1} << 53) - 1);
    const double word = scaled(m, position + e);
    out[i] = sign != 0 && m != 0 ? -word : word;
    bits = position < 0 ? 0 : position;
    while (bits > 0 && (x[(bits - 1) / 32] >> ((bits - 1) % 32) & 1) == 0) {
      --bits;
    }
  }
}

}  // namespace limb
}  // namespace assay
