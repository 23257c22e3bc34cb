#include "kernels/tensor_core/device_units.hpp"

#if defined(__CUDACC__)
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "kernels/blas/library.hpp"
#include "kernels/tensor_core/detail/instruction.hpp"
#endif

namespace assay::tensor_core {

#if defined(__CUDACC__)
namespace {

constexpr int rows = 64;  // of A, and as many columns of B

/// cuBLAS and cuBLASLt.
struct Libraries {
  void* blas;
  void* lt;
};
const Libraries& libraries() {
  static const std::string version = std::to_string(CUBLAS_VER_MAJOR);
  static const Libraries both{blas::open_library("libcublas.so." + version, "cuBLAS"),
                              blas::open_library("libcublasLt.so." + version, "cuBLASLt")};
  return both;
}

/// The function of that name and type.
template <class Function>
Function* function(const char* name) {
  const bool is_lt = std::string_view(name).starts_with("cublasLt");
  Function* found = nullptr;
  blas::look_up(is_lt ? libraries().lt : libraries().blas, is_lt ? "cuBLASLt" : "cuBLAS", name, found);
  return found;
}

void check(cublasStatus_t status, const std::string& what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw ExecutorError(what + ": " + function<decltype(cublasGetStatusString)>("cublasGetStatusString")(status));
}

enum class Call { sgemm, dgemm, gemm_ex, matmul };

struct Elements {
  std::string_view name;
  cudaDataType type;
  int bytes;
};
constexpr Elements f64{"f64", CUDA_R_64F, 8};
constexpr Elements f32{"f32", CUDA_R_32F, 4};
constexpr Elements f16{"f16", CUDA_R_16F, 2};
constexpr Elements bf16{"bf16", CUDA_R_16BF, 2};
constexpr Elements e4m3{"e4m3", CUDA_R_8F_E4M3, 1};
constexpr Elements s8{"s8", CUDA_R_8I, 1};
constexpr Elements s32{"s32", CUDA_R_32I, 4};

/// A product of the library.
struct Path {
  std::string_view name;
  Elements input;
  Elements result;
  Call call;
  cublasComputeType_t compute;
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;                                                   ///< of sgemm and dgemm
  bool fast_accumulation = false;                                                            ///< of matmul
  [[nodiscard]] constexpr int products() const { return call == Call::matmul ? 512 : 256; }  // four promotions of FP8
};

constexpr Path paths[] = {
    {"cublasSgemm", f32, f32, Call::sgemm, CUBLAS_COMPUTE_32F},
    {"cublasSgemm TF32", f32, f32, Call::sgemm, CUBLAS_COMPUTE_32F, CUBLAS_TF32_TENSOR_OP_MATH},
    {"cublasSgemm pedantic", f32, f32, Call::sgemm, CUBLAS_COMPUTE_32F, CUBLAS_PEDANTIC_MATH},
#if CUBLAS_VERSION >= 120900
    {"cublasSgemm BF16x9", f32, f32, Call::sgemm, CUBLAS_COMPUTE_32F, CUBLAS_FP32_EMULATED_BF16X9_MATH},
#endif
    {"cublasDgemm", f64, f64, Call::dgemm, CUBLAS_COMPUTE_64F},
#if CUBLAS_VERSION >= 130100
    {"cublasDgemm fixed point", f64, f64, Call::dgemm, CUBLAS_COMPUTE_64F, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH},
#endif
    {"cublasGemmEx f16, compute 32F", f16, f32, Call::gemm_ex, CUBLAS_COMPUTE_32F},
    {"cublasGemmEx bf16, compute 32F", bf16, f32, Call::gemm_ex, CUBLAS_COMPUTE_32F},
    {"cublasGemmEx f16, compute 16F", f16, f16, Call::gemm_ex, CUBLAS_COMPUTE_16F},
    {"cublasGemmEx s8, compute 32I", s8, s32, Call::gemm_ex, CUBLAS_COMPUTE_32I},
    {"cublasLtMatmul e4m3", e4m3, f32, Call::matmul, CUBLAS_COMPUTE_32F},
    {"cublasLtMatmul e4m3, fast accumulation", e4m3, f32, Call::matmul, CUBLAS_COMPUTE_32F, CUBLAS_DEFAULT_MATH, true},
};

std::mutex lock;

/// The handles of a device. They live as long as the process, because they cannot be destroyed after the CUDA runtime.
struct Handles {
  cublasHandle_t blas = nullptr;
  cublasLtHandle_t lt = nullptr;
};

Handles& handles_of(int device) {
  static std::map<int, Handles> handles;
  Handles& of = handles[device];
  if (of.blas == nullptr) {
    check(function<decltype(cublasCreate_v2)>("cublasCreate_v2")(&of.blas), "starting cuBLAS");
#if CUBLAS_VERSION >= 120900
    // A path that requests emulation gets it, even if the library thinks that it is slower.
    check(function<cublasStatus_t(cublasHandle_t, cublasEmulationStrategy_t)>("cublasSetEmulationStrategy")(
              of.blas, CUBLAS_EMULATION_STRATEGY_EAGER),
          "cuBLAS");
#endif
  }
  if (of.lt == nullptr) check(function<decltype(cublasLtCreate)>("cublasLtCreate")(&of.lt), "starting cuBLASLt");
  return of;
}

/// 0 or 1 in the type of the computation.
const void* scalar(const Path& path, int value) {
  static constexpr std::uint16_t halves[] = {0, 0x3c00};
  static constexpr float singles[] = {0, 1};
  static constexpr double doubles[] = {0, 1};
  static constexpr std::int32_t integers[] = {0, 1};
  if (path.compute == CUBLAS_COMPUTE_16F) return &halves[value];
  if (path.compute == CUBLAS_COMPUTE_32I) return &integers[value];
  return path.compute == CUBLAS_COMPUTE_64F ? static_cast<const void*>(&doubles[value]) : &singles[value];
}

/// An object of cuBLASLt that is destroyed at the end of its scope.
template <class Thing>
using Owned = std::unique_ptr<std::remove_pointer_t<Thing>, cublasStatus_t (*)(Thing)>;

/// The layout of a column-major matrix.
Owned<cublasLtMatrixLayout_t> layout_of(cudaDataType type, int of_rows, int of_columns) {
  cublasLtMatrixLayout_t layout = nullptr;
  check(function<decltype(cublasLtMatrixLayoutCreate)>("cublasLtMatrixLayoutCreate")(
            &layout, type, static_cast<std::uint64_t>(of_rows), static_cast<std::uint64_t>(of_columns), of_rows),
        "a layout of cuBLASLt");
  return {layout, function<decltype(cublasLtMatrixLayoutDestroy)>("cublasLtMatrixLayoutDestroy")};
}

/// The description of AᵀB.
Owned<cublasLtMatmulDesc_t> description_of(const Path& path) {
  cublasLtMatmulDesc_t description = nullptr;
  check(
      function<decltype(cublasLtMatmulDescCreate)>("cublasLtMatmulDescCreate")(&description, path.compute, CUDA_R_32F),
      "a description of cuBLASLt");
  Owned<cublasLtMatmulDesc_t> owned{description,
                                    function<decltype(cublasLtMatmulDescDestroy)>("cublasLtMatmulDescDestroy")};
  const auto set = [description](cublasLtMatmulDescAttributes_t attribute, auto value) {
    check(function<decltype(cublasLtMatmulDescSetAttribute)>("cublasLtMatmulDescSetAttribute")(description, attribute,
                                                                                               &value, sizeof value),
          "an attribute of cuBLASLt");
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(path.fast_accumulation ? 1 : 0));
  return owned;
}

/// C ← AᵀB with A and B of products × rows, column-major.
void multiply(const Handles& handles, const Path& path, const void* a, const void* b, void* c) {
  const std::string name(path.name);
  const std::int64_t m = rows;
  const std::int64_t k = path.products();
  const void* one = scalar(path, 1);
  const void* zero = scalar(path, 0);
  check(function<decltype(cublasSetMathMode)>("cublasSetMathMode")(handles.blas, path.mode), name);
  const auto routine = [&](auto function, auto number) {
    using T = decltype(number);
    return function(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, m, k, static_cast<const T*>(one),
                    static_cast<const T*>(a), k, static_cast<const T*>(b), k, static_cast<const T*>(zero),
                    static_cast<T*>(c), m);
  };
  if (path.call == Call::sgemm)
    return check(routine(function<decltype(cublasSgemm_v2_64)>("cublasSgemm_v2_64"), float{}), name);
  if (path.call == Call::dgemm)
    return check(routine(function<decltype(cublasDgemm_v2_64)>("cublasDgemm_v2_64"), double{}), name);
  if (path.call == Call::gemm_ex) {
    const cublasStatus_t status = function<decltype(cublasGemmEx_64)>("cublasGemmEx_64")(
        handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, m, k, one, a, path.input.type, k, b, path.input.type, k, zero, c,
        path.result.type, m, path.compute, CUBLAS_GEMM_DEFAULT);
    return check(status, name);
  }
  const auto description = description_of(path);
  const auto of_operands = layout_of(path.input.type, path.products(), rows);
  const auto of_result = layout_of(path.result.type, rows, rows);
  check(function<decltype(cublasLtMatmul)>("cublasLtMatmul")(handles.lt, description.get(), one, a, of_operands.get(),
                                                             b, of_operands.get(), zero, c, of_result.get(), c,
                                                             of_result.get(), nullptr, nullptr, 0, nullptr),
        name);
}

std::vector<std::uint64_t> compute(const Executor& on, const Path& path, std::span<const std::uint64_t> a,
                                   std::span<const std::uint64_t> b) {
  const auto k = static_cast<std::size_t>(path.products());
  const auto width = static_cast<std::size_t>(path.result.bytes);
  std::vector<std::uint64_t> results;
  for (std::size_t first = 0; first < a.size(); first += rows * k) {
    const std::size_t count = std::min(rows * k, a.size() - first);
    std::vector<std::byte> left = detail::packed(a.subspan(first, count), path.input.bytes);
    std::vector<std::byte> right = detail::packed(b.subspan(first, count), path.input.bytes);
    left.resize(rows * k * static_cast<std::size_t>(path.input.bytes));
    right.resize(left.size());
    const Array<std::byte> device_a(on, std::span<const std::byte>(left));
    const Array<std::byte> device_b(on, std::span<const std::byte>(right));
    const Array<std::byte> device_c(on, rows * rows * width);
    begin_launch(on);
    {
      const std::lock_guard guard(lock);
      multiply(handles_of(on.device()), path, device_a.data(), device_b.data(), device_c.data());
    }
    wait(on);
    const std::vector<std::byte> c = device_c.take();
    for (std::size_t i = 0; i < count / k; ++i) {
      std::uint64_t pattern = 0;
      std::memcpy(&pattern, c.data() + i * (rows + 1) * width, width);
      results.push_back(pattern);
    }
  }
  return results;
}

}  // namespace

std::vector<DeviceUnit> library_products(const Executor& on) {
  if (on.kind() == Executor::Kind::host) return {};
  libraries();
  std::vector<DeviceUnit> found;
  for (const Path& path : paths) {
    const std::string shape =
        " " + std::to_string(rows) + "x" + std::to_string(rows) + "x" + std::to_string(path.products());
    found.push_back({std::string(path.name) + shape, path.input.name, path.result.name, path.products(), false,
                     [on, path](std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                std::span<const std::uint64_t>) { return compute(on, path, a, b); },
                     rows});
  }
  return found;
}

#else

std::vector<DeviceUnit> library_products(const Executor&) { return {}; }

#endif

}  // namespace assay::tensor_core
