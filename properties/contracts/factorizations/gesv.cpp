// The solution of Ax = b by an LU factorization with partial pivoting, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/factorization_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/solutions.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/framework/shaped_call.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::factorizations {
namespace {

/// The solution to some 200 bits, or zeros where a pivot may be 0. It is shown beside the result of a kernel, and taken
/// for controls; no contract is judged by it.
template <FloatingPoint T>
std::vector<Dyadic> shown_solution(const GesvCase<T>& c) {
  constexpr long bits = 256;
  std::vector<Dyadic> shown(c.b.size());
  const auto inverse = is_regular(c) ? inverse_of(c, bits) : std::nullopt;
  if (!inverse) return shown;
  const std::size_t n = c.b.size();
  for (std::size_t i = 0; i < n; ++i) {
    Ball sum;
    for (std::size_t k = 0; k < n; ++k) {
      sum = add(sum, mul((*inverse)[i + k * n], Ball(value_of(c.b[k])), bits), bits);
    }
    shown[i] = middle_of(sum);
  }
  return shown;
}

template <FloatingPoint T>
std::vector<Claim<GesvCase<T>, std::vector<T>, std::vector<Dyadic>>> gesv_claims() {
  using Case = GesvCase<T>;
  using Result = std::vector<T>;
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{claim_spec(
      "backward", factorization_gesv_1,
      [](const Case& c, const std::vector<Dyadic>&, const Result& result) { return judge_solution(c, result); })};
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN is in A or b", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", factorization_gesv_3,
                [](const Case&, const Result& result) { return judge_no_number(result, "every unknown is finite"); })));
  return claims;
}

template <FloatingPoint T>
void call_gesv(const ForeignKernel& kernel, const Executor& on, const GesvCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 3> memory;
  const std::uint64_t hash = hash_of(c.a) ^ hash_of(c.b);
  const StoredColumns columns = stored_columns(c.n, c.n, hash);
  const StoredColumns right = stored_columns(c.n, 1, hash >> 8);
  const FencedArray<T> a(memory[0], with_gaps(c.a, columns));
  const FencedArray<T> b(memory[1], with_gaps(c.b, right));
  const FencedArray<int> pivots(memory[2], std::vector<int>(static_cast<std::size_t>(c.n), -1));
  int status = 0;
  switch (kernel.form) {
    case CallForm::plain:
      status = function<int(std::size_t, T*, std::size_t, T*)>(kernel)(static_cast<std::size_t>(c.n), a.data(),
                                                                       static_cast<std::size_t>(columns.lda), b.data());
      break;
    case CallForm::fortran: {
      const std::array<FortranNumber, 4> numbers{FortranNumber(c.n), FortranNumber(1), FortranNumber(columns.lda),
                                                 FortranNumber(right.lda)};
      alignas(8) std::array<int, 2> info{};
      function<void(const int*, const int*, T*, const int*, int*, T*, const int*, int*)>(kernel)(
          numbers[0].address(), numbers[1].address(), a.data(), numbers[2].address(), pivots.data(), b.data(),
          numbers[3].address(), info.data());
      status = info[0];
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (status < 0) finish(on, status);
  std::vector<T> factors(c.a.size());
  without_gaps(on, a.take(on), columns, factors.data());
  without_gaps(on, b.take(on), right, result);
  static_cast<void>(pivots.take(on));
  if (status > 0) std::fill_n(result, c.b.size(), not_a_number<T>());
}

constexpr auto gesv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, GesvCase<T>, Dyadic>{"gesv", gesv_domain<T>(), [](const GesvCase<T>& c) { return c.b; },
                                             call_gesv<T>, shown_solution<T>, &GesvCase<T>::b, gesv_claims<T>()},
      question, may_refuse<GesvCase<T>>(kernel, must_complete<T>, format<T>.nan()));
};

const OperationRegistration gesv({"gesv",
                                  "x with Ax = b by elimination with partial pivoting, A column-major",
                                  {"f64", "f32"},
                                  {{CallForm::plain, "int f(size_t n, T* a, size_t lda, T* b)"},
                                   {CallForm::fortran,
                                    "void f_(const int* n, const int* columns, T* a, const int* lda, int* pivots, T* "
                                    "b, const int* ldb, int* info)"}},
                                  {{"backward", &factorization_gesv_1.words},
                                   {"exceptional", &factorization_gesv_3.words, {}, {}, false}},
                                  property_in_format<gesv_of>});

const ShapedCallRegistration gesv_call({"gesv", {{"a", {"n", "n"}}, {"b", {"n"}}}, true, {"backward"}});

}  // namespace
}  // namespace assay::contracts::factorizations
