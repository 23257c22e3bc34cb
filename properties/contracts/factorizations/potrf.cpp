// The Cholesky factor L of a symmetric matrix, A = LLᵀ, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/factorization_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/potrf_cases.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/framework/shaped_call.hpp"

namespace assay::contracts::factorizations {
namespace {

// ------------------------------------------------------------------------------------------------------- claims

/// The place of the first NaN of the lower triangle of a result. Such a result says that A is not positive definite: so
/// do a status above 0 and an exception, which leave NaN everywhere.
template <FloatingPoint T>
std::optional<std::size_t> first_nan(const PotrfCase<T>& c, const std::vector<T>& result) {
  std::optional<std::size_t> first;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    if (!first && oracle::is_nan(format<T>, bits_of(result[place(c, i, j)]))) first = place(c, i, j);
  });
  return first;
}

/// |A − L̂L̂ᵀ| ≤ bound_of(theorem, order, products before, Σ|lᵢₖlⱼₖ|, entry) for each entry of the lower triangle, of a
/// finite L̂ with a positive diagonal. Without such a factor: violated where every right kernel has one.
template <FloatingPoint T>
Judgement judge_factor(const auto& bound, const PotrfCase<T>& c, const std::vector<T>& result) {
  if (const auto nan = first_nan(c, result)) {
    return definiteness(c) == Definite::yes ? Judgement::fail(*nan) : says_nothing();
  }
  Judgement worst;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    const T& entry = result[place(c, i, j)];
    const bool is_right = oracle::is_finite(format<T>, bits_of(entry)) && (i != j || Dyadic() < value_of(entry));
    if (!is_right) worst.worsen(Judgement::fail(place(c, i, j)));
  });
  if (worst.verdict == Verdict::violated) return worst;
  std::vector<Dyadic> l(result.size());
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) { l[place(c, i, j)] = value_of(result[place(c, i, j)]); });
  worst.judged = 0;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    Dyadic residual = value_of(c.a[place(c, i, j)]);
    Dyadic products;
    for (std::int64_t k = 0; k <= j; ++k) {
      const Dyadic product = l[place(c, i, k)] * l[place(c, j, k)];
      residual -= product;
      products += abs(product);
    }
    const Dyadic entry = i == j ? Dyadic() : l[place(c, j, j)];
    const auto n = static_cast<std::uint64_t>(c.n);
    worst.worsen(judge_within(residual, Dyadic(), bound(n, static_cast<std::uint64_t>(j), products, entry, format<T>),
                              place(c, i, j)));
    ++worst.judged;
  });
  return worst;
}

/// The factor, where no step of a factorization rounds, whatever its order: factorization.potrf.5.
template <FloatingPoint T>
std::optional<std::vector<T>> exact_factor(const PotrfCase<T>& c) {
  std::vector<T> l(c.a.size());
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = j; i < c.n; ++i) {
      Terms terms;
      terms.add(c.a[place(c, i, j)]);
      Dyadic rest = value_of(c.a[place(c, i, j)]);
      for (std::int64_t k = 0; k < j; ++k) {
        terms.add(l[place(c, i, k)], l[place(c, j, k)]);
        rest -= value_of(l[place(c, i, k)]) * value_of(l[place(c, j, k)]);
      }
      if (!terms.is_exact_in(format<T>)) return std::nullopt;
      if (i == j) {
        if (rest <= Dyadic() || rest != Dyadic::scaled(1, rest.exponent()) || rest.exponent() % 2 != 0) {
          return std::nullopt;
        }
        rest = Dyadic::scaled(1, rest.exponent() / 2);
      } else {
        rest.mul_2exp(-value_of(l[place(c, j, j)]).exponent());
      }
      if (!rest.is_zero() && abs(rest) < Dyadic::scaled(1, FloatTraits<T>::emin)) return std::nullopt;
      T& entry = l[place(c, i, j)];
      entry = nearest_to<T>(rest);
      if (value_of(entry) != rest) return std::nullopt;
    }
  }
  return l;
}

