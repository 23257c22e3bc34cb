#pragma once
// Integers below the product of a set of moduli, and their draws: the classes of the property's domain.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/rns.hpp"
#include "probes/stream.hpp"

namespace assay::probes::rns {

/// L words of 32 bits, the lowest first.
template <int L>
struct Integer {
  std::uint32_t word[L];
};
template <class Set>
using IntegerOf = Integer<assay::rns::limbs<Set>>;

/// −1, 0 or 1: the sign of a − b.
template <int L>
ASSAY_HD constexpr int compared(const Integer<L>& a, const std::uint32_t* b) {
  for (int k = L - 1; k >= 0; --k) {
    if (a.word[k] != b[k]) return a.word[k] < b[k] ? -1 : 1;
  }
  return 0;
}
/// a + b and a − b modulo 2^(32L).
template <int L>
ASSAY_HD constexpr Integer<L> added(const Integer<L>& a, const std::uint32_t* b) {
  Integer<L> z{};
  std::uint64_t carry = 0;
  for (int k = 0; k < L; ++k) {
    carry += std::uint64_t{a.word[k]} + b[k];
    z.word[k] = bits::low_word(carry);
    carry >>= 32;
  }
  return z;
}
template <int L>
ASSAY_HD constexpr Integer<L> subtracted(const Integer<L>& a, const std::uint32_t* b) {
  Integer<L> z{};
  std::uint64_t carry = 1;
  for (int k = 0; k < L; ++k) {
    carry += std::uint64_t{a.word[k]} + (~b[k] & 0xFFFFFFFFu);
    z.word[k] = bits::low_word(carry);
    carry >>= 32;
  }
  return z;
}
/// ⌊a/2^shift⌋.
template <int L>
ASSAY_HD constexpr Integer<L> shifted_down(const std::uint32_t* a, int shift) {
  Integer<L> z{};
  for (int k = 0; k < L; ++k) z.word[k] = limb::right_shifted_word(a, L, shift, k);
  return z;
}

/// Draws integers below M.
template <class Set>
class Draws {
 public:
  static constexpr int L = assay::rns::limbs<Set>;
  static_assert(L >= 2);
  static constexpr int n = Set::n;
  static constexpr int product_exponent = assay::rns::product_exponent<Set>;
  using Integer = IntegerOf<Set>;

  static constexpr int classes = 12;
  static constexpr const char* names[classes] = {"every length",
                                                 "uniform",
                                                 "near 0",
                                                 "near M",
                                                 "near M/2",
                                                 "near M/2^j",
                                                 "near the root of M",
                                                 "multiples of moduli, and those ± 1",
                                                 "residues 0, 1, m/2, m − 1",
                                                 "terms of the Chinese remainder theorem 0, 1, m/2, m − 1",
                                                 "one or two terms of the Chinese remainder theorem",
                                                 "residues near the moduli"};

  ASSAY_HD static Integer draw(Stream& stream, int input_class) {
    switch (input_class) {
      case 1:
        return uniform(stream);
      case 2:
        return reduced(of_length(stream, 60 < product_exponent ? 60 : product_exponent));
      case 3: {
        const Integer one{{1}};
        const Integer top = subtracted(product_as_integer(), one.word);
        return beside(top, offset(stream), true);
      }
      case 4: {
        const Integer half = shifted_down<L>(product(), 1);
        const Integer off = offset(stream);
        return beside(half, off, stream.coin());
      }
      case 5: {
        const Integer part = shifted_down<L>(product(), stream.between(1, product_exponent));
        const Integer off = offset(stream);
        return beside(part, off, stream.coin());
      }
      case 6: {
        const Integer off = offset(stream);
        return beside(root(), off, stream.coin());
      }
      case 7:
        return multiple(stream);
      case 8:
      case 9:
      case 10:
      case 11: {
        std::uint32_t residues[n] = {};
        draw_residues(stream, input_class, residues);
        return of_residues(residues, input_class == 9 || input_class == 10);
      }
      default:
        return reduced(of_length(stream, product_exponent + 1));
    }
  }

