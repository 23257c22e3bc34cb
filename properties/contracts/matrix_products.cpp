// C ← α·op(A)·op(B) + β·C and y ← α·op(A)·x + β·y in binary64 and binary32, also with A in compressed sparse rows, as a
// foreign function computes them.

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
#include "properties/contracts/foreign.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/left_out.hpp"
#include "properties/draws/gemm/of_libraries.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts {

/// One product with the dimensions that a shape names. All other dimensions are small; n is 1 for a vector.
template <FloatingPoint T>
struct ShapeOf<gemm::GemmCaseOf<T>> {
  static constexpr double bytes = 400;
  static std::vector<std::string> names(std::string_view operation) {
    return operation == "gemm" ? std::vector<std::string>{"m", "n", "k"} : std::vector<std::string>{"m", "k"};
  }
  static std::string large(std::string_view operation) {
    return operation == "gemm" ? "m=65,n=63,k=129;m=3,n=5,k=16385;m=1,n=1025,k=31"
                               : "m=257,k=255;m=3,k=65537;m=16385,k=7";
  }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    const double m = longest_of(shape, "m", 4);
    const double n = longest_of(shape, "n", 4);
    const double k = longest_of(shape, "k", 4);
    return m * k + k * n + m * n;
  }
  static gemm::GemmCaseOf<T> drawn(Draw&, const auto& next, const auto&) { return next(); }
};

}  // namespace assay::contracts

namespace assay::contracts::matrix_products {
namespace {

using gemm::GemmCase;
using gemm::GemmCaseOf;
using oracle::Dyadic;

/// The array of C after a call.
template <FloatingPoint T>
using Result = std::vector<T>;

/// The numbers by which cuBLAS names its transposes are the flags of a case: 0 and 1.
int cublas_transpose(int flag) { return flag != 0 ? 1 : 0; }

int transpose_of(int flag) { return flag != 0 ? cblas_transpose : cblas_no_transpose; }

int number(std::int64_t x) { return static_cast<int>(x); }

/// Calls a function for C. Returns its status; 0 where it has none.
template <FloatingPoint T>
int call_gemm(const ForeignKernel& kernel, const GemmCaseOf<T>& c, const T* a, const T* b, T* result) {
  if (kernel.form == CallForm::cublas) {
    return function<int(void*, int, int, int, int, int, const T*, const T*, int, const T*, int, const T*, T*, int)>(
        kernel)(kernel.handle, cublas_transpose(c.trans_a), cublas_transpose(c.trans_b), number(c.m), number(c.n),
                number(c.k), &c.alpha, a, number(c.lda), b, number(c.ldb), &c.beta, result, number(c.ldc));
  }
  if (kernel.form == CallForm::cublas_batched) {
    return function<int(void*, int, int, int, int, int, const T*, const T*, int, long long, const T*, int, long long,
                        const T*, T*, int, long long, int)>(kernel)(
        kernel.handle, cublas_transpose(c.trans_a), cublas_transpose(c.trans_b), number(c.m), number(c.n), number(c.k),
        &c.alpha, a, number(c.lda), c.stride_a, b, number(c.ldb), c.stride_b, &c.beta, result, number(c.ldc),
        c.stride_c, number(c.batch));
  }
  if (kernel.form == CallForm::cblas) {
    function<void(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int)>(kernel)(
        cblas_column_major, transpose_of(c.trans_a), transpose_of(c.trans_b), number(c.m), number(c.n), number(c.k),
        c.alpha, a, number(c.lda), b, number(c.ldb), c.beta, result, number(c.ldc));
    return 0;
  }
  const std::array<char, 2> flags{c.trans_a != 0 ? 'T' : 'N', c.trans_b != 0 ? 'T' : 'N'};
  const std::array<FortranNumber, 6> numbers{FortranNumber(c.m),   FortranNumber(c.n),   FortranNumber(c.k),
                                             FortranNumber(c.lda), FortranNumber(c.ldb), FortranNumber(c.ldc)};
  function<void(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*, const T*,
                const int*, const T*, T*, const int*, FortranTextLength, FortranTextLength)>(kernel)(
      &flags[0], &flags[1], numbers[0].address(), numbers[1].address(), numbers[2].address(), &c.alpha, a,
      numbers[3].address(), b, numbers[4].address(), &c.beta, result, numbers[5].address(), 1, 1);
  return 0;
}

/// Calls a function for the only column of C. With none it is not called. Returns as call_gemm().
template <FloatingPoint T>
int call_gemv(const ForeignKernel& kernel, const GemmCaseOf<T>& c, const T* a, const T* b, T* result) {
  if (c.n == 0) return 0;
  const std::int64_t rows = c.trans_a != 0 ? c.k : c.m;
  const std::int64_t columns = c.trans_a != 0 ? c.m : c.k;
  const std::int64_t step = c.trans_b != 0 ? c.ldb : 1;
  if (kernel.form == CallForm::cublas) {
    return function<int(void*, int, int, int, const T*, const T*, int, const T*, int, const T*, T*, int)>(kernel)(
        kernel.handle, cublas_transpose(c.trans_a), number(rows), number(columns), &c.alpha, a, number(c.lda), b,
        number(step), &c.beta, result, 1);
  }
  if (kernel.form == CallForm::cblas) {
    function<void(int, int, int, int, T, const T*, int, const T*, int, T, T*, int)>(kernel)(
        cblas_column_major, transpose_of(c.trans_a), number(rows), number(columns), c.alpha, a, number(c.lda), b,
        number(step), c.beta, result, 1);
    return 0;
  }
  const char flag = c.trans_a != 0 ? 'T' : 'N';
  const std::array<FortranNumber, 5> numbers{FortranNumber(rows), FortranNumber(columns), FortranNumber(c.lda),
                                             FortranNumber(step), FortranNumber(1)};
  function<void(const char*, const int*, const int*, const T*, const T*, const int*, const T*, const int*, const T*, T*,
                const int*, FortranTextLength)>(kernel)(&flag, numbers[0].address(), numbers[1].address(), &c.alpha, a,
                                                        numbers[2].address(), b, numbers[3].address(), &c.beta, result,
                                                        numbers[4].address(), 1);
  return 0;
}

/// The array of C after a call with the arrays of the case.
template <FloatingPoint T, auto call>
Result<T> called(const ForeignKernel& kernel, const Executor& on, const GemmCaseOf<T>& c) {
  thread_local std::array<FencedMemory, 3> memory;
  const FencedArray<T> a(memory[0], on, c.a);
  const FencedArray<T> b(memory[1], on, c.b);
  const FencedArray<T> result(memory[2], on, c.c);
  finish(on, call(kernel, c, a.data(), b.data(), result.data()));
  check_input(a, on, c.a, "a");
  check_input(b, on, c.b, "b");
  return result.take(on);
}

/// The rows of A in compressed form. An entry that is 0 is left out if it meets only finite numbers.
template <FloatingPoint T>
struct CompressedRows {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<T> values;

