#pragma once
// Integers in limbs that the threads of a block share, for the last kernel of the exact-accumulating GEMV.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/extremes.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/limbs.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_operands.hpp"

namespace assay::gemv::detail {

/// Two integers z and w of a block, each with an exponent: z is the sum so far, w the next summand. If z cannot hold
/// all summands at once, its leading bits become the head, and z continues with the rest (docs/bounds/gemv.md,
/// gemv.exact.8).
template <int width>
struct GemvExactIntegers {
  static constexpr int threads = width;
  static constexpr int most_moduli = 129;
  static constexpr int most_limbs = 392;

  /// The meaning of the limbs of an integer: (−1)^negative·|limbs|·2^exponent.
  struct Integer {
    std::int64_t exponent;
    int count;   ///< limbs of the magnitude; 0 for 0
    int lowest;  ///< the lowest limb that is not 0
    bool negative;
    bool complement;  ///< the limbs are the two's complement of the magnitude
  };
  /// The meaning of the columns in `total` as a head: (−1)^negative·|columns|·2^exponent.
  struct Head {
    std::int64_t exponent;
    bool negative;
  };
  using Limbs = std::uint32_t[most_limbs];
  struct Shared {
    rns::CrtDigit digits[most_moduli];
    std::uint32_t residues[most_moduli];
    std::int64_t low[most_limbs];  ///< column k of an integer is low_k + high_(k − 1)
    std::int64_t high[most_limbs];
    std::int64_t total[most_limbs];  ///< columns of the sum of windows, or of the head
    std::int32_t carries[2][most_limbs + 1];
    std::int64_t over;  ///< the part beyond the limbs: −1 for a negative integer
    Limbs z;
    Limbs w;
    Integer z_is;
    Integer w_is;
    Head head;
    std::int32_t lane[threads];
    std::int32_t shift[threads];
    std::int32_t sign[threads];
    std::int32_t window_base;
    std::int32_t window_top;
    std::int32_t unit;
  };
  using Team = Block<Shared, threads>;

  /// A value that is the same for all threads, computed outside a phase.
  template <class F>
  ASSAY_HD static int uniform(Team& block, F&& f) {
    auto own = block.per_thread(int{});
    block.for_each_thread([&](int t, Shared& s) { own[t] = f(s); });
    return own[0];
  }

  /// The bits of an integer whose highest limb is not 0.
  ASSAY_HD static std::int64_t bits_of(const std::uint32_t* limbs, int count) {
    return count == 0 ? 0 : 32 * (std::int64_t{count} - 1) + bits::bit_length(limbs[count - 1]);
  }

  ASSAY_HD static bool bit(const std::uint32_t* limbs, std::int64_t i) { return (limbs[i / 32] >> (i % 32) & 1) != 0; }

  ASSAY_HD static std::int64_t lowest_bit(const std::uint32_t* limbs, const Integer& is) {
    return std::int64_t{32} * is.lowest + bits::trailing_zeros(limbs[is.lowest]);
  }

  /// Finds for a two's complement integer: its sign, the limbs of its magnitude, the lowest limb that is not 0.
  struct Described {
    bool negative;
    int count;
    int lowest;
  };
  ASSAY_HD static Described describe(const std::uint32_t* limbs, int count, bool negative) {
    const std::uint32_t fill = negative ? 0xFFFFFFFFu : 0;
    int lowest = 0;
    while (lowest < count && limbs[lowest] == 0) ++lowest;
    int used = count;
    while (used > 0 && limbs[used - 1] == fill) --used;
    if (used <= lowest && lowest < count) used = lowest + 1;
    return {negative, used, lowest};
  }

