#pragma once
// The kernels of the decomposed GEMV, for the files that launch them.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arith/bits/bits.hpp"
#include "arith/residues/mp_number.hpp"
#include "arith/residues/scaling.hpp"
#include "exec/block.hpp"
#include "kernels/mp/array.hpp"

namespace assay::gemv::detail {

/// Numbers of an array at places first + i·row_step + j·column_step.
template <class Set>
struct MpEntries {
  mp::MpView<Set> numbers;
  std::int64_t first = 0, row_step = 0, column_step = 0;
  ASSAY_HD std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(first + i * row_step + j * column_step);
  }
};

/// The entrywise products b(i, j) = left(i, j)·right(i, j) of rows × columns entries. An index of a kernel is a row in
/// its low `row_bits` bits, and a column above them: indices of rows that are none do nothing.
template <class Set>
struct MpProducts {
  std::int64_t rows, columns;
  int row_bits;
  MpEntries<Set> left, right, b;

  ASSAY_HD std::int64_t row(std::size_t index) const {
    return static_cast<std::int64_t>(index & ((std::size_t{1} << row_bits) - 1));
  }
  ASSAY_HD std::size_t above(std::size_t index) const { return index >> row_bits; }
  [[nodiscard]] std::size_t indices() const { return static_cast<std::size_t>(columns) << row_bits; }
};

/// Sign, exponent and interval of each product, a thread a number. An exponent that is too large already is marked.
template <class Set>
struct MpProductSigns {
  MpProducts<Set> p;
  ASSAY_HD void operator()(std::size_t index) const {
    const std::int64_t i = p.row(index);
    if (i >= p.rows) return;
    const auto j = static_cast<std::int64_t>(p.above(index));
    const mp::MpView<Set>& x = p.left.numbers;
    const mp::MpView<Set>& y = p.right.numbers;
    const mp::MpView<Set>& z = p.b.numbers;
    const std::size_t kx = p.left.at(i, j);
    const std::size_t ky = p.right.at(i, j);
    const std::size_t kz = p.b.at(i, j);
    const std::int32_t ex = x.exponent[kx];
    const std::int32_t ey = y.exponent[ky];
    const std::int64_t exponent = std::int64_t{ex} + ey;
    const bool marked = ex == mp::out_of_range_exponent || ey == mp::out_of_range_exponent;
    const bool zero = x.upper[kx].fraction == 0 || y.upper[ky].fraction == 0;
    if (marked || zero || exponent > mp::exponent_limit) {
      const bool out = marked || !zero;
      z.sign[kz] = 0;
      z.exponent[kz] = out ? mp::out_of_range_exponent : 0;
      z.lower[kz] = Extended{0, 0};
      z.upper[kz] = Extended{0, 0};
      return;
    }
    const Interval magnitude = mp::product_magnitude<Set>({x.lower[kx], x.upper[kx]}, {y.lower[ky], y.upper[ky]});
    z.sign[kz] = x.sign[kx] ^ y.sign[ky];
    z.exponent[kz] = static_cast<std::int32_t>(exponent);
    z.lower[kz] = magnitude.lower;
    z.upper[kz] = magnitude.upper;
  }
};

/// a·b mod m of a, b < m, 2²⁶ < m < 2²⁷, with μ = ⌊2⁶⁴/m⌋. Barrett's reduction (rns::Barrett) with words: q =
/// ⌊⌊ab/2²⁶⌋·⌊2⁵⁸/m⌋/2³²⌋ > ab/m − 3, so that ab − qm < 3m. Three multiplications of 32 bits.
ASSAY_HD constexpr std::uint32_t mul_mod_27(std::uint32_t a, std::uint32_t b, std::uint32_t m, std::uint64_t mu) {
  const std::uint64_t product = std::uint64_t{a} * b;
  const std::uint64_t q = (product >> 26) * bits::low_word(mu >> 6) >> 32;
  const std::uint32_t r = bits::low_word(product) - bits::low_word(q) * m;
  const std::uint32_t once = r >= m ? r - m : r;
  return once >= m ? once - m : once;
}

/// The digits of each product, a thread a residue, neighbours at one number: 0 where the product is 0 or marked. Moduli
/// are those of rns::Standard.
template <class Set>
struct MpProductDigits {
  static constexpr int threads = 256;
  static constexpr int entries = Set::n > 16 ? 32 : 64;  ///< of a block
  struct Place {
    const std::uint32_t* x;  ///< null: the product is 0
    const std::uint32_t* y;
    std::uint32_t* z;  ///< null: there is no entry
  };
  struct Shared {
    Place places[entries];
  };

  MpProducts<Set> p;

