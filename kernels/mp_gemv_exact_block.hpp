#pragma once
// The cooperative kernels of the exact-accumulating GEMV, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "arith/mp_number.hpp"
#include "arith/rns_limbs.hpp"
#include "kernels/block.hpp"

namespace assay::detail {

/// The tables of rns::Standard<n> for n = 8, 16, 32, 64, 128; of n = 8 for any other n.
ASSAY_HD inline rns::LimbTablesView standard_limb_tables(int n) {
  switch (n) {
    case 16:
      return rns::limb_tables<rns::Standard<16>>();
    case 32:
      return rns::limb_tables<rns::Standard<32>>();
    case 64:
      return rns::limb_tables<rns::Standard<64>>();
    case 128:
      return rns::limb_tables<rns::Standard<128>>();
    default:
      return rns::limb_tables<rns::Standard<8>>();
  }
}

/// A matrix or a vector on an executor: residue planes, and for each element one word of sign and exponent,
/// 2·exponent + sign, or `zero`. A vector's `step` is its stride and `first` its entry 0 (which is the last in memory
/// for a negative stride); a matrix's is the leading dimension.
struct GemvExactOperand {
  static constexpr std::int32_t zero = INT32_MIN;
  const std::uint32_t* digits;  ///< residue i of element k at [i·plane + k]
  const std::int32_t* meta;
  std::int64_t plane;
  std::int64_t step;
};

/// y on an executor, as the arrays of MpArray have it: residue i of entry k at [i·plane + k·step].
struct GemvExactResult {
  std::uint32_t* digits;
  std::int32_t* sign;
  std::int32_t* exponent;
  Extended* lower;
  Extended* upper;
  std::int64_t plane;
  std::int64_t step;
};

/// The shape of a product, and what its three kernels hand on.
struct GemvExactPlan {
  static constexpr std::int32_t exponent_limit = 1 << 28;
  /// The exponents of a product of two elements that are not 0 are at least this; with a 0 they are less.
  static constexpr std::int32_t least_exponent = -2 * exponent_limit;
  static constexpr int group = 8;  ///< base moduli of one thread

  int n;                         ///< base moduli
  int size;                      ///< all moduli
  std::int64_t outputs;          ///< entries of y
  std::int64_t terms;            ///< entries of x
  int window;                    ///< W: shifts 0 … W − 1 are aligned in residues
  int depth;                     ///< D: exponents below top − D are dropped
  std::int64_t exponent_offset;  ///< to be added to the exponents of all products
  int top_splits;                ///< parts of the terms in the first kernel
  int sum_splits;                ///< and in the second
  int pitch;                     ///< words from one output's partial residues to the next one's
  std::int32_t* tops;      ///< [top_splits][outputs]: the largest exponent of a product, or less than least_exponent
  std::uint32_t* partial;  ///< [sum_splits][outputs][pitch]: residues of the sum over the window
  std::uint32_t* outside;  ///< [sum_splits][outputs]: whether a product is below the window

  /// Groups of moduli: base moduli, and the guards.
  ASSAY_HD int groups() const { return n / group + 1; }

  // Elements of the workspace.
  [[nodiscard]] std::size_t tops_size() const { return static_cast<std::size_t>(top_splits * outputs); }
  [[nodiscard]] std::size_t outside_size() const { return static_cast<std::size_t>(sum_splits * outputs); }
  [[nodiscard]] std::size_t partial_size() const { return outside_size() * static_cast<std::size_t>(pitch); }

  /// Where a part of the terms begins.
  ASSAY_HD std::int64_t begin_of(int split, int splits) const { return terms * split / splits; }

