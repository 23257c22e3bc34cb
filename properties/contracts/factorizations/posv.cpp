// The solution of Ax = b by a Cholesky factorization, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/solve_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/gesv_cases.hpp"
#include "properties/contracts/factorizations/moderate.hpp"
#include "properties/contracts/factorizations/potrf_cases.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/spans.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/framework/shaped_call.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::factorizations {
namespace {

template <FloatingPoint T>
PotrfCase<T> matrix_of_system(const GesvCase<T>& c) {
  return {c.n, c.a};
}

/// Whether both triangles are the same.
template <FloatingPoint T>
bool has_mirrored_matrix(const GesvCase<T>& c) {
  return has_shape(matrix_of_system(c)) && is_mirrored(matrix_of_system(c));
}

/// Whether every right kernel has a solution: solve.posv.2.
template <FloatingPoint T>
bool must_solve(const GesvCase<T>& c) {
  constexpr std::int64_t most = 16;
  return c.n == 0 || (is_regular(c) && c.n <= most && definiteness(matrix_of_system(c)) == Definite::yes);
}

template <FloatingPoint T>
Domain<GesvCase<T>> posv_domain() {
  using F = FloatTraits<T>;
  using Case = GesvCase<T>;
  const auto of = [](auto make) {
    return drawn<Case>([make](Draw& draw) {
      PotrfCase<T> a = make(draw);
      for_each_below(a.n, [&](std::int64_t i, std::int64_t j) { a.a[place(a, j, i)] = a.a[place(a, i, j)]; });
      for (T& each : a.a) {
        if (oracle::is_finite(format<T>, bits_of(each))) each = moderate_nearest_to<T>(value_of(each));
      }
      Case c{a.n, std::move(a.a), {}};
      for (std::int64_t i = 0; i < c.n; ++i) {
        c.b.push_back(draw_number<T>(draw, Significand::any, draw.between(-2, 2)));
      }
      if (!is_regular(c) || draw.coin()) return c;
      const std::vector<T> x = c.b;  // a solution, of which the right side follows
      for (std::size_t i = 0; i < x.size(); ++i) {
        Dyadic sum;
        for (std::size_t j = 0; j < x.size(); ++j) sum.add_mul(value_of(c.a[i + j * x.size()]), value_of(x[j]));
        c.b[i] = moderate_nearest_to<T>(sum);
      }
      return c;
    });
  };
  const auto gram = [of](const LowerRange& range) {
    return of([=](Draw& draw) { return gram_matrix(draw_lower<T>(draw, draw_order(draw), range)); });
  };
  return {.classes = {{"well conditioned", 3, gram({-4, -2, 0, 1})},
                      {"products of one size", 2, gram({-1, 1, -1, 1})},
                      {"ill conditioned", 2, gram({-2, 2, -F::precision / 3, 0})},
                      {"graded", 2, of([](Draw& draw) {
                         const int step = draw.coin() ? 1 : -1;
                         return gram_matrix(
                             draw_lower<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8)), {-3, 0, -1, 1}, step));
                       })},
                      {"Hilbert's matrix", 2, of([](Draw& draw) {
                         return draw_hilbert<T>(draw, 1 + static_cast<std::int64_t>(draw.below(12)));
                       })},
                      {"nearly or clearly indefinite", 3, of([](Draw& draw) {
                         const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(8));
                         PotrfCase<T> c =
                             made_indefinite(draw, gram_matrix(draw.coin() ? draw_exact_lower<T>(draw, n)
                                                                           : draw_lower<T>(draw, n, {-3, 1, -2, 1})));
                         return c;
                       })},
                      {"NaN", 1, of([](Draw& draw) {
                         PotrfCase<T> c =
                             gram_matrix(draw_exact_lower<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8))));
                         const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.n)));
                         const auto j = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(i + 1)));
                         c.a[place(c, i, j)] = sum::detail::draw_nan<T>(draw);
                         return c;
                       })}},
          .contains = [](const Case& c) { return is_moderate(c) && has_mirrored_matrix(c); },
          .features = {{"unknowns", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
          .shrink_shape = smaller_systems<T>,
          .accepts =
              "symmetric matrices of order up to 1024 and a right side; numbers that are 0, NaN or, in magnitude, "
              "within 2^±(emax/4)"};
}

/// Whether a result says what is known of A; nothing where either may be.
template <FloatingPoint T>
Judgement judge_status(const GesvCase<T>& c, const std::vector<T>& result) {
  const Definite is_definite = c.n == 0 ? Definite::open : definiteness(matrix_of_system(c));
  if (is_definite == Definite::open) return says_nothing();
  if (all_finite(result) == (is_definite == Definite::yes)) return Judgement::pass();
  if (is_definite == Definite::no) {
    remark("A is not positive definite by far, and there is a solution: no status, exception or NaN");
    return Judgement::fail();
  }
  if (!must_solve(c)) return says_nothing();
  remark("A is positive definite by far, and the solution is not finite, or the status was not 0");
  return Judgement::fail();
}

