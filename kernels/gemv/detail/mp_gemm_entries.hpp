#pragma once
// The last kernel of the multiple-precision GEMM: entries from the residues of their sums, rounded.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/ceil_div.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/limbs.hpp"
#include "arith/residues/mp_number.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemm_lines.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_operands.hpp"

namespace assay::gemm::detail {

/// A panel of C ← RN(α·S + β·C): the data of its entries.
struct MpEntryPanel {
  const std::uint32_t* residue;  ///< of S: modulus i, row r, column j at i·plane + r + j·pitch
  std::size_t plane;
  std::int64_t pitch;
  std::int64_t rows, columns;
  const MpLine* row;     ///< of the panel
  const MpLine* column;  ///< of the panel
  int row_window, column_window;
  std::int64_t exponent_offset;
  bool adds_product;  ///< otherwise S = 0
  bool reads_c;
  gemv::detail::GemvExactScalar alpha, beta;
  gemv::MpResultPlanes c;  ///< at the first entry of the panel
  std::int64_t ldc;
};

/// The entries of a panel. A block has neighboring rows of one column: a thread has one entry, and a part of its limbs
/// and residues. Entries of lines whose exponents are too far apart are not changed.
template <int n>
struct MpEntries {
  using Set = MpGemmSet<n>;
  using Half = MpHalfSet<n>;
  static constexpr int lanes = n == 128 ? 16 : 32;
  static constexpr int parts = n > 16 ? 8 : 4;
  static constexpr int threads = lanes * parts;
  static constexpr int sum_limbs = rns::LimbTables<Set>::limbs;
  static constexpr int half_limbs = rns::LimbTables<Half>::limbs;
  static constexpr int precision = rns::product_exponent<rns::Standard<n>> / 2;
  static constexpr int number_limbs = precision / 32 + 1;  ///< of an integer up to 2^P
  static constexpr int product_limbs = sum_limbs + number_limbs;
  static constexpr int start_limbs = half_limbs + number_limbs;
  static constexpr int longest = product_limbs > start_limbs ? product_limbs : start_limbs;
  static_assert(number_limbs <= gemv::detail::GemvExactScalar::most_limbs);

  /// The meaning of the limbs of an integer: (−1)^negative·|limbs|·2^exponent.
  struct Integer {
    std::int64_t exponent;
    std::int32_t count;   ///< limbs of the magnitude; 0 for 0
    std::int32_t lowest;  ///< the lowest limb that is not 0
    std::int32_t negative;
  };
  /// Limb k of the entry of a lane at limb[k][lane].
  struct Shared {
    std::uint32_t digit[Set::size][lanes];
    std::uint64_t rank[parts][lanes];
    std::int64_t carry[parts][lanes];
    std::uint32_t z[longest + number_limbs + 6][lanes];  ///< the sum so far
    std::uint32_t w[longest][lanes];                     ///< the next summand
    std::uint32_t v[half_limbs][lanes];                  ///< a number of C
    Integer z_is[lanes];
    Integer w_is[lanes];
  };
  using Team = Block<Shared, threads>;
  using Row = std::uint32_t[lanes];

  /// The limbs of one lane.
  struct Limbs {
    const Row* limb;
    int lane;
    ASSAY_HD std::uint32_t operator[](std::int64_t k) const { return limb[k][lane]; }
  };

  MpEntryPanel panel;

  [[nodiscard]] static std::size_t blocks(const MpEntryPanel& of) {
    return static_cast<std::size_t>(bits::ceil_div(of.rows, lanes)) * static_cast<std::size_t>(of.columns);
  }

  ASSAY_HD void operator()(Team& block) const {
    const std::int64_t tiles = bits::ceil_div(panel.rows, lanes);
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t first = index % tiles * lanes;
    const std::int64_t column = index / tiles;
    if (panel.adds_product) {
      take_sum(block, first, column);
    } else {
      block.for_each_thread([&](int t, Shared& s) {
        if (t < lanes) s.z_is[t] = Integer{};
      });
    }
    if (panel.reads_c) add_start(block, first, column);
    round(block, first, column);
  }

 private:
  [[nodiscard]] ASSAY_HD bool writes(std::int64_t row, std::int64_t column) const {
    if (row >= panel.rows) return false;
    return !panel.adds_product ||
           (panel.row[row].apart < panel.row_window && panel.column[column].apart < panel.column_window);
  }

  /// f(t, lane, part, shared) for every thread.
  template <class F>
  ASSAY_HD static void each(Team& block, F&& f) {
    block.for_each_thread([&](int t, Shared& s) { f(t % lanes, t / lanes, s); });
  }
  /// f(lane, shared) for every lane.
  template <class F>
  ASSAY_HD static void each_lane(Team& block, F&& f) {
    block.for_each_thread([&](int t, Shared& s) {
      if (t < lanes) f(t, s);
    });
  }
  ASSAY_HD static constexpr int begin_of(int part, int count) { return count * part / parts; }