template <FloatingPoint T>
std::vector<Claim<PotrfCase<T>, std::vector<T>, std::vector<Dyadic>>> potrf_claims() {
  using Case = PotrfCase<T>;
  using Result = std::vector<T>;
  const auto backward = [](const std::string& id) {
    return claim_spec(id, factorization_potrf_1, [](const Case& c, const std::vector<Dyadic>&, const Result& result) {
      return judge_factor(factorization_potrf_1, c, result);
    });
  };
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{
      backward("backward"),
      when("the upper triangle mirrors the lower one", is_mirrored<T>,
           of_instance("of a matrix that is stored whole", backward("backward_whole"))),
      claim_spec("exact_grid", factorization_potrf_5,
                 [](const Case& c, const std::vector<Dyadic>&, const Result& result) {
                   const auto exact = exact_factor(c);
                   if (!exact || !is_mirrored(c)) return says_nothing();
                   Judgement judgement;
                   judgement.judged = 0;
                   for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
                     const std::size_t at = place(c, i, j);
                     const bool is_number = oracle::is_finite(format<T>, bits_of(result[at]));
                     judgement.worsen(is_number ? judge_exact(value_of(result[at]), value_of((*exact)[at]), at)
                                                : Judgement::fail(at));
                     ++judgement.judged;
                   });
                   return judgement;
                 }),
      satisfies("status", factorization_potrf_2, [](const Case& c, const Result& result) {
        const Definite is_definite = is_mirrored(c) ? definiteness(c) : Definite::open;
        if (is_definite == Definite::open) return says_nothing();
        const auto nan = first_nan(c, result);
        if (nan.has_value() == (is_definite == Definite::no)) return Judgement::pass();
        remark(nan ? "A is positive definite by far, and the result has a NaN, or the status was not 0"
                   : "A is not positive definite by far, and the result does not say so: no status, exception or NaN");
        return Judgement::fail(nan.value_or(0));
      })};
  claims = of_finite_cases(std::move(claims), [](const PotrfCase<T>& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN or an infinity is in the lower triangle", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", factorization_potrf_4, [](const Case& c, const Result& result) {
        Judgement judgement = Judgement::fail();
        for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
          if (!oracle::is_finite(format<T>, bits_of(result[place(c, i, j)]))) judgement = Judgement::pass();
        });
        if (judgement.verdict != Verdict::holds) remark("every number of the lower triangle of the result is finite");
        return judgement;
      })));
  return claims;
}

// -------------------------------------------------------------------------------------------------------- calls

template <FloatingPoint T>
void call_potrf(const ForeignKernel& kernel, const Executor& on, const PotrfCase<T>& c, T* result) {
  thread_local FencedMemory memory;
  const StoredColumns columns = stored_columns(c.n, c.n, hash_of(c.a));
  const FencedArray<T> a(memory, with_gaps(c.a, columns));
  int status = 0;
  switch (kernel.form) {
    case CallForm::plain:
      status = function<int(std::size_t, T*, std::size_t)>(kernel)(static_cast<std::size_t>(c.n), a.data(),
                                                                   static_cast<std::size_t>(columns.lda));
      break;
    case CallForm::fortran: {
      const std::array<FortranNumber, 2> numbers{FortranNumber(c.n), FortranNumber(columns.lda)};
      alignas(8) std::array<int, 2> info{};
      function<void(const char*, const int*, T*, const int*, int*, FortranTextLength)>(kernel)(
          "L", numbers[0].address(), a.data(), numbers[1].address(), info.data(), 1);
      status = info[0];
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (status < 0) finish(on, status);
  without_gaps(on, a.take(on), columns, result);
  if (status > 0) std::fill_n(result, c.a.size(), not_a_number<T>());
}

/// Whether every right kernel has a factor to return: others may raise an error.
template <FloatingPoint T>
bool must_complete(const PotrfCase<T>& c) {
  return is_regular(c) && is_mirrored(c) && definiteness(c) == Definite::yes;
}

constexpr auto potrf_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, PotrfCase<T>, Dyadic>{"potrf", potrf_domain<T>(), [](const PotrfCase<T>& c) { return c.a; },
                                              call_potrf<T>, shown_factor<T>, &PotrfCase<T>::a, potrf_claims<T>()},
      question, may_refuse<PotrfCase<T>>(kernel, must_complete<T>, format<T>.nan()));
};

const OperationRegistration potrf(
    {"potrf",
     "L with A = LLᵀ of a symmetric positive definite matrix, lower triangles, column-major",
     {"f64", "f32"},
     {{CallForm::plain, "int f(size_t n, T* a, size_t lda)"},
      {CallForm::fortran, "void f_(const char* uplo, const int* n, T* a, const int* lda, int* info)"}},
     {{"backward", &factorization_potrf_1.words, {}, {"backward_whole"}},
      {"backward_whole", &factorization_potrf_1.words, "of a matrix that is stored whole", {"status"}},
      {"exact_grid", &factorization_potrf_5.words},
      {"status", &factorization_potrf_2.words, {}, {}, false},
      {"exceptional", &factorization_potrf_4.words, {}, {}, false}},
     property_in_format<potrf_of>});

const ShapedCallRegistration potrf_call({"potrf", {{"a", {"n", "n"}}}, true, {"backward"}});

}  // namespace
}  // namespace assay::contracts::factorizations