  explicit CompressedRows(const GemmCaseOf<T>& c) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      for (std::int64_t j = 0; j < c.k && c.n != 0; ++j) {
        const T value = c.a[static_cast<std::size_t>(i + j * c.lda)];
        if (value == 0 && std::isfinite(c.alpha) && std::isfinite(c.b[static_cast<std::size_t>(j)])) continue;
        columns.push_back(number(j));
        values.push_back(value);
      }
      offsets.push_back(number(static_cast<std::int64_t>(values.size())));
    }
  }
};

/// y after a call with A in compressed rows. Without a column of C it is not called.
template <FloatingPoint T>
Result<T> called_with_rows(const ForeignKernel& kernel, const Executor& on, const GemmCaseOf<T>& c) {
  if (c.n == 0) return c.c;
  thread_local std::array<FencedMemory, 5> memory;
  const CompressedRows<T> rows(c);
  const FencedArray<std::int32_t> offsets(memory[0], rows.offsets);
  const FencedArray<std::int32_t> columns(memory[1], rows.columns);
  const FencedArray<T> values(memory[2], rows.values);
  const FencedArray<T> x(memory[3], c.b);
  const FencedArray<T> y(memory[4], c.c);
  function<void(std::size_t, std::size_t, T, const std::int32_t*, const std::int32_t*, const T*, const T*, T, T*)>(
      kernel)(static_cast<std::size_t>(c.m), static_cast<std::size_t>(c.k), c.alpha, offsets.data(), columns.data(),
              values.data(), x.data(), c.beta, y.data());
  check_input(offsets, on, rows.offsets, "offsets");
  check_input(columns, on, rows.columns, "columns");
  check_input(values, on, rows.values, "values");
  check_input(x, on, c.b, "x");
  return y.take(on);
}

