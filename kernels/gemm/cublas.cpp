#include "kernels/gemm/cublas.hpp"

#if defined(__CUDACC__)
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "kernels/blas/library.hpp"
#endif

#include "exec/launch.hpp"

namespace assay::gemm::cublas {
namespace {

#if defined(__CUDACC__)

/// The functions of the library, looked up by name in the library itself, so that interposed functions are not taken.
struct Library {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasGetStatusString) status_string;
  decltype(&cublasGemmEx_64) gemm;
  decltype(&cublasGemmStridedBatchedEx_64) gemm_strided_batched;
};

/// Loads cuBLAS of the toolkit's major version. It is never unloaded.
Library load() {
  const std::string name = "cuBLAS";
  void* library = blas::open_library("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR), name);
  Library functions{};
  blas::look_up(library, name, "cublasCreate_v2", functions.create);
  blas::look_up(library, name, "cublasGetStatusString", functions.status_string);
  blas::look_up(library, name, "cublasGemmEx_64", functions.gemm);
  blas::look_up(library, name, "cublasGemmStridedBatchedEx_64", functions.gemm_strided_batched);
  return functions;
}

const Library& library() {
  static const Library functions = load();
  return functions;
}

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw ExecutorError(std::string(what) + ": " + library().status_string(status));
}

/// The handle of a device, the compute type for products in binary64, and whether their arithmetic has been checked. A
/// handle lives as long as the process, because it cannot be destroyed after the CUDA runtime. Requires the lock.
struct Handle {
  cublasHandle_t handle = nullptr;
  cublasComputeType_t binary64 = CUBLAS_COMPUTE_64F;
  bool checked = false;
};

/// Whether the environment requests emulation of binary64.
bool asks_for_emulation() {
  return std::getenv("CUBLAS_EMULATE_DOUBLE_PRECISION") != nullptr ||
         std::getenv("CUBLAS_EMULATION_STRATEGY") != nullptr;
}

std::mutex lock;

Handle& handle_of(int device) {
  static std::map<int, Handle> handles;
  Handle& of = handles[device];
  if (of.handle == nullptr) {
    check(library().create(&of.handle), "starting cuBLAS");
    // Pedantic arithmetic cannot be emulated, but it is slower.
    if (asks_for_emulation()) of.binary64 = CUBLAS_COMPUTE_64F_PEDANTIC;
  }
  return of;
}

cublasOperation_t operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

/// Queues one product or a batch. Requires the lock, and that the device is current.
void product(cublasHandle_t handle, bool trans_a, bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k,
             const void* alpha, const void* a, cudaDataType type, std::int64_t lda, std::int64_t stride_a,
             const void* b, std::int64_t ldb, std::int64_t stride_b, const void* beta, void* c,
             cudaDataType result_type, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch,
             cublasComputeType_t compute) {
  if (batch == 1) {
    check(library().gemm(handle, operation(trans_a), operation(trans_b), m, n, k, alpha, a, type, lda, b, type, ldb,
                         beta, c, result_type, ldc, compute, CUBLAS_GEMM_DEFAULT),
          "a product by cuBLAS");
  } else {
    check(library().gemm_strided_batched(handle, operation(trans_a), operation(trans_b), m, n, k, alpha, a, type, lda,
                                         stride_a, b, type, ldb, stride_b, beta, c, result_type, ldc, stride_c, batch,
                                         compute, CUBLAS_GEMM_DEFAULT),
          "products by cuBLAS");
  }
}

constexpr std::int64_t checked_size = 1024;

/// The operands of the check. Entry (i, j) of A is 1 for j = 0, and 2⁻¹⁰⁰(i + 1) otherwise. Entry (i, j) of B is 0 for
/// i = 0, and j + 1 otherwise.
struct FillChecked {
  double* a;
  double* b;
  ASSAY_HD void operator()(std::size_t at) const {
    const auto i = static_cast<std::int64_t>(at) % checked_size;
    const auto j = static_cast<std::int64_t>(at) / checked_size;
    a[at] = j == 0 ? 1.0 : 0x1p-100 * static_cast<double>(i + 1);
    b[at] = i == 0 ? 0.0 : static_cast<double>(j + 1);
  }
};

/// Whether an entry of AB differs from 2⁻¹⁰⁰(i + 1)(j + 1)(size − 1). In IEEE arithmetic every partial sum is
/// representable.
struct CompareChecked {
  const double* c;
  int* differs;
  ASSAY_HD void operator()(std::size_t at) const {
    const auto i = static_cast<std::int64_t>(at) % checked_size;
    const auto j = static_cast<std::int64_t>(at) / checked_size;
    const double expected = 0x1p-100 * static_cast<double>((i + 1) * (j + 1) * (checked_size - 1));
    if (c[at] != expected) *differs = 1;
  }
};

/// Throws if binary64 is emulated: a row of A in fixed point keeps its 1 and loses the other numbers.
void check_arithmetic(const Executor& on, const Handle& of) {
  constexpr auto entries = static_cast<std::size_t>(checked_size * checked_size);
  const Array<double> a(on, entries);
  const Array<double> b(on, entries);
  const Array<double> c(on, entries);
  const int none = 0;
  const Array<int> differs(on, std::span(&none, 1));
  launch_indices(on, entries, FillChecked{a.data(), b.data()});
  const double one = 1.0;
  const double zero = 0.0;
  product(of.handle, false, false, checked_size, checked_size, checked_size, &one, a.data(), CUDA_R_64F, checked_size,
          0, b.data(), checked_size, 0, &zero, c.data(), CUDA_R_64F, checked_size, 0, 1, of.binary64);
  launch_indices(on, entries, CompareChecked{c.data(), differs.data()});
  if (differs.take()[0] != 0) throw ExecutorError("cuBLAS does not multiply in binary64: it emulates");
}

#endif

/// C ← α·op(A)·op(B) + β·C with sums of type Sum in ascending order, the result modulo 2³² if S is an integer; β = 0: C
/// is not read.
template <class Sum, class T, class S>
void host_product(bool trans_a, bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k, S alpha, const T* a,
                  std::int64_t lda, const T* b, std::int64_t ldb, S beta, S* c, std::int64_t ldc) {
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      const T* x = trans_a ? a + i * lda : a + i;
      const T* y = trans_b ? b + j : b + j * ldb;
      const std::int64_t step_x = trans_a ? 1 : lda;
      const std::int64_t step_y = trans_b ? ldb : 1;
      Sum sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += static_cast<Sum>(x[l * step_x]) * static_cast<Sum>(y[l * step_y]);
      S& out = c[i + j * ldc];
      out = static_cast<S>(beta == S(0) ? alpha * sum : alpha * sum + beta * out);
    }
  }
}

}  // namespace

