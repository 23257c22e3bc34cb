#pragma once
// Rounded multiple-precision numbers drawn for probes: the classes of the properties' domain that need no division.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/mp_number.hpp"
#include "probes/rns/integers.hpp"
#include "probes/stream.hpp"

namespace assay::probes::mp {

/// The widest enclosures are ±1, the narrowest ones that widen() makes ±most_kinds_of_width.
inline constexpr int most_kinds_of_width = 4;

/// The enclosure of a rounded number of h bits that is not zero, made 2^(−18 − |kind|) of U wide: by a smaller L where
/// kind < 0, by a larger U where kind > 0 and U stays below 2^(−h). Unchanged for kind 0.
ASSAY_HD inline void widen(Extended& lower, Extended& upper, int kind, int h) {
  if (kind == 0 || upper.fraction == 0) return;
  const double width = bits::power_of_two<double>(-18 - (kind < 0 ? -kind : kind));
  if (kind < 0) {
    // 2⁻⁵¹ is more than the rounding of L.
    const Extended below = scale(to_extended(upper.fraction * (1 - width + 0x1p-51)), upper.exponent);
    if (assay::compare(below, lower) < 0) lower = below;
  } else {
    const Extended above = scale(to_extended(lower.fraction * (1 + width)), lower.exponent);
    if (assay::compare(above, upper) > 0 && above.exponent + h < 0) upper = above;
  }
}

/// (−1)^sign·X·2^exponent with X in `words` limbs, and the width of its enclosure.
template <int words>
struct Operand {
  rns::Integer<words> X;
  std::int32_t exponent;
  std::int32_t sign;
  std::int32_t width;
};

/// Operands of one operation.
template <int words, int n>
struct Operands {
  Operand<words> at[n];
};

/// Draws significands that from_limbs() does not round.
template <class Set>
class Significands {
 public:
  static constexpr int h = assay::mp::significand_bits<Set>;
  static constexpr int words = (h + 31) / 32;
  using Integer = rns::Integer<words>;

  ASSAY_HD explicit Significands(Stream& stream) : stream_(stream), largest_(largest()), bits_(length(largest_)) {}

  /// ⌊M·2^(−h)(1 − 2⁻⁴⁸)⌋.
  ASSAY_HD static Integer largest() {
    constexpr int L = assay::rns::limbs<Set>;
    constexpr int all = L + 2;
    const std::uint32_t* const M = assay::rns::tables<Set>().product;
    rns::Integer<all> scaled{};
    std::uint32_t once[all] = {};
    for (int k = 0; k < all; ++k) scaled.word[k] = limb::left_shifted_word(M, L, 48, k);
    for (int k = 0; k < L; ++k) once[k] = M[k];
    scaled = subtracted(scaled, once);
    Integer x{};
    for (int k = 0; k < words; ++k) x.word[k] = limb::right_shifted_word(scaled.word, all, h + 48, k);
    return x;
  }
  ASSAY_HD static int length(const Integer& x) { return limb::bit_length(x.word, words); }
  /// The bits of the largest one.
  [[nodiscard]] ASSAY_HD int bits() const { return bits_; }
  [[nodiscard]] ASSAY_HD const Integer& most() const { return largest_; }
  [[nodiscard]] ASSAY_HD Integer limited(const Integer& x) const {
    return compared(x, largest_.word) > 0 ? largest_ : x;
  }
  ASSAY_HD static Integer one() { return Integer{{1}}; }
  ASSAY_HD static Integer power(int place) {
    Integer x{};
    x.word[place / 32] = std::uint32_t{1} << (place % 32);
    return x;
  }
  /// Any integer of that many bits, the first of them set. Requires: 0 ≤ length ≤ bits() (not checked).
  ASSAY_HD Integer dense(int length) {
    Integer x{};
    if (length == 0) return x;
    for (int k = 0; k < words; ++k) x.word[k] = static_cast<std::uint32_t>(stream_.word() >> 32);
    x = rns::shifted_down<words>(x.word, 32 * words - length);
    x.word[(length - 1) / 32] |= std::uint32_t{1} << ((length - 1) % 32);
    return limited(x);
  }
  /// As many bits as fit.
  ASSAY_HD Integer full() { return dense(bits_); }
  /// Every length up to `bits`: dense, a power of two, all ones, or two bits set.
  ASSAY_HD Integer every_length(int bits) {
    const int length = stream_.between(0, bits);
    const std::uint32_t kind = stream_.below(6);
    if (length == 0) return {};
    if (kind > 2) return dense(length);
    Integer x = power(length - 1);
    if (kind == 1) x = subtracted(added(x, x.word), one().word);
    if (kind == 2) x.word[0] |= 1;
    return limited(x);
  }
  /// One of these, the largest, or next to M·2^(−j).
  ASSAY_HD Integer any() {
    switch (stream_.below(6)) {
      case 0:
        return full();
      case 1: {
        const Integer below{{stream_.below(4)}};
        return subtracted(largest_, below.word);
      }
      case 2:
        return next_to_threshold(stream_.between(0, h - 8));
      default:
        return every_length(bits_);
    }
  }
  /// ⌊M·2^(−h − j)⌋, or one more or less.
  ASSAY_HD Integer next_to_threshold(int j) {
    const Integer x = threshold(h + j);
    const std::uint32_t off = stream_.below(3);
    return limited(off == 0 ? x : off == 1 ? added(x, one().word) : subtracted(x, one().word));
  }
  /// ⌊M·2^(−j)⌋. Requires: h ≤ j (not checked).
  ASSAY_HD static Integer threshold(int j) {
    constexpr int L = assay::rns::limbs<Set>;
    Integer x{};
    for (int k = 0; k < words; ++k) {
      x.word[k] = limb::right_shifted_word(assay::rns::tables<Set>().product, L, j, k);
    }
    return x;
  }