/// The case with fewer entries in A: every other shape keeps all; of the others some rows are empty, and the rest has
/// every second or fourth entry.
GemmCase thinned(GemmCase c) {
  if ((c.m + c.k) % 2 == 0) return c;
  const std::int64_t every = (c.m + c.k) % 4 == 1 ? 2 : 4;
  for (std::int64_t i = 0; i < c.m; ++i) {
    for (std::int64_t j = 0; j < c.k; ++j) {
      if (i % 5 == 4 || (i + j) % every != 0) c.a[static_cast<std::size_t>(i + j * c.lda)] = 0;
    }
  }
  return c;
}

/// What the control writes to the entry at `place`. `right`: the exact results.
template <FloatingPoint T>
T controlled_entry(Control control, const GemmCaseOf<T>& c, const std::vector<Dyadic>& right, std::size_t place) {
  switch (control) {
    case Control::zeros:
      return 0;
    case Control::ones:
      return 1;
    case Control::nan:
      return std::numeric_limits<T>::quiet_NaN();
    case Control::copy:
      return c.a.empty() ? 0 : c.a.front();
    case Control::unwritten:
      return c.c[place];
    case Control::first_term:
    case Control::previous:
    case Control::last_product:
      return nearest_to<T>(right[place]);
  }
  return 0;
}

/// The result of a control.
template <FloatingPoint T>
Result<T> controlled(Control control, const GemmCaseOf<T>& c) {
  thread_local T last = 0;
  GemmCase asked = gemm::with_numbers_of<double>(c);
  if (control == Control::first_term && c.k > 1) asked.k = 1;
  const std::vector<Dyadic> right = gemm::exact_gemm(asked);
  Result<T> result = c.c;
  gemm::for_each_entry(asked, [&](std::int64_t p, std::int64_t i, std::int64_t j, std::size_t place) {
    const bool is_first = control == Control::last_product && p + 1 == c.batch;
    result[place] = controlled_entry(control, c, right, is_first ? c.c_at(0, i, j) : place);
    if (control == Control::previous) std::swap(result[place], last);
  });
  return result;
}

/// What is asked of numbers of binary64, asked of the numbers of T that they are.
template <FloatingPoint T>
Claim<GemmCaseOf<T>, Result<T>, gemm::GemmTruth> of_numbers(gemm::GemmClaim claim) {
  SharedFunction<bool(const GemmCaseOf<T>&)> applies;
  if (claim.applies) {
    applies = [of = claim.applies](const GemmCaseOf<T>& c) { return of(gemm::with_numbers_of<double>(c)); };
  }
  return {std::move(claim.info),
          [of = std::move(claim.judge)](const GemmCaseOf<T>& c, const gemm::GemmTruth& truth, const Result<T>& result) {
            return of(gemm::with_numbers_of<double>(c), truth, gemm::GemmResult(result.begin(), result.end()));
          },
          std::move(applies)};
}
template <FloatingPoint T>
Domain<GemmCaseOf<T>> of_numbers(const Domain<GemmCase>& domain) {
  using Case = GemmCaseOf<T>;
  const auto widened = gemm::with_numbers_of<double, T>;
  Domain<Case> of{.classes = {},
                  .contains = [is_inside = domain.contains, widened](const Case& c) { return is_inside(widened(c)); },
                  .axes = [axes = domain.axes, widened](const Case& c) { return axes(widened(c)); },
                  .accepts = domain.accepts};
  for (const InputClass<GemmCase>& each : domain.classes) {
    of.classes.push_back(
        {each.name, each.weight, CaseGenerator<Case>([generator = each.generator](const rc::Random& random) {
           return gemm::with_numbers_of<T>(generator(random));
         })});
  }
  for (const Feature<GemmCase>& each : domain.features) {
    of.features.push_back({each.name, each.low, each.high, each.bins,
                           [number = each.of, widened](const Case& c) { return number(widened(c)); }});
  }
  if (domain.traits == nullptr) return of;
  Traits<Case> traits{{}, domain.traits->impossible, [draw_row = domain.traits->draw](Draw& draw, const TraitRow& row) {
                        return gemm::with_numbers_of<T>(draw_row(draw, row));
                      }};
  for (const Trait<GemmCase>& each : domain.traits->all) {
    traits.all.push_back({each, [kind = each.of, widened](const Case& c) { return kind(widened(c)); }});
  }
  of.traits = std::make_shared<const Traits<Case>>(std::move(traits));
  return of;
}