void int8_product(const Executor& on, std::int64_t m, std::int64_t n, std::int64_t k, const std::int8_t* a,
                  std::int64_t lda, std::int64_t stride_a, const std::int8_t* b, std::int64_t ldb,
                  std::int64_t stride_b, std::int32_t* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch,
                  bool accumulate) {
  if (m == 0 || n == 0 || batch == 0) return;
  const std::int32_t alpha = 1;
  const std::int32_t beta = accumulate ? 1 : 0;
  if (on.kind() == Executor::Kind::host) {
    on.record_call();
    for (std::int64_t p = 0; p < batch; ++p) {
      host_product<std::int64_t>(true, false, m, n, k, alpha, a + p * stride_a, lda, b + p * stride_b, ldb, beta,
                                 c + p * stride_c, ldc);
    }
    return;
  }
#if defined(__CUDACC__)
  begin_launch(on);
  const std::lock_guard guard(lock);
  product(handle_of(on.device()).handle, true, false, m, n, k, &alpha, a, CUDA_R_8I, lda, stride_a, b, ldb, stride_b,
          &beta, c, CUDA_R_32I, ldc, stride_c, batch, CUBLAS_COMPUTE_32I);
#else
  throw_host_only(on);
#endif
}

void dgemm(const Executor& on, bool trans_a, bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
           const double* a, std::int64_t lda, std::int64_t stride_a, const double* b, std::int64_t ldb,
           std::int64_t stride_b, double beta, double* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch) {
  if (m == 0 || n == 0 || batch == 0) return;
  if (on.kind() == Executor::Kind::host) {
    on.record_call();
    for (std::int64_t p = 0; p < batch; ++p) {
      host_product<double>(trans_a, trans_b, m, n, k, alpha, a + p * stride_a, lda, b + p * stride_b, ldb, beta,
                           c + p * stride_c, ldc);
    }
    return;
  }
#if defined(__CUDACC__)
  begin_launch(on);
  const std::lock_guard guard(lock);
  Handle& of = handle_of(on.device());
  if (!of.checked) {
    check_arithmetic(on, of);
    of.checked = true;
  }
  product(of.handle, trans_a, trans_b, m, n, k, &alpha, a, CUDA_R_64F, lda, stride_a, b, ldb, stride_b, &beta, c,
          CUDA_R_64F, ldc, stride_c, batch, of.binary64);
#else
  throw_host_only(on);
#endif
}

}  // namespace assay::gemm::cublas