  [[nodiscard]] std::size_t blocks() const { return (p.indices() - 1) / entries + 1; }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < entries) shared.places[t] = place_of(block.index() * entries + static_cast<std::size_t>(t));
    });
    block.for_each_thread([&](int t, Shared& shared) {
      const auto& table = rns::tables<Set>();
      ASSAY_UNROLL(4)
      for (int item = t; item < entries * Set::size; item += threads) {
        const Place& place = shared.places[item / Set::size];
        const int q = item % Set::size;
        if (place.z == nullptr) continue;
        const auto at = static_cast<std::size_t>(q);
        std::uint32_t product = 0;
        if (place.x != nullptr) {
          const std::uint32_t x = place.x[at * p.left.numbers.digit_step];
          const std::uint32_t y = place.y[at * p.right.numbers.digit_step];
          product = q < Set::n ? mul_mod_27(x, y, table.m[q], table.barrett[q])
                               : rns::mul_mod(x, y, table.m[q], table.barrett[q]);
        }
        place.z[at * p.b.numbers.digit_step] = product;
      }
    });
  }

 private:
  ASSAY_HD Place place_of(std::size_t index) const {
    const std::int64_t i = p.row(index);
    const auto j = static_cast<std::int64_t>(p.above(index));
    if (i >= p.rows || j >= p.columns) return {nullptr, nullptr, nullptr};
    const mp::MpView<Set>& x = p.left.numbers;
    const mp::MpView<Set>& y = p.right.numbers;
    const mp::MpView<Set>& z = p.b.numbers;
    const std::size_t kz = p.b.at(i, j);
    const bool empty = z.upper[kz].fraction == 0;
    return {empty ? nullptr : x.digits + x.digit_at(p.left.at(i, j), 0), y.digits + y.digit_at(p.right.at(i, j), 0),
            z.digits + z.digit_at(kz, 0)};
  }
};

/// A bound of X/M as the double 2^h·X/M, h the bits of a rounded significand, for sets with M < 2⁹⁰⁰: every bound that
/// occurs is 0 or between 2⁻⁴⁶⁰ and 2⁴⁶⁰. The functions are those of Extended, and give the same numbers, because
/// nothing overflows or underflows.
template <class Set>
struct ScaledBound {
  double value;
  static constexpr int bias = mp::significand_bits<Set>;
  static_assert(rns::product_exponent<Set> < 900);

  ScaledBound() = default;
  ASSAY_HD explicit ScaledBound(double x) : value(x) {}
  ASSAY_HD explicit ScaledBound(const Extended& x)
      : value(x.fraction == 0 ? 0.0 : bits::scaled_normal(x.fraction, x.exponent + bias)) {}
  ASSAY_HD explicit operator Extended() const { return extended(value, -bias); }
  [[nodiscard]] ASSAY_HD bool is_zero() const { return value == 0; }
  /// ⌊log₂⌋ of the bound. Requires: it is positive (not checked).
  [[nodiscard]] ASSAY_HD std::int64_t exponent() const { return bits::normal_exponent(value) - bias; }
  [[nodiscard]] ASSAY_HD ScaledBound scaled(std::int64_t k) const {
    return ScaledBound(value * bits::power_of_two<double>(static_cast<int>(k)));
  }
  ASSAY_HD static ScaledBound add_rd(ScaledBound a, ScaledBound b) {
    return ScaledBound(assay::add_in_range<Rounding::rd>(a.value, b.value));
  }
  ASSAY_HD static ScaledBound add_ru(ScaledBound a, ScaledBound b) {
    return ScaledBound(assay::add_in_range<Rounding::ru>(a.value, b.value));
  }
  ASSAY_HD static ScaledBound sub_rd(ScaledBound a, ScaledBound b) { return add_rd(a, ScaledBound(-b.value)); }
  ASSAY_HD static ScaledBound sub_ru(ScaledBound a, ScaledBound b) { return add_ru(a, ScaledBound(-b.value)); }
  ASSAY_HD static bool greater(ScaledBound a, ScaledBound b) { return a.value > b.value; }
};

/// The same of a bound of any set.
struct ExtendedBound {
  Extended value;
  ExtendedBound() = default;
  ASSAY_HD explicit ExtendedBound(const Extended& x) : value(x) {}
  ASSAY_HD explicit operator Extended() const { return value; }
  [[nodiscard]] ASSAY_HD bool is_zero() const { return value.fraction == 0; }
  [[nodiscard]] ASSAY_HD std::int64_t exponent() const { return value.exponent; }
  [[nodiscard]] ASSAY_HD ExtendedBound scaled(std::int64_t k) const { return ExtendedBound(assay::scale(value, k)); }
  ASSAY_HD static ExtendedBound add_rd(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::add_rd(a.value, b.value));
  }
  ASSAY_HD static ExtendedBound add_ru(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::add_ru(a.value, b.value));
  }
  ASSAY_HD static ExtendedBound sub_rd(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::sub_rd(a.value, b.value));
  }
  ASSAY_HD static ExtendedBound sub_ru(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::sub_ru(a.value, b.value));
  }
  ASSAY_HD static bool greater(const ExtendedBound& a, const ExtendedBound& b) {
    return assay::compare(a.value, b.value) > 0;
  }
};

/// Sign, exponent and enclosure of a number whose digits stand elsewhere. Zero and out of range as in mp::Number.
template <class Set>
struct MpHead {
  using Bound = std::conditional_t<(rns::product_exponent<Set> < 900), ScaledBound<Set>, ExtendedBound>;
  Bound lower, upper;
  std::int64_t exponent;
  std::int32_t sign;

  ASSAY_HD bool is_out_of_range() const { return exponent == mp::out_of_range_exponent; }
  ASSAY_HD bool is_empty() const { return upper.is_zero(); }  ///< zero or out of range
  ASSAY_HD bool is_zero() const { return is_empty() && !is_out_of_range(); }
  /// Whether U − L > 2⁻²⁰U, as for mp::Number.
  ASSAY_HD bool is_wide() const { return Bound::greater(Bound::sub_ru(upper, lower).scaled(20), upper); }