/// Cases of gemv have the fields of gemm.
constexpr const char* names_of_gemv =
    " (a case of gemv names x as b, with incx = ldb where trans_b = 1, else 1; y as c; op(A) is m × k)";
constexpr const char* names_of_csrmv =
    " (a case of csrmv has A as a matrix m × k with its zeros, which the call leaves out; x is b, y is c)";

/// How a function of a library is called for one case.
template <FloatingPoint T>
using Call = Result<T> (*)(const ForeignKernel&, const Executor&, const GemmCaseOf<T>&);

template <FloatingPoint T>
std::unique_ptr<PropertyModel> property_of(const char* name, Call<T> call, const char* names,
                                           const Domain<GemmCase>& domain, const Question& question,
                                           const ForeignKernel& kernel) {
  using Case = GemmCaseOf<T>;
  const auto run = [kernel, call](const Executor& on, std::span<const Case> cases) {
    if (kernel.program != nullptr) {
      return results_of<T>(*kernel.program, on, cases, [](const Case& each) { return each.c.size(); });
    }
    std::vector<Result<T>> results;
    for (const Case& c : cases) {
      results.push_back(kernel.control ? controlled(*kernel.control, c) : call(kernel, place_of(kernel, on), c));
    }
    return results;
  };
  const auto run_again = [run, kernel](const Executor& on, const GemmCase& c) {
    const DeviceTurn turn(kernel.on_device);
    const Case asked = gemm::with_numbers_of<T>(c);
    const Result<T> result = run_fenced(run, on, std::span(&asked, 1)).front();
    return gemm::GemmResult(result.begin(), result.end());
  };
  std::vector<Claim<Case, Result<T>, gemm::GemmTruth>> claims;
  for (gemm::GemmClaim& each : gemm::gemm_claims_of_libraries(run_again, format_of<T>())) {
    each.info.statement += names;
    claims.push_back(of_numbers<T>(std::move(each)));
  }
  return asked(Property<Case, Result<T>, gemm::GemmTruth>{
                   .name = {},
                   .domain = of_numbers<T>(domain),
                   .subject = run,
                   .reference = [](const Case& c) { return gemm::exact_gemm(gemm::with_numbers_of<double>(c)); },
                   .claims = std::move(claims),
                   .inexact =
                       [](const Case& c, const gemm::GemmTruth& truth, const Result<T>& result) {
                         return gemm::gemm_inexact(gemm::with_numbers_of<double>(c), truth,
                                                   gemm::GemmResult(result.begin(), result.end()));
                       }},
               name + format_suffix<T>(), question);
}

/// Functions of one product are asked with one product, all other kernels with batches.
constexpr auto gemm_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  const bool batches = kernel.form == CallForm::plain || kernel.form == CallForm::cublas_batched;
  return property_of<T>(
      "gemm", called<T, call_gemm<T>>, "",
      gemm::gemm_domain(
          {.batches = batches, .exceptional = true, .single = FloatTraits<T>::precision == 24, .foreign = true}),
      question, kernel);
};
constexpr auto gemv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of<T>(
      "gemv", called<T, call_gemv<T>>, names_of_gemv,
      gemm::gemv_domain({.exceptional = true, .single = FloatTraits<T>::precision == 24, .foreign = true}), question,
      kernel);
};
constexpr auto plain_gemv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of<T>(
      "gemv_n", called<T, call_gemv<T>>, names_of_gemv,
      gemm::plain_gemv_domain({.exceptional = true, .single = FloatTraits<T>::precision == 24, .foreign = true}),
      question, kernel);
};

constexpr auto csrmv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  Domain<GemmCase> domain =
      gemm::plain_gemv_domain({.exceptional = true, .single = FloatTraits<T>::precision == 24, .foreign = true});
  gemm::change_cases(domain, thinned);
  return property_of<T>("csrmv", called_with_rows<T>, names_of_csrmv, domain, question, kernel);
};

