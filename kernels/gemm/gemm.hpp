#pragma once
// C ← α·op(A)·op(B) + β·C in binary64, every entry rounded once: the one interface to the engines.
//
// Shapes and layout: GemmArguments. The exact value of α·Σ_l a_il·b_lj + β·c_ij is rounded to nearest, ties to even,
// subnormal results and overflow included; nothing is rounded before. So the bits depend on nothing but the operands:
// not on the executor, the engine, blocking, the workspace or the batch, and not on the settings of cuBLAS.
//
// As in the BLAS: m = 0 or n = 0 does nothing; with α = 0 or k = 0 neither A nor B is read and C ← RN(β·C); with β = 0
// C is not read. What lies between columns is neither read nor written. Zeros: an exact zero is +0; a value that
// underflows to zero keeps its sign. An entry with a term α·a_il·b_lj or β·c_ij that is not finite (an operand of it
// is infinite or NaN; finite factors have a finite product here) is a NaN if a term is a NaN or 0·∞, or if both
// infinities are among the terms, and the infinity otherwise; other entries are not touched by that. Any NaN equals any
// NaN. Theorems: docs/bounds/gemm.md.
//
// Wrong arguments throw std::invalid_argument with a message that names the argument; nothing is written then. Errors
// of the executor throw ExecutorError. Not checked: that C does not overlap A or B.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// What a product promises of every entry ĉ against the exact value c.
struct Accuracy {
  enum class Kind { correctly_rounded, faithful, bounded };
  Kind kind = Kind::correctly_rounded;
  double bound = 0;  ///< e of `bounded`
};

namespace accuracy {

/// ĉ = RN(c).
inline constexpr Accuracy correctly_rounded{Accuracy::Kind::correctly_rounded, 0};

/// ĉ is c, or one of its two neighbours in binary64.
inline constexpr Accuracy faithful{Accuracy::Kind::faithful, 0};

/// |ĉ − c| ≤ e·(|α|·Σ|a_il||b_lj| + |β||c_ij|) + 2⁻¹⁰⁷⁵, if c does not overflow. e is at least u = 2⁻⁵³.
constexpr Accuracy bounded(double e) { return {Accuracy::Kind::bounded, e}; }

}  // namespace accuracy

/// C after the product, on memory on the executor; waits for the end. `faithful` and `bounded` are kept by the
/// correctly rounded entries, which are the only ones whose bits depend on the operands alone; so they cost the same.
/// Small products, and all on the host, by gemm_superaccumulator, others by gemm_crt, within options.budget().
void gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m, std::int64_t n,
          std::int64_t k, double alpha, const double* a, std::int64_t lda, const double* b, std::int64_t ldb,
          double beta, double* c, std::int64_t ldc, Accuracy accuracy = accuracy::correctly_rounded,
          const GemmOptions& options = {});

/// C after the product, of arrays on the host that travel to the executor and back. An array that is too short throws
/// std::invalid_argument, too, if it is read.
std::vector<double> gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                         std::int64_t n, std::int64_t k, double alpha, std::span<const double> a, std::int64_t lda,
                         std::span<const double> b, std::int64_t ldb, double beta, std::span<const double> c,
                         std::int64_t ldc, Accuracy accuracy = accuracy::correctly_rounded,
                         const GemmOptions& options = {});

/// The same for p = 0 … batch − 1 with A at a + p·stride_a, B at b + p·stride_b and C at c + p·stride_c. stride_a and
/// stride_b are at least 0; matrices C do not overlap: stride_c ≥ (n − 1)·ldc + m, or stride_c ≥ m and
/// ldc ≥ (batch − 1)·stride_c + m. Small products share a launch.
void gemm_strided_batched(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                          std::int64_t n, std::int64_t k, double alpha, const double* a, std::int64_t lda,
                          std::int64_t stride_a, const double* b, std::int64_t ldb, std::int64_t stride_b, double beta,
                          double* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch,
                          Accuracy accuracy = accuracy::correctly_rounded, const GemmOptions& options = {});

std::vector<double> gemm_strided_batched(const Executor& on, blas::Transpose transa, blas::Transpose transb,
                                         std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
                                         std::span<const double> a, std::int64_t lda, std::int64_t stride_a,
                                         std::span<const double> b, std::int64_t ldb, std::int64_t stride_b,
                                         double beta, std::span<const double> c, std::int64_t ldc,
                                         std::int64_t stride_c, std::int64_t batch,
                                         Accuracy accuracy = accuracy::correctly_rounded,
                                         const GemmOptions& options = {});

/// The most memory on the executor, in bytes, that `gemm` or a product of `gemm_strided_batched` takes beside A, B and
/// C, whatever the data; at most options.budget(). Not counted: what the driver keeps for the kernels' local memory and
/// cuBLAS for itself.
std::size_t gemm_workspace(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                           std::int64_t n, std::int64_t k, Accuracy accuracy = accuracy::correctly_rounded,
                           const GemmOptions& options = {});

}  // namespace assay::gemm