  ASSAY_HD static MpHead zero() { return {Bound(Extended{0, 0}), Bound(Extended{0, 0}), 0, 0}; }
  ASSAY_HD static MpHead of(const Interval& magnitude, std::int64_t exponent, std::int32_t sign) {
    return {Bound(magnitude.lower), Bound(magnitude.upper), exponent, sign};
  }
  ASSAY_HD static MpHead of(const mp::MpView<Set>& x, std::size_t k) {
    return of({x.lower[k], x.upper[k]}, x.exponent[k], x.sign[k]);
  }
  ASSAY_HD void store(const mp::MpView<Set>& x, std::size_t k) const {
    x.lower[k] = static_cast<Extended>(lower);
    x.upper[k] = static_cast<Extended>(upper);
    x.exponent[k] = static_cast<std::int32_t>(exponent);
    x.sign[k] = sign;
  }

  /// Rounds a head that is neither empty nor wide, by the formulas of mp::round; the bits by which the digits are still
  /// to be scaled down.
  ASSAY_HD std::int32_t round() {
    const std::int64_t excess = upper.exponent() + mp::significand_bits<Set>;
    std::int32_t left = 0;
    if (excess >= 0) {
      left = static_cast<std::int32_t>(excess + 1);
      upper = upper.scaled(-(excess + 1));
      lower = Bound::sub_rd(lower.scaled(-(excess + 1)), Bound(rns::tables<Set>().reciprocal_product.upper));
      exponent += left;
    }
    if (exponent <= mp::exponent_limit && exponent >= -mp::exponent_limit) return left;
    *this = zero();
    exponent = mp::out_of_range_exponent;
    return 0;
  }
};

/// Rounds each of `length` products in place. A thread a number finds out which need it, and rounds heads; the digits
/// are scaled down at one go, as arith/residues/scaling.hpp has it: a thread has two limbs of four numbers, carries go
/// through a number in one thread, and then a thread has four residues of four numbers. A number with a wide enclosure
/// is left to one thread.
template <class Set>
struct MpProductRounding {
  static constexpr int threads = Set::n > 64 ? 256 : 128;
  static constexpr int blocks_per_multiprocessor = Set::n > 64 ? 3 : 6;
  static constexpr int numbers = 16 * threads / Set::n;
  static_assert(Set::n % 4 == 0 && numbers % 4 == 0);

  std::int64_t length;
  mp::MpView<Set> b;

  using Scaling = rns::ScalingTables<Set>;
  static constexpr int limbs = Scaling::limbs;
  static constexpr int fours = numbers / 4;
  static constexpr int parts = threads < numbers ? 1 : threads / numbers;  ///< of the sum that is a rank
  static_assert(fours * Scaling::pairs <= threads && Set::n <= 16 * parts && limbs <= Set::n);
  struct alignas(16) Four {
    std::uint32_t of[4];
  };
  struct Shared {
    Four digits[Set::n][fours + 1];  ///< s_i of four numbers, then their limbs; one place more against bank conflicts
    std::uint64_t columns[limbs][numbers + 2];
    std::uint32_t rank[parts][numbers];
    std::int32_t left[numbers];
    ASSAY_HD bool rounds(int four) const {
      return left[4 * four] > 0 || left[4 * four + 1] > 0 || left[4 * four + 2] > 0 || left[4 * four + 3] > 0;
    }
  };

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * numbers;
    auto changes = block.per_thread(false);
    block.for_each_thread([&](int t, Shared& shared) {
      for (int v = t; v < numbers; v += threads) {
        shared.left[v] = first + v < length ? round_head(static_cast<std::size_t>(first + v)) : 0;
        changes[t] = changes[t] || shared.left[v] > 0;
      }
    });
    if (!block.any([&](int t, Shared&) { return changes[t]; })) return;
    block.for_each_thread([&](int t, Shared& shared) { load(t, shared, first); });
    block.for_each_thread([&](int t, Shared& shared) {
      for (int item = t; item < parts * numbers; item += threads) sum_rank(item, shared, first);
      if (t < fours * Scaling::pairs && shared.rounds(t % fours)) sum_columns(t % fours, t / fours, shared);
    });
    block.for_each_thread([&](int t, Shared& shared) {
      for (int v = t; v < numbers; v += threads) {
        if (shared.left[v] > 0) carry(v, shared, static_cast<std::size_t>(first + v));
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      constexpr int quarter = Set::n / 4;
      if (shared.rounds(t / quarter)) take_residues(t / quarter, t % quarter, shared, first);
    });
  }

 private:
  /// Rounds the head of number k; the bits by which its digits are to be scaled down.
  ASSAY_HD std::int32_t round_head(std::size_t k) const {
    MpHead<Set> head = MpHead<Set>::of(b, k);
    if (head.is_empty()) return 0;
    if (head.is_wide()) {
      round_alone(b, k);
      return 0;
    }
    const std::int32_t left = head.round();
    if (head.is_out_of_range()) {
      b.store(k, mp::out_of_range<Set>());
    } else if (left > 0) {
      head.store(b, k);
    }
    return left;
  }
  ASSAY_HD static ASSAY_NOINLINE void round_alone(const mp::MpView<Set>& x, std::size_t k) {
    x.store(k, mp::round(x.load(k)));
  }

