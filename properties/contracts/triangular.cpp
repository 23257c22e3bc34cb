// x ← op(A)⁻¹·x of a triangular matrix, as a foreign function computes it.

#include <array>
#include <cstdint>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/triangular_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/increments.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/contracts/trsv_cases.hpp"
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

// ------------------------------------------------------------------------------------------------------- claims

/// What the residual of row i is bounded by.
struct ResidualRow {
  std::uint64_t beside;  ///< entries beside the diagonal
  Dyadic residual;
  Dyadic products;  ///< |L||x̂|
  Dyadic entries;   ///< Σ|lᵢⱼ|
  Dyadic own;       ///< |lᵢᵢx̂ᵢ|
  Dyadic lost;      ///< the magnitudes of terms with a subnormal factor
};

template <FloatingPoint T>
ResidualRow residual_row(const TrsvCase<T>& c, const std::vector<T>& result, std::int64_t i) {
  const triangular::Beside columns = triangular::beside(c, i);
  ResidualRow row{static_cast<std::uint64_t>(columns.last - columns.first), {}, {}, {}, {}, {}};
  Terms terms;
  terms.add(c.x[static_cast<std::size_t>(i)]);
  row.residual = value_of(c.x[static_cast<std::size_t>(i)]);
  const auto take = [&](const Dyadic& entry, const T& unknown) {
    const Dyadic product = entry * value_of(unknown);
    row.residual -= product;
    row.products += abs(product);
    row.entries += abs(entry);
    return abs(product);
  };
  for (std::int64_t j = columns.first; j < columns.last; ++j) {
    const T& entry = c.a[triangular::place(c, i, j)];
    const T& unknown = result[static_cast<std::size_t>(j)];
    terms.add(entry, unknown);
    take(value_of(entry), unknown);
  }
  row.own = take(triangular::diagonal(c, i), result[static_cast<std::size_t>(i)]);
  row.lost = terms.lost;
  return row;
}

/// |b − Lx̂|ᵢ ≤ bound_of(theorem, row i) for each i.
template <FloatingPoint T, class BoundOf>
auto residual_within(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of) {
  return claim_spec(std::move(id), theorem,
                    [=](const TrsvCase<T>& c, const std::vector<Exact>&, const std::vector<T>& result) {
                      Judgement worst;
                      for (std::size_t i = 0; i < result.size(); ++i) {
                        if (!oracle::is_finite(format<T>, bits_of(result[i]))) return Judgement::fail(i);
                      }
                      for (std::size_t i = 0; i < result.size(); ++i) {
                        const ResidualRow row = residual_row(c, result, static_cast<std::int64_t>(i));
                        worst.worsen(judge_within(row.residual, Dyadic(), bound_of(theorem, row), i));
                      }
                      worst.judged = result.size();
                      return worst;
                    });
}

/// The claim for finite systems whose stored diagonal, in magnitude, is in 2^low … 2^high.
template <FloatingPoint T>
auto with_diagonal(std::string words, int low, int high, const auto& claim) {
  return when(
      std::move(words),
      [low, high](const TrsvCase<T>& c) {
        if (!is_regular(c)) return false;
        for (std::int64_t i = 0; i < c.n; ++i) {
          const Dyadic entry = abs(triangular::diagonal(c, i));
          if (entry < Dyadic::scaled(1, low) || Dyadic::scaled(1, high) < entry) return false;
        }
        return true;
      },
      claim);
}

template <FloatingPoint T>
std::vector<Claim<TrsvCase<T>, std::vector<T>, std::vector<Exact>>> trsv_claims() {
  using Case = TrsvCase<T>;
  using F = FloatTraits<T>;
  const auto usual = [](const auto& bound, const ResidualRow& row) {
    return bound(row.beside, row.products, row.entries, format<T>);
  };
  const auto flushed = [](const auto& bound, const ResidualRow& row) {
    return bound(row.beside, row.products, row.entries, row.lost, format<T>);
  };
  const auto wide = [](const auto& bound, const ResidualRow& row) {
    return bound(row.beside, row.products, row.entries, row.own, wider_format<T>.format.precision, format<T>);
  };
  const auto unknowns = [](const auto& bound, const ResidualRow& row) {
    return bound(row.beside, row.products, row.entries, row.products, wider_format<T>.format.precision, format<T>);
  };
  std::vector<Claim<Case, std::vector<T>, std::vector<Exact>>> claims{
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1),
      residual_within<T>("wide_backward", triangular_backward_4, wide),
      residual_within<T>("wide_unknowns", triangular_backward_5, unknowns),
      residual_within<T>("backward", triangular_backward_1, usual),
      with_diagonal<T>("the reciprocals of the diagonal are normal numbers", -F::emax, -F::emin,
                       residual_within<T>("backward_reciprocal", triangular_backward_2, usual)),
      with_diagonal<T>("no number of the diagonal is subnormal", F::emin, F::emax + 1,
                       residual_within<T>("backward_ftz", triangular_backward_3, flushed)),
      claim_spec("exact_grid", contract_exact_grid_2,
                 [](const Case& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
                   const std::vector<bool> is_exact = exact_unknowns(c, truth);
                   Judgement worst;
                   std::size_t judged = 0;
                   for (std::size_t i = 0; i < result.size(); ++i) {
                     if (!is_exact[i]) continue;
                     ++judged;
                     worst.worsen(judge_in<T>(own_format<T>, bits_of(result[i]), truth[i], Bound{}, i));
                   }
                   worst.judged = judged;
                   return judged == 0 && !result.empty() ? says_nothing() : worst;
                 })};
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN or an infinity is read, or a zero is on the diagonal", [](const Case& c) { return !is_regular(c); },
      becomes<T>("exceptional", contract_exceptional_7, due_of_system<T>)));
  return in_order_of_contracts(std::move(claims), "trsv");
}

