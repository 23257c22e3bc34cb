// cuBLAS on a device: cublasDgemm in its own arithmetic, and emulated in fixed point by integer tensor cores.

#include <cublas_v2.h>

#include <string>

#include "gemm.hpp"
#include "properties/device_turn.hpp"

namespace {

using assay::Executor;
using assay::GemmArguments;
using blas::GemmCase;

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw assay::ExecutorError(std::string(what) + ": " + cublasGetStatusString(status));
  }
}

/// A handle for products in one mode, made at its first use.
template <class Set>
cublasHandle_t handle_of(Set set) {
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle), "cublasCreate");
  set(handle);
  return handle;
}

void set_emulated(cublasHandle_t handle, cublasEmulationStrategy_t strategy, cudaEmulationMantissaControl control,
                  int bits) {
  check(cublasSetMathMode(handle, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH), "cublasSetMathMode");
  check(cublasSetEmulationStrategy(handle, strategy), "cublasSetEmulationStrategy");
  check(cublasSetFixedPointEmulationMantissaControl(handle, control), "cublasSetFixedPointEmulationMantissaControl");
  check(cublasSetFixedPointEmulationMaxMantissaBitCount(handle, bits),
        "cublasSetFixedPointEmulationMaxMantissaBitCount");
}

void multiply(cublasHandle_t handle, const GemmArguments& g) {
  const auto transpose = [](assay::Transpose flag) {
    return flag == assay::Transpose::yes ? CUBLAS_OP_T : CUBLAS_OP_N;
  };
  check(cublasDgemm_64(handle, transpose(g.trans_a), transpose(g.trans_b), g.m, g.n, g.k, &g.alpha, g.a, g.lda, g.b,
                       g.ldb, &g.beta, g.c, g.ldc),
        "cublasDgemm");
}

void native(const GemmArguments& g) {
  static const cublasHandle_t handle =
      handle_of([](cublasHandle_t h) { check(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH), "cublasSetMathMode"); });
  multiply(handle, g);
}
void dynamic(const GemmArguments& g) {
  static const cublasHandle_t handle = handle_of([](cublasHandle_t h) {
    set_emulated(h, CUBLAS_EMULATION_STRATEGY_PERFORMANT, CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC, 0);
  });
  multiply(handle, g);
}
void eager(const GemmArguments& g) {
  static const cublasHandle_t handle = handle_of([](cublasHandle_t h) {
    set_emulated(h, CUBLAS_EMULATION_STRATEGY_EAGER, CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC, 0);
  });
  multiply(handle, g);
}
void fixed(const GemmArguments& g) {
  static const cublasHandle_t handle = handle_of([](cublasHandle_t h) {
    set_emulated(h, CUBLAS_EMULATION_STRATEGY_EAGER, CUDA_EMULATION_MANTISSA_CONTROL_FIXED, 55);
  });
  multiply(handle, g);
}

constexpr assay::Source any_order =
    "Jeannerod, Rump, Improved error bounds for inner products in floating-point arithmetic, SIMAX 34(2), 2013, and "
    "docs/bounds/gemm_grades.md: products added in any order";
constexpr assay::Source same_accuracy =
    "CUDA 13.0, library_types.h, CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC: the same accuracy as binary64 or better; "
    "Schwarz et al., Guaranteed DGEMM accuracy while using reduced precision tensor cores, 2026";
constexpr assay::Source fixed_bits =
    "CUDA 13.0, library_types.h, CUDA_EMULATION_MANTISSA_CONTROL_FIXED: as many bits as are asked for, no accuracy "
    "stated";

blas::GemmProperty cublas(std::string name, blas::Multiply multiply, assay::Source accuracy,
                          const std::set<std::string>& refuted) {
  blas::GemmProperty property =
      blas::gemm_property(std::move(name), multiply, accuracy, refuted, [multiply](const Executor&, const GemmCase& c) {
        const assay::DeviceTurn turn(true);
        return blas::multiplied(multiply, Executor::cuda(), c);
      });
  property.device_only = true;
  return property;
}

const assay::Registration all[] = {
    assay::Registration(cublas("gemm.cublas_dgemm", native, any_order, {"rounded"})),
    assay::Registration(cublas("gemm.cublas_dynamic", dynamic, same_accuracy, {"rounded"})),
    assay::Registration(cublas("gemm.cublas_dynamic_eager", eager, same_accuracy, {"rounded"})),
    assay::Registration(cublas("gemm.cublas_55_bits_eager", fixed, fixed_bits, {"rounded", "grade_a", "scaling"})),
};

}  // namespace