  /// s_i, neighbours at one number.
  ASSAY_HD void load(int t, Shared& shared, std::int64_t first) const {
    const auto& table = rns::tables<Set>();
    ASSAY_UNROLL(4)
    for (int item = t; item < numbers * Set::n; item += threads) {
      const int v = item / Set::n;
      const int i = item % Set::n;
      const std::uint32_t digit = shared.left[v] > 0 ? b.digits[b.digit_at(static_cast<std::size_t>(first + v), i)] : 0;
      shared.digits[i][v / 4].of[v % 4] = rns::mul_shoup(digit, table.w[i], table.w_shoup[i], table.m[i]);
    }
  }

  /// A part of the rank of a number modulo the guard.
  ASSAY_HD void sum_rank(int item, Shared& shared, std::int64_t first) const {
    const auto& table = rns::tables<Set>();
    const std::uint32_t guard = table.m[Set::n];
    const int v = item % numbers;
    const int part = item / numbers;
    if (shared.left[v] == 0) return;
    std::uint64_t sum = 0;
    if (part == 0) {
      const std::uint32_t digit = b.digits[b.digit_at(static_cast<std::size_t>(first + v), Set::n)];
      sum = std::uint64_t{guard - digit} * table.guard_product_inverse;
    }
    ASSAY_UNROLL(4)
    for (int i = part; i < Set::n; i += parts) {
      sum += std::uint64_t{shared.digits[i][v / 4].of[v % 4]} * table.guard_inverse[i];
    }
    shared.rank[part][v] = rns::reduce(sum, guard, table.barrett[Set::n]);
  }

  /// Σ_i s_i·(limbs 2·pair and 2·pair + 1 of M_i) of four numbers.
  ASSAY_HD static void sum_columns(int four, int pair, Shared& shared) {
    const auto& scaling = rns::scaling_tables<Set>();
    std::uint64_t sum[2][4] = {};
    ASSAY_UNROLL(4)
    for (int i = 0; i < Set::n; ++i) {
      const Four s = shared.digits[i][four];
      const typename Scaling::Pair cofactor = scaling.cofactor[i][pair];
      ASSAY_UNROLL(2)
      for (int p = 0; p < 2; ++p) {
        ASSAY_UNROLL(4)
        for (int v = 0; v < 4; ++v) sum[p][v] += std::uint64_t{s.of[v]} * cofactor.limb[p];
      }
    }
    ASSAY_UNROLL(2)
    for (int p = 0; p < 2; ++p) {
      ASSAY_UNROLL(4)
      for (int v = 0; v < 4; ++v) {
        if (2 * pair + p < limbs) shared.columns[2 * pair + p][4 * four + v] = sum[p][v];
      }
    }
  }

  /// The limbs of X mod 2^d of number v, to the place of the s_i, and the guard of ⌊X/2^d⌋.
  ASSAY_HD void carry(int v, Shared& shared, std::size_t k) const {
    const auto& table = rns::tables<Set>();
    const auto& scaling = rns::scaling_tables<Set>();
    const std::uint32_t guard = table.m[Set::n];
    const std::uint64_t mu = table.barrett[Set::n];
    std::uint64_t ranks = 0;
    for (int part = 0; part < parts; ++part) ranks += shared.rank[part][v];
    const std::uint32_t rank = rns::reduce(ranks, guard, mu);
    const int d = shared.left[v];
    constexpr std::uint32_t mask = (std::uint32_t{1} << Scaling::limb_bits) - 1;
    std::uint64_t column = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    ASSAY_UNROLL(4)
    for (int i = 0; i < limbs; ++i) {
      column = (column >> Scaling::limb_bits) + shared.columns[i][v] + std::uint64_t{rank} * scaling.negated_product[i];
      const int bits = d - Scaling::limb_bits * i;  // of this limb and those above it
      const std::uint32_t below = bits <= 0                    ? 0
                                  : bits >= Scaling::limb_bits ? mask
                                                               : mask >> (Scaling::limb_bits - bits);
      const std::uint32_t limb = bits::low_word(column) & below;
      shared.digits[i][v / 4].of[v % 4] = limb;
      const std::uint64_t product = std::uint64_t{limb} * scaling.weight[i][Set::n];
      low += bits::low_word(product);
      high += product >> 32;
    }
    std::uint32_t& digit = b.digits[b.digit_at(k, Set::n)];
    const std::uint64_t sum = std::uint64_t{digit} * scaling.inverse[Set::n] + low +
                              std::uint64_t{rns::reduce(high, guard, mu)} * table.power32[1][Set::n];
    digit = rns::shifted_up<Set>(rns::reduce(sum, guard, mu), Scaling::limb_bits * limbs - d, Set::n);
  }

