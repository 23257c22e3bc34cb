#pragma once
// The operands of the exact-accumulating GEMV, and the data that its kernels pass on.

#include <cstddef>
#include <cstdint>

#include "arith/residues/limbs.hpp"
#include "arith/residues/mp_number.hpp"
#include "exec/atomic.hpp"
#include "exec/dependent_kernel.hpp"

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

/// A number as limbs, for the scalars alpha and beta: (−1)^sign·X·2^exponent; count = 0 means 0.
struct GemvExactScalar {
  static constexpr int most_limbs = 56;
  std::uint32_t limbs[most_limbs];
  int count;
  std::int32_t sign;
  std::int32_t exponent;
  [[nodiscard]] ASSAY_HD bool is_one() const { return count == 1 && limbs[0] == 1 && sign == 0 && exponent == 0; }
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

/// The shape of a product, and the data that its three kernels pass on.
struct GemvExactPlan {
  static constexpr std::int32_t exponent_limit = 1 << 28;
  /// The exponents of a product of two elements other than 0 are at least this; with a 0 they are less.
  static constexpr std::int32_t least_exponent = -2 * exponent_limit;
  static constexpr int group = 8;  ///< base moduli of one thread
  static constexpr int most_listed = 32;

  int n;                         ///< base moduli
  int size;                      ///< all moduli
  std::int64_t outputs;          ///< entries of y
  std::int64_t terms;            ///< entries of x
  int window;                    ///< W: shifts 0 … W − 1 are aligned in residues
  int sum_bits;                  ///< a sum of products with exponents up to e is below 2^(sum_bits + e)
  std::int64_t exponent_offset;  ///< to be added to the exponents of all products
  int top_splits;                ///< parts of the terms in the first kernel
  int guard_splits;              ///< and for the guards
  int sum_splits;                ///< and in the second
  int pitch;                     ///< words from one output's partial residues to the next one's
  std::int32_t* tops;      ///< [top_splits][outputs]: the largest exponent of a product, or less than least_exponent
  std::uint32_t* partial;  ///< [sum_splits][outputs][pitch]: residues of the sum over the window
  std::int32_t* bases;     ///< [outputs]: the exponent of the window's lowest bit
  std::int32_t* outside;   ///< [outputs]: how many products are below the window
  std::int32_t* listed;    ///< [outputs][most_listed]: the first such terms that were found

  // Elements of the workspace.
  [[nodiscard]] std::size_t tops_size() const { return static_cast<std::size_t>(top_splits * outputs); }
  [[nodiscard]] std::size_t bases_size() const { return static_cast<std::size_t>(outputs); }
  [[nodiscard]] std::size_t outside_size() const { return static_cast<std::size_t>(outputs); }
  [[nodiscard]] std::size_t listed_size() const { return outside_size() * most_listed; }
  [[nodiscard]] std::size_t partial_size() const { return static_cast<std::size_t>(sum_splits * outputs * pitch); }

  /// The start of a part of the terms: an even number.
  ASSAY_HD std::int64_t begin_of(int split, int splits) const {
    return split == splits ? terms : terms * split / splits / 2 * 2;
  }

  /// Records a term below the window.
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

/// The output and the terms of a thread. op(A) = A: neighbors read one column; op(A) = Aᵀ: neighbors read one output's
/// terms.
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

}  // namespace assay::gemv::detail