/// The increment of x.
template <FloatingPoint T>
int increment_for(const ForeignKernel& kernel, const TrsvCase<T>& c) {
  return increment_of(kernel.form, hash_of(c.x) ^ hash_of(c.a), 0);
}

template <FloatingPoint T>
void call_trsv(const ForeignKernel& kernel, const Executor& on, const TrsvCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 2> memory;
  const FencedArray<T> a(memory[0], c.a);
  const auto n = static_cast<int>(c.n);
  const auto lda = static_cast<int>(c.lda);
  const int increment = increment_for(kernel, c);
  const FencedArray<T> x(memory[1], spread(c.x, increment));
  switch (kernel.form) {
    case CallForm::plain:
      function<void(int, int, int, std::size_t, const T*, std::size_t, T*)>(kernel)(
          static_cast<int>(c.upper), static_cast<int>(c.trans), static_cast<int>(c.unit), static_cast<std::size_t>(c.n),
          a.data(), static_cast<std::size_t>(c.lda), result);
      break;
    case CallForm::cblas:
      function<void(int, int, int, int, int, const T*, int, T*, int)>(kernel)(
          cblas_column_major, c.upper != 0 ? upper_triangle : lower_triangle,
          c.trans != 0 ? cblas_transpose : cblas_no_transpose, c.unit != 0 ? unit_diagonal : stored_diagonal, n,
          a.data(), lda, x.data(), increment);
      break;
    case CallForm::fortran: {
      const std::array<char, 3> flags{c.upper != 0 ? 'U' : 'L', c.trans != 0 ? 'T' : 'N', c.unit != 0 ? 'U' : 'N'};
      const std::array<FortranNumber, 3> numbers{FortranNumber(c.n), FortranNumber(c.lda), FortranNumber(increment)};
      function<void(const char*, const char*, const char*, const int*, const T*, const int*, T*, const int*,
                    FortranTextLength, FortranTextLength, FortranTextLength)>(kernel)(
          &flags[0], &flags[1], &flags[2], numbers[0].address(), a.data(), numbers[1].address(), x.data(),
          numbers[2].address(), 1, 1, 1);
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (has_increments(kernel.form)) collect(on, x.take(on), increment, c.x.size(), result);
  // Places that are not read hold NaN, which are equal to nothing: the bytes are compared.
  check_input(a, on, c.a, "a");
}

constexpr auto trsv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  auto claims = with_increments(trsv_claims<T>(), kernel, [kernel](const TrsvCase<T>& c) {
    return increment_text("incx", increment_for(kernel, c));
  });
  return property_of(
      ArrayOperation<T, TrsvCase<T>, Exact>{"trsv", trsv_domain<T>(), [](const TrsvCase<T>& c) { return c.x; },
                                            call_trsv<T>, exact_finite_trsv<T>, &TrsvCase<T>::a, std::move(claims)},
      question, may_refuse<TrsvCase<T>>(kernel, [](const TrsvCase<T>& c) { return is_regular(c); }));
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
     {{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "wide_unknowns", "backward"}},
      {"faithful", &contract_faithful_1.words, {}, {"exact_grid"}},
      {"wide_backward", &triangular_backward_4.words, {}, {"wide_unknowns"}},
      {"wide_unknowns", &triangular_backward_5.words},
      {"backward", &triangular_backward_1.words, {}, {"backward_reciprocal", "backward_ftz"}},
      {"backward_reciprocal", &triangular_backward_2.words},
      {"backward_ftz", &triangular_backward_3.words},
      {"exact_grid", &contract_exact_grid_2.words},
      {"exceptional", &contract_exceptional_7.words, {}, {}, false}},
     property_in_format<trsv_of>});

}  // namespace
}  // namespace assay::contracts::triangular_systems