  /// The residues q, q + n/4, q + n/2 and q + 3n/4 of ⌊X/2^d⌋ of four numbers.
  ASSAY_HD void take_residues(int four, int q, const Shared& shared, std::int64_t first) const {
    const auto& table = rns::tables<Set>();
    const auto& scaling = rns::scaling_tables<Set>();
    constexpr int quarter = Set::n / 4;
    std::uint64_t sum[4][4] = {};
    ASSAY_UNROLL(2)
    for (int i = 0; i < limbs; ++i) {
      const Four limb = shared.digits[i][four];
      ASSAY_UNROLL(4)
      for (int p = 0; p < 4; ++p) {
        const std::uint32_t weight = scaling.weight[i][q + p * quarter];
        ASSAY_UNROLL(4)
        for (int v = 0; v < 4; ++v) sum[p][v] += std::uint64_t{limb.of[v]} * weight;
      }
    }
    ASSAY_UNROLL(4)
    for (int v = 0; v < 4; ++v) {
      const int d = shared.left[4 * four + v];
      if (d == 0) continue;
      ASSAY_UNROLL(4)
      for (int p = 0; p < 4; ++p) {
        const int i = q + p * quarter;
        std::uint32_t& digit = b.digits[b.digit_at(static_cast<std::size_t>(first + 4 * four + v), i)];
        const std::uint64_t whole = sum[p][v] + std::uint64_t{digit} * scaling.inverse[i];
        digit =
            rns::shifted_up<Set>(rns::reduce(whole, table.m[i], table.barrett[i]), Scaling::limb_bits * limbs - d, i);
      }
    }
  }
};

/// What a sum does with the digits of its next term: `keep` its own, `take` the term's, or add or subtract one scaled
/// up by 2^shift, and then scale down by `left` bits. In one word.
class MpStep {
 public:
  enum Kind { keep, take, add, subtract, subtract_from };
  MpStep() = default;
  /// The operand of the larger exponent is the sum where `scales_sum`, otherwise the term. subtract: that one less the
  /// other; subtract_from: the other one less that.
  ASSAY_HD MpStep(Kind kind, bool scales_sum, std::int64_t shift, std::int32_t left)
      : word_(static_cast<std::uint32_t>(kind) | (scales_sum ? 8u : 0u) | static_cast<std::uint32_t>(left) << 4 |
              static_cast<std::uint32_t>(shift) << 18) {}
  [[nodiscard]] ASSAY_HD int left() const { return static_cast<int>(word_ >> 4 & 0x3FFF); }

  /// Residue q of the sum after the addition, before it is scaled down.
  template <class Set>
  [[nodiscard]] ASSAY_HD std::uint32_t applied(std::uint32_t sum, std::uint32_t term, int q) const {
    const auto kind = static_cast<Kind>(word_ & 7);
    if (kind == keep) return sum;
    if (kind == take) return term;
    const std::uint32_t m = rns::tables<Set>().m[q];
    const bool scales_sum = (word_ & 8) != 0;
    std::uint32_t scaled = scales_sum ? sum : term;
    const std::uint32_t other = scales_sum ? term : sum;
    const int shift = static_cast<int>(word_ >> 18);
    if (shift > 0) scaled = rns::shifted_up<Set>(scaled, shift, q);
    return kind == add        ? rns::add_mod(scaled, other, m)
           : kind == subtract ? rns::sub_mod(scaled, other, m)
                              : rns::sub_mod(other, scaled, m);
  }

 private:
  std::uint32_t word_;
};

/// Where the terms of a sum stand in an array: number first + i·step is term i < count.
struct MpTerms {
  std::int64_t first, step, count;
  ASSAY_HD std::size_t operator[](std::int64_t i) const { return static_cast<std::size_t>(first + i * step); }
};

/// The sums of a block, a number each: sum v has its head in thread v, its digits in shared memory. Results are those
/// of mp::add, bit for bit: heads by the same formulas, digits exactly.
///
/// The heads of a sum do not depend on its digits but where enclosures overlap or become wide. So a thread a sum goes
/// through the heads of up to `most_steps` terms and writes down what the digits have to do; they do it a thread a
/// residue, without a barrier, where nothing is to be rounded, and otherwise term by term, eight threads for `count`
/// sums. Where the digits decide, one thread calls mp::add.
template <class Set>
struct MpSums {
  static constexpr int threads = 256;
  static constexpr int lanes = 8;
  static constexpr int groups = threads / lanes;
  static constexpr int number_bits = Set::n > 32 ? 5 : 6;
  static constexpr int numbers = 1 << number_bits;
  static constexpr int count = numbers / groups;
  static constexpr int most_steps = 32;
  static constexpr int pitch = (Set::size + 23) / 32 * 32 + 8;  ///< groups of a warp lie in different banks
  static_assert(Set::n % lanes == 0 && Set::guards == 1);
  static_assert(rns::product_exponent<Set> < 1 << 13);
  struct Shared {
    std::uint32_t digits[numbers * pitch];
    MpTerms terms[numbers];
    MpStep steps[most_steps][numbers];
    std::int32_t planned[numbers];  ///< steps of this turn
    std::int64_t done[numbers];     ///< steps before
    std::uint32_t rank[count * threads];
    std::uint32_t rest[count * threads];
    bool empty[numbers];  ///< zero or out of range
  };
  using Team = Block<Shared, threads>;
  using Head = MpHead<Set>;
  using Heads = PerThread<Head, threads>;

  ASSAY_HD static std::uint32_t* digits_of(Shared& shared, int number) { return shared.digits + number * pitch; }
  ASSAY_HD static const std::uint32_t* digits_of(const Shared& shared, int number) {
    return shared.digits + number * pitch;
  }