 private:
  ASSAY_HD static std::uint32_t modulus(int i) { return assay::rns::tables<Set>().m[i]; }
  ASSAY_HD static const std::uint32_t* product() { return assay::rns::tables<Set>().product; }
  ASSAY_HD static Integer product_as_integer() { return shifted_down<L>(product(), 0); }
  /// x or x − M, below M. Requires: x < 2M (not checked).
  ASSAY_HD static Integer reduced(const Integer& x) {
    return compared(x, product()) < 0 ? x : subtracted(x, product());
  }
  /// x ± off modulo M. Requires: x, off < M (not checked). The sum of both may exceed the words: then M is subtracted
  /// first.
  ASSAY_HD static Integer beside(const Integer& x, const Integer& off, bool below) {
    if (below) return compared(x, off.word) < 0 ? subtracted(added(x, product()), off.word) : subtracted(x, off.word);
    const Integer room = subtracted(product_as_integer(), off.word);
    return compared(x, room.word) < 0 ? added(x, off.word) : subtracted(x, room.word);
  }
  /// At most `bits` bits, and at most those of M, each number of bits as likely: below 2M.
  ASSAY_HD static Integer of_length(Stream& stream, int bits) {
    Integer x{};
    const int most = bits <= product_exponent ? bits : product_exponent + 1;
    const int length = stream.between(0, most);
    const std::uint32_t kind = stream.below(8);
    if (length == 0) return x;
    const auto set = [&](int place) { x.word[place / 32] |= std::uint32_t{1} << (place % 32); };
    if (kind == 0 || kind == 2) {
      set(length - 1);
      const int place = stream.between(0, length - 1);
      if (kind == 2) set(place);
      return x;
    }
    for (int k = 0; k < L; ++k) {
      const auto any = static_cast<std::uint32_t>(stream.word() >> 32);
      x.word[k] = kind == 1 ? ~std::uint32_t{0} : any;
    }
    Integer cut = shifted_down<L>(x.word, 32 * L - length);
    cut.word[(length - 1) / 32] |= std::uint32_t{1} << ((length - 1) % 32);
    return cut;
  }
  /// Any integer below M.
  ASSAY_HD static Integer uniform(Stream& stream) {
    std::uint32_t words[2 * L] = {};
    for (int k = 0; k < L; ++k) {
      const auto any = static_cast<std::uint32_t>(stream.word() >> 32);
      std::uint64_t carry = 0;
      for (int j = 0; j < L; ++j) {
        carry += std::uint64_t{any} * product()[j] + words[k + j];
        words[k + j] = bits::low_word(carry);
        carry >>= 32;
      }
      words[k + L] = bits::low_word(carry);
    }
    Integer high{};
    for (int k = 0; k < L; ++k) high.word[k] = words[k + L];
    return high;
  }
  ASSAY_HD static Integer offset(Stream& stream) {
    const bool is_short = stream.coin();
    return reduced(of_length(stream, is_short ? 40 : product_exponent));
  }
  /// √M to some fifty bits.
  ASSAY_HD static Integer root() {
    const int shift = product_exponent % 2 == 0 ? product_exponent - 52 : product_exponent - 51;
    const std::uint64_t top = limb::bits_at(product(), L, shift);
    const double of_top = assay::sqrt(static_cast<double>(top));
    const auto whole = static_cast<std::uint64_t>(of_top * 0x1p20);
    Integer x{{bits::low_word(whole), bits::low_word(whole >> 32)}};
    const int up = shift / 2 - 20;
    Integer z{};
    for (int k = 0; k < L; ++k) {
      z.word[k] = up >= 0 ? limb::left_shifted_word(x.word, L, up, k) : limb::right_shifted_word(x.word, L, -up, k);
    }
    return z;
  }
  /// k·mᵢ or k·m₀m₁…mᵢ, or one more or less.
  ASSAY_HD static Integer multiple(Stream& stream) {
    const int i = static_cast<int>(stream.below(n));
    const bool all = stream.coin();
    int length = 0;
    for (int j = all ? 0 : i; j <= i; ++j) length += bits::bit_length(modulus(j));
    const int room = product_exponent - length;
    Integer x = of_length(stream, room > 0 ? room : 0);
    for (int j = all ? 0 : i; j <= i; ++j) limb::multiply_by_word(x.word, L, modulus(j));
    const Integer one{{1}};
    const std::uint32_t off = stream.below(3);
    return off == 0 ? x : beside(x, one, off == 1);
  }
  ASSAY_HD static void draw_residues(Stream& stream, int input_class, std::uint32_t (&residues)[n]) {
    if (input_class < 10) {
      draw_edges(stream, residues);
    } else if (input_class == 10) {
      draw_digit(stream, residues);
      if (stream.below(4) == 0) draw_digit(stream, residues);
    } else {
      const int width = stream.between(0, 24);
      for (int i = 0; i < n; ++i) {
        const std::uint32_t m = modulus(i);
        residues[i] = m - 1 - static_cast<std::uint32_t>(stream.word() >> 40) % (1u << width) % m;
      }
    }
  }
  ASSAY_HD static void draw_edges(Stream& stream, std::uint32_t (&residues)[n]) {
    const std::uint32_t kind = stream.below(8);
    for (int i = 0; i < n; ++i) {
      const std::uint32_t m = modulus(i);
      const std::uint32_t mine = stream.below(6);
      const std::uint32_t edge[6] = {0, 1, m / 2, m - m / 2, m - 2, m - 1};
      residues[i] = edge[kind < 6 ? kind : mine];
    }
  }
  /// One more digit d or m − d, d of every length.
  ASSAY_HD static void draw_digit(Stream& stream, std::uint32_t (&digits)[n]) {
    const int i = static_cast<int>(stream.below(n));
    const std::uint32_t m = modulus(i);
    const std::uint32_t any = stream.below(m - 1);
    const std::uint32_t cut = stream.below(32);
    const std::uint32_t d = stream.coin() ? any : any >> cut;
    digits[i] = stream.coin() ? d + 1 : m - 1 - d;
  }
  /// The integer with these residues; or with xᵢ = digitᵢ·M/mᵢ modulo mᵢ.
  ASSAY_HD static Integer of_residues(const std::uint32_t* given, bool are_digits) {
    assay::rns::Residues<Set> x{};
    for (int i = 0; i < n; ++i) {
      const std::uint64_t m = modulus(i);
      std::uint64_t value = given[i];
      for (int j = 0; are_digits && j < n; ++j) {
        if (j != i) value = value * modulus(j) % m;
      }
      x.r[i] = static_cast<std::uint32_t>(value);
    }
    Integer z{};
    assay::rns::to_limbs(x, z.word);
    return z;
  }
};

}  // namespace assay::probes::rns
