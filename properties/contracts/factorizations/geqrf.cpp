// Q and R with A = QR, Q with orthonormal columns, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/orthogonal_theorems.hpp"
#include "oracle/ball.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/geqrf_cases.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/spans.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/framework/shaped_call.hpp"

namespace assay::contracts::factorizations {
namespace {

using oracle::Ball;

// -------------------------------------------------------------------------------------------------- the factors

/// The sizes of a case: Q is rows × pivots, R, which stands behind it, pivots × columns.
struct Sizes {
  template <FloatingPoint T>
  explicit Sizes(const GetrfCase<T>& c)
      : rows(static_cast<std::size_t>(c.m)), columns(static_cast<std::size_t>(c.n)), pivots(std::min(rows, columns)) {}
  [[nodiscard]] std::size_t of_q(std::size_t i, std::size_t j) const { return i + j * rows; }
  [[nodiscard]] std::size_t of_r(std::size_t i, std::size_t j) const { return (rows + j) * pivots + i; }
  [[nodiscard]] std::size_t numbers() const { return (rows + columns) * pivots; }
  /// Whether the number is above the diagonal of Q or R, or on it, or in Q.
  [[nodiscard]] bool is_read(std::size_t at) const {
    if (at < rows * pivots) return true;
    const std::size_t in_r = at - rows * pivots;
    return in_r % pivots <= in_r / pivots;
  }
  std::size_t rows;
  std::size_t columns;
  std::size_t pivots;
};

/// Whether every right kernel has factors whose diagonal is not small: orthogonal.geqrf.3.
template <FloatingPoint T>
bool is_far_from_dependent(const GetrfCase<T>& c) {
  const Sizes at(c);
  const std::vector<Dyadic> a = values_of(c.a);
  const Dyadic norm = root_above(squares_of(a, 0, a.size()));
  const Bound bound = qr_residual_bound(at.rows, at.pivots, norm, format<T>);
  const Dyadic least = Dyadic::scaled(1, FloatTraits<T>::emin / 2 + 4) + bound.numerator;
  return is_independent_by(a, at.rows, at.pivots, least * least);
}

/// Whether a number of the diagonal of R is so small that squares may have underflown, or not finite; or 0, with
/// `zero`.
template <FloatingPoint T>
bool has_small_pivot(const GetrfCase<T>& c, const std::vector<T>& result, bool zero) {
  const Sizes at(c);
  for (std::size_t k = 0; k < at.pivots; ++k) {
    const T& pivot = result[at.of_r(k, k)];
    if (!oracle::is_finite(format<T>, bits_of(pivot))) return true;
    const Dyadic value = value_of(pivot);
    if ((zero || !value.is_zero()) && value * value < Dyadic::scaled(1, FloatTraits<T>::emin + 8)) return true;
  }
  return false;
}

/// |A − Q̂R̂| of each entry and, with `orthogonal`, |Q̂ᵀQ̂ − I|.
template <FloatingPoint T>
Judgement judge_numbers(const GetrfCase<T>& c, const std::vector<T>& result, bool orthogonal) {
  const Sizes at(c);
  for (std::size_t i = 0; i < at.numbers(); ++i) {
    if (at.is_read(i) && !oracle::is_finite(format<T>, bits_of(result[i]))) return Judgement::fail(i);
  }
  std::vector<Dyadic> qr(at.numbers());
  for (std::size_t i = 0; i < qr.size(); ++i) {
    if (at.is_read(i)) qr[i] = value_of(result[i]);
  }
  const std::vector<Dyadic> a = values_of(c.a);
  const auto bound_of = [&](const Dyadic& norm) { return orthogonal_geqrf_1(at.rows, at.pivots, norm, format<T>); };
  Judgement worst;
  for (std::size_t j = 0; j < at.columns; ++j) {
    const Bound bound = bound_of(root_above(squares_of(a, j * at.rows, at.rows)));
    for (std::size_t i = 0; i < at.rows; ++i) {
      Dyadic residual = a[i + j * at.rows];
      for (std::size_t k = 0; k < at.pivots && k <= j; ++k) residual -= qr[at.of_q(i, k)] * qr[at.of_r(k, j)];
      worst.worsen(judge_within(residual, Dyadic(), bound, at.of_r(std::min(j, at.pivots - 1), j)));
    }
  }
  const Bound bound = bound_of(Dyadic(1));
  for (std::size_t j = 0; j < at.pivots && orthogonal; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      Dyadic product = i == j ? Dyadic(-1) : Dyadic();
      for (std::size_t k = 0; k < at.rows; ++k) product.add_mul(qr[at.of_q(k, i)], qr[at.of_q(k, j)]);
      const Judgement of_pair = judge_within(product, Dyadic(), bound, at.of_q(0, j));
      if (of_pair.verdict == Verdict::violated && worst.verdict != Verdict::violated) {
        remark("the columns of Q are not orthonormal");
      }
      worst.worsen(of_pair);
    }
  }
  worst.judged = at.numbers();
  return worst;
}

template <FloatingPoint T>
Judgement judge_qr(const GetrfCase<T>& c, const std::vector<T>& result, bool orthogonal) {
  const Sizes at(c);
  if (at.pivots == 0 || !qr_bound_applies(at.rows, at.pivots, format<T>)) return says_nothing();
  const Judgement judgement = judge_numbers(c, result, orthogonal);
  const bool is_open =
      judgement.verdict == Verdict::violated && has_small_pivot(c, result, !orthogonal) && !is_far_from_dependent(c);
  return is_open ? says_nothing() : judgement;
}

/// Q and R by Gram and Schmidt in balls, rounded to midpoints; zeros where columns are dependent. They are shown beside
/// the result of a kernel, and taken for controls; no contract is judged by them.
template <FloatingPoint T>
std::vector<Dyadic> shown_qr(const GetrfCase<T>& c) {
  constexpr long bits = 512;
  const Sizes at(c);
  if (!is_regular(c)) return std::vector<Dyadic>(at.numbers());
  std::vector<Ball> qr(at.numbers());
  for (std::size_t j = 0; j < at.columns; ++j) {
    std::vector<Ball> rest;
    for (std::size_t i = 0; i < at.rows; ++i) rest.emplace_back(value_of(c.a[i + j * at.rows]));
    const auto dot = [&](std::size_t k) {
      Ball sum;
      for (std::size_t i = 0; i < at.rows; ++i) {
        sum = add(sum, mul(k == j ? rest[i] : qr[at.of_q(i, k)], rest[i], bits), bits);
      }
      return sum;
    };
    for (std::size_t k = 0; k < std::min(j, at.pivots); ++k) {
      const Ball factor = dot(k);
      for (std::size_t i = 0; i < at.rows; ++i) {
        rest[i] = sub(rest[i], mul(factor, qr[at.of_q(i, k)], bits), bits);
      }
      qr[at.of_r(k, j)] = factor;
    }
    if (j >= at.pivots) continue;
    const Ball norm = sqrt(dot(j), bits);
    qr[at.of_r(j, j)] = norm;
    for (std::size_t i = 0; i < at.rows; ++i) qr[at.of_q(i, j)] = div(rest[i], norm, bits);
  }
  return middles_of(qr);
}

template <FloatingPoint T>
std::vector<Claim<GetrfCase<T>, std::vector<T>, std::vector<Dyadic>>> geqrf_claims() {
  using Case = GetrfCase<T>;
  using Result = std::vector<T>;
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{
      claim_spec(
          "backward", orthogonal_geqrf_1,
          [](const Case& c, const std::vector<Dyadic>&, const Result& result) { return judge_qr(c, result, true); }),
      when(
          "A has as many rows as columns, or more", [](const Case& c) { return c.m >= c.n; },
          claim_spec("residual", orthogonal_geqrf_2,
                     [](const Case& c, const std::vector<Dyadic>&, const Result& result) {
                       return judge_qr(c, result, false);
                     }))};
  claims = of_finite_cases(std::move(claims), [](const GetrfCase<T>& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN or an infinity is in A", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", orthogonal_geqrf_4, [](const Case& c, const Result& result) {
        const Sizes at(c);
        bool is_told = false;
        for (std::size_t i = 0; i < at.numbers(); ++i) {
          is_told = is_told || (at.is_read(i) && !oracle::is_finite(format<T>, bits_of(result[i])));
        }
        if (!is_told) remark("every number of Q and R is finite");
        return Judgement::of(is_told);
      })));
  return claims;
}

