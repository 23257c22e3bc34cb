#pragma once
// C ← RN(α·op(A)·op(B) + β·C) by expansions and superaccumulators, entry by entry: for data of any exponents.
//
// A superaccumulator is a fixed-point number that is wide enough for every sum of products of binary64 numbers. An
// expansion is an unevaluated sum of N binary64 numbers; most terms are added to it faster. Faster still is a window of
// two numbers (arith/accumulators/window_dot.hpp), which decides the rounding of nearly all entries if magnitudes are
// similar. Entries that it does not decide are summed again. TwoProd splits a product into two numbers, without error
// if 2⁻⁹⁶⁸ ≤ |RN(ab)| < 2⁹⁷⁰. They are added to an expansion of N words in registers. Other products are added to the
// superaccumulator directly. A remainder that does not fit the N words is added to a superaccumulator
// (arith/accumulators/accumulating_expansion.hpp). α times the sum plus β·c is computed exactly in integers and rounded
// once (arith/limbs/combination.hpp). Source: Collange, Defour, Graillat, Iakymchuk, "Numerical reproducibility for the
// parallel reduction on multi- and many-core architectures", Parallel Computing 49, 2015 (ExBLAS). ExBLAS rounds the
// products with α and β; this kernel does not. The rules for α = 0, β = 0, k = 0 and zeros: GemmArguments. The rule for
// infinities and NaNs: kernels/gemm/gemm.hpp. Bit-identical on every executor by exactness; any NaN equals any NaN.
// Requires: α and β finite, k < 2⁴⁰, C apart from A and B (not checked). Queued (exec/launch.hpp).

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// A batch: `count` products of the same shape. The matrices of product p start p·stride elements after those of the
/// first.
struct GemmBatch {
  std::int64_t count = 1;
  std::int64_t stride_a = 0;
  std::int64_t stride_b = 0;
  std::int64_t stride_c = 0;
};

/// C after the product, every entry rounded once. `words` is the length N of the expansions: 3, 4, 6 or 8. The result
/// does not depend on it. Another value throws std::invalid_argument. Cost: 4 operations for each product; if an entry
/// is summed again, 2 more for TwoProd and 6 for each of its two numbers, and 6 for each further word that a remainder
/// reaches; no memory besides registers and stack. If gemm_superaccumulator_shares(g, batch.count), there are no
/// expansions, and a product costs 29 operations. On the host, entries of 24 products or more are computed by
/// sum::exact_dot_part, with vector instructions on all cores, from copied rows and columns; other orders of threads
/// than the default run the blocks.
void gemm_superaccumulator(const Executor& on, const GemmArguments& g, int words = 4, const GemmBatch& batch = {});

/// Whether gemm_superaccumulator gives 256 threads to each entry: C has few entries and k is large. Requires: m, n ≥ 1
/// (not checked).
bool gemm_superaccumulator_shares(const GemmArguments& g, std::int64_t batch);

/// The default limit of the workspace of `recompute_entries`, in bytes.
inline constexpr std::size_t recompute_default_workspace = std::size_t{1} << 30;

/// Computes the entries of C whose numbers i + j·m are in a list in the executor's memory. Writes no other entry.
/// `original_c`, with leading dimension ldc, is C before the product. It may be g.c itself if the listed entries still
/// have their old values.
/// Requires: the entries of the list are different from one another (not checked).
/// If the list has at least m/4 entries and the rows of op(A) are not contiguous, all rows are first copied to
/// contiguous memory, in panels. The same holds for n/4 entries and the columns of op(B). Panels take up to
/// `workspace_bytes` together. Queued. Throws std::invalid_argument if k > 2²⁸. Cost: 29 operations for each product,
/// with 256 threads for each entry (kernels/sum/exact_sum.hpp).
void recompute_entries(const Executor& on, const GemmArguments& g, const double* original_c,
                       const std::uint64_t* entries, std::size_t count,
                       std::size_t workspace_bytes = recompute_default_workspace);

}  // namespace assay::gemm
