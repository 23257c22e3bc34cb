// C ← α·op(A)·op(B) + β·C and y ← α·op(A)·x + β·y in binary64, as a foreign function computes them.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/gemm_theorems.hpp"
#include "exec/fenced.hpp"
#include "properties/catalog/gemm/of_libraries.hpp"
#include "properties/contracts/foreign.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts {
namespace {

using gemm::GemmCase;
using gemm::GemmResult;
using oracle::Dyadic;

/// The numbers by which cuBLAS names its transposes are the flags of a case: 0 and 1.
int cublas_transpose(int flag) { return flag != 0 ? 1 : 0; }

int transpose_of(int flag) { return flag != 0 ? cblas_transpose : cblas_no_transpose; }

int number(std::int64_t x) { return static_cast<int>(x); }

/// Calls a function for C. Returns its status; 0 where it has none.
int call_gemm(const ForeignKernel& kernel, const GemmCase& c, const double* a, const double* b, double* result) {
  if (kernel.form == CallForm::cublas) {
    return function<int(void*, int, int, int, int, int, const double*, const double*, int, const double*, int,
                        const double*, double*, int)>(kernel)(
        kernel.handle, cublas_transpose(c.trans_a), cublas_transpose(c.trans_b), number(c.m), number(c.n), number(c.k),
        &c.alpha, a, number(c.lda), b, number(c.ldb), &c.beta, result, number(c.ldc));
  }
  if (kernel.form == CallForm::cblas) {
    function<void(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int)>(
        kernel)(cblas_column_major, transpose_of(c.trans_a), transpose_of(c.trans_b), number(c.m), number(c.n),
                number(c.k), c.alpha, a, number(c.lda), b, number(c.ldb), c.beta, result, number(c.ldc));
    return 0;
  }
  const std::array<char, 2> flags{c.trans_a != 0 ? 'T' : 'N', c.trans_b != 0 ? 'T' : 'N'};
  const std::array<FortranNumber, 6> numbers{FortranNumber(c.m),   FortranNumber(c.n),   FortranNumber(c.k),
                                             FortranNumber(c.lda), FortranNumber(c.ldb), FortranNumber(c.ldc)};
  function<void(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
                const double*, const int*, const double*, double*, const int*, FortranTextLength, FortranTextLength)>(
      kernel)(&flags[0], &flags[1], numbers[0].address(), numbers[1].address(), numbers[2].address(), &c.alpha, a,
              numbers[3].address(), b, numbers[4].address(), &c.beta, result, numbers[5].address(), 1, 1);
  return 0;
}

/// Calls a function for the only column of C. With none it is not called. Returns as call_gemm().
int call_gemv(const ForeignKernel& kernel, const GemmCase& c, const double* a, const double* b, double* result) {
  if (c.n == 0) return 0;
  const std::int64_t rows = c.trans_a != 0 ? c.k : c.m;
  const std::int64_t columns = c.trans_a != 0 ? c.m : c.k;
  const std::int64_t step = c.trans_b != 0 ? c.ldb : 1;
  if (kernel.form == CallForm::cublas) {
    return function<int(void*, int, int, int, const double*, const double*, int, const double*, int, const double*,
                        double*, int)>(kernel)(kernel.handle, cublas_transpose(c.trans_a), number(rows),
                                               number(columns), &c.alpha, a, number(c.lda), b, number(step), &c.beta,
                                               result, 1);
  }
  if (kernel.form == CallForm::cblas) {
    function<void(int, int, int, int, double, const double*, int, const double*, int, double, double*, int)>(kernel)(
        cblas_column_major, transpose_of(c.trans_a), number(rows), number(columns), c.alpha, a, number(c.lda), b,
        number(step), c.beta, result, 1);
    return 0;
  }
  const char flag = c.trans_a != 0 ? 'T' : 'N';
  const std::array<FortranNumber, 5> numbers{FortranNumber(rows), FortranNumber(columns), FortranNumber(c.lda),
                                             FortranNumber(step), FortranNumber(1)};
  function<void(const char*, const int*, const int*, const double*, const double*, const int*, const double*,
                const int*, const double*, double*, const int*, FortranTextLength)>(kernel)(
      &flag, numbers[0].address(), numbers[1].address(), &c.alpha, a, numbers[2].address(), b, numbers[3].address(),
      &c.beta, result, numbers[4].address(), 1);
  return 0;
}

using Call = int (*)(const ForeignKernel&, const GemmCase&, const double*, const double*, double*);

/// The array of C after the call.
GemmResult called(Call call, const ForeignKernel& kernel, const Executor& on, const GemmCase& c) {
  thread_local std::array<FencedMemory, 3> memory;
  const FencedArray<double> a(memory[0], on, c.a);
  const FencedArray<double> b(memory[1], on, c.b);
  const FencedArray<double> result(memory[2], on, c.c);
  finish(on, call(kernel, c, a.data(), b.data(), result.data()));
  check_input(a, on, c.a, "a");
  check_input(b, on, c.b, "b");
  return result.take(on);
}

/// What the control writes to the entry at `place`. `right`: the exact results.
double controlled_entry(Control control, const GemmCase& c, const std::vector<Dyadic>& right, std::size_t place) {
  const auto nearest = [](const Dyadic& x) {
    return number_of<double>(oracle::round(x, format_of<double>(), oracle::Rounding::nearest));
  };
  switch (control) {
    case Control::zeros:
      return 0;
    case Control::ones:
      return 1;
    case Control::nan:
      return std::numeric_limits<double>::quiet_NaN();
    case Control::copy:
      return c.a.empty() ? 0 : c.a.front();
    case Control::unwritten:
      return c.c[place];
    case Control::first_term:
    case Control::previous:
      return nearest(right[place]);
  }
  return 0;
}

/// The result of a control.
GemmResult controlled(Control control, const GemmCase& c) {
  thread_local double last = 0;
  GemmCase asked = c;
  if (control == Control::first_term && c.k > 1) asked.k = 1;
  const std::vector<Dyadic> right = gemm::exact_gemm(asked);
  GemmResult result = c.c;
  gemm::for_each_entry(c, [&](std::int64_t, std::int64_t, std::int64_t, std::size_t place) {
    result[place] = controlled_entry(control, c, right, place);
    if (control == Control::previous) std::swap(result[place], last);
  });
  return result;
}

std::unique_ptr<PropertyModel> property_of(const char* name, Call call, Domain<GemmCase> domain,
                                           const Question& question, const ForeignKernel& kernel) {
  if (question.format != "f64") throw std::invalid_argument("no format " + question.format);
  const auto run = [kernel, call](const Executor& on, const GemmCase& c) {
    if (kernel.program != nullptr) {
      return results_of<double>(*kernel.program, on, std::span(&c, 1),
                                [](const GemmCase& each) { return each.c.size(); })
          .front();
    }
    return kernel.control ? controlled(*kernel.control, c) : called(call, kernel, place_of(kernel, on), c);
  };
  std::vector<gemm::GemmClaim> claims =
      gemm::gemm_claims_of_libraries([run, kernel](const Executor& on, const GemmCase& c) {
        const DeviceTurn turn(kernel.on_device);
        return run_fenced(run, on, c);
      });
  return asked(Property<GemmCase, GemmResult>{.name = {},
                                              .domain = std::move(domain),
                                              .subject = run,
                                              .reference = gemm::exact_gemm,
                                              .claims = std::move(claims),
                                              .inexact = gemm::gemm_inexact},
               name, question);
}

std::unique_ptr<PropertyModel> gemm_property(const Question& question, const ForeignKernel& kernel) {
  return property_of("gemm", call_gemm, gemm::gemm_domain({.exceptional = true}), question, kernel);
}
std::unique_ptr<PropertyModel> gemv_property(const Question& question, const ForeignKernel& kernel) {
  return property_of("gemv", call_gemv, gemm::gemv_domain({.exceptional = true}), question, kernel);
}

const std::vector<Contract> of_products{{"rounded", &gemm_rounded_1.words, {}, {"grade_a", "one_sign", "scaling"}},
                                        {"grade_a", &gemm_grade_a_1.words, {}, {"grade_b", "zeros", "one_sign"}},
                                        {"grade_b", &gemm_grade_b_1.words, {}, {"grade_c"}},
                                        {"grade_c", &gemm_grade_c_1.words},
                                        {"one_sign", &gemm_one_sign_1.words},
                                        {"zeros", &gemm_zeros_1.words, {}, {}, false},
                                        {"scaling", &gemm_scaling_1.words, {}, {}, false},
                                        {"exceptional", &gemm_exceptional_1.words, {}, {}, false},
                                        {"untouched", &gemm_structure_1.words, {}, {}, false},
                                        {"not_read", &gemm_structure_2.words, {}, {}, false}};

const OperationRegistration all[] = {
    OperationRegistration(
        {"gemm",
         "C ← α·op(A)·op(B) + β·C of column-major matrices",
         {"f64"},
         {{CallForm::cblas,
           "void cblas_f(int layout, int transa, int transb, int m, int n, int k, T alpha, const T* a, int lda, "
           "const T* b, int ldb, T beta, T* c, int ldc)"},
          {CallForm::fortran,
           "void f_(const char* transa, const char* transb, const int* m, const int* n, const int* k, "
           "const T* alpha, const T* a, const int* lda, const T* b, const int* ldb, const T* beta, T* c, "
           "const int* ldc)"},
          {CallForm::cublas,
           "int cublasf(void* handle, int transa, int transb, int m, int n, int k, const T* alpha, const T* a, "
           "int lda, const T* b, int ldb, const T* beta, T* c, int ldc)"}},
         of_products,
         gemm_property}),
    OperationRegistration(
        {"gemv",
         "y ← α·op(A)·x + β·y of a column-major matrix",
         {"f64"},
         {{CallForm::cblas,
           "void cblas_f(int layout, int trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, "
           "T beta, T* y, int incy)"},
          {CallForm::fortran,
           "void f_(const char* trans, const int* m, const int* n, const T* alpha, const T* a, const int* lda, "
           "const T* x, const int* incx, const T* beta, T* y, const int* incy)"},
          {CallForm::cublas,
           "int cublasf(void* handle, int trans, int m, int n, const T* alpha, const T* a, int lda, const T* x, "
           "int incx, const T* beta, T* y, int incy)"}},
         of_products,
         gemv_property}),
};

}  // namespace
}  // namespace assay::contracts
