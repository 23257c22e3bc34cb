#include "kernels/gemm/assay_blas.h"

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

#include "exec/workspace.hpp"
#include "kernels/gemm/gemm.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace assay::gemm {
namespace {

thread_local std::string message;

/// A handle or a device that a call cannot use.
struct NoHandle : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The executor and the options of a handle.
struct Context {
  Executor on;
  GemmOptions options;
};

/// One context per handle we created; one per device for foreign (cuBLAS) handles.
class Contexts {
 public:
  static Contexts& all() {
    static Contexts contexts;
    return contexts;
  }

  assayHandle_t add(const Executor& on) {
    auto context = std::make_unique<Context>(Context{on, {}});
    const assayHandle_t handle = context.get();
    const std::lock_guard<std::mutex> guard(lock_);
    own_.emplace(handle, std::move(context));
    return handle;
  }
  void remove(assayHandle_t handle) {
    const std::lock_guard<std::mutex> guard(lock_);
    if (own_.erase(handle) == 0) throw NoHandle("the handle is none of assayCreate");
  }
  void limit(assayHandle_t handle, std::size_t bytes) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = own_.find(handle);
    if (found == own_.end()) throw NoHandle("the handle is none of assayCreate");
    found->second->options.workspace_bytes = bytes;
  }
  Context of(assayHandle_t handle) {
    if (handle == nullptr) throw NoHandle("the handle is null");
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = own_.find(handle);
    if (found != own_.end()) return *found->second;
    const int device = current_device();
    auto& context = foreign_[device];
    if (context == nullptr) context = std::make_unique<Context>(Context{device_executor(device), {}});
    return *context;
  }

  static Executor device_executor(int device) {
    try {
      return Executor::cuda(device);
    } catch (const ExecutorError& error) {
      throw NoHandle(error.what());
    }
  }

 private:
  static int current_device() {
    int device = 0;
#if defined(__CUDACC__)
    if (cudaGetDevice(&device) != cudaSuccess) throw NoHandle("there is no current CUDA device");
#endif
    return device;
  }

  std::mutex lock_;
  std::map<assayHandle_t, std::unique_ptr<Context>> own_;
  std::map<int, std::unique_ptr<Context>> foreign_;
};

/// Restores the calling thread's current CUDA device at its end.
class SameDevice {
 public:
#if defined(__CUDACC__)
  SameDevice() { known_ = cudaGetDevice(&device_) == cudaSuccess; }
  ~SameDevice() {
    if (known_) static_cast<void>(cudaSetDevice(device_));
  }
#else
  SameDevice() = default;
#endif
  SameDevice(const SameDevice&) = delete;
  SameDevice& operator=(const SameDevice&) = delete;

 private:
#if defined(__CUDACC__)
  int device_ = 0;
  bool known_ = false;
#endif
};

/// Calls f and turns exceptions into a status and a message.
template <class F>
assayStatus_t status_of(F&& f) noexcept {
  assayStatus_t status = ASSAY_STATUS_INTERNAL_ERROR;
  try {
    try {
      [[maybe_unused]] const SameDevice same;
      f();
      return ASSAY_STATUS_SUCCESS;
    } catch (const NoHandle& error) {
      status = ASSAY_STATUS_NOT_INITIALIZED;
      message = error.what();
    } catch (const std::invalid_argument& error) {
      status = ASSAY_STATUS_INVALID_VALUE;
      message = error.what();
    } catch (const std::bad_alloc& error) {
      status = ASSAY_STATUS_ALLOC_FAILED;
      message = error.what();
    } catch (const ExecutorError& error) {
      status = ASSAY_STATUS_EXECUTION_FAILED;
      message = error.what();
    } catch (const std::exception& error) {
      message = error.what();
    }
  } catch (...) {
    // There is no memory for the message.
  }
  return status;
}

blas::Transpose transpose_of(const char* routine, assayOperation_t operation, const char* what) {
  blas::require_argument(operation == ASSAY_OP_N || operation == ASSAY_OP_T || operation == ASSAY_OP_C, routine, what);
  return operation == ASSAY_OP_N ? blas::Transpose::no : blas::Transpose::yes;
}

constexpr const char* transa_is = "transa is ASSAY_OP_N, ASSAY_OP_T or ASSAY_OP_C";
constexpr const char* transb_is = "transb is ASSAY_OP_N, ASSAY_OP_T or ASSAY_OP_C";