  /// Number v of the group of thread t, and f(q) for the residues that the thread has of it.
  ASSAY_HD static int number_of(int t, int v) { return v * groups + t / lanes; }
  template <class F>
  ASSAY_HD static void for_each_residue(int t, F&& f) {
    ASSAY_UNROLL(2)
    for (int q = t % lanes; q < Set::n; q += lanes) f(q);
    if (t % lanes == 0) f(Set::n);
  }

  /// Every sum is 0.
  ASSAY_HD static Heads begin(Team& block) {
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < numbers) shared.empty[t] = true;
    });
    return block.per_thread(Head::zero());
  }

  /// The sums with place(v) ≥ 0 to numbers place(v) of an array.
  template <class Place>
  ASSAY_HD static void store(Team& block, Heads& sum, const mp::MpView<Set>& x, Place&& place) {
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < numbers && place(t) >= 0) sum[t].store(x, static_cast<std::size_t>(place(t)));
      for (int item = t; item < numbers * Set::size; item += threads) {
        const int v = item / Set::size;
        const int q = item % Set::size;
        const std::int64_t k = place(v);
        if (k >= 0)
          x.digits[x.digit_at(static_cast<std::size_t>(k), q)] = shared.empty[v] ? 0 : digits_of(shared, v)[q];
      }
    });
  }

  /// sum ← (…((sum + x_0) + x_1) + …), of the terms shared.terms[v] of every sum v, at most `most` of them.
  ASSAY_HD static void add(Team& block, Heads& sum, const mp::MpView<Set>& x, std::int64_t most) {
    auto plan = block.per_thread(Plan{});
    while (block.any([&](int t, const Shared& s) { return t < numbers && plan[t].done < s.terms[t].count; })) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < numbers) make_plan(t, shared, plan[t], sum[t], x);
      });
      if (!block.any([&](int t, Shared&) { return plan[t].rounds; })) {
        block.for_each_thread([&](int t, Shared& shared) { apply_all(t, shared, x); });
      } else {
        const bool is_long = block.any([&](int t, Shared&) { return plan[t].rounds_long; });
        for (int i = 0; i < most_steps && i < most; ++i) apply_step(block, x, i, is_long);
      }
      if (!block.any([&](int t, Shared&) { return plan[t].alone; })) continue;
      block.for_each_thread([&](int t, Shared& shared) {
        if (t >= numbers || !plan[t].alone) return;
        sum[t] = add_alone(digits_of(shared, t), sum[t], x, shared.terms[t][plan[t].done]);
        shared.empty[t] = sum[t].is_empty();
        plan[t].alone = false;
        plan[t].done += 1;
      });
    }
  }

 private:
  struct Plan {
    std::int64_t done;  ///< terms that are added
    bool rounds, rounds_long, alone;
  };

  /// Goes on with the head of sum v, up to a term that needs the digits.
  ASSAY_HD static void make_plan(int v, Shared& shared, Plan& plan, Head& sum, const mp::MpView<Set>& x) {
    const MpTerms terms = shared.terms[v];
    shared.done[v] = plan.done;
    const std::int64_t left = terms.count - plan.done;
    const int most = left < most_steps ? static_cast<int>(left) : most_steps;
    plan.rounds = plan.rounds_long = false;
    int i = 0;
    Head next = most > 0 ? Head::of(x, terms[plan.done]) : sum;
    ASSAY_UNROLL(1)
    for (; i < most; ++i) {
      const Head term = next;
      if (i + 1 < most) next = Head::of(x, terms[plan.done + i + 1]);
      const Next step = next_head(sum, term);
      if (step.alone) {
        plan.alone = true;
        break;
      }
      sum = step.sum;
      shared.steps[i][v] = step.step;
      plan.rounds = plan.rounds || step.step.left() > 0;
      plan.rounds_long = plan.rounds_long || step.step.left() > 32;
    }
    plan.done += i;
    shared.planned[v] = i;
    shared.empty[v] = sum.is_empty();
  }

  struct Next {
    Head sum;
    MpStep step;
    bool alone;  ///< the digits decide: neither sum nor step is valid
  };
  ASSAY_HD static Next next_head(const Head& sum, const Head& term) {
    using Bound = typename Head::Bound;
    if (sum.is_out_of_range() || term.is_zero()) return {sum, {MpStep::keep, false, 0, 0}, false};
    if (term.is_out_of_range() || sum.is_zero()) return {term, {MpStep::take, false, 0, 0}, false};
    const bool scales_sum = sum.exponent >= term.exponent;
    const std::int64_t shift = scales_sum ? sum.exponent - term.exponent : term.exponent - sum.exponent;
    const Head& high = scales_sum ? sum : term;
    const Head& low = scales_sum ? term : sum;
    if (high.upper.exponent() + shift >= -1) {
      return {high, {scales_sum ? MpStep::keep : MpStep::take, false, 0, 0}, false};
    }
    const Bound lower = high.lower.scaled(shift);
    const Bound upper = high.upper.scaled(shift);
    const auto result = [&](const Bound& l, const Bound& u, std::int32_t sign, MpStep::Kind kind) -> Next {
      Head next{l, u, low.exponent, sign};
      if (next.is_wide()) return {sum, {MpStep::keep, false, 0, 0}, true};
      const std::int32_t left = next.round();
      return {next, {kind, scales_sum, shift, left}, false};
    };
    if (sum.sign == term.sign) {
      return result(Bound::add_rd(lower, low.lower), Bound::add_ru(upper, low.upper), sum.sign, MpStep::add);
    }
    if (Bound::greater(lower, low.upper)) {
      return result(Bound::sub_rd(lower, low.upper), Bound::sub_ru(upper, low.lower), high.sign, MpStep::subtract);
    }
    if (Bound::greater(low.lower, upper)) {
      return result(Bound::sub_rd(low.lower, upper), Bound::sub_ru(low.upper, lower), low.sign, MpStep::subtract_from);
    }
    return {sum, {MpStep::keep, false, 0, 0}, true};
  }

  /// All steps of this turn, none of which rounds, a residue of a sum after the other.
  ASSAY_HD static void apply_all(int t, Shared& shared, const mp::MpView<Set>& x) {
    ASSAY_UNROLL(1)
    for (int item = t; item < numbers * Set::size; item += threads) {
      const int v = item / Set::size;
      const int q = item % Set::size;
      const int planned = shared.planned[v];
      if (planned == 0) continue;
      const MpTerms& all = shared.terms[v];
      const std::int64_t done = shared.done[v];
      const std::uint32_t* place = x.digits + x.digit_at(all[done], q);
      const std::int64_t step = all.step * static_cast<std::int64_t>(x.number_step);
      std::uint32_t digit = digits_of(shared, v)[q];
      constexpr int batch = 8;  // terms that are read at a time
      ASSAY_UNROLL(1)
      for (int i = 0; i < planned; i += batch) {
        std::uint32_t term[batch];
        ASSAY_UNROLL(8)
        for (int k = 0; k < batch; ++k) term[k] = i + k < planned ? place[(i + k) * step] : 0;
        ASSAY_UNROLL(8)
        for (int k = 0; k < batch; ++k) {
          if (i + k < planned) digit = shared.steps[i + k][v].template applied<Set>(digit, term[k], q);
        }
      }
      digits_of(shared, v)[q] = digit;
    }
  }

  /// Step i of this turn of all sums: digits ← ⌊X/2^left⌋ of the sum's X, 32 bits at a time as in rns::scale_down: the
  /// rank ρ of X = Σ s_i·M_i − ρM from the guard, then X mod 2^j, then an exact division. `is_long`: more than 32 bits
  /// somewhere.
  ASSAY_HD static void apply_step(Team& block, const mp::MpView<Set>& x, int i, bool is_long) {
    block.for_each_thread([&](int t, Shared& shared) {
      ASSAY_UNROLL(count)
      for (int v = 0; v < count; ++v) {
        const int number = number_of(t, v);
        if (i >= shared.planned[number]) continue;
        const std::uint32_t* place = x.digits + x.digit_at(shared.terms[number][shared.done[number] + i], 0);
        const MpStep step = shared.steps[i][number];
        std::uint32_t* digits = digits_of(shared, number);
        for_each_residue(t, [&](int q) {
          digits[q] = step.template applied<Set>(digits[q], place[static_cast<std::size_t>(q) * x.digit_step], q);
        });
        if (step.left() > 0) sum_rest(t, shared, v);
      }
    });
    for (int from = 0;; from += 32) {
      block.for_each_thread([&](int t, Shared& shared) {
        ASSAY_UNROLL(count)
        for (int v = 0; v < count; ++v) {
          const int left = left_of(shared, number_of(t, v), i) - from;
          if (left > 0) divide(t, shared, v, left < 32 ? left : 32);
        }
      });
      if (!is_long || !block.any([&](int t, const Shared& shared) {
            bool found = false;
            for (int v = 0; v < count; ++v) found = found || left_of(shared, number_of(t, v), i) > from + 32;
            return found;
          })) {
        return;
      }
      block.for_each_thread([&](int t, Shared& shared) {
        for (int v = 0; v < count; ++v) {
          if (left_of(shared, number_of(t, v), i) > from + 32) sum_rest(t, shared, v);
        }
      });
    }
  }
  ASSAY_HD static int left_of(const Shared& shared, int number, int i) {
    return i < shared.planned[number] ? shared.steps[i][number].left() : 0;
  }

  /// A thread's parts of ρ modulo the guard and of Σ s_i·M_i modulo 2³², of number v of its group.
  ASSAY_HD static void sum_rest(int t, Shared& shared, int v) {
    const auto& table = rns::tables<Set>();
    const std::uint32_t guard = table.m[Set::n];
    const std::uint32_t* digits = digits_of(shared, number_of(t, v));
    std::uint64_t rank = 0;
    std::uint32_t rest = 0;
    for_each_residue(t, [&](int q) {
      if (q == Set::n) {
        rank += std::uint64_t{guard - digits[q]} * table.guard_product_inverse;
      } else {
        const std::uint32_t s = rns::mul_shoup(digits[q], table.w[q], table.w_shoup[q], table.m[q]);
        rank += std::uint64_t{s} * table.guard_inverse[q];
        rest += s * table.cofactor32[q];
      }
    });
    shared.rank[v * threads + t] = rns::reduce(rank, guard, table.barrett[Set::n]);
    shared.rest[v * threads + t] = rest;
  }

  /// digits ← ⌊X/2^j⌋, 1 ≤ j ≤ 32, of number v of a thread's group, after sum_rest of its threads.
  ASSAY_HD static void divide(int t, Shared& shared, int v, int j) {
    const auto& table = rns::tables<Set>();
    std::uint64_t rank = 0;
    std::uint32_t rest = 0;
    ASSAY_UNROLL(8)
    for (int lane = 0; lane < lanes; ++lane) {
      rank += shared.rank[v * threads + t / lanes * lanes + lane];
      rest += shared.rest[v * threads + t / lanes * lanes + lane];
    }
    const std::uint32_t mask = ~std::uint32_t{0} >> (32 - j);
    rest -= rns::reduce(rank, table.m[Set::n], table.barrett[Set::n]) * table.product32;
    rest &= mask;
    std::uint32_t* digits = digits_of(shared, number_of(t, v));
    for_each_residue(t, [&](int q) {
      const std::uint32_t multiple = ((rest - digits[q]) * table.inverse32[q]) & mask;
      digits[q] = static_cast<std::uint32_t>((std::uint64_t{multiple} * table.m[q] + digits[q] - rest) >> j);
    });
  }

  /// A sum + x_k by one thread.
  ASSAY_HD static ASSAY_NOINLINE Head add_alone(std::uint32_t* digits, const Head& head, const mp::MpView<Set>& x,
                                                std::size_t k) {
    mp::Number<Set> sum;
    ASSAY_UNROLL(1)
    for (int q = 0; q < Set::size; ++q) sum.digits.r[q] = digits[q];
    sum.magnitude = {static_cast<Extended>(head.lower), static_cast<Extended>(head.upper)};
    sum.exponent = static_cast<std::int32_t>(head.exponent);
    sum.sign = head.sign;
    sum = mp::add(sum, x.load(k));
    ASSAY_UNROLL(1)
    for (int q = 0; q < Set::size; ++q) digits[q] = sum.digits.r[q];
    return Head::of(sum.magnitude, sum.exponent, sum.sign);
  }
};

