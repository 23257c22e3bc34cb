#include "kernels/tensor_core/device_units.hpp"

#if defined(__CUDACC__)
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <string>

#include "kernels/blas/library.hpp"
#include "kernels/tensor_core/detail/instruction.hpp"
#endif

namespace assay::tensor_core {

#if defined(__CUDACC__)
namespace {

constexpr int rows = 64;  // of A, and as many columns of B
constexpr int products = 256;
constexpr int more_products = 512;  // of FP8: four promotions

/// The functions of cuBLAS and cuBLASLt.
struct Library {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasGetStatusString) status_string;
  decltype(&cublasSetMathMode) set_math_mode;
  decltype(&cublasSgemm_v2_64) sgemm;
  decltype(&cublasDgemm_v2_64) dgemm;
  decltype(&cublasGemmEx_64) gemm;
#if CUBLAS_VERSION >= 120900
  cublasStatus_t (*set_emulation_strategy)(cublasHandle_t, cublasEmulationStrategy_t);  // overloaded in C++
#endif
  decltype(&cublasLtCreate) create_lt;
  decltype(&cublasLtMatmulDescCreate) create_description;
  decltype(&cublasLtMatmulDescDestroy) destroy_description;
  decltype(&cublasLtMatmulDescSetAttribute) set_attribute;
  decltype(&cublasLtMatrixLayoutCreate) create_layout;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout;
  decltype(&cublasLtMatmul) matmul;
};

Library load() {
  const std::string version = std::to_string(CUBLAS_VER_MAJOR);
  const std::string name = "cuBLAS";
  void* library = blas::open_library("libcublas.so." + version, name);
  const std::string name_lt = "cuBLASLt";
  void* library_lt = blas::open_library("libcublasLt.so." + version, name_lt);
  Library functions{};
  blas::look_up(library, name, "cublasCreate_v2", functions.create);
  blas::look_up(library, name, "cublasGetStatusString", functions.status_string);
  blas::look_up(library, name, "cublasSetMathMode", functions.set_math_mode);
  blas::look_up(library, name, "cublasSgemm_v2_64", functions.sgemm);
  blas::look_up(library, name, "cublasDgemm_v2_64", functions.dgemm);
  blas::look_up(library, name, "cublasGemmEx_64", functions.gemm);
#if CUBLAS_VERSION >= 120900
  blas::look_up(library, name, "cublasSetEmulationStrategy", functions.set_emulation_strategy);
#endif
  blas::look_up(library_lt, name_lt, "cublasLtCreate", functions.create_lt);
  blas::look_up(library_lt, name_lt, "cublasLtMatmulDescCreate", functions.create_description);
  blas::look_up(library_lt, name_lt, "cublasLtMatmulDescDestroy", functions.destroy_description);
  blas::look_up(library_lt, name_lt, "cublasLtMatmulDescSetAttribute", functions.set_attribute);
  blas::look_up(library_lt, name_lt, "cublasLtMatrixLayoutCreate", functions.create_layout);
  blas::look_up(library_lt, name_lt, "cublasLtMatrixLayoutDestroy", functions.destroy_layout);
  blas::look_up(library_lt, name_lt, "cublasLtMatmul", functions.matmul);
  return functions;
}

const Library& library() {
  static const Library functions = load();
  return functions;
}

void check(cublasStatus_t status, const std::string& what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw ExecutorError(what + ": " + library().status_string(status));
}

enum class Call { sgemm, dgemm, gemm_ex, matmul };

/// A product of the library.
struct Path {
  std::string_view name;
  std::string_view input;
  std::string_view result;
  int products;
  Call call;
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  cudaDataType type = CUDA_R_32F;
  cudaDataType result_type = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  int element_bytes = 4;
  int result_bytes = 4;
  bool fast_accumulation = false;
};

constexpr Path half(std::string_view name, std::string_view input, cudaDataType type) {
  return {.name = name,
          .input = input,
          .result = "f32",
          .products = products,
          .call = Call::gemm_ex,
          .type = type,
          .element_bytes = 2};
}

constexpr Path fp8(std::string_view name, bool fast) {
  return {.name = name,
          .input = "e4m3",
          .result = "f32",
          .products = more_products,
          .call = Call::matmul,
          .type = CUDA_R_8F_E4M3,
          .element_bytes = 1,
          .fast_accumulation = fast};
}

constexpr Path single(std::string_view name, cublasMath_t mode) {
  return {.name = name, .input = "f32", .result = "f32", .products = products, .call = Call::sgemm, .mode = mode};
}

constexpr Path binary64(std::string_view name, cublasMath_t mode) {
  return {.name = name,
          .input = "f64",
          .result = "f64",
          .products = products,
          .call = Call::dgemm,
          .mode = mode,
          .element_bytes = 8,
          .result_bytes = 8};
}

constexpr Path paths[] = {
    single("cublasSgemm", CUBLAS_DEFAULT_MATH),
    single("cublasSgemm TF32", CUBLAS_TF32_TENSOR_OP_MATH),
    single("cublasSgemm pedantic", CUBLAS_PEDANTIC_MATH),
#if CUBLAS_VERSION >= 120900
    single("cublasSgemm BF16x9", CUBLAS_FP32_EMULATED_BF16X9_MATH),
#endif
    binary64("cublasDgemm", CUBLAS_DEFAULT_MATH),
#if CUBLAS_VERSION >= 130100
    binary64("cublasDgemm fixed point", CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH),
#endif
    half("cublasGemmEx f16, compute 32F", "f16", CUDA_R_16F),
    half("cublasGemmEx bf16, compute 32F", "bf16", CUDA_R_16BF),
    {.name = "cublasGemmEx f16, compute 16F",
     .input = "f16",
     .result = "f16",
     .products = products,
     .call = Call::gemm_ex,
     .type = CUDA_R_16F,
     .result_type = CUDA_R_16F,
     .compute = CUBLAS_COMPUTE_16F,
     .element_bytes = 2,
     .result_bytes = 2},
    {.name = "cublasGemmEx s8, compute 32I",
     .input = "s8",
     .result = "s32",
     .products = products,
     .call = Call::gemm_ex,
     .type = CUDA_R_8I,
     .result_type = CUDA_R_32I,
     .compute = CUBLAS_COMPUTE_32I,
     .element_bytes = 1},
    fp8("cublasLtMatmul e4m3", false),
    fp8("cublasLtMatmul e4m3, fast accumulation", true),
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
    check(library().create(&of.blas), "starting cuBLAS");
#if CUBLAS_VERSION >= 120900
    // A path that asks for emulation gets it, even where the library thinks that it is slower.
    check(library().set_emulation_strategy(of.blas, CUBLAS_EMULATION_STRATEGY_EAGER), "cuBLAS");
#endif
  }
  if (of.lt == nullptr) check(library().create_lt(&of.lt), "starting cuBLASLt");
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
  return path.call == Call::dgemm ? static_cast<const void*>(&doubles[value]) : &singles[value];
}