  /// The exponent of the window's lowest bit for an output.
  ASSAY_HD std::int32_t base_of(std::int64_t output) const {
    std::int32_t top = tops[output];
    for (int i = 1; i < top_splits; ++i) {
      const std::int32_t other = tops[i * outputs + output];
      top = other > top ? other : top;
    }
    return (top > least_exponent ? top : least_exponent) - window + 1;
  }
};

/// Which output and which of the terms a thread has. op(A) = A: neighbours read one column; op(A) = Aᵀ: neighbours
/// read one output's terms.
template <bool transposed>
struct GemvExactLayout {
  static constexpr int threads = 256;
  static constexpr int outputs = transposed ? 8 : 32;
  static constexpr int lanes = threads / outputs;
  ASSAY_HD static int output_of(int t) { return transposed ? t / lanes : t % outputs; }
  ASSAY_HD static int lane_of(int t) { return transposed ? t % lanes : t / outputs; }
  ASSAY_HD static std::int64_t element(const GemvExactOperand& a, std::int64_t output, std::int64_t term) {
    return transposed ? output * a.step + term : output + term * a.step;
  }
};

/// tops[split][i] = max over the split's terms j of the exponent of a_ij·x_j.
template <bool transposed>
struct GemvExactTops {
  using Layout = GemvExactLayout<transposed>;
  static constexpr int threads = Layout::threads;
  struct Shared {
    std::int32_t top[threads];
  };
  GemvExactPlan plan;
  GemvExactOperand a;
  GemvExactOperand x;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::int64_t>(block.index());
    const int split = static_cast<int>(index % plan.top_splits);
    const std::int64_t first = index / plan.top_splits * Layout::outputs;
    block.for_each_thread([&](int t, Shared& shared) {
      std::int32_t top = INT32_MIN;
      const std::int64_t output = first + Layout::output_of(t);
      if (output < plan.outputs) {
        const std::int64_t end = plan.begin_of(split + 1, plan.top_splits);
        ASSAY_UNROLL(8)
        for (std::int64_t j = plan.begin_of(split, plan.top_splits) + Layout::lane_of(t); j < end; j += Layout::lanes) {
          const std::int32_t e = (a.meta[Layout::element(a, output, j)] >> 1) + (x.meta[j * x.step] >> 1);
          top = e > top ? e : top;
        }
      }
      shared.top[t] = top;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t >= Layout::outputs || first + t >= plan.outputs) return;
      std::int32_t top = INT32_MIN;
      for (int lane = 0; lane < Layout::lanes; ++lane) {
        const std::int32_t other = shared.top[transposed ? t * Layout::lanes + lane : t + lane * Layout::outputs];
        top = other > top ? other : top;
      }
      plan.tops[split * plan.outputs + first + t] = top;
    });
  }
};

/// partial[split][i] = Σ ±a_ij·x_j·2^s over the split's terms of which the exponent is base_i + s with 0 ≤ s < W,
/// modulo every m. Exact: the order of the terms is free.
///
/// A thread has one output, one of `lanes` parts of the split's terms, and a group of moduli: `group` base moduli, with
/// sums of signed products below 2⁵⁵ in 64 bits (at most 127 of them between two reductions), or the guards, where each
/// product is reduced.
template <bool transposed>
struct GemvExactSums {
  using Layout = GemvExactLayout<transposed>;
  static constexpr int threads = Layout::threads;
  static constexpr int group = GemvExactPlan::group;
  static constexpr int chunk = 128;  ///< terms of x in shared memory
  static constexpr int chunks_per_reduction = 127 * Layout::lanes / chunk;
  static constexpr int blocks_per_multiprocessor = 2;

  struct Shared {
    std::uint32_t x[chunk * group];
    std::int32_t meta[chunk];
    std::uint32_t part[threads * group];
    std::uint32_t outside[threads];
  };
  struct Sums {
    std::int64_t sum[group];
    std::uint32_t outside;
  };

  GemvExactPlan plan;
  GemvExactOperand a;
  GemvExactOperand x;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const rns::LimbTablesView tables = standard_limb_tables(plan.n);
    const auto index = static_cast<std::int64_t>(block.index());
    const int groups = plan.groups();
    const int first_modulus = static_cast<int>(index % groups) * group;
    const int split = static_cast<int>(index / groups % plan.sum_splits);
    const std::int64_t first = index / groups / plan.sum_splits * Layout::outputs;
    const bool guards = first_modulus >= plan.n;
    const int moduli = guards ? plan.size - plan.n : group;
    const std::int64_t begin = plan.begin_of(split, plan.sum_splits);
    const std::int64_t end = plan.begin_of(split + 1, plan.sum_splits);
    auto sums = block.per_thread(Sums{});
    auto bases = block.per_thread(std::int32_t{0});

