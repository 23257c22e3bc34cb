#pragma once
// The interface to cuBLAS: the two matrix products that the kernels use, on memory of the executor.
//
// The library is loaded when a device needs it for the first time (docs/decisions/cublas_at_run_time.md). There is one
// handle for each device, on the default stream. Calls are queued: they do not wait for the device, except the first
// dgemm on a device. On a host executor
// the products are plain loops. Errors, such as a missing library, throw ExecutorError.
//
// Matrices are column-major; op(A) is m × k, op(B) k × n, C m × n. Product p of a batch starts p·stride elements after
// the first. Indices have 64 bits. With m = 0, n = 0 or batch = 0 nothing is done.

#include <cstdint>

#include "exec/executor.hpp"

namespace assay::gemm::cublas {

/// The stride of a batch of one product.
inline constexpr std::int64_t no_stride = 0;

/// C ← AᵀB, or C ← AᵀB + C if `accumulate`, in integers. A is k × m and B is k × n, so that consecutive numbers of the
/// inner index are adjacent in memory.
/// Requires (not checked): k·2¹⁴ < 2³¹, or k·127·128 < 2³¹ if no product has both factors equal to −128, so that no sum
/// overflows. With `accumulate`, the magnitude of the old entry is added to the left side. On a device, leading
/// dimensions, strides and addresses are multiples of 4; addresses that are multiples of 16 are faster. Exact, so that
/// executors give the same bits. m·n·k·batch products; tensor cores on a device.
void int8_product(const Executor& on, std::int64_t m, std::int64_t n, std::int64_t k, const std::int8_t* a,
                  std::int64_t lda, std::int64_t stride_a, const std::int8_t* b, std::int64_t ldb,
                  std::int64_t stride_b, std::int32_t* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch,
                  bool accumulate = false);

/// C ← α·op(A)·op(B) + β·C in binary64 with IEEE arithmetic, in the order that the library chooses on a device and in
/// ascending order on the host: executors give the same bits if every partial sum is exact. β = 0: C is not read.
/// cuBLAS's emulation of binary64 is off, whatever the value of CUBLAS_EMULATE_DOUBLE_PRECISION. The first call on a
/// device computes a product whose small terms fixed-point arithmetic drops, and throws if they are missing. Not
/// checked:
/// leading dimensions, aliasing.
void dgemm(const Executor& on, bool trans_a, bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
           const double* a, std::int64_t lda, std::int64_t stride_a, const double* b, std::int64_t ldb,
           std::int64_t stride_b, double beta, double* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch);

}  // namespace assay::gemm::cublas
