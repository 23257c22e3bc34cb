#pragma once
// The last kernel of the exact-accumulating GEMV: the entries, rounded.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/limbs.hpp"
#include "arith/residues/mp_number.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_integers.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_operands.hpp"

namespace assay::gemv::detail {

/// The data of a call: y ← α·op(A)·x + β·y of a plan with its workspace.
struct GemvExactTask {
  GemvExactPlan plan;
  GemvExactOperand a;
  GemvExactOperand x;
  GemvExactScalar alpha;
  GemvExactScalar beta;
  bool reads_y;
  GemvExactResult y;
};

/// The places of the terms of an entry of a dense product.
template <bool transposed>
struct GemvExactTerms {
  using Layout = GemvExactLayout<transposed>;
  static constexpr int finish_blocks = transposed ? 7 : 8;  ///< of GemvExactFinish by 160 threads on a multiprocessor

  ASSAY_HD static std::int64_t count(const GemvExactTask& task, std::int64_t) { return task.plan.terms; }
  ASSAY_HD static std::int64_t of_a(const GemvExactTask& task, std::int64_t output, std::int64_t j) {
    return Layout::element(task.a, output, j);
  }
  /// Negative if there is no term j.
  ASSAY_HD static std::int64_t of_x(const GemvExactTask& task, std::int64_t, std::int64_t j) { return j * task.x.step; }
  /// Whether every index has a term.
  static constexpr bool all = true;
};

/// y_i ← RN(α·s_i + β·y_i) to P bits, s_i the sum of all products, one block per entry.
///
/// The window's sum comes from its residues by the Chinese remainder theorem. Products below the window are added
/// window by window; the next window begins at the largest remaining exponent. If all exponents are at most D apart,
/// each window is added at its place to the limbs of the sum; α·s and β·y are products of limbs; if one of two summands
/// is so far below the other that it does not fit beside it, it is replaced by its leading bits and a sticky bit, which
/// round alike. If exponents are farther apart, windows are added until the remaining ones cannot change the rounding.
template <class Terms, int width>
struct GemvExactFinish : GemvExactTask {
  using Integers = GemvExactIntegers<width>;
  using Integer = typename Integers::Integer;
  using Limbs = typename Integers::Limbs;
  using Shared = typename Integers::Shared;
  using Team = typename Integers::Team;
  static constexpr int threads = width;
  /// As many as there are registers for on the common path.
  static constexpr int blocks_per_multiprocessor = width == 64 ? 12 : Terms::finish_blocks;

  Terms terms;  ///< their places in a and x

  ASSAY_HD void operator()(Team& block) const {
    const rns::LimbTablesView tables = standard_limb_tables(plan.n);
    const auto output = static_cast<std::int64_t>(block.index());
    wait_for_kernel_before();
    bool has_y = !reads_y;
    if (plan.terms > 0) {
      has_y = sum_terms(block, tables, output) || has_y;
    } else {
      set_zero(block);
    }
    if (!has_y) {
      take_y(block, tables, output);
      Integers::add(block, tables, false);
    }
    round(block, tables, output);
  }

