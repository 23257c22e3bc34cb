#pragma once
// The arguments and options that all implementations, called engines, of C ← RN(α·op(A)·op(B) + β·C) share.
//
// op(X) is X or its transpose. RN rounds to binary64, to nearest, ties to even. An executor is the host or one CUDA
// device (exec/executor.hpp). A line is a row of op(A) or a column of op(B).
// All engines follow these rules: with α = 0 or k = 0 neither A nor B is read, and C ← RN(β·C); with β = 0 C is not
// read. An exact zero is +0, and a result that underflows to zero keeps its sign. For infinities and NaNs an engine
// says which entries it computes; `gemm` (kernels/gemm/gemm.hpp) computes all.

#include <cstddef>
#include <cstdint>

#include "kernels/blas/arguments.hpp"

namespace assay::gemm {

/// One product in binary64: op(A) is m × k, op(B) k × n, C m × n, each array column-major with its leading dimension:
/// entry (i, j) of A at a[i + j·lda]. Indices have 64 bits. The pointers are addresses in the memory of the executor.
struct GemmArguments {
  blas::Transpose trans_a = blas::Transpose::no;
  blas::Transpose trans_b = blas::Transpose::no;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  double alpha = 1;
  const double* a = nullptr;
  std::int64_t lda = 1;
  const double* b = nullptr;
  std::int64_t ldb = 1;
  double beta = 0;
  double* c = nullptr;
  std::int64_t ldc = 1;

  /// Entry (i, l) of op(A) is a[i·row_step_a() + l·column_step_a()], entry (l, j) of op(B) is
  /// b[l·row_step_b() + j·column_step_b()].
  [[nodiscard]] std::int64_t row_step_a() const { return trans_a == blas::Transpose::yes ? lda : 1; }
  [[nodiscard]] std::int64_t column_step_a() const { return trans_a == blas::Transpose::yes ? 1 : lda; }
  [[nodiscard]] std::int64_t row_step_b() const { return trans_b == blas::Transpose::yes ? ldb : 1; }
  [[nodiscard]] std::int64_t column_step_b() const { return trans_b == blas::Transpose::yes ? 1 : ldb; }

  /// Whether the product is part of the result. Otherwise neither A nor B is read.
  [[nodiscard]] bool reads_ab() const { return k > 0 && alpha != 0; }
  /// Whether β·C is part of the result. Otherwise C is not read.
  [[nodiscard]] bool reads_c() const { return beta != 0; }
};

/// The default limit of the workspace, which is the memory that a product uses in addition to A, B and C: 4 GiB.
inline constexpr std::size_t gemm_default_workspace = std::size_t{4} << 30;

/// The engine of a product. All engines give the same bits. `automatic`: `gemm` chooses by shape, batch and executor.
/// `superaccumulator`: entry by entry. `crt`: integers on tensor cores. `ozaki`: slices in binary64.
enum class GemmEngine {
  automatic,
  superaccumulator,  ///< kernels/gemm/superaccumulator.hpp
  crt,               ///< kernels/gemm/crt.hpp
  ozaki              ///< kernels/gemm/ozaki.hpp
};

struct GemmOptions {
  std::size_t workspace_bytes = 0;            ///< limit of the workspace on the executor; 0: gemm_default_workspace
  GemmEngine engine = GemmEngine::automatic;  ///< read by `gemm` and its batches only; an engine ignores it

  [[nodiscard]] std::size_t budget() const { return workspace_bytes == 0 ? gemm_default_workspace : workspace_bytes; }
};

}  // namespace assay::gemm