void require_scalars(const char* routine, const double* alpha, const double* beta) {
  blas::require_argument(alpha != nullptr, routine, "alpha is a null pointer");
  blas::require_argument(beta != nullptr, routine, "beta is a null pointer");
}

/// The status of product(context, transpose of A, transpose of B), which begins after earlier work has ended. Messages
/// name the routine.
template <class Product>
assayStatus_t status_of_product(const char* routine, assayHandle_t handle, assayOperation_t transa,
                                assayOperation_t transb, const double* alpha, const double* beta,
                                const Product& product) {
  return status_of([&] {
    const Context context = Contexts::all().of(handle);
    const blas::Transpose trans_a = transpose_of(routine, transa, transa_is);
    const blas::Transpose trans_b = transpose_of(routine, transb, transb_is);
    require_scalars(routine, alpha, beta);
    wait(context.on);
    product(context, trans_a, trans_b);
  });
}

}  // namespace
}  // namespace assay::gemm

using namespace assay;
using namespace assay::gemm;

assayStatus_t assayCreate(assayHandle_t* handle, int device) {
  return status_of([&] {
    blas::require_argument(handle != nullptr, "assayCreate", "handle is a null pointer");
    *handle = Contexts::all().add(Contexts::device_executor(device));
  });
}

assayStatus_t assayCreateHost(assayHandle_t* handle) {
  return status_of([&] {
    blas::require_argument(handle != nullptr, "assayCreateHost", "handle is a null pointer");
    *handle = Contexts::all().add(Executor::host());
  });
}

assayStatus_t assayDestroy(assayHandle_t handle) {
  return status_of([&] { Contexts::all().remove(handle); });
}

assayStatus_t assaySetWorkspaceLimit(assayHandle_t handle, size_t bytes) {
  return status_of([&] { Contexts::all().limit(handle, bytes); });
}

const char* assayGetMessage(void) { return message.c_str(); }

assayStatus_t assayDgemm(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int m, int n, int k,
                         const double* alpha, const double* A, int lda, const double* B, int ldb, const double* beta,
                         double* C, int ldc) {
  return assayDgemm_64(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

assayStatus_t assayDgemm_64(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int64_t m,
                            int64_t n, int64_t k, const double* alpha, const double* A, int64_t lda, const double* B,
                            int64_t ldb, const double* beta, double* C, int64_t ldc) {
  return status_of_product("assayDgemm", handle, transa, transb, alpha, beta,
                           [&](const Context& context, auto trans_a, auto trans_b) {
                             assay::gemm::gemm(context.on, trans_a, trans_b, m, n, k, *alpha, A, lda, B, ldb, *beta, C,
                                               ldc, context.options);
                           });
}

assayStatus_t assayDgemmStridedBatched(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int m,
                                       int n, int k, const double* alpha, const double* A, int lda,
                                       long long int strideA, const double* B, int ldb, long long int strideB,
                                       const double* beta, double* C, int ldc, long long int strideC, int batchCount) {
  return assayDgemmStridedBatched_64(handle, transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C,
                                     ldc, strideC, batchCount);
}

assayStatus_t assayDgemmStridedBatched_64(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb,
                                          int64_t m, int64_t n, int64_t k, const double* alpha, const double* A,
                                          int64_t lda, long long int strideA, const double* B, int64_t ldb,
                                          long long int strideB, const double* beta, double* C, int64_t ldc,
                                          long long int strideC, int64_t batchCount) {
  return status_of_product("assayDgemmStridedBatched", handle, transa, transb, alpha, beta,
                           [&](const Context& context, auto trans_a, auto trans_b) {
                             gemm_strided_batched(context.on, trans_a, trans_b, m, n, k, *alpha, A, lda, strideA, B,
                                                  ldb, strideB, *beta, C, ldc, strideC, batchCount, context.options);
                           });
}

assayStatus_t assayDgemmWorkspace(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int64_t m,
                                  int64_t n, int64_t k, size_t* bytes) {
  return status_of([&] {
    constexpr const char* routine = "assayDgemmWorkspace";
    const Context context = Contexts::all().of(handle);
    const blas::Transpose trans_a = transpose_of(routine, transa, transa_is);
    const blas::Transpose trans_b = transpose_of(routine, transb, transb_is);
    blas::require_argument(bytes != nullptr, routine, "bytes is a null pointer");
    *bytes = gemm_workspace(context.on, trans_a, trans_b, m, n, k, context.options);
  });
}
