#pragma once
// The cooperative kernels of the exact-accumulating GEMV, for the files that launch them.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arith/bits/bits.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/limbs.hpp"
#include "arith/residues/mp_number.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"

namespace assay::gemv::detail {

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
/// 2·exponent + sign, or `zero`. `step` is a matrix's leading dimension or a vector's stride; a vector's pointers are
/// at its entry 0, which is the last in memory for a negative stride.
struct GemvExactOperand {
  static constexpr std::int32_t zero = INT32_MIN;
  const std::uint32_t* digits;  ///< residue i of element k at [i·plane + k]
  const std::int32_t* meta;
  std::int64_t plane;
  std::int64_t step;
  bool pairs;  ///< elements 2k and 2k + 1 of a column are aligned as one word of 64 bits
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

/// On a device: waits for the kernel launched before, where this one may begin earlier; lets the next one begin. Both
/// do nothing unless the launch asks for it (programmatic dependent launch).
ASSAY_HD inline void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}
ASSAY_HD inline void let_next_kernel_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// The shape of a product, and what its three kernels hand on.
struct GemvExactPlan {
  static constexpr std::int32_t exponent_limit = 1 << 28;
  /// The exponents of a product of two elements that are not 0 are at least this; with a 0 they are less.
  static constexpr std::int32_t least_exponent = -2 * exponent_limit;
  static constexpr int group = 8;  ///< base moduli of one thread
  static constexpr int most_listed = 32;

  int n;                         ///< base moduli
  int size;                      ///< all moduli
  std::int64_t outputs;          ///< entries of y
  std::int64_t terms;            ///< entries of x
  int window;                    ///< W: shifts 0 … W − 1 are aligned in residues
  int depth;                     ///< D: exponents below top − D are dropped
  std::int64_t exponent_offset;  ///< to be added to the exponents of all products
  int top_splits;                ///< parts of the terms in the first kernel
  int guard_splits;              ///< and for the guards
  int sum_splits;                ///< and in the second
  int pitch;                     ///< words from one output's partial residues to the next one's
  std::int32_t* tops;      ///< [top_splits][outputs]: the largest exponent of a product, or less than least_exponent
  std::uint32_t* partial;  ///< [sum_splits][outputs][pitch]: residues of the sum over the window
  std::int32_t* bases;     ///< [outputs]: the exponent of the window's lowest bit
  std::int32_t* outside;   ///< [outputs]: how many products are below the window
  std::int32_t* listed;    ///< [outputs][most_listed]: the first of these terms that were found

  // Elements of the workspace.
  [[nodiscard]] std::size_t tops_size() const { return static_cast<std::size_t>(top_splits * outputs); }
  [[nodiscard]] std::size_t bases_size() const { return static_cast<std::size_t>(outputs); }
  [[nodiscard]] std::size_t outside_size() const { return static_cast<std::size_t>(outputs); }
  [[nodiscard]] std::size_t listed_size() const { return outside_size() * most_listed; }
  [[nodiscard]] std::size_t partial_size() const { return static_cast<std::size_t>(sum_splits * outputs * pitch); }

  /// Where a part of the terms begins: at an even one.
  ASSAY_HD std::int64_t begin_of(int split, int splits) const {
    return split == splits ? terms : terms * split / splits / 2 * 2;
  }

  /// Notes a term below the window.
  ASSAY_HD void list(std::int64_t output, std::int64_t term) const {
    const std::int32_t ticket = atomic::fetch_add(outside + output, 1);
    if (ticket < most_listed) listed[output * most_listed + ticket] = static_cast<std::int32_t>(term);
  }