    int chunks = 0;
    for (std::int64_t from = begin; from < end; from += chunk) {
      const int count = static_cast<int>(end - from < chunk ? end - from : chunk);
      block.for_each_thread([&](int t, Shared& shared) {
        for (int k = t; k < chunk * moduli; k += threads) {
          const int term = k % chunk;
          const int modulus = k / chunk;
          if (term < count) {
            shared.x[place(term, modulus)] = x.digits[(first_modulus + modulus) * x.plane + (from + term) * x.step];
          }
        }
        if (t < count) shared.meta[t] = x.meta[(from + t) * x.step];
        const std::int64_t output = first + Layout::output_of(t);
        if (from == begin && output < plan.outputs) bases[t] = plan.base_of(output);
      });
      const bool reduce = ++chunks == chunks_per_reduction;
      if (reduce) chunks = 0;
      block.for_each_thread([&](int t, Shared& shared) {
        const std::int64_t output = first + Layout::output_of(t);
        if (output >= plan.outputs) return;
        if (guards) {
          add_guards(tables, sums[t], shared, bases[t], output, from, count, t);
        } else {
          add_group(tables, first_modulus, sums[t], shared, bases[t], output, from, count, t);
          if (reduce) {
            ASSAY_UNROLL(8)
            for (int g = 0; g < group; ++g) sums[t].sum[g] = residue(tables, first_modulus + g, sums[t].sum[g]);
          }
        }
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      ASSAY_UNROLL(8)
      for (int g = 0; g < group; ++g) {
        if (g < moduli) {
          shared.part[(Layout::lane_of(t) * Layout::outputs + Layout::output_of(t)) * group + g] =
              residue(tables, first_modulus + g, sums[t].sum[g]);
        }
      }
      shared.outside[t] = sums[t].outside;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      const int g = t % group;
      const int own = t / group;
      if (own >= Layout::outputs || first + own >= plan.outputs) return;
      const std::int64_t at = split * plan.outputs + first + own;
      if (g < moduli) {
        std::uint64_t sum = 0;
        for (int lane = 0; lane < Layout::lanes; ++lane) {
          sum += shared.part[(lane * Layout::outputs + own) * group + g];
        }
        const int i = first_modulus + g;
        plan.partial[at * plan.pitch + i] = rns::reduce(sum, tables.modulus[i], tables.reciprocal[i]);
      }
      if (g == 0 && first_modulus == 0) {
        std::uint32_t outside = 0;
        for (int lane = 0; lane < Layout::lanes; ++lane) {
          outside |= shared.outside[transposed ? own * Layout::lanes + lane : own + lane * Layout::outputs];
        }
        plan.outside[at] = outside;
      }
    });
  }

 private:
  ASSAY_HD static int place(int term, int modulus) {
    return transposed ? modulus * chunk + term : term * group + modulus;
  }

  /// A sum of magnitude below 2⁶² modulo m.
  ASSAY_HD static std::uint32_t residue(const rns::LimbTablesView& tables, int i, std::int64_t sum) {
    const std::uint32_t m = tables.modulus[i];
    const int bits = m < 1u << 27 ? 36 : 32;
    return rns::reduce(static_cast<std::uint64_t>(sum) + (std::uint64_t{m} << bits), m, tables.reciprocal[i]);
  }

  struct Aligned {
    int shift;
    std::int32_t sign;  ///< 0 outside the window
  };
  ASSAY_HD Aligned align(std::int32_t meta_a, std::int32_t meta_x, std::int32_t base, std::uint32_t& outside) const {
    const std::int32_t e = (meta_a >> 1) + (meta_x >> 1);
    const std::uint32_t s = static_cast<std::uint32_t>(e) - static_cast<std::uint32_t>(base);
    const bool inside = s < static_cast<std::uint32_t>(plan.window);
    outside |= !inside && e >= GemvExactPlan::least_exponent ? 1u : 0u;
    return {inside ? static_cast<int>(s) : 0, inside ? 1 - 2 * ((meta_a ^ meta_x) & 1) : 0};
  }

  ASSAY_HD void add_group(const rns::LimbTablesView& tables, int first_modulus, Sums& sums, const Shared& shared,
                          std::int32_t base, std::int64_t output, std::int64_t from, int count, int t) const {
    std::uint32_t m[group];
    std::uint32_t quotient[group];
    ASSAY_UNROLL(8)
    for (int g = 0; g < group; ++g) {
      m[g] = tables.modulus[first_modulus + g];
      quotient[g] = tables.shift_quotient[first_modulus + g];
    }
    const std::int64_t plane = a.plane;
    const std::uint32_t* digits = a.digits + first_modulus * plane;
    ASSAY_UNROLL(2)
    for (int term = Layout::lane_of(t); term < count; term += Layout::lanes) {
      const std::int64_t at = Layout::element(a, output, from + term);
      const std::int32_t meta = a.meta[at];
      std::uint32_t digit[group];
      ASSAY_UNROLL(8)
      for (int g = 0; g < group; ++g) digit[g] = digits[g * plane + at];
      const Aligned aligned = align(meta, shared.meta[term], base, sums.outside);
      ASSAY_UNROLL(8)
      for (int g = 0; g < group; ++g) {
        const auto r = static_cast<std::int32_t>(rns::shifted_residue(digit[g], aligned.shift, m[g], quotient[g]));
        const std::int32_t factor = static_cast<std::int32_t>(shared.x[place(term, g)]) * aligned.sign;
        sums.sum[g] += std::int64_t{r} * factor;
      }
    }
  }

