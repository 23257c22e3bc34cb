// The eigenvalues and eigenvectors of a symmetric matrix, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/orthogonal_theorems.hpp"
#include "oracle/ball.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/spans.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/contracts/factorizations/syev_cases.hpp"
#include "properties/framework/shaped_call.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::factorizations {
namespace {

using oracle::Ball;

/// The result: n eigenvalues, and then their eigenvectors, one behind the other.
template <FloatingPoint T>
std::size_t numbers_of(const SquareCase<T>& c) {
  return static_cast<std::size_t>(c.n * (c.n + 1));
}

/// The norm of Frobenius, rounded up.
template <FloatingPoint T>
Dyadic norm_of(const SquareCase<T>& c) {
  std::vector<Dyadic> a;
  for (const T& each : c.a) a.push_back(value_of(each));
  return root_above(squares_of(a, 0, a.size()));
}

/// How many eigenvalues are below µ: the negative pivots of A − µI. Nothing where balls leave the sign of one open.
template <FloatingPoint T>
std::optional<std::size_t> eigenvalues_below(const SquareCase<T>& c, const Dyadic& mu) {
  constexpr long bits = 256;
  const auto n = static_cast<std::size_t>(c.n);
  std::vector<Ball> s;
  for (const T& each : c.a) s.emplace_back(value_of(each));
  for (std::size_t i = 0; i < n; ++i) s[i + i * n] = sub(s[i + i * n], Ball(mu), 2 * bits);
  std::size_t below = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Ball& pivot = s[k + k * n];
    if (less(pivot, Ball()) == oracle::Answer::yes) {
      ++below;
    } else if (less(Ball(), pivot) != oracle::Answer::yes) {
      return std::nullopt;
    }
    for (std::size_t j = k + 1; j < n; ++j) {
      const Ball factor = div(s[j + k * n], pivot, bits);
      for (std::size_t i = j; i < n; ++i) s[i + j * n] = sub(s[i + j * n], mul(factor, s[i + k * n], bits), bits);
    }
  }
  return below;
}

/// The place of the first eigenvalue that is below the one before it.
template <FloatingPoint T>
std::optional<std::size_t> first_unsorted(const SquareCase<T>& c, const std::vector<T>& result) {
  for (std::size_t k = 1; k < static_cast<std::size_t>(c.n); ++k) {
    if (value_of(result[k]) < value_of(result[k - 1])) return k;
  }
  return std::nullopt;
}

/// A judgement of what makes any further one needless: numbers that are not finite, or eigenvalues that are unsorted.
template <FloatingPoint T>
std::optional<Judgement> refused(const SquareCase<T>& c, const std::vector<T>& result, std::size_t numbers) {
  for (std::size_t i = 0; i < numbers; ++i) {
    if (!oracle::is_finite(format<T>, bits_of(result[i]))) return Judgement::fail(i);
  }
  if (const auto at = first_unsorted(c, result)) {
    remark("the eigenvalues are not sorted");
    return Judgement::fail(*at);
  }
  return std::nullopt;
}

/// |AV̂ − V̂Λ̂| and |V̂ᵀV̂ − I|.
template <FloatingPoint T>
Judgement judge_pairs(const SquareCase<T>& c, const std::vector<T>& result) {
  const auto n = static_cast<std::size_t>(c.n);
  if (n == 0 || !eigen_bound_applies(n, format<T>)) return says_nothing();
  if (const auto judgement = refused(c, result, result.size())) return *judgement;
  std::vector<Dyadic> a;
  for (const T& each : c.a) a.push_back(value_of(each));
  std::vector<Dyadic> numbers;
  for (const T& each : result) numbers.push_back(value_of(each));
  const auto v = [&](std::size_t i, std::size_t j) -> const Dyadic& { return numbers[n + i + j * n]; };
  const Bound of_residual = orthogonal_syev_1(n, norm_of(c), format<T>);
  const Bound of_product = orthogonal_syev_1(n, Dyadic(1), format<T>);
  Judgement worst;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      Dyadic residual = -(v(i, j) * numbers[j]);
      Dyadic product = i == j ? Dyadic(-1) : Dyadic();
      for (std::size_t k = 0; k < n; ++k) {
        residual.add_mul(a[i + k * n], v(k, j));
        product.add_mul(v(k, i), v(k, j));
      }
      worst.worsen(judge_within(residual, Dyadic(), of_residual, n + i + j * n));
      worst.worsen(judge_within(product, Dyadic(), of_product, n + i + j * n));
    }
  }
  worst.judged = result.size();
  return worst;
}

/// Each eigenvalue is within its bound of the true one of its number.
template <FloatingPoint T>
Judgement judge_values(const SquareCase<T>& c, const std::vector<T>& result) {
  constexpr std::size_t most = 16;
  const auto n = static_cast<std::size_t>(c.n);
  if (n == 0 || n > most || !eigen_bound_applies(n, format<T>)) return says_nothing();
  if (const auto judgement = refused(c, result, n)) return *judgement;
  Dyadic bound = orthogonal_syev_2(n, norm_of(c), format<T>).numerator;
  Dyadic more = bound;
  bound += more.mul_2exp(-10);
  Judgement worst;
  for (std::size_t k = 0; k < n; ++k) {
    const Dyadic value = value_of(result[k]);
    const auto below = eigenvalues_below(c, value - bound);
    const auto above = eigenvalues_below(c, value + bound);
    if ((below && *below > k) || (above && *above <= k)) worst.worsen(Judgement::fail(k));
  }
  worst.judged = n;
  return worst;
}