  /// The integer of the columns 0 … count − 1, each column(shared, lane, k), as the magnitude of `is`, whose exponent
  /// stays. Each part resolves the carries of its columns; its carry out is added to the following parts one after the
  /// other.
  template <class To, class Column>
  ASSAY_HD static void resolve(Team& block, To&& to, Integer (Shared::*is)[lanes], int count, Column&& column) {
    each(block, [&](int lane, int part, Shared& s) {
      std::int64_t carry = 0;
      std::int64_t high = 0;
      const int end = begin_of(part + 1, count);
      for (int k = begin_of(part, count); k < end; ++k) {
        const rns::LimbColumn of = column(s, lane, k);
        const std::int64_t total = of.low + high + carry;
        to(s)[k][lane] = static_cast<std::uint32_t>(total);
        carry = total >> 32;
        high = of.high;
      }
      s.carry[part][lane] = carry + high;
    });
    each_lane(block, [&](int lane, Shared& s) {
      std::int64_t over = 0;
      for (int part = 0; part < parts; ++part) {
        std::int64_t carry = s.carry[part][lane];
        for (int k = begin_of(part + 1, count); carry != 0 && k < count; ++k) {
          carry += to(s)[k][lane];
          to(s)[k][lane] = static_cast<std::uint32_t>(carry);
          carry >>= 32;
        }
        over += carry;
      }
      describe(to(s), lane, count, over < 0, (s.*is)[lane]);
    });
    each(block, [&](int lane, int part, Shared& s) {
      const Integer& of = (s.*is)[lane];
      for (int k = begin_of(part, count); k < begin_of(part + 1, count); ++k) {
        to(s)[k][lane] = limb::magnitude_word(to(s)[k][lane], k, of.negative != 0, of.lowest);
      }
    });
  }

  /// Sign and length of a two's complement integer.
  ASSAY_HD static void describe(const Row* limbs, int lane, int count, bool negative, Integer& is) {
    const std::uint32_t fill = negative ? 0xFFFFFFFFu : 0;
    int lowest = 0;
    while (lowest < count && limbs[lowest][lane] == 0) ++lowest;
    int used = count;
    while (used > 0 && limbs[used - 1][lane] == fill) --used;
    if (used <= lowest && lowest < count) used = lowest + 1;
    is.count = used;
    is.lowest = lowest;
    is.negative = negative ? 1 : 0;
  }

  /// The digits of the Chinese remainder theorem for residues, and the parts of the rank.
  template <class Residue>
  ASSAY_HD static void take_digits(Team& block, const rns::LimbTablesView& tables, Residue&& residue) {
    each(block, [&](int lane, int part, Shared& s) {
      std::uint64_t rank = 0;
      for (int i = part; i < tables.size; i += parts) {
        const rns::CrtDigit digit = rns::crt_digit(tables, i, residue(lane, i));
        s.digit[i][lane] = digit.digit;
        rank += digit.fraction;
      }
      s.rank[part][lane] = rank;
    });
  }

  /// Column k of Σ s_i·C_i − r·M' (rns::crt_column).
  ASSAY_HD static rns::LimbColumn crt_column(const rns::LimbTablesView& tables, const Shared& s, int lane, int k) {
    std::uint64_t rank = std::uint64_t{1} << 31;
    ASSAY_UNROLL(8)
    for (int part = 0; part < parts; ++part) rank += s.rank[part][lane];
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    ASSAY_UNROLL(8)
    for (int i = 0; i < tables.size; ++i) {
      const std::uint64_t product = std::uint64_t{s.digit[i][lane]} * tables.cofactor[i * tables.limbs + k];
      low += product & 0xFFFFFFFFu;
      high += product >> 32;
    }
    return {static_cast<std::int64_t>(low) - static_cast<std::int64_t>((rank >> 32) * tables.product[k]),
            static_cast<std::int64_t>(high)};
  }