  ASSAY_HD void add_guards(const rns::LimbTablesView& tables, Sums& sums, const Shared& shared, std::int32_t base,
                           std::int64_t output, std::int64_t from, int count, int t) const {
    for (int term = Layout::lane_of(t); term < count; term += Layout::lanes) {
      const std::int64_t at = Layout::element(a, output, from + term);
      const Aligned aligned = align(a.meta[at], shared.meta[term], base, sums.outside);
      ASSAY_UNROLL(8)
      for (int g = 0; g < group; ++g) {
        const int i = plan.n + g;
        if (i >= plan.size) break;
        const std::uint32_t r = rns::shifted_residue(a.digits[i * a.plane + at], aligned.shift, tables.modulus[i],
                                                     tables.shift_quotient[i]);
        const std::uint32_t product =
            rns::reduce(std::uint64_t{r} * shared.x[place(term, g)], tables.modulus[i], tables.reciprocal[i]);
        sums.sum[g] += std::int64_t{product} * aligned.sign;
      }
    }
  }
};

/// An integer: sign-magnitude or two's complement, as the function says. Limbs from `count` on are not defined.
struct LimbSpan {
  std::uint32_t* limbs;
  int count;
};

/// A number as limbs, for the scalars alpha and beta: (−1)^sign·X·2^exponent; count = 0 means 0.
struct GemvExactScalar {
  static constexpr int most_limbs = 56;
  std::uint32_t limbs[most_limbs];
  int count;
  std::int32_t sign;
  std::int32_t exponent;
  [[nodiscard]] ASSAY_HD bool is_one() const { return count == 1 && limbs[0] == 1 && sign == 0 && exponent == 0; }
};

/// y_i ← RN(α·s_i + β·y_i) to P bits, s_i the sum of the products that are not dropped, one block an entry.
///
/// The window's sum comes from its residues by the Chinese remainder theorem. Products below the window are taken
/// window by window, the next one beginning at the largest exponent left, each added at its place to the limbs of the
/// sum. α·s and β·y are products of limbs; where one of two summands is so far below the other that it does not fit
/// beside it, it is replaced by its leading bits and a sticky bit, which round alike.
template <bool transposed>
struct GemvExactFinish {
  using Layout = GemvExactLayout<transposed>;
  static constexpr int threads = 64;
  static constexpr int most_moduli = 129;
  static constexpr int most_limbs = 336;

  /// What the limbs of an integer mean: (−1)^sign·|limbs|·2^exponent.
  struct Integer {
    std::int64_t exponent;
    int count;   ///< limbs of the magnitude; 0 for 0
    int lowest;  ///< the lowest limb that is not 0
    bool negative;
    bool complement;  ///< the limbs are the two's complement of the magnitude
  };
  struct Shared {
    rns::CrtDigit digits[most_moduli];
    std::uint32_t residues[most_moduli];
    rns::LimbColumn columns[most_limbs];
    std::uint32_t z[most_limbs];
    std::uint32_t w[most_limbs];
    std::int32_t lane_top[threads];
    std::int32_t lane_least[threads];
    std::int32_t shift[threads];
    std::int32_t sign[threads];
    Integer z_is;
    Integer w_is;
  };
  using Team = Block<Shared, threads>;

  GemvExactPlan plan;
  GemvExactOperand a;
  GemvExactOperand x;
  GemvExactScalar alpha;
  GemvExactScalar beta;
  bool reads_y;
  GemvExactResult y;

  ASSAY_HD void operator()(Team& block) const {
    const rns::LimbTablesView tables = standard_limb_tables(plan.n);
    const auto output = static_cast<std::int64_t>(block.index());
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

  /// The integer of s.columns into `to`, two's complement.
  ASSAY_HD static Described resolve(const Shared& s, std::uint32_t* to, int count) {
    std::int64_t carry = 0;
    std::int64_t high = 0;
    for (int k = 0; k < count; ++k) {
      const rns::LimbColumn column = s.columns[k];
      carry += column.low + high;
      high = column.high;
      to[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return describe(to, count, carry + high < 0);
  }

  ASSAY_HD static void set(Integer& is, const Described& found, std::int64_t exponent) {
    is = {exponent, found.count, found.lowest, found.negative, found.negative};
  }

  /// z as sign and magnitude.
  ASSAY_HD static void take_magnitude(Team& block) {
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < s.z_is.count; k += threads) {
        s.z[k] = magnitude(s.z[k], k, s.z_is.complement, s.z_is.lowest);
      }
    });
  }

