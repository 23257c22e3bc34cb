// X with op(A)X = B of a triangular matrix, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/triangular_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/draws/triangular/systems.hpp"

namespace assay::contracts::factorizations {
namespace {

using oracle::Dyadic;
using oracle::Exact;
using triangular::TrsvCase;
using triangular::TrsvRange;

/// A triangular matrix of order n and `columns` right sides, column-major without gaps. Entries of A that are not read
/// are NaN.
template <FloatingPoint T>
struct TrsmCase {
  std::int64_t upper = 0;
  std::int64_t trans = 0;
  std::int64_t unit = 0;
  std::int64_t n = 0;
  std::int64_t columns = 0;
  std::vector<T> a, b;
  static constexpr auto fields() {
    return std::tuple{
        field("upper", &TrsmCase::upper), field("trans", &TrsmCase::trans),     field("unit", &TrsmCase::unit),
        field("n", &TrsmCase::n),         field("columns", &TrsmCase::columns), field("a", &TrsmCase::a),
        field("b", &TrsmCase::b)};
  }
};

/// Column k of the numbers of X or B.
template <FloatingPoint T>
std::vector<T> column_of(const TrsmCase<T>& c, const std::vector<T>& numbers, std::int64_t k) {
  return {numbers.begin() + k * c.n, numbers.begin() + (k + 1) * c.n};
}

/// The system of right side k.
template <FloatingPoint T>
TrsvCase<T> system_of(const TrsmCase<T>& c, std::int64_t k) {
  return {c.upper, c.trans, c.unit, c.n, std::max<std::int64_t>(1, c.n), c.a, column_of(c, c.b, k)};
}

template <FloatingPoint T>
bool is_in_domain(const TrsmCase<T>& c) {
  if (c.n < 0 || c.columns < 0 || c.n > triangular::most_unknowns || c.columns > triangular::most_unknowns ||
      c.a.size() != static_cast<std::size_t>(c.n * c.n) || c.b.size() != static_cast<std::size_t>(c.n * c.columns)) {
    return false;
  }
  for (std::int64_t k = 0; k < c.columns; ++k) {
    const TrsvCase<T> system = system_of(c, k);
    if (!triangular::is_system(system) || !triangular::stays_small(system)) return false;
  }
  return true;
}

/// The same triangle with several right sides: those of other systems, cut to its length, where they stay small.
template <FloatingPoint T>
TrsmCase<T> with_columns(Draw& draw, const TrsvCase<T>& first, const TrsvRange& range) {
  TrsmCase<T> c{first.upper, first.trans, first.unit, first.n, 1, {}, first.x};
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.n; ++i) c.a.push_back(first.a[static_cast<std::size_t>(i + j * first.lda)]);
  }
  for (std::uint64_t more = draw.one_in(8) ? 17 : draw.below(5); more > 0; --more) {
    TrsvCase<T> other = system_of(c, 0);
    for (T& each : other.x) {
      each = draw_number<T>(draw, Significand::any, draw.between(range.right_low, range.right_high));
    }
    if (!triangular::stays_small(other)) continue;
    c.b.insert(c.b.end(), other.x.begin(), other.x.end());
    ++c.columns;
  }
  return c;
}

/// The case without unknown k, or without one of its columns.
template <FloatingPoint T>
std::vector<TrsmCase<T>> smaller_cases(const TrsmCase<T>& c) {
  std::vector<TrsmCase<T>> smaller;
  for (std::int64_t k = 0; k < c.columns; ++k) {
    TrsmCase<T> other = c;
    other.b.erase(other.b.begin() + k * c.n, other.b.begin() + (k + 1) * c.n);
    --other.columns;
    smaller.push_back(std::move(other));
  }
  for (std::int64_t k = 0; k < c.n; ++k) {
    TrsmCase<T> other{c.upper, c.trans, c.unit, c.n - 1, c.columns, {}, {}};
    for (std::int64_t j = 0; j < c.n; ++j) {
      for (std::int64_t i = 0; i < c.n && j != k; ++i) {
        if (i != k) other.a.push_back(c.a[static_cast<std::size_t>(i + j * c.n)]);
      }
    }
    for (std::int64_t j = 0; j < c.columns; ++j) {
      for (std::int64_t i = 0; i < c.n; ++i) {
        if (i != k) other.b.push_back(c.b[static_cast<std::size_t>(i + j * c.n)]);
      }
    }
    smaller.push_back(std::move(other));
  }
  return smaller;
}