/// Eigenvalues and eigenvectors by Jacobi's rotations in binary64, for up to 16 rows; else zeros. They are shown beside
/// the result of a kernel, and taken for controls; no contract is judged by them.
template <FloatingPoint T>
std::vector<Dyadic> shown_pairs(const SquareCase<T>& c) {
  constexpr std::size_t most = 16;
  const auto n = static_cast<std::size_t>(c.n);
  std::vector<Dyadic> shown(numbers_of(c));
  if (n > most || !is_regular(c)) return shown;
  std::vector<double> a;
  for (const T& each : c.a) a.push_back(nearest_to<double>(value_of(each)));
  std::vector<double> v(n * n);
  for (std::size_t i = 0; i < n; ++i) v[i + i * n] = 1;
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a[p + q * n] == 0) continue;
        const double angle = (a[q + q * n] - a[p + p * n]) / (2 * a[p + q * n]);
        const double tangent = std::copysign(1 / (std::fabs(angle) + std::hypot(1.0, angle)), angle);
        const double cosine = 1 / std::hypot(1.0, tangent);
        const double sine = tangent * cosine;
        const auto turn = [&](double& x, double& y) {
          const double before = x;
          x = cosine * before - sine * y;
          y = sine * before + cosine * y;
        };
        for (std::size_t i = 0; i < n; ++i) turn(a[i + p * n], a[i + q * n]);
        for (std::size_t i = 0; i < n; ++i) turn(a[p + i * n], a[q + i * n]);
        for (std::size_t i = 0; i < n; ++i) turn(v[i + p * n], v[i + q * n]);
      }
    }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return a[i + i * n]; });
  for (std::size_t k = 0; k < n; ++k) {
    shown[k] = value_of(a[order[k] * (n + 1)]);
    for (std::size_t i = 0; i < n; ++i) shown[n + i + k * n] = value_of(v[i + order[k] * n]);
  }
  return shown;
}

template <FloatingPoint T>
std::vector<Claim<SquareCase<T>, std::vector<T>, std::vector<Dyadic>>> syev_claims() {
  using Case = SquareCase<T>;
  using Result = std::vector<T>;
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{
      claim_spec(
          "backward", orthogonal_syev_1,
          [](const Case& c, const std::vector<Dyadic>&, const Result& result) { return judge_pairs(c, result); }),
      claim_spec("values", orthogonal_syev_2, [](const Case& c, const std::vector<Dyadic>&, const Result& result) {
        return judge_values(c, result);
      })};
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN or an infinity is in A", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", orthogonal_syev_3, [](const Case&, const Result& result) {
        return judge_no_number(result, "every eigenvalue and every eigenvector is finite");
      })));
  return claims;
}

template <FloatingPoint T>
void call_syev(const ForeignKernel& kernel, const Executor& on, const SquareCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 3> memory;
  const StoredColumns columns = stored_columns(c.n, c.n, hash_of(c.a));
  const FencedArray<T> a(memory[0], with_gaps(c.a, columns));
  const FencedArray<T> values(memory[1], unwritten<T>(static_cast<std::size_t>(c.n)));
  int status = 0;
  switch (kernel.form) {
    case CallForm::plain:
      status = function<int(std::size_t, T*, std::size_t, T*)>(kernel)(
          static_cast<std::size_t>(c.n), a.data(), static_cast<std::size_t>(columns.lda), values.data());
      break;
    case CallForm::fortran: {
      constexpr std::int64_t longest = 8 * most_given;
      const std::array<FortranNumber, 3> numbers{FortranNumber(c.n), FortranNumber(columns.lda),
                                                 FortranNumber(longest)};
      const FencedArray<T> work(memory[2], unwritten<T>(longest));
      alignas(8) std::array<int, 2> info{};
      function<void(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*, FortranTextLength,
                    FortranTextLength)>(kernel)("V", "L", numbers[0].address(), a.data(), numbers[1].address(),
                                                values.data(), work.data(), numbers[2].address(), info.data(), 1, 1);
      static_cast<void>(work.take(on));
      status = info[0];
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (status < 0) finish(on, status);
  std::ranges::copy(values.take(on), result);
  without_gaps(on, a.take(on), columns, result + c.n);
  if (status > 0) std::fill_n(result, numbers_of(c), not_a_number<T>());
}

constexpr auto syev_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  const auto before = [](const SquareCase<T>& c) { return unwritten<T>(numbers_of(c)); };
  return property_of(ArrayOperation<T, SquareCase<T>, Dyadic>{"syev", syev_domain<T>(), before, call_syev<T>,
                                                              shown_pairs<T>, &SquareCase<T>::a, syev_claims<T>()},
                     question,
                     may_refuse<SquareCase<T>>(
                         kernel, [](const SquareCase<T>& c) { return is_regular(c); }, format<T>.nan()));
};

const OperationRegistration syev(
    {"syev",
     "the eigenvalues of a symmetric matrix, sorted, and their orthonormal eigenvectors, column-major",
     {"f64", "f32"},
     {{CallForm::plain, "int f(size_t n, T* a, size_t lda, T* values)"},
      {CallForm::fortran,
       "void f_(const char* jobz, const char* uplo, const int* n, T* a, const int* lda, T* values, T* work, const int* "
       "lwork, int* info)"}},
     {{"backward", &orthogonal_syev_1.words},
      {"values", &orthogonal_syev_2.words},
      {"exceptional", &orthogonal_syev_3.words, {}, {}, false}},
     property_in_format<syev_of>});

const ShapedCallRegistration syev_call({"syev", {{"a", {"n", "n"}}}, true, {"backward"}});

}  // namespace
}  // namespace assay::contracts::factorizations
