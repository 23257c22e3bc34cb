#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

/// Integers in words of 32 bits (limbs), least significant first; conversions from and to binary64. Integer operations
/// only, so that the bits are the same everywhere.
namespace limb {

/// (−1)^sign·(Σ word_i·2^(32i))·2^exponent if `fits`; all members are 0 otherwise. The integer is odd, or 0 with
/// exponent and sign 0.
template <int L>
struct Number {
  std::uint32_t word[L];
  std::int32_t sign;
  std::int32_t exponent;
  bool fits;
};

/// Bits position … position + 31 of x; bits outside x are 0.
ASSAY_HD constexpr std::uint32_t word_at(const std::uint32_t* x, int count, std::int64_t position) {
  const std::int64_t word = position >> 5;
  const std::uint64_t low = word >= 0 && word < count ? x[word] : 0;
  const std::uint64_t high = word + 1 >= 0 && word + 1 < count ? x[word + 1] : 0;
  return static_cast<std::uint32_t>((high << 32 | low) >> (position & 31));
}

/// Bits position … position + 63 of x; bits outside x are 0.
ASSAY_HD constexpr std::uint64_t bits_at(const std::uint32_t* x, int count, std::int64_t position) {
  return std::uint64_t{word_at(x, count, position + 32)} << 32 | word_at(x, count, position);
}

/// Word k of ⌊x/2^shift⌋, x[k] the words of x. Requires: k ≥ 0, shift ≥ 0 (not checked).
ASSAY_HD constexpr std::uint32_t right_shifted_word(const auto& x, int count, std::int64_t shift, int k) {
  const std::int64_t at = shift / 32 + k;
  const int bits = static_cast<int>(shift % 32);
  const std::uint64_t low = at < count ? x[at] : 0;
  const std::uint64_t high = at + 1 < count ? x[at + 1] : 0;
  return static_cast<std::uint32_t>((high << 32 | low) >> bits);
}

/// Word k of x·2^shift, x[k] the words of x. Requires: k ≥ 0, shift ≥ 0 (not checked).
ASSAY_HD constexpr std::uint32_t left_shifted_word(const auto& x, int count, std::int64_t shift, int k) {
  const std::int64_t at = k - shift / 32;
  const std::uint64_t high = at >= 0 && at < count ? x[at] : 0;
  const std::uint64_t low = at >= 1 && at <= count ? x[at - 1] : 0;
  return static_cast<std::uint32_t>((high << 32 | low) << (shift % 32) >> 32);
}

/// The bits of x: ⌊log₂ x⌋ + 1, and 0 for x = 0.
ASSAY_HD constexpr int bit_length(const std::uint32_t* x, int count) {
  int k = count;
  while (k > 0 && x[k - 1] == 0) {
    --k;
  }
  return k == 0 ? 0 : 32 * (k - 1) + bits::bit_length(x[k - 1]);
}
template <int count>
ASSAY_HD constexpr int bit_length(const std::uint32_t (&x)[count]) {
  return bit_length(x, count);
}

/// Whether a bit of x below `position` is set. Requires: 0 ≤ position ≤ the bits of x's words (not checked).
ASSAY_HD constexpr bool any_below(const std::uint32_t* x, std::int64_t position) {
  std::int64_t k = 0;
  for (; 32 * (k + 1) <= position; ++k) {
    if (x[k] != 0) {
      return true;
    }
  }
  const int rest = static_cast<int>(position - 32 * k);
  return rest > 0 && (x[k] << (32 - rest)) != 0;
}

/// x ← x·m modulo 2^(32·count); returns the word carried out.
ASSAY_HD constexpr std::uint32_t multiply_by_word(std::uint32_t* x, int count, std::uint32_t m) {
  std::uint64_t carry = 0;
  for (int k = 0; k < count; ++k) {
    carry += std::uint64_t{x[k]} * m;
    x[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return static_cast<std::uint32_t>(carry);
}

/// quotient ← ⌊x/m⌋, of `count` words; returns x mod m. The quotient may be x. Requires: m ≠ 0 (not checked).
ASSAY_HD constexpr std::uint32_t divide_by_word(const std::uint32_t* x, int count, std::uint32_t m,
                                                std::uint32_t* quotient) {
  std::uint64_t rest = 0;
  for (int k = count; k-- > 0;) {
    rest = rest << 32 | x[k];
    quotient[k] = static_cast<std::uint32_t>(rest / m);
    rest %= m;
  }
  return static_cast<std::uint32_t>(rest);
}

/// x ← −x in two's complement.
ASSAY_HD constexpr void negate(std::uint32_t* x, int count) {
  std::uint64_t carry = 1;
  for (int k = 0; k < count; ++k) {
    carry += static_cast<std::uint32_t>(~x[k]);
    x[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

/// Word k of |x| from the word k of x in two's complement; `lowest` is the number of x's first word that is not 0. A
/// magnitude by parts, for threads that share the words.
ASSAY_HD constexpr std::uint32_t magnitude_word(std::uint32_t word, int k, bool negative, int lowest) {
  return !negative ? word : k < lowest ? 0 : k == lowest ? 0u - word : ~word;
}

/// x[0 … count] = |Σ digit_k·2^(32k)| over 0 ≤ k < count; returns whether the sum is negative. Resolves the carries of
/// the digits. Requires: |digit_k| < 2⁶³ − 2³² (not checked). One pass, two for a negative sum.
ASSAY_HD constexpr bool magnitude_of_digits(const std::int64_t* digit, int count, std::uint32_t* x) {
  std::int64_t carry = 0;
  ASSAY_UNROLL(1)
  for (int k = 0; k < count; ++k) {
    const std::int64_t sum = digit[k] + carry;
    x[k] = static_cast<std::uint32_t>(sum);
    carry = sum >> 32;
  }
  x[count] = static_cast<std::uint32_t>(carry);
  if (carry < 0) {
    negate(x, count + 1);
  }
  return carry < 0;
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
    x[k] = word_at(x, count, std::int64_t{32} * k + d);
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
    const bits::Significand odd = bits::odd_part(x[i]);
    least = odd.m != 0 && odd.e < least ? odd.e : least;
  }
  std::uint32_t w[L + 1] = {};  // two's complement
  for (int i = 0; i < count; ++i) {
    const bits::Significand odd = bits::odd_part(x[i]);
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
    std::uint64_t carry = odd.minus ? 1 : 0;  // −m is ~m + 1
    for (int k = first; k <= L; ++k) {
      const std::uint32_t part = k - first < 3 ? parts[k - first] : 0;
      carry += std::uint64_t{w[k]} + (odd.minus ? ~part : part);
      w[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  const bool minus = w[L] != 0;  // or the sum is too large, and so is its negative
  if (minus) {
    negate(w, L + 1);
  }
  if (w[L] != 0) {
    return z;
  }
  z.fits = true;
  if (bit_length(w, L) == 0) {
    return z;
  }
  int first = 0;
  while (w[first] == 0) {
    ++first;
  }
  const int zeros = 32 * first + bits::trailing_zeros(w[first]);
  shift_right(w, L, zeros);
  for (int k = 0; k < L; ++k) {
    z.word[k] = w[k];
  }
  z.sign = minus ? 1 : 0;
  z.exponent = least + zeros;
  return z;
}

/// (−1)^minus·x·2^e of an integer x of `count` words, rounded to binary64 in the direction `to`, RN with ties to even:
/// subnormal results per IEEE 754, from 2¹⁰²⁴ (RN: 2¹⁰²⁴ − 2⁹⁷⁰) on ±∞ or the largest number, whichever the direction
/// requires; x = 0 gives the zero of that sign. Requires: |e| ≤ 2³⁰ (not checked).
ASSAY_HD constexpr double rounded(const std::uint32_t* x, int count, int e, bool minus, Rounding to) {
  const std::uint64_t sign = minus ? bits::sign_bit<double> : 0;
  const int bits = bit_length(x, count);
  if (bits == 0) {
    return from_bits<double>(sign);
  }
  const int position = bits - 53 > -1074 - e ? bits - 53 : -1074 - e;  // of the last bit that the result has
  const bool outward = to == Rounding::ru ? !minus : to == Rounding::rd && minus;
  std::uint64_t m = position < bits ? bits_at(x, count, position) : 0;
  if (position > 0) {
    const int half = position - 1;
    const bool round = half < bits && (x[half / 32] >> (half % 32) & 1) != 0;
    const bool rest = any_below(x, half < bits ? half : bits);
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
    const std::uint64_t m = bits_at(x, count, position) & ((std::uint64_t{1} << 53) - 1);
    out[i] = bits::compose(sign != 0 && m != 0, m, position + e);
    bits = position < 0 ? 0 : position;
    while (bits > 0 && (x[(bits - 1) / 32] >> ((bits - 1) % 32) & 1) == 0) {
      --bits;
    }
  }
}

}  // namespace limb
}  // namespace assay