  /// The exponent of the window's lowest bit for an output.
  ASSAY_HD std::int32_t base_of(std::int64_t output) const {
    std::int32_t top = tops[output];
    ASSAY_UNROLL(8)
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

/// partial[split][i] = Σ ±a_ij·x_j·2^s over the split's terms of which the exponent is base_i + s with 0 ≤ s < W,
/// modulo every m. Exact: the order of the terms is free. Terms below the window are listed.
///
/// A thread has one output, two neighbouring terms of it at a time, and a group of moduli: `group` base moduli, with
/// sums of signed products below 2⁵⁵ in 64 bits, or the guards, where both halves of products are summed up. op(A) = A:
/// a block has 32 outputs, neighbours in memory, eight threads share their terms. op(A) = Aᵀ: it has eight outputs, 32
/// threads share their terms, neighbours in memory.
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
      const int count = static_cast<int>(end - from < chunk ? end - from : chunk);
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
          add_guards(tables, sums[t], shared, bases[t], first + output_of(t), from, count, t);
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

  /// A sum of magnitude below 2⁶² as one below m·2³⁰ + 2³², congruent modulo m.
  ASSAY_HD static std::int64_t fold(const rns::LimbTablesView& tables, int i, std::int64_t sum) {
    const auto high = static_cast<std::int32_t>(sum >> 32);
    return std::int64_t{high} * static_cast<std::int32_t>(tables.power32[tables.size + i]) +
           static_cast<std::int64_t>(static_cast<std::uint32_t>(sum));
  }
  ASSAY_HD static void fold_all(const rns::LimbTablesView& tables, int first_modulus, Sums& sums) {
    ASSAY_UNROLL(8)
    for (int g = 0; g < group; ++g) sums.sum[g] = fold(tables, first_modulus + g, sums.sum[g]);
  }

  /// The sums of the guards from those of the lower and the upper halves of their products.
  ASSAY_HD static void join_halves(const rns::LimbTablesView& tables, Sums& sums) {
    ASSAY_UNROLL(4)
    for (int g = 0; g < group / 2; ++g) {
      const int i = tables.n + g;
      if (i >= tables.size) break;
      const std::uint32_t high = residue(tables, i, sums.sum[2 * g + 1]);
      sums.sum[g] = sums.sum[2 * g] +
                    rns::mul_mod(high, tables.power32[tables.size + i], tables.modulus[i], tables.reciprocal[i]);
    }
  }

  /// A sum of magnitude below m·2³⁶, or m·2³² for a guard, modulo m.
  ASSAY_HD static std::uint32_t residue(const rns::LimbTablesView& tables, int i, std::int64_t sum) {
    const std::uint32_t m = tables.modulus[i];
    const int bits = i < tables.n ? 36 : 32;
    return rns::reduce(static_cast<std::uint64_t>(sum) + (std::uint64_t{m} << bits), m, tables.reciprocal[i]);
  }

  /// Two neighbours: both by one access, or one or both by one each.
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

  /// f(wide, place, whether there are two, term) for the neighbours of a thread's terms in a chunk.
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

  ASSAY_HD void add_guards(const rns::LimbTablesView& tables, Sums& sums, const Shared& shared, std::int32_t base,
                           std::int64_t output, std::int64_t from, int count, int t) const {
    for_each_pair<4>(output, from, count, t, [&](auto wide, std::int64_t at, bool both, int term) {
      const Pair<Aligned> aligned =
          align_pair(load<wide>(a.meta + at, both), both, shared, base, false, output, from, term);
      ASSAY_UNROLL(4)
      for (int g = 0; g < group / 2; ++g) {
        const int i = plan.n + g;
        if (i >= plan.size) break;
        const Pair<std::uint32_t> digit = load<wide>(a.digits + i * a.plane + at, both);
        ASSAY_UNROLL(2)
        for (int p = 0; p < 2; ++p) {
          const std::uint32_t r =
              rns::shifted_residue(digit.v[p], aligned.v[p].shift, tables.modulus[i], tables.shift_quotient[i]);
          const std::uint32_t factor = shared.x[place(term + p, g)];
          const std::uint64_t product = std::uint64_t{r} * factor;
          std::int64_t* const halves = sums.sum + 2 * g;
          halves[0] += static_cast<std::int64_t>(product & 0xFFFFFFFFu) * aligned.v[p].sign;
          halves[1] += static_cast<std::int64_t>(product >> 32) * aligned.v[p].sign;
        }
      }
    });
  }
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
template <bool transposed, int width>
struct GemvExactFinish {
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

/// The plan of a product, without its workspace.
/// W = ⌊log₂(M'/M)⌋ − 1 − ⌈log₂ terms⌉, or 26: the sum of the aligned products is below M·2^(W − 1)·terms ≤ M'/4.
/// D = 27n + P + ⌈log₂ terms⌉ + 2: what is dropped is below 2^(−P − 3)·2^top in sum.
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
  plan.window = tables.spare - 1 - log_terms < 26 ? tables.spare - 1 - log_terms : 26;
  plan.depth = 27 * n + tables.precision + log_terms + 2;
  plan.pitch = n + GemvExactPlan::group;
  // Parts of the terms: in the first kernel as many as give some waves of blocks on a device of 132 multiprocessors; in
  // the second those, and those for the guards, for which the waves, each as long as its steps and eight more, are the
  // shortest. A step of the guards takes 3/4 of the time; for op(A) = Aᵀ they get a quarter of the parts. (Measured on
  // an H200.)
  const std::int64_t most = terms / 64 > 1 ? terms / 64 : 1;
  const std::int64_t tile_of_tops = transposed ? GemvExactLayout<true>::outputs : GemvExactLayout<false>::outputs;
  const std::int64_t parts_of_tops = 1055 / ((outputs - 1) / tile_of_tops + 1) + 1;
  plan.top_splits = static_cast<int>(parts_of_tops < most ? parts_of_tops : most);
  using Sums = GemvExactSums<false>;
  const int steps = 2 * (transposed ? GemvExactSums<true>::lanes : Sums::lanes);
  std::int64_t shortest = 0;
  const auto consider = [&](int parts, int guard_parts) {
    GemvExactPlan tried = plan;
    tried.sum_splits = parts;
    tried.guard_splits = guard_parts;
    const std::int64_t blocks = transposed ? GemvExactSums<true>::blocks(tried) : Sums::blocks(tried);
    const std::int64_t waves = (blocks - 1) / (132 * Sums::blocks_per_multiprocessor) + 1;
    const std::int64_t part = terms / parts;
    const std::int64_t guard_part = transposed ? 0 : terms * 3 / (4 * guard_parts);
    const std::int64_t time = waves * ((part > guard_part ? part : guard_part) / steps + 8);
    if (shortest > 0 && time >= shortest) return;
    shortest = time;
    plan = tried;
  };
  for (int parts = 1; parts <= 64 && parts <= most; ++parts) {
    const int quarter = (parts - 1) / 4 + 1;
    for (int guard_parts = quarter; guard_parts <= (transposed ? quarter : parts); ++guard_parts) {
      consider(parts, guard_parts);
    }
  }
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
    if (plan.terms > 0) {
      GemvExactOperand pairs = a;
      pairs.pairs = a.plane % 2 == 0 && a.step % 2 == 0 && reinterpret_cast<std::uintptr_t>(a.digits) % 8 == 0 &&
                    reinterpret_cast<std::uintptr_t>(a.meta) % 8 == 0;
      const auto tiles = [&](std::int64_t tile) { return static_cast<std::size_t>((plan.outputs - 1) / tile + 1); };
      launch(tiles(GemvExactLayout<transposed>::outputs) * static_cast<std::size_t>(plan.top_splits),
             GemvExactTops<transposed>{plan, a, x});
      launch(static_cast<std::size_t>(GemvExactSums<transposed>::blocks(plan)),
             GemvExactSums<transposed>{plan, pairs, x});
    }
    const auto entries = static_cast<std::size_t>(plan.outputs);
    if (plan.n <= 16) {
      launch(entries, GemvExactFinish<transposed, 64>{plan, a, x, alpha, beta, reads_y, y});
    } else {
      launch(entries, GemvExactFinish<transposed, 160>{plan, a, x, alpha, beta, reads_y, y});
    }
  }
};

}  // namespace assay::gemv::detail
