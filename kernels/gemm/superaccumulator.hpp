#pragma once
// C ← RN(α·op(A)·op(B) + β·C) by expansions and superaccumulators, entry by entry: for data of any exponents.
//
// Every product is added exactly: TwoProd into an expansion of N words in registers, and what N words cannot hold into
// a superaccumulator (arith/accumulators/accumulating_expansion.hpp). α times the sum plus β·c is one integer
// combination with one rounding (arith/limbs/combination.hpp). Collange, Defour, Graillat, Iakymchuk, "Numerical
// reproducibility for the parallel reduction on multi- and many-core architectures", Parallel Computing 49, 2015
// (ExBLAS), whose α and β are rounded on the way. An exact zero is +0; a result that underflows to zero keeps its sign.
// α = 0 or k = 0: A and B are not read; β = 0: C is not read. An entry with a term α·a·b or β·c that is not finite is a
// NaN if a term is one or 0·∞, or if both infinities are among them, and else the infinity. Bit-identical on every
// executor by exactness; any NaN equals any NaN. Requires: α and β finite, k < 2⁴⁰, C apart from A and B (not checked).
// Queued (exec/launch.hpp).

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// A batch: the same product for `count` operands. Operand number p is p·stride elements behind the first.
struct GemmBatch {
  std::int64_t count = 1;
  std::int64_t stride_a = 0;
  std::int64_t stride_b = 0;
  std::int64_t stride_c = 0;
};

/// C after the product, every entry rounded once. `words` is the length N of the expansions: 3, 4, 6 or 8. The result
/// does not depend on it. Another value throws std::invalid_argument. Cost: 14 operations for each product, and more
/// where words cancel; no memory beside registers and stack.
void gemm_superaccumulator(const Executor& on, const GemmArguments& g, int words = 4, const GemmBatch& batch = {});

/// Whether entries are few and sums are long, so that 256 threads share an entry. Requires: m, n ≥ 1 (not checked).
bool gemm_superaccumulator_shares(const GemmArguments& g, std::int64_t batch);

/// The most bytes that `recompute_entries` takes by default.
inline constexpr std::size_t recompute_default_workspace = std::size_t{1} << 30;

/// Computes the entries i + j·m of a list on the executor, and no others. `original_c`, with leading dimension ldc, has
/// the c of β·c. It may be C if the entries still have their values. Requires: the entries of the list are different
/// from one another (not checked), k ≤ 2²⁸ (checked). For a list that is long for the matrices, the rows of op(A) and
/// the columns of op(B) are first copied into sequence, in panels of up to `workspace_bytes` together. Cost: 29
/// operations for each product, with 256 threads for each entry (kernels/sum/exact_sum.hpp).
void recompute_entries(const Executor& on, const GemmArguments& g, const double* original_c,
                       const std::uint64_t* entries, std::size_t count,
                       std::size_t workspace_bytes = recompute_default_workspace);

}  // namespace assay::gemm