template <FloatingPoint T>
Domain<TrsmCase<T>> trsm_domain() {
  using F = FloatTraits<T>;
  using Case = TrsmCase<T>;
  const auto systems = [](const TrsvRange& range, bool cancels = false) {
    return drawn<Case>([=](Draw& draw) {
      return with_columns(draw,
                          triangular::kept_small(cancels ? triangular::draw_cancelling_system<T>(draw, range)
                                                         : triangular::draw_system<T>(draw, range)),
                          range);
    });
  };
  constexpr int low = F::emin + F::precision;
  return {.classes = {{"entries of one size", 3, systems({-1, 1, -1, 1, -2, 2})},
                      {"small beside the diagonal", 3, systems({-8, -2, -1, 1, -2, 2})},
                      {"exponents apart", 2, systems({-12, 2, -8, 4, -8, 8})},
                      {"the subtractions cancel", 3, systems({-2, 2, -2, 2, -2, 2}, true)},
                      {"solutions in the range of underflow", 1, systems({-4, 0, 0, 4, low - 40, low})}},
          .contains = is_in_domain<T>,
          .features = {{"unknowns", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
          .shrink_shape = smaller_cases<T>,
          .accepts =
              "up to 128 unknowns and columns; finite numbers in the triangle and B, no zero on the diagonal, no "
              "step near to overflow"};
}

template <FloatingPoint T>
std::vector<Exact> exact_trsm(const TrsmCase<T>& c) {
  std::vector<Exact> all;
  for (std::int64_t k = 0; k < c.columns; ++k) {
    const std::vector<Exact> x = triangular::exact_trsv(system_of(c, k));
    all.insert(all.end(), x.begin(), x.end());
  }
  return all;
}

/// The residual of each column keeps the bound of a triangular system.
template <FloatingPoint T>
auto columns_within(std::string id, const BoundedTheorem auto& theorem) {
  return of_instance(
      "for each column of X",
      claim_spec(std::move(id), theorem,
                 [theorem](const TrsmCase<T>& c, const std::vector<Exact>&, const std::vector<T>& result) {
                   Judgement worst;
                   for (std::int64_t k = 0; k < c.columns; ++k) {
                     Judgement of_column =
                         triangular::residual_within(theorem, system_of(c, k), column_of(c, result, k));
                     of_column.component += static_cast<std::size_t>(k * c.n);
                     worst.worsen(of_column);
                   }
                   worst.judged = result.size();
                   return worst;
                 }));
}

/// Whether the reciprocals of the diagonal are normal numbers.
template <FloatingPoint T>
bool has_normal_reciprocals(const TrsmCase<T>& c) {
  for (std::int64_t i = 0; i < c.n && c.unit == 0; ++i) {
    const Dyadic entry = abs(value_of(c.a[static_cast<std::size_t>(i + i * c.n)]));
    if (entry < Dyadic::scaled(1, -FloatTraits<T>::emax) || Dyadic::scaled(1, -FloatTraits<T>::emin) < entry) {
      return false;
    }
  }
  return true;
}

template <FloatingPoint T>
std::vector<Claim<TrsmCase<T>, std::vector<T>, std::vector<Exact>>> trsm_claims() {
  return {columns_within<T>("backward", triangular_backward_1),
          when("the reciprocals of the diagonal are normal numbers", has_normal_reciprocals<T>,
               columns_within<T>("backward_reciprocal", triangular_backward_2))};
}

template <FloatingPoint T>
void call_trsm(const ForeignKernel& kernel, const Executor& on, const TrsmCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 2> memory;
  constexpr int left = 141;
  const bool is_unit = c.unit != 0;
  const std::uint64_t hash = hash_of(c.a) ^ hash_of(c.b);
  const StoredColumns of_a = stored_columns(c.n, c.n, hash);
  const StoredColumns of_b = stored_columns(c.n, c.columns, hash >> 8);
  const std::vector<T> stored = with_gaps(c.a, of_a);
  const FencedArray<T> a(memory[0], stored);
  const FencedArray<T> b(memory[1], with_gaps(c.b, of_b));
  const T one(1);
  switch (kernel.form) {
    case CallForm::plain:
      function<void(int, int, int, std::size_t, std::size_t, const T*, std::size_t, T*, std::size_t)>(kernel)(
          static_cast<int>(c.upper), static_cast<int>(c.trans), static_cast<int>(c.unit), static_cast<std::size_t>(c.n),
          static_cast<std::size_t>(c.columns), a.data(), static_cast<std::size_t>(of_a.lda), b.data(),
          static_cast<std::size_t>(of_b.lda));
      break;
    case CallForm::cblas:
      function<void(int, int, int, int, int, int, int, T, const T*, int, T*, int)>(kernel)(
          cblas_column_major, left, c.upper != 0 ? 121 : 122, c.trans != 0 ? cblas_transpose : cblas_no_transpose,
          is_unit ? 132 : 131, static_cast<int>(c.n), static_cast<int>(c.columns), one, a.data(),
          static_cast<int>(of_a.lda), b.data(), static_cast<int>(of_b.lda));
      break;
    case CallForm::fortran: {
      const std::array<char, 4> flags{'L', c.upper != 0 ? 'U' : 'L', c.trans != 0 ? 'T' : 'N', is_unit ? 'U' : 'N'};
      const std::array<FortranNumber, 4> numbers{FortranNumber(c.n), FortranNumber(c.columns), FortranNumber(of_a.lda),
                                                 FortranNumber(of_b.lda)};
      function<void(const char*, const char*, const char*, const char*, const int*, const int*, const T*, const T*,
                    const int*, T*, const int*, FortranTextLength, FortranTextLength, FortranTextLength,
                    FortranTextLength)>(kernel)(&flags[0], &flags[1], &flags[2], &flags[3], numbers[0].address(),
                                                numbers[1].address(), &one, a.data(), numbers[2].address(), b.data(),
                                                numbers[3].address(), 1, 1, 1, 1);
      break;
    }
    default:
      break;  // no signature of the operation
  }
  without_gaps(on, b.take(on), of_b, result);
  check_input(a, on, stored, "a");
}

constexpr auto trsm_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, TrsmCase<T>, Exact>{"trsm", trsm_domain<T>(), [](const TrsmCase<T>& c) { return c.b; },
                                            call_trsm<T>, exact_trsm<T>, &TrsmCase<T>::a, trsm_claims<T>()},
      question, kernel);
};

const OperationRegistration trsm(
    {"trsm",
     "X with op(A)X = B of a triangular matrix and several right sides, column-major",
     {"f64", "f32"},
     {{CallForm::plain,
       "void f(int upper, int trans, int unit, size_t n, size_t columns, const T* a, size_t lda, T* b, size_t ldb)"},
      {CallForm::cblas,
       "void cblas_f(int layout, int side, int uplo, int transa, int diag, int n, int columns, T alpha, const T* a, "
       "int "
       "lda, T* b, int ldb)"},
      {CallForm::fortran,
       "void f_(const char* side, const char* uplo, const char* transa, const char* diag, const int* n, const int* "
       "columns, const T* alpha, const T* a, const int* lda, T* b, const int* ldb)"}},
     {{"backward", &triangular_backward_1.words, "for each column of X", {"backward_reciprocal"}},
      {"backward_reciprocal", &triangular_backward_2.words, "for each column of X"}},
     property_in_format<trsm_of>});

}  // namespace
}  // namespace assay::contracts::factorizations
