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
#include "properties/contracts/factorizations/gesv_cases.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::factorizations {
namespace {

using oracle::Ball;

/// A⁻¹ in balls, by elimination with the largest pivots; nothing where a pivot may be 0. Cost: 2n³ products.
template <FloatingPoint T>
std::optional<std::vector<Ball>> inverse_of(const GesvCase<T>& c, long bits) {
  const auto n = static_cast<std::size_t>(c.n);
  std::vector<Ball> a;
  for (const T& each : c.a) a.emplace_back(value_of(each));
  std::vector<Ball> inverse(n * n);
  for (std::size_t i = 0; i < n; ++i) inverse[i + i * n] = Ball(Dyadic(1));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (abs(a[row + k * n]).lower() < abs(a[i + k * n]).lower()) row = i;
    }
    for (std::size_t j = 0; j < n && row != k; ++j) {
      swap(a[k + j * n], a[row + j * n]);
      swap(inverse[k + j * n], inverse[row + j * n]);
    }
    const Ball pivot = a[k + k * n];
    for (std::size_t j = 0; j < n; ++j) {
      a[k + j * n] = div(a[k + j * n], pivot, bits);
      inverse[k + j * n] = div(inverse[k + j * n], pivot, bits);
      if (!a[k + j * n].is_finite() || !inverse[k + j * n].is_finite()) return std::nullopt;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Ball factor = a[i + k * n];
      for (std::size_t j = 0; j < n; ++j) {
        a[i + j * n] = sub(a[i + j * n], mul(factor, a[k + j * n], bits), bits);
        inverse[i + j * n] = sub(inverse[i + j * n], mul(factor, inverse[k + j * n], bits), bits);
      }
    }
  }
  return inverse;
}

/// max|aᵢⱼ| of each column.
template <FloatingPoint T>
std::vector<Dyadic> largest_of_columns(const GesvCase<T>& c) {
  std::vector<Dyadic> largest(static_cast<std::size_t>(c.n));
  for (std::size_t at = 0; at < c.a.size(); ++at) {
    Dyadic& of = largest[at / largest.size()];
    of = std::max(of, abs(value_of(c.a[at])));
  }
  return largest;
}

/// Whether every right kernel has a solution: factorization.gesv.2. Larger systems are left open.
template <FloatingPoint T>
bool must_complete(const GesvCase<T>& c) {
  constexpr std::int64_t most = 16;
  constexpr long bits = 256;
  if (!is_regular(c) || c.n > most) return false;
  if (c.n == 0) return true;
  const auto inverse = inverse_of(c, bits);
  if (!inverse) return false;
  const std::vector<Dyadic> largest = largest_of_columns(c);
  const Bound change = solve_change_bound(largest, format<T>);
  const auto n = static_cast<std::size_t>(c.n);
  for (std::size_t i = 0; i < n; ++i) {
    Dyadic sum;
    for (std::size_t k = 0; k < n; ++k) sum += abs((*inverse)[i + k * n]).upper();
    if (change.denominator < Dyadic(4) * sum * change.numerator) return false;
  }
  return true;
}

template <FloatingPoint T>
Judgement judge_solution(const GesvCase<T>& c, const std::vector<T>& result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (oracle::is_finite(format<T>, bits_of(result[i]))) continue;
    return must_complete(c) ? Judgement::fail(i) : says_nothing();
  }
  const std::vector<Dyadic> largest = largest_of_columns(c);
  if (!solve_bound_says_something(static_cast<std::uint64_t>(c.n), format<T>)) return says_nothing();
  std::vector<Dyadic> x;
  std::vector<Dyadic> magnitudes;
  for (const T& each : result) {
    x.push_back(value_of(each));
    magnitudes.push_back(abs(x.back()));
  }
  const Bound bound = factorization_gesv_1(largest, magnitudes, format<T>);
  Judgement worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Dyadic residual = value_of(c.b[i]);
    for (std::size_t j = 0; j < x.size(); ++j) residual -= value_of(c.a[i + j * x.size()]) * x[j];
    worst.worsen(judge_within(residual, Dyadic(), bound, i));
  }
  worst.judged = x.size();
  return worst;
}

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
    Dyadic middle = sum.lower() + sum.upper();
    shown[i] = middle.mul_2exp(-1);
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
      satisfies("exceptional", factorization_gesv_3, [](const Case&, const Result& result) {
        const bool is_told =
            std::ranges::any_of(result, [](const T& x) { return !oracle::is_finite(format<T>, bits_of(x)); });
        if (!is_told) remark("every unknown is finite");
        return Judgement::of(is_told);
      })));
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

}  // namespace
}  // namespace assay::contracts::factorizations
