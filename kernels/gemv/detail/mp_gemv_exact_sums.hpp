#pragma once
// The first two kernels of the exact-accumulating GEMV: largest exponents, and sums of residues.

#include <cstddef>
#include <cstdint>

#include "arith/bits/extremes.hpp"
#include "arith/residues/limbs.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_operands.hpp"

namespace assay::gemv::detail {

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
    let_next_kernel_begin();
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
      if (split == 0) plan.outside[first + t] = 0;
    });
  }
};

/// partial[split][i] = Σ ±a_ij·x_j·2^s over the split's terms whose exponent is base_i + s with 0 ≤ s < W, modulo every
/// m. Exact: the order of the terms is free. Terms below the window are listed.
///
/// A thread has one output, two neighboring terms of it at a time, and a group of moduli: `group` base moduli, with
/// sums of signed products below 2⁵⁵ in 64 bits, or the one guard of a standard set, for which both halves of products
/// are added up. op(A) = A: a block has 32 outputs, neighbors in memory, eight threads share their terms. op(A) = Aᵀ:
/// it has eight outputs, 32 threads share their terms, neighbors in memory.
template <bool transposed>
struct GemvExactSums {
  using Layout = GemvExactLayout<transposed>;
  static constexpr int threads = 256;
  static constexpr int group = GemvExactPlan::group;
  static constexpr int outputs = transposed ? 8 : 32;
  static constexpr int lanes = threads / outputs;
  static constexpr int chunk = transposed ? 256 : 128;  ///< terms of x in shared memory
  static constexpr int chunks_per_fold = 7;             ///< 112 products below 2⁵⁵ stay below 2⁶²
  static_assert(chunks_per_fold * chunk / lanes <= 127);
  static constexpr int blocks_per_multiprocessor = 3;
  static constexpr int pitch = transposed ? lanes + 1 : lanes;

  struct Shared {
    alignas(16) std::uint32_t x[chunk * group];
    alignas(16) std::int32_t meta[chunk];
    std::int64_t part[outputs * group * pitch];
  };
  struct Sums {
    std::int64_t sum[group];
  };
  template <class T>
  struct Pair {
    T v[2];
  };

  GemvExactPlan plan;
  GemvExactOperand a;
  GemvExactOperand x;