// -------------------------------------------------------------------------------------------------------- calls

/// Q of LAPACK's reflectors below the diagonal of `a` and their factors τ: the product in balls, rounded once.
template <FloatingPoint T>
void put_q_of_reflectors(const Sizes& at, const std::vector<T>& a, const std::vector<T>& tau, T* q) {
  constexpr long bits = 256;
  if (!all_finite(a) || !all_finite(tau)) {
    std::fill_n(q, at.rows * at.pivots, not_a_number<T>());
    return;
  }
  for (std::size_t j = 0; j < at.pivots; ++j) {
    std::vector<Ball> column(at.rows);
    column[j] = Ball(Dyadic(1));
    for (std::size_t k = at.pivots; k-- > 0;) {
      Ball factor = column[k];
      for (std::size_t i = k + 1; i < at.rows; ++i) {
        factor = add(factor, mul(Ball(value_of(a[i + k * at.rows])), column[i], bits), bits);
      }
      factor = mul(factor, Ball(value_of(tau[k])), bits);
      column[k] = sub(column[k], factor, bits);
      for (std::size_t i = k + 1; i < at.rows; ++i) {
        column[i] = sub(column[i], mul(factor, Ball(value_of(a[i + k * at.rows])), bits), bits);
      }
    }
    for (std::size_t i = 0; i < at.rows; ++i) q[at.of_q(i, j)] = nearest_to<T>(middle_of(column[i]));
  }
}