 private:
  Stream& stream_;
  Integer largest_;
  int bits_;
};

/// Pairs, and a third number if the operation has one.
template <class Set>
struct Draws {
  static constexpr int classes = 10;
  static constexpr const char* names[classes] = {"every length, exponent gaps to twice the precision",
                                                 "full length, gaps 0 … 3",
                                                 "cancellation of every number of leading bits",
                                                 "cancellation across exponents",
                                                 "gaps at the threshold of alignment ± 3, the other operand large",
                                                 "largest significands, every gap",
                                                 "last bits 1…1 dropped just above a power of two",
                                                 "zero, with far exponents",
                                                 "one and the other ± 1",
                                                 "enclosures as wide as those of rounded numbers may be"};
  using Numbers = Significands<Set>;
  using Integer = typename Numbers::Integer;
  static constexpr int h = Numbers::h;
  static constexpr int words = Numbers::words;

  template <int n>
  ASSAY_HD static Operands<words, n> draw(Stream& stream, int input_class) {
    const bool wide = input_class == classes - 1;
    const int of_class = wide ? static_cast<int>(stream.below(classes - 1)) : input_class;
    Operands<words, n> c{};
    draw_pair(stream, of_class, c.at[0], c.at[1]);
    if constexpr (n == 3) {
      Numbers numbers(stream);
      const bool is_full = stream.coin();
      c.at[2].X = is_full ? numbers.full() : numbers.any();
      c.at[2].exponent = exponent(stream);
      c.at[2].sign = sign(stream);
    }
    if (wide) {
      // The property with three operands has no widened ones.
      for (int i = 0; n == 2 && i < n; ++i) c.at[i].width = stream.between(-most_kinds_of_width, most_kinds_of_width);
    }
    return c;
  }

 private:
  ASSAY_HD static int exponent(Stream& stream) {
    const int any = stream.between(-3000, 3000);
    return stream.below(4) == 0 ? 0 : any;
  }
  ASSAY_HD static int sign(Stream& stream) { return stream.coin() ? 1 : 0; }

  ASSAY_HD static void draw_pair(Stream& stream, int input_class, Operand<words>& x, Operand<words>& y) {
    Numbers numbers(stream);
    int gap = 0;
    x.sign = sign(stream);
    y.sign = sign(stream);
    const int base = exponent(stream);
    switch (input_class) {
      case 1:
        x.X = numbers.full();
        y.X = numbers.full();
        gap = stream.between(0, 3);
        break;
      case 2: {
        x.X = numbers.full();
        const Integer step = numbers.every_length(stream.between(0, numbers.bits() - 1));
        y.X = stream.coin() ? numbers.limited(added(x.X, step.word)) : subtracted(x.X, step.word);
        break;
      }
      case 3: {
        gap = stream.between(1, h - 1);
        y.X = numbers.full();
        x.X = rns::shifted_down<words>(y.X.word, gap);
        if (stream.coin()) x.X = added(x.X, Numbers::one().word);
        break;
      }
      case 4: {
        const bool is_power = stream.coin();
        x.X = is_power ? Numbers::power(stream.between(0, numbers.bits() - 2)) : numbers.any();
        y.X = stream.coin() ? numbers.most() : numbers.any();
        const int length = Numbers::length(x.X);
        const int at = stream.between(-4, 2);
        gap = length == 0 ? 0 : assay::rns::product_exponent<Set> + 1 - length + at;
        break;
      }
      case 5:
        x.X = y.X = numbers.most();
        gap = stream.between(0, h + 3);
        break;
      case 6: {
        gap = stream.between(1, numbers.bits() - 1);
        y.X = subtracted(Numbers::power(gap), Numbers::one().word);
        const Integer above{{1 + stream.below(3)}};
        x.X = added(Numbers::threshold(h + 1), above.word);
        y.sign = x.sign;
        break;
      }
      case 7: {
        const bool both = stream.below(3) == 0;
        if (!both) y.X = numbers.any();
        const int far = 1 << stream.between(0, 29);
        x.exponent = stream.coin() ? far : -far;
        y.exponent = base;
        exchange(stream, x, y);
        return;
      }
      case 8: {
        x.X = numbers.any();
        const std::uint32_t off = stream.below(3);
        y.X = off == 1                               ? numbers.limited(added(x.X, Numbers::one().word))
              : off == 2 && Numbers::length(x.X) > 0 ? subtracted(x.X, Numbers::one().word)
                                                     : x.X;
        break;
      }
      default:
        x.X = numbers.any();
        y.X = numbers.any();
        gap = stream.between(-2 * h - 4, 2 * h + 4);
        break;
    }
    x.exponent = base + gap;
    y.exponent = base;
    exchange(stream, x, y);
  }
  ASSAY_HD static void exchange(Stream& stream, Operand<words>& x, Operand<words>& y) {
    if (!stream.coin()) return;
    const Operand<words> kept = x;
    x = y;
    y = kept;
  }
};

}  // namespace assay::probes::mp