/// Σⱼ b(i, j) by T sums an entry: sum c of entry i adds the terms c, c + T, …; then the tree; then y(i) is the last
/// one, with start(i) added where there is one. Sums are handed on in b(i, c). `across`: neighbours in a block belong
/// to neighbouring entries, else to neighbouring terms of one.
template <class Set>
struct MpReductionBlock {
  using Sums = MpSums<Set>;
  using Shared = typename Sums::Shared;
  static constexpr int threads = Sums::threads;
  static constexpr int blocks_per_multiprocessor = 4;

  std::int64_t outputs, terms;
  int sum_bits;  ///< T = 2^sum_bits sums an entry
  bool across;
  MpEntries<Set> b, start, y;
  bool adds_start;

  [[nodiscard]] static std::size_t blocks(std::int64_t outputs, int sum_bits) {
    return static_cast<std::size_t>((outputs - 1) / (Sums::numbers >> sum_bits) + 1);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int sums = 1 << sum_bits;
    const int entry_bits = Sums::number_bits - sum_bits;
    const std::int64_t first = static_cast<std::int64_t>(block.index()) << entry_bits;
    const auto entry = [&](int v) { return first + (across ? v & ((1 << entry_bits) - 1) : v >> sum_bits); };
    const auto sum_of = [&](int v) { return across ? v >> entry_bits : v & (sums - 1); };
    const auto is_last = [&](int v) { return entry(v) < outputs && sum_of(v) == 0; };
    auto heads = Sums::begin(block);
    // Stage 0 takes in the terms, the next ones are the tree's, the last one adds start.
    const int last = sum_bits + 1;
    ASSAY_UNROLL(1)
    for (int stage = 0; stage < last || (stage == last && adds_start); ++stage) {
      const int d = sums >> stage;
      if (stage > 0 && stage < last) {
        Sums::store(block, heads, b.numbers, [&](int v) {
          const std::int64_t i = entry(v);
          const int c = sum_of(v);
          const bool hands_on = i < outputs && c >= d && c < 2 * d && c < terms;
          return hands_on ? static_cast<std::int64_t>(b.at(i, c)) : -1;
        });
      }
      block.for_each_thread([&](int t, Shared& shared) {
        if (t >= Sums::numbers) return;
        const std::int64_t i = entry(t);
        const int c = sum_of(t);
        shared.terms[t] = {0, 0, 0};
        if (i >= outputs) return;
        if (stage == 0 && c < terms) {
          shared.terms[t] = {static_cast<std::int64_t>(b.at(i, c)), b.column_step << sum_bits,
                             (terms - c + sums - 1) >> sum_bits};
        } else if (stage > 0 && stage < last && c < d && c + d < terms) {
          shared.terms[t] = {static_cast<std::int64_t>(b.at(i, c + d)), 0, 1};
        } else if (stage == last && c == 0) {
          shared.terms[t] = {static_cast<std::int64_t>(start.at(i, 0)), 0, 1};
        }
      });
      Sums::add(block, heads, stage == last ? start.numbers : b.numbers,
                stage == 0 ? (terms + sums - 1) >> sum_bits : 1);
    }
    Sums::store(block, heads, y.numbers,
                [&](int v) { return is_last(v) ? static_cast<std::int64_t>(y.at(entry(v), 0)) : -1; });
  }
};

}  // namespace assay::gemv::detail
