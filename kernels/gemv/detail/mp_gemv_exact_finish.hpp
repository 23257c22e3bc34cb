#pragma once
// The last kernel of the exact-accumulating GEMV: the entries, rounded.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/limbs.hpp"
#include "arith/residues/mp_number.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_operands.hpp"

namespace assay::gemv::detail {

/// A number as limbs, for the scalars alpha and beta: (−1)^sign·X·2^exponent; count = 0 means 0.
struct GemvExactScalar {
  static constexpr int most_limbs = 56;
  std::uint32_t limbs[most_limbs];
  int count;
  std::int32_t sign;
  std::int32_t exponent;
  [[nodiscard]] ASSAY_HD bool is_one() const { return count == 1 && limbs[0] == 1 && sign == 0 && exponent == 0; }
};

/// What a call is about: y ← α·op(A)·x + β·y of a plan with its workspace.
struct GemvExactTask {
  GemvExactPlan plan;
  GemvExactOperand a;
  GemvExactOperand x;
  GemvExactScalar alpha;
  GemvExactScalar beta;
  bool reads_y;
  GemvExactResult y;
};

/// y_i ← RN(α·s_i + β·y_i) to P bits, s_i the sum of the products that are not dropped, one block an entry.
///
/// The window's sum comes from its residues by the Chinese remainder theorem. Products below the window are taken
/// window by window, the next one beginning at the largest exponent left, each added at its place to the limbs of the
/// sum. α·s and β·y are products of limbs; where one of two summands is so far below the other that it does not fit
/// beside it, it is replaced by its leading bits and a sticky bit, which round alike.
template <bool transposed, int width>
struct GemvExactFinish : GemvExactTask {
  using Layout = GemvExactLayout<transposed>;
  static constexpr int threads = width;
  static constexpr int most_moduli = 129;
  static constexpr int most_limbs = 392;

  /// What the limbs of an integer mean: (−1)^negative·|limbs|·2^exponent.
  struct Integer {
    std::int64_t exponent;
    int count;   ///< limbs of the magnitude; 0 for 0
    int lowest;  ///< the lowest limb that is not 0
    bool negative;
    bool complement;  ///< the limbs are the two's complement of the magnitude
  };
  using Limbs = std::uint32_t[most_limbs];
  struct Shared {
    rns::CrtDigit digits[most_moduli];
    std::uint32_t residues[most_moduli];
    std::int64_t low[most_limbs];  ///< column k of an integer is low_k + high_(k − 1)
    std::int64_t high[most_limbs];
    std::int64_t total[most_limbs];
    std::int32_t carries[2][most_limbs + 1];
    std::int64_t over;  ///< what is carried beyond the limbs: −1 for a negative integer
    Limbs z;
    Limbs w;
    Integer z_is;
    Integer w_is;
    std::int32_t lane[threads];
    std::int32_t shift[threads];
    std::int32_t sign[threads];
    std::int32_t window_base;
    std::int32_t window_top;
    std::int32_t unit;
  };
  using Team = Block<Shared, threads>;

  ASSAY_HD void operator()(Team& block) const {
    const rns::LimbTablesView tables = standard_limb_tables(plan.n);
    const auto output = static_cast<std::int64_t>(block.index());
    wait_for_kernel_before();
    if (plan.terms > 0) {
      sum_terms(block, tables, output);
    } else {
      block.for_each_thread([&](int t, Shared& s) {
        if (t == 0) s.z_is = Integer{};
      });
    }
    if (reads_y) add_y(block, tables, output);
    round(block, tables, output);
  }

 private:
  /// What a two's complement integer is: its sign, the limbs of its magnitude, the lowest limb that is not 0.
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

  /// The integer of the columns 0 … count − 1 into s.*to, two's complement, with s.over = −1 where it is negative. All
  /// limbs hand on their carries at once; after the first time these are −1, 0 or 1, and seldom go far.
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
    for (int from = 0;; from = 1 - from) {
      const bool carried = block.any([&](int t, const Shared& s) {
        bool found = false;
        for (int k = t; k < count; k += threads) found = found || s.carries[from][k] != 0;
        return found;
      });
      if (!carried) return;
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
  }

  /// resolve() into z or w, described there with the exponent, and then as a magnitude. `negate`: the other sign.
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

