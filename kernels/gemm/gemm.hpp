#pragma once
// C ← α·op(A)·op(B) + β·C in binary64, every entry rounded once. `gemm` is the public function. It chooses
// between the engines gemm_superaccumulator and gemm_crt, or takes the one that GemmOptions names, also gemm_ozaki.
//
// Shapes and layout: GemmArguments. The exact value of α·Σ_l a_il·b_lj + β·c_ij is rounded to nearest, ties to even,
// subnormal results and overflow included. There is no other rounding. So the bits depend on the operands alone: not on
// the executor, the engine, blocking, the workspace or the batch, and not on the settings of cuBLAS.
//
// As in the BLAS: m = 0 or n = 0 does nothing; with α = 0 or k = 0 neither A nor B is read and C ← RN(β·C); with β = 0
// C is not read. Numbers between columns are neither read nor written. Zeros: an exact zero is +0; a value that
// underflows to zero keeps its sign.
//
// Infinities and NaNs. A term α·a_il·b_lj or β·c_ij is not finite if one of its factors is infinite or a NaN. Finite
// factors always give a finite term, because no term is rounded. An entry with a term that is not finite is a NaN if a
// term is a NaN or 0·∞, or if both +∞ and −∞ are terms. Otherwise it is the infinity. All other entries are
// correctly rounded. Any NaN equals any NaN. Theorems: docs/bounds/gemm.md.
//
// Wrong arguments throw std::invalid_argument with a message that names the argument, before anything is written. An
// engine that the options name throws it also if its workspace is too small, gemm_crt also if k > 2²⁸ and entries are
// to be computed again; C may be written in part then. Errors of the executor throw ExecutorError. Not checked: that C
// does not overlap A or B.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// Overwrites C, which lies in the memory of the executor, and returns when C is complete. With
/// GemmEngine::automatic, gemm_superaccumulator computes small products and all products on the host, gemm_crt the
/// others, within options.budget(). A product is small if a model of both times, measured on an H200, says that
/// gemm_superaccumulator is faster. gemm_superaccumulator also computes products with k > 2²⁸ and those whose budget is
/// too small for gemm_crt.
void gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m, std::int64_t n,
          std::int64_t k, double alpha, const double* a, std::int64_t lda, const double* b, std::int64_t ldb,
          double beta, double* c, std::int64_t ldc, const GemmOptions& options = {});

/// Returns C after the product, of arrays on the host that are copied to the executor and back. Throws
/// std::invalid_argument also if C, or A or B where they are read, is too short.
std::vector<double> gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                         std::int64_t n, std::int64_t k, double alpha, std::span<const double> a, std::int64_t lda,
                         std::span<const double> b, std::int64_t ldb, double beta, std::span<const double> c,
                         std::int64_t ldc, const GemmOptions& options = {});

/// The same for p = 0 … batch − 1 with A at a + p·stride_a, B at b + p·stride_b and C at c + p·stride_c. stride_a and
/// stride_b are at least 0; matrices C do not overlap. Either they follow one another, stride_c ≥ (n − 1)·ldc + m;
/// or their columns are interleaved, stride_c ≥ m and ldc ≥ (batch − 1)·stride_c + m. Small products share a launch.
void gemm_strided_batched(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                          std::int64_t n, std::int64_t k, double alpha, const double* a, std::int64_t lda,
                          std::int64_t stride_a, const double* b, std::int64_t ldb, std::int64_t stride_b, double beta,
                          double* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch,
                          const GemmOptions& options = {});

std::vector<double> gemm_strided_batched(const Executor& on, blas::Transpose transa, blas::Transpose transb,
                                         std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
                                         std::span<const double> a, std::int64_t lda, std::int64_t stride_a,
                                         std::span<const double> b, std::int64_t ldb, std::int64_t stride_b,
                                         double beta, std::span<const double> c, std::int64_t ldc,
                                         std::int64_t stride_c, std::int64_t batch, const GemmOptions& options = {});

/// The most memory on the executor, in bytes, that gemm_strided_batched of `batch` products uses in addition to A, B
/// and C, whatever the data; at most options.budget(). One product: `gemm`. Not counted: the driver's memory for the
/// local variables of kernels, and the memory of cuBLAS itself. Wrong arguments throw std::invalid_argument.
std::size_t gemm_workspace(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                           std::int64_t n, std::int64_t k, const GemmOptions& options = {}, std::int64_t batch = 1);

}  // namespace assay::gemm
