// cuBLAS on a device: cublasDgemm in its own arithmetic, and emulated in fixed point by integer tensor cores. The
// library is loaded at the first product, so that the program starts if there is none.
//
// Refuted on an H200 with cuBLAS 13.1, with counterexamples in corpora/. In every mode: that results are correctly
// rounded.
//
// For the emulation with bits found at run time: all grades, by a factor below three (for k = 1 they require the
// nearest number of one product; for k of 3 and more no failing case is known), and exact scaling by powers of two, as
// those of the inner index change the bits that are kept. For the emulation with 55 bits the same, and grade A by any
// factor: numbers 2⁵⁵ below the largest of their line are lost.
//
// For the emulation that is chosen if it is faster, which here has the bits of cublasDgemm in its own arithmetic: that
// C is not read with β = −0. From 17 columns on a NaN in C comes through.
//
// Not refuted: grade A and exact scaling of cublasDgemm in its own arithmetic; in every mode zeros, the rules of IEEE
// arithmetic for infinities and NaNs, and the same bits in each repetition.

#include <cublas_v2.h>
#include <dlfcn.h>

#include <set>
#include <string>
#include <utility>

#include "gemm.hpp"
#include "properties/framework/device_turn.hpp"

namespace {

using assay::Executor;
using assay::gemm::GemmArguments;
using assay::gemm::GemmGrade;
using blas::GemmCase;

/// A function of the library. Throws ExecutorError if there is none.
template <class F>
F function(const char* name) {
  static void* const library = dlopen("libcublas.so.13", RTLD_NOW);
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) throw assay::ExecutorError(std::string("cuBLAS 13 lacks ") + name + ", or was not found");
  return reinterpret_cast<F>(found);
}

/// Calls a function that returns a status.
template <class F, class... Arguments>
void call(const char* name, Arguments... arguments) {
  const cublasStatus_t status = function<F>(name)(arguments...);
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw assay::ExecutorError(std::string(name) + ": status " + std::to_string(static_cast<int>(status)));
  }
}

cublasHandle_t native_handle() {
  cublasHandle_t handle = nullptr;
  call<decltype(&cublasCreate_v2)>("cublasCreate_v2", &handle);
  call<decltype(&cublasSetMathMode)>("cublasSetMathMode", handle, CUBLAS_DEFAULT_MATH);
  return handle;
}

/// `bits`: the largest number of bits of a significand that are kept; 0: as the library chooses.
cublasHandle_t emulating_handle(cublasEmulationStrategy_t strategy, cudaEmulationMantissaControl control, int bits) {
  const cublasHandle_t handle = native_handle();
  call<decltype(&cublasSetMathMode)>("cublasSetMathMode", handle, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH);
  call<cublasStatus_t (*)(cublasHandle_t, cublasEmulationStrategy_t)>("cublasSetEmulationStrategy", handle, strategy);
  call<decltype(&cublasSetFixedPointEmulationMantissaControl)>("cublasSetFixedPointEmulationMantissaControl", handle,
                                                               control);
  call<decltype(&cublasSetFixedPointEmulationMaxMantissaBitCount)>("cublasSetFixedPointEmulationMaxMantissaBitCount",
                                                                   handle, bits);
  return handle;
}

void multiply(cublasHandle_t handle, const assay::gemm::GemmArguments& g) {
  const auto transpose = [](assay::blas::Transpose flag) {
    return flag == assay::blas::Transpose::yes ? CUBLAS_OP_T : CUBLAS_OP_N;
  };
  call<decltype(&cublasDgemm_v2_64)>("cublasDgemm_v2_64", handle, transpose(g.trans_a), transpose(g.trans_b), g.m, g.n,
                                     g.k, &g.alpha, g.a, g.lda, g.b, g.ldb, &g.beta, g.c, g.ldc);
}