  /// The integer of the columns 0 … count − 1 into s.*to, two's complement, with s.over = −1 if it is negative. All
  /// limbs pass on their carries at once; after the first time these are −1, 0 or 1, and rarely go far. Carries that go
  /// farther are passed through the limbs in order.
  ASSAY_HD static void resolve(Team& block, Limbs Shared::*to, int count) {
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < count; k += threads) {
        const std::int64_t column = s.low[k] + (k > 0 ? s.high[k - 1] : 0);
        (s.*to)[k] = static_cast<std::uint32_t>(column);
        s.carries[0][k + 1] = static_cast<std::int32_t>(column >> 32);
        if (k == 0) s.carries[0][0] = 0;
        if (k == count - 1) s.over = s.high[k] + (column >> 32);
      }
    });
    constexpr int times_at_once = 2;
    for (int time = 0;; ++time) {
      const int from = time & 1;
      const bool carried = block.any([&](int t, const Shared& s) {
        bool found = false;
        for (int k = t; k < count; k += threads) found = found || s.carries[from][k] != 0;
        return found;
      });
      if (!carried) return;
      if (time == times_at_once) break;
      block.for_each_thread([&](int t, Shared& s) {
        for (int k = t; k < count; k += threads) {
          const std::int64_t limb = std::int64_t{(s.*to)[k]} + s.carries[from][k];
          (s.*to)[k] = static_cast<std::uint32_t>(limb);
          s.carries[1 - from][k + 1] = static_cast<std::int32_t>(limb >> 32);
          if (k == 0) s.carries[1 - from][0] = 0;
          if (k == count - 1) s.over += limb >> 32;
        }
      });
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      std::int64_t carry = 0;
      for (int k = 0; k < count; ++k) {
        carry += std::int64_t{(s.*to)[k]} + s.carries[times_at_once & 1][k];
        (s.*to)[k] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      s.over += carry;
    });
  }

  /// resolve() into z or w, with the exponent stored there, and then as a magnitude. `negate`: the other sign.
  ASSAY_HD static void resolve_magnitude(Team& block, Limbs Shared::*to, Integer Shared::*is, int count,
                                         bool negate = false) {
    resolve(block, to, count);
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      const std::int64_t exponent = (s.*is).exponent;
      set(s.*is, describe(s.*to, count, s.over < 0), exponent);
      (s.*is).negative = (s.*is).negative != negate;
    });
    take_magnitude(block, to, is);
  }

  ASSAY_HD static void set(Integer& is, const Described& found, std::int64_t exponent) {
    is = {exponent, found.count, found.lowest, found.negative, found.negative};
  }

  ASSAY_HD static void take_magnitude(Team& block, Limbs Shared::*to, Integer Shared::*is) {
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < (s.*is).count; k += threads) {
        (s.*to)[k] = limb::magnitude_word((s.*to)[k], k, (s.*is).complement, (s.*is).lowest);
      }
    });
  }

  /// The columns of the integer with the residues in s.residues.
  ASSAY_HD static void columns_of_residues(Team& block, const rns::LimbTablesView& tables) {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) s.digits[i] = rns::crt_digit(tables, i, s.residues[i]);
    });
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < tables.limbs; k += threads) set_column(s, k, rns::crt_column(tables, k, s.digits));
    });
  }
  ASSAY_HD static void set_column(Shared& s, int k, const rns::LimbColumn& column) {
    s.low[k] = column.low;
    s.high[k] = column.high;
  }

  /// An integer times a scalar, as sign and magnitude.
  ASSAY_HD static void multiply(Team& block, Limbs Shared::*to, Integer Shared::*is, const GemvExactScalar& by) {
    const int count = uniform(block, [&](const Shared& s) { return (s.*is).count; });
    const bool negative = uniform(block, [&](const Shared& s) { return (s.*is).negative ? 1 : 0; }) != by.sign;
    if (count == 0) return;
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < count + by.count; k += threads) {
        set_column(s, k, rns::product_column(s.*to, count, by.limbs, by.count, k));
      }
      if (t == 0) (s.*is).exponent += by.exponent;
    });
    resolve_magnitude(block, to, is, count + by.count, negative);
  }

  /// z += w. `whole`: exactly. Otherwise, if the lower summand ends so far below that the two have no room side by
  /// side, only its leading bits have a place: then the upper one ends above the lowest bit, and more than 64 bits are
  /// between that bit and the last bit of the rounded sum.
  ASSAY_HD static void add(Team& block, const rns::LimbTablesView& tables, bool whole) {
    const int count = uniform(block, [&](const Shared& s) { return sum_of(s, tables, whole).count; });
    block.for_each_thread([&](int t, Shared& s) {
      const Sum sum = sum_of(s, tables, whole);
      for (int k = t; k < count; k += threads) {
        set_column(s, k, {summand(s.z, s.z_is, sum.unit, k) + summand(s.w, s.w_is, sum.unit, k), 0});
      }
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) s.z_is.exponent = sum_of(s, tables, whole).unit;
    });
    resolve_magnitude(block, &Shared::z, &Shared::z_is, count);
  }

  /// Whether the remaining summands, below 2^below in sum, cannot change the rounding of head and z any more. If not, z
  /// is below 2^(below + P + 4). Makes a head of a larger z: once, as `has_head` says.
  ASSAY_HD static bool settle(Team& block, const rns::LimbTablesView& tables, std::int64_t below, bool& has_head) {
    const auto reaches = [&](std::int64_t exponent) {
      return uniform(block, [&](const Shared& s) {
               return s.z_is.count > 0 && s.z_is.exponent + bits_of(s.z, s.z_is.count) > exponent ? 1 : 0;
             }) != 0;
    };
    if (!has_head && reaches(below + tables.precision + 4)) {
      has_head = true;
      take_head(block, tables);
    }
    return has_head && reaches(below);
  }

  /// z ← head ± a quarter of its unit in the direction of z, or the head where z = 0: they round alike.
  ASSAY_HD static void join_head(Team& block, const rns::LimbTablesView& tables) {
    const bool negative = uniform(block, [](const Shared& s) { return s.head.negative ? 1 : 0; }) != 0;
    block.for_each_thread([&](int t, Shared& s) {
      const int side = s.z_is.count == 0 ? 0 : s.z_is.negative == negative ? 1 : -1;
      for (int k = t; k < head_limbs(tables); k += threads) set_column(s, k, {s.total[k] + (k == 0 ? side : 0), 0});
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) s.z_is.exponent = s.head.exponent;
    });
    resolve_magnitude(block, &Shared::z, &Shared::z_is, head_limbs(tables), negative);
  }

 private:
  /// The head has P + 3 bits or is 2^(P + 3), and two bits below its unit.
  ASSAY_HD static int head_limbs(const rns::LimbTablesView& tables) { return (tables.precision + 6 + 31) / 32; }

  /// head + z ← z, the head the multiple of 2^cut next to z, so that it has the leading P + 3 bits of z.
  ASSAY_HD static void take_head(Team& block, const rns::LimbTablesView& tables) {
    const bool negative = uniform(block, [](const Shared& s) { return s.z_is.negative ? 1 : 0; }) != 0;
    const int count = uniform(block, [](const Shared& s) { return s.z_is.count; });
    block.for_each_thread([&](int t, Shared& s) {
      const std::int64_t cut = bits_of(s.z, count) - (tables.precision + 3);
      const bool up = cut > 0 && bit(s.z, cut - 1);
      for (int k = t; k < head_limbs(tables); k += threads) {
        const std::uint32_t word = limb::word_at(s.z, count, std::int64_t{32} * k + cut - 2);
        s.total[k] = k > 0 ? std::int64_t{word} : std::int64_t{word & ~3u} + (up ? 4 : 0);
      }
      for (int k = t; k < count; k += threads) {
        const std::int64_t bits = cut - std::int64_t{32} * k;  // of limb k that are below the cut
        const std::int64_t limb = bits >= 32 ? s.z[k] : bits > 0 ? s.z[k] & ((1u << bits) - 1) : 0;
        set_column(s, k, {limb - (up && bits >= 0 && bits < 32 ? std::int64_t{1} << bits : 0), 0});
      }
      if (t == 0) s.head = {s.z_is.exponent + cut - 2, negative};
    });
    resolve_magnitude(block, &Shared::z, &Shared::z_is, count, negative);
  }

  /// The lowest bit of z + w, and its number of limbs with a place for the sign.
  struct Sum {
    std::int64_t unit;
    int count;
  };
  ASSAY_HD static Sum sum_of(const Shared& s, const rns::LimbTablesView& tables, bool whole) {
    if (s.z_is.count == 0 || s.w_is.count == 0) {
      const Integer& is = s.w_is.count == 0 ? s.z_is : s.w_is;
      return {is.exponent, is.count + 1};
    }
    const std::int64_t z_end = s.z_is.exponent + bits_of(s.z, s.z_is.count);
    const std::int64_t w_end = s.w_is.exponent + bits_of(s.w, s.w_is.count);
    const std::int64_t end = bits::max(z_end, w_end) + 2;
    const std::int64_t least = bits::min(s.z_is.exponent, s.w_is.exponent);
    const int longer = bits::max(s.z_is.count, s.w_is.count);
    const std::int64_t room = end - std::int64_t{32} * (longer + (tables.precision + 31) / 32 + 4);
    const std::int64_t unit = whole || least > room ? least : room;
    return {unit, static_cast<int>((end - unit + 31) / 32)};
  }

  /// Limb k of a summand in units of 2^unit, with its sign. If the part that is cut off below is not 0, the lowest bit
  /// is set.
  ASSAY_HD static std::int64_t summand(const std::uint32_t* limbs, const Integer& is, std::int64_t unit, int k) {
    if (is.count == 0) return 0;
    const std::int64_t bits = is.exponent - unit;
    std::int64_t limb = 0;
    if (bits >= 0) {
      limb = limb::left_shifted_word(limbs, is.count, bits, k);
    } else {
      const bool sticky = k == 0 && lowest_bit(limbs, is) < -bits;
      limb = limb::right_shifted_word(limbs, is.count, -bits, k) | (sticky ? 1u : 0u);
    }
    return is.negative ? -limb : limb;
  }
};

}  // namespace assay::gemv::detail
