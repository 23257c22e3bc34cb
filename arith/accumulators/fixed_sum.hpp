#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay {

/// A sum of binary64 numbers as an integer of L words of 64 bits in two's complement, the lowest word first. The caller
/// knows the unit, a power of two. `FixedSum{}` is the empty sum. Integer operations only, modulo 2^(64L): the same
/// bits in every order, and exact where the sum is below 2^(64L − 1) in magnitude.
template <int L>
struct FixedSum {
  /// Whether all words are looked at, with constant indices, so that they live in registers.
  static constexpr bool is_short = L <= 8;

  std::uint64_t word[L];

  /// this += ±m·2^position. Requires: 0 ≤ position < 64L (not checked). About 8L operations; of a long sum, about 8 for
  /// each word that changes.
  ASSAY_HD constexpr void add(std::uint64_t m, int position, bool minus) {
    const int first = position >> 6;
    const int shift = position & 63;
    const std::uint64_t low = m << shift;
    const std::uint64_t high = shift == 0 ? 0 : m >> (64 - shift);
    const std::uint64_t flip = minus ? ~std::uint64_t{0} : 0;
    std::uint64_t carry = minus ? 1 : 0;
    const auto add_at = [&](int k) {
      carry = add_to_word(k, (k == first ? low : k == first + 1 ? high : 0) ^ flip, carry);
    };
    if constexpr (is_short) {
      ASSAY_UNROLL(8)
      for (int k = 0; k < L; ++k) add_at(k);
    } else {
      // 0 with no carry, or −1 with a carry, changes no word and passes the carry on.
      for (int k = first; k < L && (k < first + 2 || carry != (flip & 1)); ++k) add_at(k);
    }
  }

  /// this += other.
  ASSAY_HD constexpr void add(const FixedSum& other) {
    std::uint64_t carry = 0;
    ASSAY_UNROLL(8)
    for (int k = 0; k < L; ++k) carry = add_to_word(k, other.word[k], carry);
  }

  [[nodiscard]] ASSAY_HD constexpr bool is_negative() const { return word[L - 1] >> 63 != 0; }

  /// |this|.
  [[nodiscard]] ASSAY_HD constexpr FixedSum magnitude() const {
    FixedSum result{};
    const std::uint64_t flip = is_negative() ? ~std::uint64_t{0} : 0;
    std::uint64_t carry = flip & 1;
    ASSAY_UNROLL(8)
    for (int k = 0; k < L; ++k) carry = result.add_to_word(k, word[k] ^ flip, carry);
    return result;
  }

  /// RN(this·2^unit) in binary64 or binary32, ties to even; +0 for 0. Overflow per IEEE 754. Requires: 2^unit is a
  /// multiple of the smallest number of the format (not checked). The first 64 bits, of which the last stands for all
  /// that follow, are rounded to p; a number below the smallest normal one has fewer than p.
  template <class T = double>
  [[nodiscard]] ASSAY_HD constexpr T nearest(int unit) const {
    const auto [first, second, below, top] = leading_words();
    if (first == 0) return 0;
    const int shift = bits::leading_zeros(first);
    const std::uint64_t leading = first << shift | (shift == 0 ? 0 : second >> (64 - shift));
    const std::uint64_t rest = below | second << shift;
    const auto rounded = static_cast<T>(leading | (rest != 0 ? 1 : 0));
    const int exponent = unit + 64 * top - shift + 63;  // of the leading bit
    const T magnitude = exponent > FloatTraits<T>::emax ? from_bits<T>(bits::max_finite_bits<T> + 1)
                                                        : rounded * T{0x1p-63} * power_of_two<T>(exponent);
    return is_negative() ? -magnitude : magnitude;
  }

 private:
  /// Of the magnitude: the highest word that is not 0, its place, the word below it, and whether any below that is not
  /// 0.
  struct Leading {
    std::uint64_t first, second, below;
    int top;
  };
  [[nodiscard]] ASSAY_HD constexpr Leading leading_words() const {
    Leading words{};
    if constexpr (is_short) {
      const FixedSum m = magnitude();
      ASSAY_UNROLL(8)
      for (int k = 0; k < L; ++k) {
        if (m.word[k] != 0) words = {m.word[k], 0, 0, k};
      }
      ASSAY_UNROLL(8)
      for (int k = 0; k + 1 < L; ++k) {
        if (k == words.top - 1) words.second = m.word[k];
        if (k < words.top - 1) words.below |= m.word[k];
      }
    } else {
      const std::uint64_t flip = is_negative() ? ~std::uint64_t{0} : 0;
      int top = L - 1;
      while (top > 0 && word[top] == flip) --top;
      int low = 0;  // words below this one are 0
      while (low < top && word[low] == 0) ++low;
      const auto magnitude_at = [&](int k) { return (word[k] ^ flip) + (low >= k ? flip & 1 : 0); };
      if (magnitude_at(top) == 0 && flip != 0) low = ++top;  // −2^(64·top)
      words = {magnitude_at(top), top == 0 ? 0 : magnitude_at(top - 1), low < top - 1 ? std::uint64_t{1} : 0, top};
    }
    return words;
  }

  /// 2^k, from the smallest number of the format on.
  template <class T>
  ASSAY_HD static constexpr T power_of_two(int k) {
    using F = FloatTraits<T>;
    return k < F::emin ? from_bits<T>(BitsOf<T>{1} << (k - F::emin + F::precision - 1)) : bits::power_of_two<T>(k);
  }

  /// Adds v and a carry to a word, and returns the carry from it.
  ASSAY_HD constexpr std::uint64_t add_to_word(int k, std::uint64_t v, std::uint64_t carry) {
    const std::uint64_t s = word[k] + v;
    word[k] = s + carry;
    return (s < v ? 1 : 0) | (word[k] < carry ? 1 : 0);
  }
};

}  // namespace assay