template <FloatingPoint T>
void call_geqrf(const ForeignKernel& kernel, const Executor& on, const GetrfCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 3> memory;
  const Sizes at(c);
  const std::uint64_t hash = hash_of(c.a);
  const StoredColumns of_a = stored_columns(c.m, c.n, hash);
  const std::vector<T> stored = with_gaps(c.a, of_a);
  const FencedArray<T> a(memory[0], stored);
  switch (kernel.form) {
    case CallForm::plain: {
      const auto pivots = static_cast<std::int64_t>(at.pivots);
      const StoredColumns of_q = stored_columns(c.m, pivots, hash >> 8);
      const StoredColumns of_r = stored_columns(pivots, c.n, hash >> 16);
      const FencedArray<T> q(memory[1], with_gaps(unwritten<T>(at.rows * at.pivots), of_q));
      const FencedArray<T> r(memory[2], with_gaps(unwritten<T>(at.pivots * at.columns), of_r));
      function<void(std::size_t, std::size_t, const T*, std::size_t, T*, std::size_t, T*, std::size_t)>(kernel)(
          at.rows, at.columns, a.data(), static_cast<std::size_t>(of_a.lda), q.data(),
          static_cast<std::size_t>(of_q.lda), r.data(), static_cast<std::size_t>(of_r.lda));
      without_gaps(on, q.take(on), of_q, result);
      without_gaps(on, r.take(on), of_r, result + at.rows * at.pivots);
      check_input(a, on, stored, "a");
      break;
    }
    case CallForm::fortran: {
      constexpr std::int64_t longest = 8 * most_given;
      const std::array<FortranNumber, 4> numbers{FortranNumber(c.m), FortranNumber(c.n), FortranNumber(of_a.lda),
                                                 FortranNumber(longest)};
      const FencedArray<T> tau(memory[1], unwritten<T>(at.pivots));
      const FencedArray<T> work(memory[2], unwritten<T>(longest));
      alignas(8) std::array<int, 2> info{};
      function<void(const int*, const int*, T*, const int*, T*, T*, const int*, int*)>(kernel)(
          numbers[0].address(), numbers[1].address(), a.data(), numbers[2].address(), tau.data(), work.data(),
          numbers[3].address(), info.data());
      finish(on, info[0]);
      std::vector<T> factors(c.a.size());
      without_gaps(on, a.take(on), of_a, factors.data());
      static_cast<void>(work.take(on));
      put_q_of_reflectors(at, factors, tau.take(on), result);
      for (std::size_t j = 0; j < at.columns; ++j) {
        for (std::size_t i = 0; i < at.pivots; ++i) result[at.of_r(i, j)] = factors[i + j * at.rows];
      }
      break;
    }
    default:
      break;  // no signature of the operation
  }
}

constexpr auto geqrf_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  const auto before = [](const GetrfCase<T>& c) { return unwritten<T>(Sizes(c).numbers()); };
  return property_of(ArrayOperation<T, GetrfCase<T>, Dyadic>{"geqrf", geqrf_domain<T>(), before, call_geqrf<T>,
                                                             shown_qr<T>, &GetrfCase<T>::a, geqrf_claims<T>()},
                     question,
                     may_refuse<GetrfCase<T>>(
                         kernel, [](const GetrfCase<T>& c) { return is_regular(c); }, format<T>.nan()));
};

const OperationRegistration geqrf(
    {"geqrf",
     "Q and R with A = QR, Q with min(m, n) orthonormal columns, R upper trapezoidal, column-major",
     {"f64", "f32"},
     {{CallForm::plain, "void f(size_t m, size_t n, const T* a, size_t lda, T* q, size_t ldq, T* r, size_t ldr)"},
      {CallForm::fortran,
       "void f_(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, const int* lwork, int* info)"}},
     {{"backward", &orthogonal_geqrf_1.words, {}, {"residual"}},
      {"residual", &orthogonal_geqrf_2.words},
      {"exceptional", &orthogonal_geqrf_4.words, {}, {}, false}},
     property_in_format<geqrf_of>});

const ShapedCallRegistration geqrf_call({"geqrf", {{"a", {"m", "n"}}}, true, {"backward"}});

}  // namespace
}  // namespace assay::contracts::factorizations