 private:
  ASSAY_HD static void set_zero(Team& block) {
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) s.z_is = Integer{};
    });
  }

  /// The sum of the products into z, as sign and magnitude, times α. Returns whether β·y is in z, too.
  ASSAY_HD bool sum_terms(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    take_first_window(block, tables, output, &Shared::z, &Shared::z_is);
    if (plan.outside[output] != 0) {
      const Candidates candidates = candidates_of(output);
      find_unit(block, candidates, output);
      const int spread = uniform(block, [&](const Shared& s) { return s.window_top - s.unit; });
      if (spread > plan.sum_bits + tables.precision + 2) {
        // The common path keeps its registers: the functions that it calls have their own copies.
        const GemvExactFinish call = *this;
        Team team = block;
        sum_far_terms(call, team, output);
        return true;
      }
      add_outside(block, tables, candidates, output);
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) s.z_is.exponent += plan.exponent_offset;
    });
    if (!alpha.is_one()) Integers::multiply(block, &Shared::z, &Shared::z_is, alpha);
    return false;
  }

  /// The sum over the first window, which the previous kernel left in residues.
  ASSAY_HD void take_first_window(Team& block, const rns::LimbTablesView& tables, std::int64_t output,
                                  Limbs Shared::*to, Integer Shared::*is) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) {
        std::uint64_t sum = 0;
        ASSAY_UNROLL(8)
        for (int split = 0; split < (i < plan.n ? plan.sum_splits : plan.guard_splits); ++split) {
          sum += plan.partial[(split * plan.outputs + output) * plan.pitch + i];
        }
        s.residues[i] = rns::reduce(sum, tables.modulus[i], tables.reciprocal[i]);
      }
      if (t == 0) (s.*is).exponent = plan.bases[output];
    });
    Integers::columns_of_residues(block, tables);
    Integers::resolve_magnitude(block, to, is, tables.limbs);
  }

  /// The terms of an entry that may be below the window: the listed ones, or all if the list is too short.
  struct Candidates {
    const std::int32_t* listed;  ///< null: all
    std::int64_t count;
    ASSAY_HD std::int64_t operator[](std::int64_t k) const { return listed != nullptr ? listed[k] : k; }
  };

  /// The exponent of product j, or less than least_exponent.
  ASSAY_HD std::int32_t exponent_of(std::int64_t output, std::int64_t j) const {
    const std::int64_t of_x = terms.of_x(*this, output, j);
    if (!Terms::all && of_x < 0) return INT32_MIN;
    return (a.meta[terms.of_a(*this, output, j)] >> 1) + (x.meta[of_x] >> 1);
  }

  ASSAY_HD Candidates candidates_of(std::int64_t output) const {
    const std::int32_t outside = plan.outside[output];
    return outside <= GemvExactPlan::most_listed
               ? Candidates{plan.listed + output * GemvExactPlan::most_listed, outside}
               : Candidates{nullptr, terms.count(*this, output)};
  }

  /// s.unit: the least exponent of a product of the entry. The window is the first one.
  ASSAY_HD void find_unit(Team& block, const Candidates& candidates, std::int64_t output) const {
    const std::int32_t base = plan.bases[output];
    block.for_each_thread([&](int t, Shared& s) {
      std::int32_t lowest = base;
      for (std::int64_t q = t; q < candidates.count; q += threads) {
        const std::int32_t e = exponent_of(output, candidates[q]);
        if (e >= GemvExactPlan::least_exponent && e < lowest) lowest = e;
      }
      s.lane[t] = lowest;
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      s.unit = base;
      for (int i = 0; i < threads && i < candidates.count; ++i) s.unit = s.lane[i] < s.unit ? s.lane[i] : s.unit;
      s.window_base = base;
      s.window_top = base + plan.window - 1;
    });
  }

  /// z ← α·s + β·y, or a number that rounds alike, whatever the exponents are.
  ASSAY_HD static ASSAY_NOINLINE void sum_far_terms(const GemvExactFinish& call, Team& block, std::int64_t output) {
    call.add_far_terms(block, standard_limb_tables(call.plan.n), call.candidates_of(output), output);
  }

  /// Adds windows and β·y, the one with the higher lowest bit first, until the remaining ones cannot change the
  /// rounding (docs/bounds/gemv.md, gemv.exact.8). The remaining products are below 2^end in sum, β·y is below 2^y_end.
  ASSAY_HD void add_far_terms(Team& block, const rns::LimbTablesView& tables, const Candidates& candidates,
                              std::int64_t output) const {
    const std::int64_t offset = plan.exponent_offset + alpha.exponent;
    const std::int64_t reach = offset + plan.sum_bits + Integers::bits_of(alpha.limbs, alpha.count);
    const std::int64_t y_unit = reads_y ? std::int64_t{y.exponent[output * y.step]} + beta.exponent : 0;
    const std::int64_t y_end = y_unit + tables.precision + 1 + Integers::bits_of(beta.limbs, beta.count);
    bool has_y = !reads_y;
    bool has_head = false;
    const auto settle = [&](std::int64_t below) { return Integers::settle(block, tables, below, has_head); };
    const auto add_y = [&] {
      take_y(block, tables, output);
      Integers::add(block, tables, true);
      has_y = true;
    };
    set_zero(block);
    for (bool first = true; first || next_window(block, candidates, output); first = false) {
      const std::int64_t base = offset + uniform(block, [](const Shared& s) { return s.window_base; });
      const std::int64_t end = reach + uniform(block, [](const Shared& s) { return s.window_top; });
      if (!has_y && y_unit >= base) {
        if (settle((end > y_end ? end : y_end) + 1)) break;
        add_y();
      }
      if (settle((has_y || end > y_end ? end : y_end) + 1)) break;
      if (first) {
        take_first_window(block, tables, output, &Shared::w, &Shared::w_is);
      } else {
        take_window(block, tables, candidates, output);
      }
      block.for_each_thread([&](int t, Shared& s) {
        if (t == 0) s.w_is.exponent = s.window_base + plan.exponent_offset;
      });
      if (!alpha.is_one()) Integers::multiply(block, &Shared::w, &Shared::w_is, alpha);
      Integers::add(block, tables, true);
    }
    if (!has_y && !settle(y_end + 1)) add_y();
    if (has_head) Integers::join_head(block, tables);
  }

  /// Adds the products below the window to z, and makes its lowest bit that of the least exponent of them.
  ASSAY_HD void add_outside(Team& block, const rns::LimbTablesView& tables, const Candidates& candidates,
                            std::int64_t output) const {
    const std::int32_t base = plan.bases[output];
    const int count = sum_limbs(tables, base - uniform(block, [](const Shared& s) { return s.unit; }));
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < count; k += threads) s.total[k] = 0;
      add_to_total(s, s.z, s.z_is, base - s.unit, count, t);
    });
    while (next_window(block, candidates, output)) {
      take_window(block, tables, candidates, output);
      block.for_each_thread([&](int t, Shared& s) { add_to_total(s, s.w, s.w_is, s.window_base - s.unit, count, t); });
    }
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < count; k += threads) Integers::set_column(s, k, {s.total[k], 0});
      if (t == 0) s.z_is.exponent = s.unit;
    });
    Integers::resolve_magnitude(block, &Shared::z, &Shared::z_is, count);
  }

  /// A value that is the same for all threads, computed outside a phase.
  template <class F>
  ASSAY_HD static int uniform(Team& block, F&& f) {
    return Integers::uniform(block, f);
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

  /// The sum over the window into w.
  ASSAY_HD void take_window(Team& block, const rns::LimbTablesView& tables, const Candidates& candidates,
                            std::int64_t output) const {
    residues_of_window(block, tables, candidates, output);
    Integers::columns_of_residues(block, tables);
    Integers::resolve_magnitude(block, &Shared::w, &Shared::w_is, tables.limbs);
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
        s.sign[t] = 1 - 2 * ((a.meta[terms.of_a(*this, output, j)] ^ x.meta[terms.of_x(*this, output, j)]) & 1);
      });
      const int count = static_cast<int>(candidates.count - from < threads ? candidates.count - from : threads);
      block.for_each_thread([&](int t, Shared& s) {
        for (int i = t; i < tables.size; i += threads) {
          const std::uint32_t m = tables.modulus[i];
          std::uint32_t sum = s.residues[i];
          for (int k = 0; k < count; ++k) {
            if (s.sign[k] == 0) continue;
            const std::int64_t j = candidates[from + k];
            const std::uint32_t digit = a.digits[i * a.plane + terms.of_a(*this, output, j)];
            const std::uint32_t r = rns::shifted_residue(digit, s.shift[k], m, tables.shift_quotient[i]);
            const std::uint32_t term =
                rns::mul_mod(r, x.digits[i * x.plane + terms.of_x(*this, output, j)], m, tables.reciprocal[i]);
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

  /// w ← β·y.
  ASSAY_HD void take_y(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) s.residues[i] = y.digits[i * y.plane + output * y.step];
      if (t == 0) s.w_is.exponent = y.exponent[output * y.step];
    });
    Integers::columns_of_residues(block, tables);
    Integers::resolve_magnitude(block, &Shared::w, &Shared::w_is, tables.limbs, y.sign[output * y.step] != 0);
    Integers::multiply(block, &Shared::w, &Shared::w_is, beta);
  }

  /// y ← RN(z) to P bits, ties to even: X = ⌊|z|/2^d⌋ + up, so that X ≤ 2^P; numbers with fewer bits are not changed.
  /// The increment is made in the residues.
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
      const bool up =
          cut > 0 && Integers::bit(s.z, cut - 1) && (Integers::lowest_bit(s.z, z) < cut - 1 || Integers::bit(s.z, cut));
      for (int i = t; i < tables.size; i += threads) {
        const std::uint32_t floor = rns::residue_of_limbs(tables, i, s.w, limbs);
        y.digits[i * y.plane + at] = rns::add_mod(floor, up ? 1 : 0, tables.modulus[i]);
      }
      if (t != threads - 1) return;
      store(at, z.negative ? 1 : 0, static_cast<std::int32_t>(exponent),
            rns::enclosure_of_limbs(tables, s.z, z.count, Integers::bits_of(s.z, z.count), cut));
    });
  }

  /// The bits of z beyond P.
  ASSAY_HD static std::int64_t cut_of(const Shared& s, const rns::LimbTablesView& tables) {
    const std::int64_t bits = Integers::bits_of(s.z, s.z_is.count);
    return bits > tables.precision ? bits - tables.precision : 0;
  }

  ASSAY_HD void store(std::int64_t at, std::int32_t sign, std::int32_t exponent, const Interval& magnitude) const {
    y.sign[at] = sign;
    y.exponent[at] = exponent;
    y.lower[at] = magnitude.lower;
    y.upper[at] = magnitude.upper;
  }
};

}  // namespace assay::gemv::detail