template <FloatingPoint T>
Judgement judge_definite_solution(const GesvCase<T>& c, const std::vector<T>& result) {
  const Judgement of_status = judge_status(c, result);
  if (of_status.verdict == Verdict::violated) return of_status;
  const auto n = static_cast<std::uint64_t>(c.n);
  if (n == 0 || !all_finite(result)) return says_nothing();
  Dyadic factor((n + 2) * std::max(2 * n, n + 2));
  if (Dyadic(1) < factor * unit_roundoff(format<T>.precision)) return says_nothing();
  std::vector<Dyadic> roots;
  Dyadic largest(1);
  Dyadic scaled;
  Dyadic unknowns;
  for (std::int64_t i = 0; i < c.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Dyadic own = value_of(c.a[at * (c.b.size() + 1)]);
    if (own <= Dyadic()) return says_nothing();
    roots.push_back(root_above(own));
    largest = std::max(largest, own);
    scaled.add_mul(roots.back(), abs(value_of(result[at])));
    unknowns += abs(value_of(result[at]));
  }
  Judgement worst;
  for (std::size_t i = 0; i < c.b.size(); ++i) {
    Dyadic residual = value_of(c.b[i]);
    for (std::size_t j = 0; j < c.b.size(); ++j) {
      residual -= value_of(c.a[i + j * c.b.size()]) * value_of(result[j]);
    }
    worst.worsen(judge_within(residual, Dyadic(), solve_posv_1(n, roots[i] * scaled, largest, unknowns, format<T>), i));
  }
  worst.judged = result.size();
  return worst;
}

/// The solution of the factor in balls, rounded; zeros where A is not definite. It is shown beside the result of a
/// kernel, and taken for controls; no contract is judged by it.
template <FloatingPoint T>
std::vector<Dyadic> shown_definite_solution(const GesvCase<T>& c) {
  constexpr long bits = 256;
  const std::vector<Dyadic> zeros(c.b.size());
  if (c.n == 0 || !is_regular(c)) return zeros;
  const PotrfCase<T> a = matrix_of_system(c);
  const std::vector<Dyadic> l = shown_factor(a);
  if (l.front().is_zero()) return zeros;
  std::vector<Ball> x;
  for (const T& each : c.b) x.emplace_back(value_of(each));
  for (std::int64_t step = 0; step < 2 * c.n; ++step) {
    const bool is_back = step >= c.n;
    const std::int64_t i = is_back ? 2 * c.n - 1 - step : step;
    Ball& own = x[static_cast<std::size_t>(i)];
    for (std::int64_t k = is_back ? i + 1 : 0; k < (is_back ? c.n : i); ++k) {
      const Dyadic& factor = l[is_back ? place(a, k, i) : place(a, i, k)];
      own = sub(own, mul(Ball(factor), x[static_cast<std::size_t>(k)], bits), bits);
    }
    own = div(own, Ball(l[place(a, i, i)]), bits);
  }
  return middles_of(x);
}

template <FloatingPoint T>
std::vector<Claim<GesvCase<T>, std::vector<T>, std::vector<Dyadic>>> posv_claims() {
  using Case = GesvCase<T>;
  using Result = std::vector<T>;
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{
      claim_spec("backward", solve_posv_1,
                 [](const Case& c, const std::vector<Dyadic>&, const Result& result) {
                   return judge_definite_solution(c, result);
                 }),
      satisfies("status", solve_posv_2, [](const Case& c, const Result& result) { return judge_status(c, result); })};
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN is in A or b", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", solve_posv_3,
                [](const Case&, const Result& result) { return judge_no_number(result, "every unknown is finite"); })));
  return claims;
}

template <FloatingPoint T>
void call_posv(const ForeignKernel& kernel, const Executor& on, const GesvCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 2> memory;
  const std::uint64_t hash = hash_of(c.a) ^ hash_of(c.b);
  const StoredColumns columns = stored_columns(c.n, c.n, hash);
  const StoredColumns right = stored_columns(c.n, 1, hash >> 8);
  const FencedArray<T> a(memory[0], with_gaps(c.a, columns));
  const FencedArray<T> b(memory[1], with_gaps(c.b, right));
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
      function<void(const char*, const int*, const int*, T*, const int*, T*, const int*, int*, FortranTextLength)>(
          kernel)("L", numbers[0].address(), numbers[1].address(), a.data(), numbers[2].address(), b.data(),
                  numbers[3].address(), info.data(), 1);
      status = info[0];
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (status < 0) finish(on, status);
  std::vector<T> factor(c.a.size());
  without_gaps(on, a.take(on), columns, factor.data());
  without_gaps(on, b.take(on), right, result);
  if (status > 0) std::fill_n(result, c.b.size(), not_a_number<T>());
}

constexpr auto posv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, GesvCase<T>, Dyadic>{"posv", posv_domain<T>(), [](const GesvCase<T>& c) { return c.b; },
                                             call_posv<T>, shown_definite_solution<T>, &GesvCase<T>::b,
                                             posv_claims<T>()},
      question, may_refuse<GesvCase<T>>(kernel, must_solve<T>, format<T>.nan()));
};

const OperationRegistration posv({"posv",
                                  "x with Ax = b of a symmetric positive definite matrix, column-major",
                                  {"f64", "f32"},
                                  {{CallForm::plain, "int f(size_t n, T* a, size_t lda, T* b)"},
                                   {CallForm::fortran,
                                    "void f_(const char* uplo, const int* n, const int* columns, T* a, const int* lda, "
                                    "T* b, const int* ldb, int* info)"}},
                                  {{"backward", &solve_posv_1.words, {}, {"status"}},
                                   {"status", &solve_posv_2.words, {}, {}, false},
                                   {"exceptional", &solve_posv_3.words, {}, {}, false}},
                                  property_in_format<posv_of>});

const ShapedCallRegistration posv_call({"posv", {{"a", {"n", "n"}}, {"b", {"n"}}}, true, {"backward"}});

}  // namespace
}  // namespace assay::contracts::factorizations