  /// Limb k of the magnitude of a two's complement integer.
  ASSAY_HD static std::uint32_t magnitude(std::uint32_t limb, int k, bool negative, int lowest) {
    return !negative ? limb : k < lowest ? 0 : k == lowest ? 0u - limb : ~limb;
  }

  /// The integer with the residues in s.residues, two's complement in `to`.
  ASSAY_HD static void integer_of_residues(Team& block, const rns::LimbTablesView& tables) {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) s.digits[i] = rns::crt_digit(tables, i, s.residues[i]);
    });
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < tables.limbs; k += threads) s.columns[k] = rns::crt_column(tables, k, s.digits);
    });
  }

  /// The sum of the products into z, as sign and magnitude.
  ASSAY_HD void sum_terms(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) {
        std::uint64_t sum = 0;
        for (int split = 0; split < plan.sum_splits; ++split) {
          sum += plan.partial[(split * plan.outputs + output) * plan.pitch + i];
        }
        s.residues[i] = rns::reduce(sum, tables.modulus[i], tables.reciprocal[i]);
      }
    });
    integer_of_residues(block, tables);
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      set(s.z_is, resolve(s, s.z, tables.limbs), plan.base_of(output));
    });
    std::uint32_t outside = 0;
    for (int split = 0; split < plan.sum_splits; ++split) outside |= plan.outside[split * plan.outputs + output];
    if (outside != 0) add_outside(block, tables, output);
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) s.z_is.exponent += plan.exponent_offset;
    });
    take_magnitude(block);
    if (alpha.is_one()) return;
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < s.z_is.count + alpha.count; k += threads) {
        s.columns[k] = rns::product_column(s.z, s.z_is.count, alpha.limbs, alpha.count, k);
      }
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0 || s.z_is.count == 0) return;
      const bool negative = s.z_is.negative != (alpha.sign != 0);
      set(s.z_is, resolve(s, s.z, s.z_is.count + alpha.count), s.z_is.exponent + alpha.exponent);
      s.z_is.negative = negative;
    });
  }

  /// The exponent of product j, or less than least_exponent.
  ASSAY_HD std::int32_t exponent_of(std::int64_t output, std::int64_t j) const {
    return (a.meta[Layout::element(a, output, j)] >> 1) + (x.meta[j * x.step] >> 1);
  }

  /// Adds the products below the window to the two's complement in z, and makes its lowest bit that of the least
  /// exponent of them.
  ASSAY_HD void add_outside(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    const std::int32_t base = plan.base_of(output);
    const std::int32_t kept = base + plan.window - 1 - plan.depth;
    const std::int32_t least = kept > GemvExactPlan::least_exponent ? kept : GemvExactPlan::least_exponent;
    block.for_each_thread([&](int t, Shared& s) {
      std::int32_t lowest = base;
      for (std::int64_t j = t; j < plan.terms; j += threads) {
        const std::int32_t e = exponent_of(output, j);
        if (e >= least && e < lowest) lowest = e;
      }
      s.lane_least[t] = lowest;
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      std::int32_t unit = base;
      for (int i = 0; i < threads; ++i) unit = s.lane_least[i] < unit ? s.lane_least[i] : unit;
      const std::uint32_t fill = s.z_is.complement ? 0xFFFFFFFFu : 0;
      for (int k = tables.limbs; k < sum_limbs(tables); ++k) s.z[k] = fill;
      shift_up(s.z, sum_limbs(tables), base - unit);
      s.z_is.exponent = unit;
      s.lane_top[0] = base;
    });
    for (bool more = true; more;) {
      // The largest exponent below the windows so far.
      auto ends = block.per_thread(std::int32_t{0});
      block.for_each_thread([&](int t, Shared& s) { ends[t] = s.lane_top[0]; });
      block.for_each_thread([&](int t, Shared& s) {
        std::int32_t top = INT32_MIN;
        for (std::int64_t j = t; j < plan.terms; j += threads) {
          const std::int32_t e = exponent_of(output, j);
          if (e < ends[t] && e > top) top = e;
        }
        s.lane_top[t] = top;
      });
      block.for_each_thread([&](int t, Shared& s) {
        if (t != 0) return;
        std::int32_t top = INT32_MIN;
        for (int i = 0; i < threads; ++i) top = s.lane_top[i] > top ? s.lane_top[i] : top;
        const auto unit = static_cast<std::int32_t>(s.z_is.exponent);
        s.lane_least[0] = top;
        s.lane_top[0] = top < unit ? INT32_MIN : top - plan.window + 1 > unit ? top - plan.window + 1 : unit;
      });
      more = block.any([&](int, const Shared& s) { return s.lane_top[0] != INT32_MIN; });
      if (more) add_window(block, tables, output);
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      const int count = sum_limbs(tables);
      set(s.z_is, describe(s.z, count, s.z[count - 1] >> 31 != 0), s.z_is.exponent);
    });
  }

  /// Adds the products of which the exponents are from s.lane_top[0] to s.lane_least[0].
  ASSAY_HD void add_window(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) s.residues[i] = 0;
    });
    for (std::int64_t from = 0; from < plan.terms; from += threads) {
      block.for_each_thread([&](int t, Shared& s) {
        s.sign[t] = 0;
        if (from + t >= plan.terms) return;
        const std::int32_t e = exponent_of(output, from + t);
        if (e < s.lane_top[0] || e > s.lane_least[0]) return;
        s.shift[t] = e - s.lane_top[0];
        const std::int32_t meta = a.meta[Layout::element(a, output, from + t)] ^ x.meta[(from + t) * x.step];
        s.sign[t] = 1 - 2 * (meta & 1);
      });
      block.for_each_thread([&](int t, Shared& s) {
        for (int i = t; i < tables.size; i += threads) {
          const std::uint32_t m = tables.modulus[i];
          std::uint32_t sum = s.residues[i];
          for (int k = 0; k < threads; ++k) {
            if (s.sign[k] == 0) continue;
            const std::uint32_t digit = a.digits[i * a.plane + Layout::element(a, output, from + k)];
            const std::uint32_t r = rns::shifted_residue(digit, s.shift[k], m, tables.shift_quotient[i]);
            const std::uint64_t product = std::uint64_t{r} * x.digits[i * x.plane + (from + k) * x.step];
            const std::uint32_t term = rns::reduce(product, m, tables.reciprocal[i]);
            sum += s.sign[k] > 0 || term == 0 ? term : m - term;
            sum = sum >= m ? sum - m : sum;
          }
          s.residues[i] = sum;
        }
      });
    }
    integer_of_residues(block, tables);
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      const std::uint32_t fill = resolve(s, s.w, tables.limbs).negative ? 0xFFFFFFFFu : 0;
      const int count = sum_limbs(tables);
      for (int k = tables.limbs; k < count; ++k) s.w[k] = fill;
      shift_up(s.w, count, s.lane_top[0] - s.z_is.exponent);
      add(s.z, s.w, count, false);
    });
  }

  /// Limbs enough for the sum of all products, with its sign, in units of the least exponent that is kept.
  ASSAY_HD int sum_limbs(const rns::LimbTablesView& tables) const { return tables.limbs + (plan.depth + 31) / 32 + 1; }

  /// limbs·2^bits, cut off above.
  ASSAY_HD static void shift_up(std::uint32_t* limbs, int count, std::int64_t bits) {
    const int whole = static_cast<int>(bits / 32);
    const int rest = static_cast<int>(bits % 32);
    for (int k = count; k-- > 0;) {
      const std::uint64_t high = k >= whole ? limbs[k - whole] : 0;
      const std::uint64_t low = k > whole ? limbs[k - whole - 1] : 0;
      limbs[k] = static_cast<std::uint32_t>((high << 32 | low) << rest >> 32);
    }
  }

  /// ⌊limbs/2^bits⌋, with the lowest bit set where bits were cut off that are not 0.
  ASSAY_HD static void shift_down(std::uint32_t* limbs, int count, std::int64_t bits) {
    bool sticky = false;
    for (int k = 0; k < count && std::int64_t{32} * k < bits; ++k) {
      const std::int64_t below = bits - std::int64_t{32} * k;
      sticky = sticky || (below >= 32 ? limbs[k] : limbs[k] << (32 - below)) != 0;
    }
    for (int k = 0; k < count; ++k) limbs[k] = rns::detail::shifted_limb(limbs, count, bits, k);
    if (sticky) limbs[0] |= 1;
  }

  /// z += w, or z −= w, two's complement.
  ASSAY_HD static void add(std::uint32_t* z, const std::uint32_t* w, int count, bool subtract) {
    std::uint64_t carry = subtract ? 1 : 0;
    for (int k = 0; k < count; ++k) {
      carry += std::uint64_t{z[k]} + (subtract ? ~w[k] : w[k]);
      z[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  ASSAY_HD static std::int64_t bits_of(const std::uint32_t* limbs, int count) {
    return count == 0 ? 0 : 32 * (std::int64_t{count} - 1) + rns::detail::bits_in(limbs[count - 1]);
  }

  /// z += β·y, sign and magnitude.
  ASSAY_HD void add_y(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t; i < tables.size; i += threads) s.residues[i] = y.digits[i * y.plane + output * y.step];
      if (t == 0) s.z_is.complement = false;
    });
    integer_of_residues(block, tables);
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      set(s.w_is, resolve(s, s.w, tables.limbs), std::int64_t{y.exponent[output * y.step]} + beta.exponent);
      s.w_is.negative = y.sign[output * y.step] != beta.sign;
    });
    block.for_each_thread([&](int t, Shared& s) {
      for (int k = t; k < s.w_is.count + beta.count; k += threads) {
        s.columns[k] = rns::product_column(s.w, s.w_is.count, beta.limbs, beta.count, k);
      }
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0 || s.w_is.count == 0) return;
      const bool negative = s.w_is.negative;
      set(s.w_is, resolve(s, s.w, s.w_is.count + beta.count), s.w_is.exponent);
      s.w_is.negative = negative;
      add_magnitudes(s, tables);
    });
    take_magnitude(block);
  }

  /// z + w, w ≠ 0, of signs and magnitudes, into z. One thread.
  ASSAY_HD void add_magnitudes(Shared& s, const rns::LimbTablesView& tables) const {
    const int count = sum_limbs(tables) + (tables.precision + 31) / 32 + 4;
    if (s.z_is.count == 0) s.z_is = {s.w_is.exponent, 0, 0, s.w_is.negative, false};
    for (int k = s.z_is.count; k < count; ++k) s.z[k] = 0;
    for (int k = s.w_is.count; k < count; ++k) s.w[k] = 0;
    const std::int64_t z_end = s.z_is.exponent + bits_of(s.z, s.z_is.count);
    const std::int64_t w_end = s.w_is.exponent + bits_of(s.w, s.w_is.count);
    const std::int64_t end = z_end > w_end ? z_end : w_end;
    const std::int64_t least = s.z_is.exponent < s.w_is.exponent ? s.z_is.exponent : s.w_is.exponent;
    const std::int64_t room = end + 2 - std::int64_t{32} * count;
    const std::int64_t unit = least > room ? least : room;
    place_at(s.z, count, s.z_is.exponent - unit);
    place_at(s.w, count, s.w_is.exponent - unit);
    add(s.z, s.w, count, s.z_is.negative != s.w_is.negative);
    const bool negative = s.z_is.negative;
    set(s.z_is, describe(s.z, count, s.z[count - 1] >> 31 != 0), unit);
    s.z_is.negative = negative != s.z_is.complement;
  }

  ASSAY_HD static void place_at(std::uint32_t* limbs, int count, std::int64_t bits) {
    if (bits >= 0) {
      shift_up(limbs, count, bits);
    } else {
      shift_down(limbs, count, -bits);
    }
  }

  /// y ← RN(z) to P bits, ties to even: X = ⌊|z|/2^d⌋ + up, so that X ≤ 2^P; fewer bits are left as they are. The
  /// increment is made in the residues.
  ASSAY_HD void round(Team& block, const rns::LimbTablesView& tables, std::int64_t output) const {
    block.for_each_thread([&](int t, Shared& s) {
      const Integer z = s.z_is;
      const std::int64_t bits = bits_of(s.z, z.count);
      const std::int64_t cut = bits > tables.precision ? bits - tables.precision : 0;
      const std::int64_t exponent = z.exponent + cut;
      const std::int64_t at = output * y.step;
      const bool in_range = exponent >= -mp::exponent_limit && exponent <= mp::exponent_limit;
      if (z.count == 0 || !in_range) {
        for (int i = t; i < tables.size; i += threads) y.digits[i * y.plane + at] = 0;
        if (t == 0) store(at, 0, z.count == 0 ? 0 : mp::out_of_range_exponent, {});
        return;
      }
      const bool up = cut > 0 && bit(s.z, cut - 1) && (lowest_bit(s.z, z) < cut - 1 || bit(s.z, cut));
      for (int i = t; i < tables.size; i += threads) {
        const std::uint32_t floor = rns::residue_of_limbs(tables, i, s.z, z.count, cut, (tables.precision + 31) / 32);
        y.digits[i * y.plane + at] = rns::add_mod(floor, up ? 1 : 0, tables.modulus[i]);
      }
      if (t == 0)
        store(at, z.negative ? 1 : 0, static_cast<std::int32_t>(exponent), magnitude_of(tables, s, bits, cut));
    });
  }

  ASSAY_HD void store(std::int64_t at, std::int32_t sign, std::int32_t exponent, const Interval& magnitude) const {
    y.sign[at] = sign;
    y.exponent[at] = exponent;
    y.lower[at] = magnitude.lower;
    y.upper[at] = magnitude.upper;
  }

  ASSAY_HD static bool bit(const std::uint32_t* limbs, std::int64_t i) { return (limbs[i / 32] >> (i % 32) & 1) != 0; }

  ASSAY_HD static std::int64_t lowest_bit(const std::uint32_t* limbs, const Integer& is) {
    const std::uint32_t limb = limbs[is.lowest];
    return std::int64_t{32} * is.lowest + rns::detail::bits_in(limb & (0u - limb)) - 1;
  }

  /// An enclosure of X/M: the leading 53 bits of X, and those plus 1 where they are not all, times 1/M.
  ASSAY_HD static Interval magnitude_of(const rns::LimbTablesView& tables, const Shared& s, std::int64_t bits,
                                        std::int64_t cut) {
    if (bits == 0) return {};
    const std::int64_t below = bits > 53 ? bits - 53 : 0;
    const std::uint64_t low = rns::detail::shifted_limb(s.z, s.z_is.count, below, 0);
    const std::uint64_t high = rns::detail::shifted_limb(s.z, s.z_is.count, below, 1);
    const auto head = static_cast<double>(static_cast<std::int64_t>(high << 32 | low));
    const double next = below > 0 ? head + 1.0 : head;
    return {mul_rd(extended(head, below - cut), tables.reciprocal_product.lower),
            mul_ru(extended(next, below - cut), tables.reciprocal_product.upper)};
  }
};

