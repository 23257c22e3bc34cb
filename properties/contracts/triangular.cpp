// x ← op(A)⁻¹·x of a triangular matrix, as a foreign function computes it.

#include <array>
#include <cstdint>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/triangular_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/draws/triangular/systems.hpp"

namespace assay::contracts::triangular_systems {
namespace {

using oracle::Exact;
using triangular::TrsvCase;
using triangular::TrsvRange;

/// The numbers by which CBLAS names triangle and diagonal.
constexpr int upper_triangle = 121;
constexpr int lower_triangle = 122;
constexpr int stored_diagonal = 131;
constexpr int unit_diagonal = 132;

template <FloatingPoint T>
Domain<TrsvCase<T>> trsv_domain() {
  using F = FloatTraits<T>;
  const auto system = [](const TrsvRange& range) {
    return drawn<TrsvCase<T>>(
        [=](Draw& draw) { return triangular::kept_small(triangular::draw_system<T>(draw, range)); });
  };
  const auto cancelling = [](const TrsvRange& range) {
    return drawn<TrsvCase<T>>(
        [=](Draw& draw) { return triangular::kept_small(triangular::draw_cancelling_system<T>(draw, range)); });
  };
  constexpr int low = F::emin + F::precision;
  return {.classes = {{"entries of one size", 3, system({-1, 1, -1, 1, -2, 2})},
                      {"small beside the diagonal", 3, system({-8, -2, -1, 1, -2, 2})},
                      {"exponents apart", 2, system({-12, 2, -8, 4, -8, 8})},
                      {"the subtractions cancel", 3, cancelling({-2, 2, -2, 2, -2, 2})},
                      {"solutions in the range of underflow", 2, system({-4, 0, 0, 4, low - 40, low})}},
          .contains = [](const TrsvCase<T>& c) { return triangular::is_system(c) && triangular::stays_small(c); },
          .features = {{"unknowns", 0, 64, 16, [](const TrsvCase<T>& c) { return static_cast<double>(c.n); }}},
          .shrink_shape = triangular::smaller_systems<T>,
          .accepts =
              "up to 128 unknowns; finite numbers in the triangle and x, no zero on the diagonal, no step near to "
              "overflow"};
}

// ------------------------------------------------------------------------------------------------------- claims

template <FloatingPoint T>
std::vector<Claim<TrsvCase<T>, std::vector<T>, std::vector<Exact>>> trsv_claims() {
  return {nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
          faithful("faithful", contract_faithful_1),
          claim_spec("backward", triangular_backward_1,
                     [](const TrsvCase<T>& c, const std::vector<Exact>&, const std::vector<T>& result) {
                       return triangular::residual_within(triangular_backward_1, c, result);
                     })};
}

template <FloatingPoint T>
void call_trsv(const ForeignKernel& kernel, const Executor& on, const TrsvCase<T>& c, T* x) {
  thread_local FencedMemory memory;
  const FencedArray<T> a(memory, c.a);
  const auto n = static_cast<int>(c.n);
  const auto lda = static_cast<int>(c.lda);
  switch (kernel.form) {
    case CallForm::plain:
      function<void(int, int, int, std::size_t, const T*, std::size_t, T*)>(kernel)(
          static_cast<int>(c.upper), static_cast<int>(c.trans), static_cast<int>(c.unit), static_cast<std::size_t>(c.n),
          a.data(), static_cast<std::size_t>(c.lda), x);
      break;
    case CallForm::cblas:
      function<void(int, int, int, int, int, const T*, int, T*, int)>(kernel)(
          cblas_column_major, c.upper != 0 ? upper_triangle : lower_triangle,
          c.trans != 0 ? cblas_transpose : cblas_no_transpose, c.unit != 0 ? unit_diagonal : stored_diagonal, n,
          a.data(), lda, x, 1);
      break;
    case CallForm::fortran: {
      const std::array<char, 3> flags{c.upper != 0 ? 'U' : 'L', c.trans != 0 ? 'T' : 'N', c.unit != 0 ? 'U' : 'N'};
      const std::array<FortranNumber, 3> numbers{FortranNumber(c.n), FortranNumber(c.lda), FortranNumber(1)};
      function<void(const char*, const char*, const char*, const int*, const T*, const int*, T*, const int*,
                    FortranTextLength, FortranTextLength, FortranTextLength)>(kernel)(
          &flags[0], &flags[1], &flags[2], numbers[0].address(), a.data(), numbers[1].address(), x,
          numbers[2].address(), 1, 1, 1);
      break;
    }
    default:
      break;  // no signature of the operation
  }
  // Places that are not read hold NaN, which are equal to nothing: the bytes are compared.
  check_input(a, on, c.a, "a");
}

constexpr auto trsv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, TrsvCase<T>, Exact>{"trsv", trsv_domain<T>(), [](const TrsvCase<T>& c) { return c.x; },
                                            call_trsv<T>, triangular::exact_trsv<T>, &TrsvCase<T>::a, trsv_claims<T>()},
      question, kernel);
};

const OperationRegistration trsv(
    {"trsv",
     "x ← op(A)⁻¹·x of a triangular column-major matrix",
     {"f64", "f32"},
     {{CallForm::plain, "void f(int upper, int trans, int unit, size_t n, const T* a, size_t lda, T* x)"},
      {CallForm::cblas,
       "void cblas_f(int layout, int uplo, int transa, int diag, int n, const T* a, int lda, T* x, int incx)"},
      {CallForm::fortran,
       "void f_(const char* uplo, const char* transa, const char* diag, const int* n, const T* a, const int* lda, "
       "T* x, const int* incx)"}},
     {{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "backward"}},
      {"faithful", &contract_faithful_1.words},
      {"backward", &triangular_backward_1.words}},
     property_in_format<trsv_of>});

}  // namespace
}  // namespace assay::contracts::triangular_systems