  ASSAY_HD static std::int64_t tiles(const GemvExactPlan& plan) { return (plan.outputs - 1) / outputs + 1; }
  static std::int64_t blocks(const GemvExactPlan& plan) {
    return tiles(plan) * (plan.guard_splits + std::int64_t{plan.sum_splits} * (plan.n / group));
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const rns::LimbTablesView tables = standard_limb_tables(plan.n);
    const auto index = static_cast<std::int64_t>(block.index());
    // The guards' blocks come first.
    const std::int64_t guard_blocks = tiles(plan) * plan.guard_splits;
    const bool guards = index < guard_blocks;
    const int groups = guards ? 1 : plan.n / group;
    const int splits = guards ? plan.guard_splits : plan.sum_splits;
    const std::int64_t own_index = guards ? index : index - guard_blocks;
    const int first_modulus = guards ? plan.n : static_cast<int>(own_index % groups) * group;
    const int split = static_cast<int>(own_index / groups % splits);
    const std::int64_t first = own_index / groups / splits * outputs;
    const int moduli = guards ? plan.size - plan.n : group;
    const std::int64_t begin = plan.begin_of(split, splits);
    const std::int64_t end = plan.begin_of(split + 1, splits);
    let_next_kernel_begin();
    auto sums = block.per_thread(Sums{});
    auto bases = block.per_thread(std::int32_t{});

    int chunks = 0;
    for (std::int64_t from = begin; from < end; from += chunk) {
      const int count = static_cast<int>(bits::min(end - from, chunk));
      block.for_each_thread([&](int t, Shared& shared) {
        for (int k = t; k < chunk * moduli; k += threads) {
          const int term = k % chunk;
          const int modulus = k / chunk;
          if (term < count) {
            shared.x[place(term, modulus)] = x.digits[(first_modulus + modulus) * x.plane + (from + term) * x.step];
          }
        }
        for (int k = t; k < count; k += threads) shared.meta[k] = x.meta[(from + k) * x.step];
        if (from != begin) return;
        wait_for_kernel_before();
        const std::int64_t output = first + output_of(t);
        if (output >= plan.outputs) return;
        bases[t] = plan.base_of(output);
        if (first_modulus == 0 && split == 0 && lane_of(t) == 0) plan.bases[output] = bases[t];
      });
      const bool fold_now = ++chunks == chunks_per_fold;
      if (fold_now) chunks = 0;
      block.for_each_thread([&](int t, Shared& shared) {
        if (first + output_of(t) >= plan.outputs) return;
        if (guards) {
          add_guard(tables, sums[t], shared, bases[t], first + output_of(t), from, count, t);
          return;
        }
        add_group(tables, first_modulus, sums[t], shared, bases[t], first + output_of(t), from, count, t);
        if (fold_now) fold_all(tables, first_modulus, sums[t]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (guards) {
        join_halves(tables, sums[t]);
      } else {
        fold_all(tables, first_modulus, sums[t]);
      }
      ASSAY_UNROLL(8)
      for (int g = 0; g < group; ++g) shared.part[part_of(output_of(t), g, lane_of(t))] = sums[t].sum[g];
    });
    block.for_each_thread([&](int t, Shared& shared) {
      for (int k = t; k < outputs * moduli; k += threads) {
        const int output = k % outputs;
        const int g = k / outputs;
        if (first + output >= plan.outputs) continue;
        std::int64_t sum = 0;
        for (int lane = 0; lane < lanes; ++lane) sum += shared.part[part_of(output, g, lane)];
        const int i = first_modulus + g;
        plan.partial[(split * plan.outputs + first + output) * plan.pitch + i] = residue(tables, i, sum);
      }
    });
  }

 private:
  ASSAY_HD static int output_of(int t) { return transposed ? t / lanes : t % outputs; }
  ASSAY_HD static int lane_of(int t) { return transposed ? t % lanes : t / outputs; }
  ASSAY_HD static int place(int term, int modulus) {
    return transposed ? modulus * chunk + term : term * group + modulus;
  }
  ASSAY_HD static int part_of(int output, int g, int lane) {
    return transposed ? (g * outputs + output) * pitch + lane : (lane * group + g) * outputs + output;
  }

  /// Reduces a sum of magnitude below 2⁶² to one below m·2³⁰ + 2³², congruent modulo m.
  ASSAY_HD static std::int64_t fold(const rns::LimbTablesView& tables, int i, std::int64_t sum) {
    const auto high = static_cast<std::int32_t>(sum >> 32);
    return std::int64_t{high} * static_cast<std::int32_t>(tables.power32[tables.size + i]) +
           static_cast<std::int64_t>(static_cast<std::uint32_t>(sum));
  }
  ASSAY_HD static void fold_all(const rns::LimbTablesView& tables, int first_modulus, Sums& sums) {
    ASSAY_UNROLL(8)
    for (int g = 0; g < group; ++g) sums.sum[g] = fold(tables, first_modulus + g, sums.sum[g]);
  }

  /// The sum of the guard from the sums of the lower and the upper halves of its products.
  ASSAY_HD static void join_halves(const rns::LimbTablesView& tables, Sums& sums) {
    const int i = tables.n;
    const std::uint32_t high = residue(tables, i, sums.sum[1]);
    sums.sum[0] += rns::mul_mod(high, tables.power32[tables.size + i], tables.modulus[i], tables.reciprocal[i]);
  }

  /// A sum of magnitude below m·2³⁶, or m·2³² for a guard, modulo m.
  ASSAY_HD static std::uint32_t residue(const rns::LimbTablesView& tables, int i, std::int64_t sum) {
    const std::uint32_t m = tables.modulus[i];
    const int bits = i < tables.n ? 36 : 32;
    return rns::reduce(static_cast<std::uint64_t>(sum) + (std::uint64_t{m} << bits), m, tables.reciprocal[i]);
  }

  /// Two neighbors: both by one access, or one or both by separate accesses.
  template <bool wide, class T>
  ASSAY_HD Pair<T> load(const T* p, bool both) const {
#if defined(__CUDA_ARCH__)
    if constexpr (wide) {
      const int2 words = __ldcs(reinterpret_cast<const int2*>(p));
      return {{static_cast<T>(words.x), static_cast<T>(words.y)}};
    }
#endif
    return {{p[0], both ? p[transposed ? 1 : a.step] : T{}}};
  }

  struct Aligned {
    int shift;
    std::int32_t sign;  ///< 0 outside the window
  };
  ASSAY_HD Aligned align(std::int32_t meta_a, std::int32_t meta_x, std::int32_t base, bool lists, std::int64_t output,
                         std::int64_t term) const {
    const std::int32_t e = (meta_a >> 1) + (meta_x >> 1);
    const std::uint32_t s = static_cast<std::uint32_t>(e) - static_cast<std::uint32_t>(base);
    const bool inside = s < static_cast<std::uint32_t>(plan.window);
    if (lists && !inside && e >= GemvExactPlan::least_exponent) plan.list(output, term);
    return {inside ? static_cast<int>(s) : 0, inside ? 1 - 2 * ((meta_a ^ meta_x) & 1) : 0};
  }

  /// f(wide, place, whether there are two, term) for the neighbors of a thread's terms in a chunk.
  template <int unrolled, class F>
  ASSAY_HD void for_each_pair(std::int64_t output, std::int64_t from, int count, int t, F&& f) const {
    const std::int64_t first = Layout::element(a, output, from);
    const auto place_of = [&](int term) { return first + (transposed ? term : term * a.step); };
    int term = 2 * lane_of(t);
    const auto whole_pairs = [&](auto wide) {
      ASSAY_UNROLL(unrolled)
      for (; term + 2 <= count; term += 2 * lanes) f(wide, place_of(term), true, term);
    };
    if constexpr (!transposed) {
      whole_pairs(std::false_type());
    } else if (a.pairs) {
      whole_pairs(std::true_type());
    }
    ASSAY_UNROLL(1)
    for (; term < count; term += 2 * lanes) f(std::false_type(), place_of(term), term + 1 < count, term);
  }

  ASSAY_HD Pair<Aligned> align_pair(const Pair<std::int32_t>& meta, bool both, const Shared& shared, std::int32_t base,
                                    bool lists, std::int64_t output, std::int64_t from, int term) const {
    Pair<Aligned> aligned;
    aligned.v[0] = align(meta.v[0], shared.meta[term], base, lists, output, from + term);
    aligned.v[1] = {0, 0};
    if (both) aligned.v[1] = align(meta.v[1], shared.meta[term + 1], base, lists, output, from + term + 1);
    return aligned;
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
    const std::uint32_t* digits = a.digits + first_modulus * a.plane;
    for_each_pair<1>(output, from, count, t, [&](auto wide, std::int64_t at, bool both, int term) {
      const Pair<std::int32_t> meta = load<wide>(a.meta + at, both);
      Pair<std::uint32_t> digit[group];
      ASSAY_UNROLL(8)
      for (int g = 0; g < group; ++g) digit[g] = load<wide>(digits + g * a.plane + at, both);
      const Pair<Aligned> aligned = align_pair(meta, both, shared, base, first_modulus == 0, output, from, term);
      ASSAY_UNROLL(8)
      for (int g = 0; g < group; ++g) {
        ASSAY_UNROLL(2)
        for (int p = 0; p < 2; ++p) {
          const auto r =
              static_cast<std::int32_t>(rns::shifted_residue(digit[g].v[p], aligned.v[p].shift, m[g], quotient[g]));
          const std::uint32_t factor = shared.x[place(term + p, g)];
          sums.sum[g] += std::int64_t{r} * (static_cast<std::int32_t>(factor) * aligned.v[p].sign);
        }
      }
    });
  }

  ASSAY_HD void add_guard(const rns::LimbTablesView& tables, Sums& sums, const Shared& shared, std::int32_t base,
                          std::int64_t output, std::int64_t from, int count, int t) const {
    for_each_pair<4>(output, from, count, t, [&](auto wide, std::int64_t at, bool both, int term) {
      const Pair<Aligned> aligned =
          align_pair(load<wide>(a.meta + at, both), both, shared, base, false, output, from, term);
      const int i = plan.n;
      const Pair<std::uint32_t> digit = load<wide>(a.digits + i * a.plane + at, both);
      ASSAY_UNROLL(2)
      for (int p = 0; p < 2; ++p) {
        const std::uint32_t r =
            rns::shifted_residue(digit.v[p], aligned.v[p].shift, tables.modulus[i], tables.shift_quotient[i]);
        const std::uint32_t factor = shared.x[place(term + p, 0)];
        const std::uint64_t product = std::uint64_t{r} * factor;
        sums.sum[0] += static_cast<std::int64_t>(product & 0xFFFFFFFFu) * aligned.v[p].sign;
        sums.sum[1] += static_cast<std::int64_t>(product >> 32) * aligned.v[p].sign;
      }
    });
  }
};

}  // namespace assay::gemv::detail