const std::vector<Contract> of_products{
    {"rounded", &gemm_rounded_1.words, {}, {"grade_a", "one_sign", "scaling"}},
    {"grade_a", &gemm_grade_a_1.words, {}, {"grade_b", "zeros", "one_sign", "wide_grade_a"}},
    {"grade_b", &gemm_grade_b_1.words, {}, {"grade_c"}},
    {"grade_c", &gemm_grade_c_1.words, {}, {"exact_grid"}},
    {"wide_grade_a", &gemm_wide_1.words, {}, {"exact_grid"}},
    {"exact_grid", &gemm_exact_grid_1.words},
    {"one_sign", &gemm_one_sign_1.words},
    {"zeros", &gemm_zeros_1.words, {}, {}, false},
    {"scaling", &gemm_scaling_1.words, {}, {}, false},
    {"exceptional", &gemm_exceptional_1.words, {}, {}, false},
    {"untouched", &gemm_structure_1.words, {}, {}, false},
    {"not_read", &gemm_structure_2.words, {}, {}, false}};

/// Of a matrix in rows. A kernel that goes row by row has no error of the whole matrix; wide_grade_a is grade_a but for
/// a part in 512 of the bound: it takes one of thousands of products that round differently in two steps to see it.
const std::vector<Contract> of_rows = leaving_out(of_products, {"grade_c", "wide_grade_a"});

const std::vector<Signature> gemv_signatures{
    {CallForm::cblas,
     "void cblas_f(int layout, int trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, "
     "T* y, int incy)"},
    {CallForm::fortran,
     "void f_(const char* trans, const int* m, const int* n, const T* alpha, const T* a, const int* lda, const T* x, "
     "const int* incx, const T* beta, T* y, const int* incy)"},
    {CallForm::cublas,
     "int cublasf(void* handle, int trans, int m, int n, const T* alpha, const T* a, int lda, const T* x, int incx, "
     "const T* beta, T* y, int incy)"}};

const OperationRegistration all[] = {
    OperationRegistration(
        {"gemm",
         "C_p ← α·op(A_p)·op(B_p) + β·C_p of column-major matrices, p < batch",
         {"f64", "f32"},
         {{CallForm::cblas,
           "void cblas_f(int layout, int transa, int transb, int m, int n, int k, T alpha, const T* a, int lda, "
           "const T* b, int ldb, T beta, T* c, int ldc)"},
          {CallForm::fortran,
           "void f_(const char* transa, const char* transb, const int* m, const int* n, const int* k, "
           "const T* alpha, const T* a, const int* lda, const T* b, const int* ldb, const T* beta, T* c, "
           "const int* ldc)"},
          {CallForm::cublas,
           "int cublasf(void* handle, int transa, int transb, int m, int n, int k, const T* alpha, const T* a, "
           "int lda, const T* b, int ldb, const T* beta, T* c, int ldc)"},
          {CallForm::cublas_batched,
           "int cublasfStridedBatched(void* handle, int transa, int transb, int m, int n, int k, const T* alpha, "
           "const T* a, int lda, long long stridea, const T* b, int ldb, long long strideb, const T* beta, T* c, "
           "int ldc, long long stridec, int batch)"}},
         of_products,
         property_in_format<gemm_of>,
         false,
         true}),
    OperationRegistration({"gemv",
                           "y ← α·op(A)·x + β·y of a column-major matrix",
                           {"f64", "f32"},
                           gemv_signatures,
                           of_products,
                           property_in_format<gemv_of>}),
    OperationRegistration({"gemv_n",
                           "y ← α·A·x + β·y of a column-major matrix, as gemv without transposes and strides",
                           {"f64", "f32"},
                           gemv_signatures,
                           of_products,
                           property_in_format<plain_gemv_of>}),
    OperationRegistration(
        {"csrmv",
         "y ← α·A·x + β·y of a matrix in compressed sparse rows, the columns of a row in ascending order",
         {"f64", "f32"},
         {{CallForm::plain,
           "void f(size_t rows, size_t columns, T alpha, const int32_t* row_offsets, const int32_t* column_indices, "
           "const T* values, const T* x, T beta, T* y)"}},
         of_rows,
         property_in_format<csrmv_of>}),
};

}  // namespace
}  // namespace assay::contracts::matrix_products