/// The layout of a column-major matrix, for as long as it lives.
class Layout {
 public:
  Layout(cudaDataType type, int of_rows, int of_columns) {
    check(library().create_layout(&layout_, type, static_cast<std::uint64_t>(of_rows),
                                  static_cast<std::uint64_t>(of_columns), of_rows),
          "a layout of cuBLASLt");
  }
  ~Layout() { library().destroy_layout(layout_); }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  [[nodiscard]] cublasLtMatrixLayout_t get() const { return layout_; }

 private:
  cublasLtMatrixLayout_t layout_ = nullptr;
};

/// The description of AᵀB, for as long as it lives.
class Description {
 public:
  explicit Description(const Path& path) {
    check(library().create_description(&description_, path.compute, CUDA_R_32F), "a description of cuBLASLt");
    set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(path.fast_accumulation ? 1 : 0));
  }
  ~Description() { library().destroy_description(description_); }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  [[nodiscard]] cublasLtMatmulDesc_t get() const { return description_; }

 private:
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    check(library().set_attribute(description_, attribute, &value, sizeof value), "an attribute of cuBLASLt");
  }
  cublasLtMatmulDesc_t description_ = nullptr;
};

/// C ← AᵀB with A and B of products × rows, column-major.
void multiply(const Handles& handles, const Path& path, const void* a, const void* b, void* c) {
  const std::string name(path.name);
  const std::int64_t m = rows;
  const std::int64_t k = path.products;
  const void* one = scalar(path, 1);
  const void* zero = scalar(path, 0);
  check(library().set_math_mode(handles.blas, path.mode), name);
  switch (path.call) {
    case Call::sgemm:
      check(library().sgemm(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, m, k, static_cast<const float*>(one),
                            static_cast<const float*>(a), k, static_cast<const float*>(b), k,
                            static_cast<const float*>(zero), static_cast<float*>(c), m),
            name);
      break;
    case Call::dgemm:
      check(library().dgemm(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, m, k, static_cast<const double*>(one),
                            static_cast<const double*>(a), k, static_cast<const double*>(b), k,
                            static_cast<const double*>(zero), static_cast<double*>(c), m),
            name);
      break;
    case Call::gemm_ex:
      check(library().gemm(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, m, k, one, a, path.type, k, b, path.type, k, zero,
                           c, path.result_type, m, path.compute, CUBLAS_GEMM_DEFAULT),
            name);
      break;
    case Call::matmul: {
      const Description description(path);
      const Layout of_operands(path.type, path.products, rows);
      const Layout of_result(path.result_type, rows, rows);
      check(library().matmul(handles.lt, description.get(), one, a, of_operands.get(), b, of_operands.get(), zero, c,
                             of_result.get(), c, of_result.get(), nullptr, nullptr, 0, nullptr),
            name);
      break;
    }
  }
}

std::vector<std::uint64_t> compute(const Executor& on, const Path& path, std::span<const std::uint64_t> a,
                                   std::span<const std::uint64_t> b) {
  const auto k = static_cast<std::size_t>(path.products);
  const auto width = static_cast<std::size_t>(path.result_bytes);
  std::vector<std::uint64_t> results;
  for (std::size_t first = 0; first < a.size(); first += rows * k) {
    const std::size_t count = std::min(rows * k, a.size() - first);
    std::vector<std::byte> left = detail::packed(a.subspan(first, count), path.element_bytes);
    std::vector<std::byte> right = detail::packed(b.subspan(first, count), path.element_bytes);
    left.resize(rows * k * static_cast<std::size_t>(path.element_bytes));
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
  library();
  std::vector<DeviceUnit> found;
  for (const Path& path : paths) {
    const std::string shape =
        " " + std::to_string(rows) + "x" + std::to_string(rows) + "x" + std::to_string(path.products);
    found.push_back({std::string(path.name) + shape, path.input, path.result, path.products, false,
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