void native(const assay::gemm::GemmArguments& g) {
  static const cublasHandle_t handle = native_handle();
  multiply(handle, g);
}
void dynamic(const assay::gemm::GemmArguments& g) {
  static const cublasHandle_t handle =
      emulating_handle(CUBLAS_EMULATION_STRATEGY_PERFORMANT, CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC, 0);
  multiply(handle, g);
}
void eager(const assay::gemm::GemmArguments& g) {
  static const cublasHandle_t handle =
      emulating_handle(CUBLAS_EMULATION_STRATEGY_EAGER, CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC, 0);
  multiply(handle, g);
}
void fixed(const assay::gemm::GemmArguments& g) {
  static const cublasHandle_t handle =
      emulating_handle(CUBLAS_EMULATION_STRATEGY_EAGER, CUDA_EMULATION_MANTISSA_CONTROL_FIXED, 55);
  multiply(handle, g);
}

constexpr assay::TheoremText any_order =
    "Jeannerod, Rump, Improved error bounds for inner products in floating-point arithmetic, SIMAX 34(2), 2013, and "
    "docs/bounds/gemm.md: products added in any order";
constexpr assay::TheoremText same_accuracy =
    "CUDA 13.0, library_types.h, CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC: the same accuracy as binary64 or better; "
    "Schwarz et al., Guaranteed DGEMM accuracy while using reduced precision tensor cores, 2026";
constexpr assay::TheoremText fixed_bits =
    "CUDA 13.0, library_types.h, CUDA_EMULATION_MANTISSA_CONTROL_FIXED: as many bits as are asked for, no accuracy "
    "stated";

/// Only factors below three were seen on an H200 with cuBLAS 13.1.
constexpr auto emulated_grade_a = assay::theorem(
    {"cublas.emulated_grade_a.1", "emulation with bits found at run time",
     "|Ĉ − C| ≤ 3g(k)(|α||A||B| + |βC|) by entry, g as in gemm.grade_a.1",
     "seen in all runs on an H200 with cuBLAS 13.1; Schwarz et al., Guaranteed DGEMM accuracy while using "
     "reduced precision tensor cores, 2026"});
constexpr auto emulated_grade_b =
    assay::theorem({"cublas.emulated_grade_b.1", "emulation with 55 bits",
                    "|Ĉ − C| ≤ 3g(k)(|α|k·max|a_i|·max|b_j| + |βC|) by entry, g as in gemm.grade_b.1",
                    "seen in all runs on an H200 with cuBLAS 13.1"});

blas::GemmProperty cublas(std::string name, blas::Multiply multiply, assay::TheoremText accuracy,
                          const std::set<std::string>& refuted, assay::gemm::GemmClaim ceiling = {}) {
  blas::GemmProperty property = blas::gemm_property(
      std::move(name), multiply, accuracy, refuted,
      [multiply](const Executor&, const assay::gemm::GemmCase& c) {
        const assay::DeviceTurn turn(true);
        return blas::multiplied(multiply, Executor::cuda(), c);
      },
      std::move(ceiling));
  property.device_only = true;
  return property;
}

const assay::Registration all[] = {
    assay::Registration(cublas("gemm.cublas_dgemm", native, any_order, {"rounded", "not_read"})),
    assay::Registration(cublas("gemm.cublas_dynamic", dynamic, same_accuracy, {"rounded", "not_read"})),
    assay::Registration(
        cublas("gemm.cublas_eager", eager, same_accuracy, {"rounded", "grade_a", "grade_b", "grade_c", "scaling"},
               assay::gemm::gemm_grade_times("grade_a_times_3", GemmGrade::componentwise, 3, emulated_grade_a))),
    assay::Registration(
        cublas("gemm.cublas_eager_55_bits", fixed, fixed_bits,
               {"rounded", "grade_a", "grade_b", "grade_c", "one_sign", "scaling"},
               assay::gemm::gemm_grade_times("grade_b_times_3", GemmGrade::rows_and_columns, 3, emulated_grade_b))),
};

}  // namespace