  /// Column k of the product of the `count` limbs of a lane and a scalar.
  ASSAY_HD static rns::LimbColumn scaled_column(const Row* limbs, int count, int lane,
                                                const gemv::detail::GemvExactScalar& by, int k) {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    for (int j = k < count ? 0 : k - count + 1; j <= k && j < by.count; ++j) {
      const std::uint64_t product = std::uint64_t{by.limbs[j]} * limbs[k - j][lane];
      low += product & 0xFFFFFFFFu;
      high += product >> 32;
    }
    return {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
  }

  ASSAY_HD static bool is_one(const gemv::detail::GemvExactScalar& x) { return x.count == 1 && x.limbs[0] == 1; }

  /// z ← α·S.
  ASSAY_HD void take_sum(Team& block, std::int64_t first, std::int64_t column) const {
    const rns::LimbTablesView tables = rns::limb_tables<Set>();
    take_digits(block, tables, [&](int lane, int i) -> std::uint32_t {
      const std::int64_t row = first + lane;
      return writes(row, column) ? panel.residue[static_cast<std::size_t>(i) * panel.plane +
                                                 static_cast<std::size_t>(row + column * panel.pitch)]
                                 : 0;
    });
    resolve(
        block, [](Shared& s) -> Row* { return s.z; }, &Shared::z_is, sum_limbs,
        [&](const Shared& s, int lane, int k) { return crt_column(tables, s, lane, k); });
    // The limbs of the product are in w, and are copied from there to z.
    const bool scales = !is_one(panel.alpha);
    if (scales) {
      const int all = sum_limbs + panel.alpha.count;
      each_lane(block, [](int lane, Shared& s) { s.w_is[lane] = s.z_is[lane]; });
      resolve(
          block, [](Shared& s) -> Row* { return s.w; }, &Shared::z_is, all,
          [&](const Shared& s, int lane, int k) { return scaled_column(s.z, sum_limbs, lane, panel.alpha, k); });
      each(block, [&](int lane, int part, Shared& s) {
        for (int k = part; k < all; k += parts) s.z[k][lane] = s.w[k][lane];
      });
    }
    each_lane(block, [&](int lane, Shared& s) {
      const std::int64_t row = first + lane;
      Integer& z = s.z_is[lane];
      z.exponent = panel.alpha.exponent + panel.exponent_offset;
      if (writes(row, column)) z.exponent += std::int64_t{panel.row[row].base} + panel.column[column].base;
      z.negative = (scales ? s.w_is[lane] : z).negative != panel.alpha.sign ? 1 : 0;
    });
  }

  /// z ← z + β·C.
  ASSAY_HD void add_start(Team& block, std::int64_t first, std::int64_t column) const {
    const rns::LimbTablesView tables = rns::limb_tables<Half>();
    const auto at = [&](int lane) { return first + lane + column * panel.ldc; };
    take_digits(block, tables, [&](int lane, int i) -> std::uint32_t {
      return writes(first + lane, column) ? panel.c.digits[i * panel.c.plane + at(lane)] : 0;
    });
    const bool scales = !is_one(panel.beta);
    resolve(
        block, [scales](Shared& s) -> Row* { return scales ? s.v : s.w; }, &Shared::w_is, half_limbs,
        [&](const Shared& s, int lane, int k) { return crt_column(tables, s, lane, k); });
    if (scales) {
      resolve(
          block, [](Shared& s) -> Row* { return s.w; }, &Shared::w_is, half_limbs + panel.beta.count,
          [&](const Shared& s, int lane, int k) { return scaled_column(s.v, half_limbs, lane, panel.beta, k); });
    }
    each_lane(block, [&](int lane, Shared& s) {
      if (!writes(first + lane, column)) {
        s.w_is[lane] = Integer{};
        return;
      }
      s.w_is[lane].exponent = std::int64_t{panel.c.exponent[at(lane)]} + panel.beta.exponent;
      s.w_is[lane].negative = panel.c.sign[at(lane)] != panel.beta.sign ? 1 : 0;
      add(s, lane);
    });
  }

  ASSAY_HD static std::int64_t bits_of(const Row* limbs, int lane, int count) {
    return count == 0 ? 0 : 32 * (std::int64_t{count} - 1) + bits::bit_length(limbs[count - 1][lane]);
  }

  /// z += w. If the lower summand ends so far below that the two have no room side by side, its leading bits replace
  /// it, with the last of them set if others follow (docs/bounds/gemv.md, gemv.exact.6).
  ASSAY_HD static void add(Shared& s, int lane) {
    Integer& z = s.z_is[lane];
    const Integer& w = s.w_is[lane];
    if (w.count == 0) return;
    if (z.count == 0) {
      for (int k = 0; k < w.count; ++k) s.z[k][lane] = s.w[k][lane];
      z = w;
      return;
    }
    const std::int64_t z_end = z.exponent + bits_of(s.z, lane, z.count);
    const std::int64_t w_end = w.exponent + bits_of(s.w, lane, w.count);
    const std::int64_t end = (z_end > w_end ? z_end : w_end) + 2;
    const std::int64_t least = z.exponent < w.exponent ? z.exponent : w.exponent;
    const int longer = z.count > w.count ? z.count : w.count;
    const std::int64_t room = end - std::int64_t{32} * (longer + (precision + 31) / 32 + 4);
    const std::int64_t unit = least > room ? least : room;
    const auto count = static_cast<int>((end - unit + 31) / 32);
    // In an order in which no limb is read after it has been replaced.
    const Limbs own{s.z, lane};
    if (z.exponent >= unit) {
      for (int k = count; k-- > 0;) s.z[k][lane] = aligned(own, z, unit, k);
    } else {
      for (int k = 0; k < count; ++k) s.z[k][lane] = aligned(own, z, unit, k);
    }
    std::int64_t carry = 0;
    for (int k = 0; k < count; ++k) {
      const std::int64_t limb = aligned(Limbs{s.w, lane}, w, unit, k);
      carry += std::int64_t{s.z[k][lane]} + (z.negative == w.negative ? limb : -limb);
      s.z[k][lane] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    const bool turned = carry < 0;
    const bool negative = (z.negative != 0) != turned;
    describe(s.z, lane, count, turned, z);
    for (int k = z.lowest; turned && k < count; ++k) {
      s.z[k][lane] = limb::magnitude_word(s.z[k][lane], k, true, z.lowest);
    }
    z.negative = negative ? 1 : 0;
    z.exponent = unit;
  }

  /// Limb k of a magnitude in units of 2^unit. If the part that is cut off is not 0, the lowest bit is set.
  ASSAY_HD static std::uint32_t aligned(const Limbs& limbs, const Integer& is, std::int64_t unit, int k) {
    const std::int64_t bits = is.exponent - unit;
    if (bits >= 0) return limb::left_shifted_word(limbs, is.count, bits, k);
    const bool sticky = k == 0 && lowest_bit(limbs, is) < -bits;
    return limb::right_shifted_word(limbs, is.count, -bits, k) | (sticky ? 1u : 0u);
  }

  ASSAY_HD static std::int64_t lowest_bit(const Limbs& limbs, const Integer& is) {
    return std::int64_t{32} * is.lowest + bits::trailing_zeros(limbs[is.lowest]);
  }
  ASSAY_HD static bool bit(const Limbs& limbs, std::int64_t i) { return (limbs[i / 32] >> (i % 32) & 1) != 0; }

  /// The bits of z beyond P.
  ASSAY_HD static std::int64_t cut_of(const Shared& s, int lane) {
    const std::int64_t bits = bits_of(s.z, lane, s.z_is[lane].count);
    return bits > precision ? bits - precision : 0;
  }

  /// C ← RN(z) to P bits, ties to even: X = ⌊|z|/2^cut⌋ + up, so that X ≤ 2^P; numbers with fewer bits are not changed.
  ASSAY_HD void round(Team& block, std::int64_t first, std::int64_t column) const {
    const rns::LimbTablesView tables = rns::limb_tables<rns::Standard<n>>();
    each(block, [&](int lane, int part, Shared& s) {
      const std::int64_t cut = cut_of(s, lane);
      for (int k = part; k < number_limbs; k += parts) {
        s.w[k][lane] = limb::right_shifted_word(Limbs{s.z, lane}, s.z_is[lane].count, cut, k);
      }
    });
    each(block, [&](int lane, int part, Shared& s) {
      if (!writes(first + lane, column)) return;
      const Integer z = s.z_is[lane];
      const Limbs limbs{s.z, lane};
      const std::int64_t cut = cut_of(s, lane);
      const std::int64_t exponent = z.exponent + cut;
      const std::int64_t at = first + lane + column * panel.ldc;
      const bool in_range = exponent >= -mp::exponent_limit && exponent <= mp::exponent_limit;
      if (z.count == 0 || !in_range) {
        for (int i = part; i < tables.size; i += parts) panel.c.digits[i * panel.c.plane + at] = 0;
        if (part == 0) store(at, 0, z.count == 0 ? 0 : mp::out_of_range_exponent, {});
        return;
      }
      const bool up = cut > 0 && bit(limbs, cut - 1) && (lowest_bit(limbs, z) < cut - 1 || bit(limbs, cut));
      for (int i = part; i < tables.size; i += parts) {
        const std::uint32_t floor = rns::residue_of_limbs(tables, i, Limbs{s.w, lane}, number_limbs);
        panel.c.digits[i * panel.c.plane + at] = rns::add_mod(floor, up ? 1 : 0, tables.modulus[i]);
      }
      if (part == 0) {
        store(at, z.negative, static_cast<std::int32_t>(exponent),
              rns::enclosure_of_limbs(tables, limbs, z.count, bits_of(s.z, lane, z.count), cut));
      }
    });
  }

  ASSAY_HD void store(std::int64_t at, std::int32_t sign, std::int32_t exponent, const Interval& magnitude) const {
    panel.c.sign[at] = sign;
    panel.c.exponent[at] = exponent;
    panel.c.lower[at] = magnitude.lower;
    panel.c.upper[at] = magnitude.upper;
  }
};

}  // namespace assay::gemm::detail
