#pragma once
// The two matrix products that kernels take from cuBLAS, on memory of the executor.
//
// The library is loaded when a device needs it for the first time (docs/decisions/cublas_at_run_time.md). There is one
// handle for each device, on the default stream. Calls are queued: they do not wait for the device. On a host executor
// the products are plain loops. Errors, such as a missing library, throw ExecutorError.
//
// Matrices are column-major; op(A) is m × k, op(B) k × n, C m × n. Product p of a batch starts p·stride elements behind
// the first. Indices have 64 bits. With m = 0, n = 0 or batch = 0 nothing is done.

#include <cstdint>

#include "exec/executor.hpp"

namespace assay::gemm::cublas {

/// C ← AᵀB, or C ← AᵀB + C if `accumulate`, in integers, where A (k × m) and B (k × n) have their inner index in
/// sequence.
/// Requires k·2¹⁴ < 2³¹, or k·127·128 < 2³¹ with no two −128 that meet, so that no sum overflows; on a device leading
/// dimensions and strides that are multiples of 4 and addresses that are multiples of 4, for speed 16 (not checked).
/// Exact, so that executors give the same bits. m·n·k·batch products; tensor cores on a device.
void int8_product(const Executor& on, std::int64_t m, std::int64_t n, std::int64_t k, const std::int8_t* a,
                  std::int64_t lda, std::int64_t stride_a, const std::int8_t* b, std::int64_t ldb,
                  std::int64_t stride_b, std::int32_t* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch,
                  bool accumulate = false);

/// C ← α·op(A)·op(B) + β·C in binary64 with IEEE arithmetic, in the order that the library chooses on a device and
/// ascending on the host: executors give the same bits where every partial sum is exact. β = 0: C is not read.
/// cuBLAS's emulation of binary64 is off, whatever CUBLAS_EMULATE_DOUBLE_PRECISION says; the first call on a device
/// checks that, by a product that fixed-point arithmetic loses. Not checked: leading dimensions, aliasing.
void dgemm(const Executor& on, bool trans_a, bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
           const double* a, std::int64_t lda, std::int64_t stride_a, const double* b, std::int64_t ldb,
           std::int64_t stride_b, double beta, double* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch);

}  // namespace assay::gemm::cublas