/// The plan of a product, without its workspace, for a device of so many multiprocessors.
/// W = ⌊log₂(M'/M)⌋ − 2 − ⌈log₂ terms⌉: the sum of the aligned products is below M·2^(W − 1)·terms ≤ M'/4.
/// D = 27n + P + ⌈log₂ terms⌉ + 2: what is dropped is below 2^(−P − 2)·2^top in sum.
/// Requires: outputs ≥ 1, 0 ≤ terms ≤ 2²⁸ (not checked).
inline GemvExactPlan gemv_exact_plan(int n, bool transposed, std::int64_t outputs, std::int64_t terms) {
  const rns::LimbTablesView tables = standard_limb_tables(n);
  int log_terms = 0;
  while ((std::int64_t{1} << log_terms) < terms) ++log_terms;
  GemvExactPlan plan{};
  plan.n = n;
  plan.size = tables.size;
  plan.outputs = outputs;
  plan.terms = terms;
  plan.window = tables.spare - 2 - log_terms < 26 ? tables.spare - 2 - log_terms : 26;
  plan.depth = 27 * n + tables.precision + log_terms + 2;
  plan.pitch = n + GemvExactPlan::group;
  const std::int64_t tile = transposed ? GemvExactLayout<true>::outputs : GemvExactLayout<false>::outputs;
  const std::int64_t tiles = (outputs - 1) / tile + 1;
  const auto splits = [&](std::int64_t blocks, std::int64_t least_terms) {
    const std::int64_t most = (terms - 1) / least_terms + 1;
    const std::int64_t wanted = (1056 - 1) / blocks + 1;
    return static_cast<int>(terms == 0 ? 1 : wanted < most ? wanted : most);
  };
  plan.top_splits = splits(tiles, 64);
  plan.sum_splits = splits(tiles * (n / GemvExactPlan::group + 1), 64);
  return plan;
}

/// What a call is about: y ← α·op(A)·x + β·y of a plan with its workspace.
template <bool transposed>
struct GemvExactCall {
  GemvExactPlan plan;
  GemvExactOperand a;
  GemvExactOperand x;
  GemvExactScalar alpha;
  GemvExactScalar beta;
  bool reads_y;
  GemvExactResult y;

  /// launch(blocks, kernel) for the three kernels, each of which needs what the one before has written; the last one
  /// alone where there are no terms.
  template <class Launch>
  void kernels(Launch&& launch) const {
    using Layout = GemvExactLayout<transposed>;
    if (plan.terms > 0) {
      const auto tiles = static_cast<std::size_t>((plan.outputs - 1) / Layout::outputs + 1);
      launch(tiles * static_cast<std::size_t>(plan.top_splits), GemvExactTops<transposed>{plan, a, x});
      launch(tiles * static_cast<std::size_t>(plan.sum_splits) * static_cast<std::size_t>(plan.groups()),
             GemvExactSums<transposed>{plan, a, x});
    }
    launch(static_cast<std::size_t>(plan.outputs), GemvExactFinish<transposed>{plan, a, x, alpha, beta, reads_y, y});
  }
};

}  // namespace assay::detail