  /// The sum of the products into z, as sign and magnitude, times α.
  ASSAY_HD void sum_terms(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) {
        std::uint64_t sum = 0;
        ASSAY_UNROLL(8)
        for (int split = 0; split < (i < plan.n ? plan.sum_splits : plan.guard_splits); ++split) {
          sum += plan.partial[(split * plan.outputs + output) * plan.pitch + i];
        }
        s.residues[i] = rns::reduce(sum, tables.modulus[i], tables.reciprocal[i]);
      }
      if (t == 0) s.z_is.exponent = plan.bases[output];
    });
    columns_of_residues(block, tables);
    resolve_magnitude(block, &Shared::z, &Shared::z_is, tables.limbs);
    if (plan.outside[output] != 0) add_outside(block, tables, output);
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) s.z_is.exponent += plan.exponent_offset;
    });
    if (!alpha.is_one()) multiply(block, &Shared::z, &Shared::z_is, alpha);
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

  /// The terms of an entry that may be below the window: those listed, or all where the list is too short.
  struct Candidates {
    const std::int32_t* listed;  ///< null: all
    std::int64_t count;
    ASSAY_HD std::int64_t operator[](std::int64_t k) const { return listed != nullptr ? listed[k] : k; }
  };

  /// The exponent of product j, or less than least_exponent.
  ASSAY_HD std::int32_t exponent_of(std::int64_t output, std::int64_t j) const {
    return (a.meta[Layout::element(a, output, j)] >> 1) + (x.meta[j * x.step] >> 1);
  }

  /// Adds the products below the window to z, and makes its lowest bit that of the least exponent of them.
  ASSAY_HD void add_outside(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    const std::int32_t base = plan.bases[output];
    const std::int32_t kept = base + plan.window - 1 - plan.depth;
    const std::int32_t least = kept > GemvExactPlan::least_exponent ? kept : GemvExactPlan::least_exponent;
    const std::int32_t outside = plan.outside[output];
    const Candidates candidates = outside <= GemvExactPlan::most_listed
                                      ? Candidates{plan.listed + output * GemvExactPlan::most_listed, outside}
                                      : Candidates{nullptr, plan.terms};
    block.for_each_thread([&](int t, Shared& s) {
      std::int32_t lowest = base;
      for (std::int64_t q = t; q < candidates.count; q += threads) {
        const std::int32_t e = exponent_of(output, candidates[q]);
        if (e >= least && e < lowest) lowest = e;
      }
      s.lane[t] = lowest;
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      s.unit = base;
      for (int i = 0; i < threads && i < candidates.count; ++i) s.unit = s.lane[i] < s.unit ? s.lane[i] : s.unit;
      s.window_base = base;
    });
    const int count = sum_limbs(tables, base - uniform(block, [](const Shared& s) { return s.unit; }));
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < count; k += threads) s.total[k] = 0;
      add_to_total(s, s.z, s.z_is, base - s.unit, count, t);
    });
    while (next_window(block, candidates, output)) {
      residues_of_window(block, tables, candidates, output);
      columns_of_residues(block, tables);
      resolve_magnitude(block, &Shared::w, &Shared::w_is, tables.limbs);
      block.for_each_thread([&](int t, Shared& s) { add_to_total(s, s.w, s.w_is, s.window_base - s.unit, count, t); });
    }
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < count; k += threads) set_column(s, k, {s.total[k], 0});
      if (t == 0) s.z_is.exponent = s.unit;
    });
    resolve_magnitude(block, &Shared::z, &Shared::z_is, count);
  }

  /// A value that all threads would give alike, outside a phase.
  template <class F>
  ASSAY_HD static int uniform(Team& block, F&& f) {
    auto own = block.per_thread(0);
    block.for_each_thread([&](int t, Shared& s) { own[t] = f(s); });
    return own[0];
  }

  ASSAY_HD static void add_to_total(Shared& s, const std::uint32_t* limbs, const Integer& is, std::int64_t bits,
                                    int count, int t) {
    for (int k = t; k < count; k += threads) {
      const std::int64_t limb = limb::left_shifted_word(limbs, is.count, bits, k);
      s.total[k] += is.negative ? -limb : limb;
    }
  }

  /// Whether there are products between the lowest bit of z and the last window; they are from window_base to
  /// window_top.
  ASSAY_HD bool next_window(Team& block, const Candidates& candidates, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      std::int32_t top = INT32_MIN;
      for (std::int64_t q = t; q < candidates.count; q += threads) {
        const std::int32_t e = exponent_of(output, candidates[q]);
        if (e < s.window_base && e > top) top = e;
      }
      s.lane[t] = top;
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      std::int32_t top = INT32_MIN;
      for (int i = 0; i < threads && i < candidates.count; ++i) top = s.lane[i] > top ? s.lane[i] : top;
      s.window_top = top;
      if (top >= s.unit) s.window_base = top - plan.window + 1 > s.unit ? top - plan.window + 1 : s.unit;
    });
    return block.any([&](int, const Shared& s) { return s.window_top >= s.unit; });
  }

  ASSAY_HD void residues_of_window(Team& block, const rns::LimbTablesView& tables, const Candidates& candidates,
                                   std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) s.residues[i] = 0;
    });
    for (std::int64_t from = 0; from < candidates.count; from += threads) {
      block.for_each_thread([&](int t, Shared& s) {
        s.sign[t] = 0;
        if (from + t >= candidates.count) return;
        const std::int64_t j = candidates[from + t];
        const std::int32_t e = exponent_of(output, j);
        if (e < s.window_base || e > s.window_top) return;
        s.shift[t] = e - s.window_base;
        s.sign[t] = 1 - 2 * ((a.meta[Layout::element(a, output, j)] ^ x.meta[j * x.step]) & 1);
      });
      const int count = static_cast<int>(candidates.count - from < threads ? candidates.count - from : threads);
      block.for_each_thread([&](int t, Shared& s) {
        for (int i = t; i < tables.size; i += threads) {
          const std::uint32_t m = tables.modulus[i];
          std::uint32_t sum = s.residues[i];
          for (int k = 0; k < count; ++k) {
            if (s.sign[k] == 0) continue;
            const std::int64_t j = candidates[from + k];
            const std::uint32_t digit = a.digits[i * a.plane + Layout::element(a, output, j)];
            const std::uint32_t r = rns::shifted_residue(digit, s.shift[k], m, tables.shift_quotient[i]);
            const std::uint32_t term = rns::mul_mod(r, x.digits[i * x.plane + j * x.step], m, tables.reciprocal[i]);
            sum = s.sign[k] > 0 ? rns::add_mod(sum, term, m) : rns::sub_mod(sum, term, m);
          }
          s.residues[i] = sum;
        }
      });
    }
  }

  /// Limbs enough for the sum of all products, with its sign, where the window's lowest bit is at `bits`.
  ASSAY_HD static int sum_limbs(const rns::LimbTablesView& tables, std::int64_t bits) {
    return tables.limbs + static_cast<int>((bits + 31) / 32) + 1;
  }

  ASSAY_HD static std::int64_t bits_of(const std::uint32_t* limbs, int count) {
    return count == 0 ? 0 : 32 * (std::int64_t{count} - 1) + bits::bit_length(limbs[count - 1]);
  }

  /// z += β·y.
  ASSAY_HD void add_y(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) s.residues[i] = y.digits[i * y.plane + output * y.step];
      if (t == 0) s.w_is.exponent = y.exponent[output * y.step];
    });
    columns_of_residues(block, tables);
    resolve_magnitude(block, &Shared::w, &Shared::w_is, tables.limbs, y.sign[output * y.step] != 0);
    multiply(block, &Shared::w, &Shared::w_is, beta);
    const int count = uniform(block, [&](const Shared& s) { return sum_of(s, tables).count; });
    block.for_each_thread([&](int t, Shared& s) {
      const Sum sum = sum_of(s, tables);
      for (int k = t; k < count; k += threads) {
        set_column(s, k, {summand(s.z, s.z_is, sum.unit, k) + summand(s.w, s.w_is, sum.unit, k), 0});
      }
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) s.z_is.exponent = sum_of(s, tables).unit;
    });
    resolve_magnitude(block, &Shared::z, &Shared::z_is, count);
  }

  /// Where z + w has its lowest bit, and how many limbs with a place for the sign. Where the lower summand ends so far
  /// below that they have no room side by side, only its leading bits have a place: the upper one then ends above the
  /// lowest bit, and more than 64 bits are between that and the last bit of the rounded sum.
  struct Sum {
    std::int64_t unit;
    int count;
  };
  ASSAY_HD static Sum sum_of(const Shared& s, const rns::LimbTablesView& tables) {
    if (s.z_is.count == 0 || s.w_is.count == 0) {
      const Integer& is = s.w_is.count == 0 ? s.z_is : s.w_is;
      return {is.exponent, is.count + 1};
    }
    const std::int64_t z_end = s.z_is.exponent + bits_of(s.z, s.z_is.count);
    const std::int64_t w_end = s.w_is.exponent + bits_of(s.w, s.w_is.count);
    const std::int64_t end = (z_end > w_end ? z_end : w_end) + 2;
    const std::int64_t least = s.z_is.exponent < s.w_is.exponent ? s.z_is.exponent : s.w_is.exponent;
    const int longer = s.z_is.count > s.w_is.count ? s.z_is.count : s.w_is.count;
    const std::int64_t room = end - std::int64_t{32} * (longer + (tables.precision + 31) / 32 + 4);
    const std::int64_t unit = least > room ? least : room;
    return {unit, static_cast<int>((end - unit + 31) / 32)};
  }

  /// Limb k of a summand in units of 2^unit, with its sign. What is cut off below and not 0 sets the lowest bit.
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

  /// y ← RN(z) to P bits, ties to even: X = ⌊|z|/2^d⌋ + up, so that X ≤ 2^P; fewer bits are left as they are. The
  /// increment is made in the residues.
  ASSAY_HD void round(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    const int limbs = (tables.precision + 31) / 32;
    block.for_each_thread([&](int t, Shared& s) {
      const std::int64_t cut = cut_of(s, tables);
      for (int k = t; k < limbs; k += threads) s.w[k] = limb::right_shifted_word(s.z, s.z_is.count, cut, k);
    });
    block.for_each_thread([&](int t, Shared& s) {
      const Integer z = s.z_is;
      const std::int64_t cut = cut_of(s, tables);
      const std::int64_t exponent = z.exponent + cut;
      const std::int64_t at = output * y.step;
      const bool in_range = exponent >= -mp::exponent_limit && exponent <= mp::exponent_limit;
      if (z.count == 0 || !in_range) {
        for (int i = t; i < tables.size; i += threads) y.digits[i * y.plane + at] = 0;
        if (t == threads - 1) store(at, 0, z.count == 0 ? 0 : mp::out_of_range_exponent, {});
        return;
      }
      const bool up = cut > 0 && bit(s.z, cut - 1) && (lowest_bit(s.z, z) < cut - 1 || bit(s.z, cut));
      for (int i = t; i < tables.size; i += threads) {
        const std::uint32_t floor = rns::residue_of_limbs(tables, i, s.w, limbs);
        y.digits[i * y.plane + at] = rns::add_mod(floor, up ? 1 : 0, tables.modulus[i]);
      }
      if (t != threads - 1) return;
      store(at, z.negative ? 1 : 0, static_cast<std::int32_t>(exponent),
            magnitude_of(tables, s, bits_of(s.z, z.count), cut));
    });
  }

  /// The bits of z beyond P.
  ASSAY_HD static std::int64_t cut_of(const Shared& s, const rns::LimbTablesView& tables) {
    const std::int64_t bits = bits_of(s.z, s.z_is.count);
    return bits > tables.precision ? bits - tables.precision : 0;
  }

  ASSAY_HD void store(std::int64_t at, std::int32_t sign, std::int32_t exponent, const Interval& magnitude) const {
    y.sign[at] = sign;
    y.exponent[at] = exponent;
    y.lower[at] = magnitude.lower;
    y.upper[at] = magnitude.upper;
  }

  ASSAY_HD static bool bit(const std::uint32_t* limbs, std::int64_t i) { return (limbs[i / 32] >> (i % 32) & 1) != 0; }

  ASSAY_HD static std::int64_t lowest_bit(const std::uint32_t* limbs, const Integer& is) {
    return std::int64_t{32} * is.lowest + bits::trailing_zeros(limbs[is.lowest]);
  }

  /// An enclosure of X/M: the leading 53 bits of X, and those plus 1 where they are not all, times 1/M.
  ASSAY_HD static Interval magnitude_of(const rns::LimbTablesView& tables, const Shared& s, std::int64_t bits,
                                        std::int64_t cut) {
    if (bits == 0) return {};
    const std::int64_t below = bits > 53 ? bits - 53 : 0;
    const std::uint64_t low = limb::right_shifted_word(s.z, s.z_is.count, below, 0);
    const std::uint64_t high = limb::right_shifted_word(s.z, s.z_is.count, below, 1);
    const auto head = static_cast<double>(static_cast<std::int64_t>(high << 32 | low));
    const double next = below > 0 ? head + 1.0 : head;
    return {mul_rd(extended(head, below - cut), tables.reciprocal_product.lower),
            mul_ru(extended(next, below - cut), tables.reciprocal_product.upper)};
  }
};

}  // namespace assay::gemv::detail
