// The inverse of a matrix by an LU factorization with partial pivoting, as a foreign function computes it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/solve_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/geqrf_cases.hpp"
#include "properties/contracts/factorizations/named_matrices.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/solutions.hpp"
#include "properties/contracts/factorizations/square_cases.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/framework/shaped_call.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::factorizations {
namespace {

/// The system whose solution is column j of the inverse.
template <FloatingPoint T>
GesvCase<T> system_of(const SquareCase<T>& c, std::int64_t j) {
  GesvCase<T> system{c.n, c.a, std::vector<T>(static_cast<std::size_t>(c.n))};
  system.b[static_cast<std::size_t>(j)] = T(1);
  return system;
}

template <FloatingPoint T>
Domain<SquareCase<T>> inv_domain() {
  using F = FloatTraits<T>;
  using Case = SquareCase<T>;
  const auto square = [](GetrfCase<T> a) { return Case{a.n, std::move(a.a)}; };
  const auto any = [square](int low, int high) {
    return drawn<Case>([=](Draw& draw) {
      const std::int64_t n = draw_order(draw);
      return square(matrix_of<T>(n, n, [&](std::int64_t, std::int64_t) {
        return draw_number<T>(draw, Significand::any, draw.between(low, high));
      }));
    });
  };
  return {.classes = {{"entries of one size", 4, any(-1, 1)},
                      {"exponents apart", 2, any(-8, 4)},
                      {"nearly singular", 4, drawn<Case>([square](Draw& draw) {
                         const std::int64_t n = 2 + static_cast<std::int64_t>(draw.below(6));
                         return square(draw_nearly_dependent<T>(draw, n, n));
                       })},
                      {"Hilbert's matrix, permuted", 1, drawn<Case>([square](Draw& draw) {
                         const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(8));
                         return square(shuffled_rows(
                             draw, matrix_of<T>(n, n, [](std::int64_t i, std::int64_t j) {
                               return nearest_to<T>(oracle::Exact(oracle::quotient(Dyadic(1), Dyadic(i + j + 1))));
                             })));
                       })},
                      {"exact, or singular", 2, drawn<Case>([square](Draw& draw) {
                         return square(
                             draw_exact_product<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8)), draw.one_in(4)));
                       })},
                      {"large and small", 1, drawn<Case>([square](Draw& draw) {
                         const int scale = (draw.coin() ? 1 : -1) * (most_moderate<T> - F::precision / 2);
                         const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(8));
                         return square(matrix_of<T>(n, n, [&](std::int64_t, std::int64_t) {
                           return draw_number<T>(draw, Significand::any, scale + draw.between(-1, 1));
                         }));
                       })},
                      {named_class, 2, drawn<Case>([square](Draw& draw) { return square(draw_named<T>(draw)); })},
                      {"NaN", 1, drawn<Case>([square](Draw& draw) {
                         GetrfCase<T> a =
                             draw_exact_product<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8)), false);
                         a.a[draw.below(a.a.size())] = sum::detail::draw_nan<T>(draw);
                         return square(std::move(a));
                       })}},
          .contains = [](const Case& c) { return has_shape(c) && (c.n == 0 || is_moderate(system_of(c, 0))); },
          .features = {{"order", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
          .shrink_shape = smaller_squares<T>,
          .accepts = "order up to 1024; numbers that are 0, NaN or, in magnitude, within 2^±(emax/4)"};
}

template <FloatingPoint T>
Judgement judge_inverse(const SquareCase<T>& c, const std::vector<T>& result) {
  const auto n = static_cast<std::size_t>(c.n);
  Judgement worst;
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<T> column(result.begin() + static_cast<std::ptrdiff_t>(j * n),
                                result.begin() + static_cast<std::ptrdiff_t>((j + 1) * n));
    Judgement of_column = judge_solution(system_of(c, static_cast<std::int64_t>(j)), column);
    if (of_column.judged == 0) return says_nothing();
    of_column.component += j * n;
    worst.worsen(of_column);
    if (!std::isfinite(of_column.tightness)) return worst;  // its system is the system of all columns
  }
  worst.judged = result.size();
  return worst;
}

/// |X̂A − I| of each entry; without a finite X̂: violated where every right kernel has one.
template <FloatingPoint T>
Judgement judge_left_residual(const SquareCase<T>& c, const std::vector<T>& result) {
  const auto n = static_cast<std::size_t>(c.n);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (oracle::is_finite(format<T>, bits_of(result[i]))) continue;
    return is_safe(system_of(c, 0), c.n) ? Judgement::fail(i) : says_nothing();
  }
  if (!solve_bound_says_something(static_cast<std::uint64_t>(c.n), format<T>)) return says_nothing();
  const std::vector<Dyadic> largest = n == 0 ? std::vector<Dyadic>{} : largest_of_columns(system_of(c, 0));
  Judgement worst;
  for (std::size_t i = 0; i < n; ++i) {
    Dyadic numbers;
    for (std::size_t k = 0; k < n; ++k) numbers += abs(value_of(result[i + k * n]));
    for (std::size_t j = 0; j < n; ++j) {
      Dyadic residual = i == j ? Dyadic(-1) : Dyadic();
      for (std::size_t k = 0; k < n; ++k) residual.add_mul(value_of(result[i + k * n]), value_of(c.a[k + j * n]));
      worst.worsen(judge_within(residual, Dyadic(), solve_inv_3(largest, j, numbers, format<T>), i + j * n));
    }
  }
  worst.judged = result.size();
  return worst;
}

/// The inverse to some 200 bits, or zeros where a pivot may be 0. It is shown beside the result of a kernel, and taken
/// for controls; no contract is judged by it.
template <FloatingPoint T>
std::vector<Dyadic> shown_inverse(const SquareCase<T>& c) {
  constexpr long bits = 256;
  std::vector<Dyadic> zeros(c.a.size());
  if (c.n == 0 || !is_regular(c)) return zeros;
  const auto inverse = inverse_of(system_of(c, 0), bits);
  return inverse ? middles_of(*inverse) : zeros;
}

template <FloatingPoint T>
std::vector<Claim<SquareCase<T>, std::vector<T>, std::vector<Dyadic>>> inv_claims() {
  using Case = SquareCase<T>;
  using Result = std::vector<T>;
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{claim_spec(
      "right_residual", solve_inv_1,
      [](const Case& c, const std::vector<Dyadic>&, const Result& result) { return judge_inverse(c, result); })};
  claims.push_back(claim_spec(
      "left_residual", solve_inv_3,
      [](const Case& c, const std::vector<Dyadic>&, const Result& result) { return judge_left_residual(c, result); }));
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN is in A", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", solve_inv_2, [](const Case&, const Result& result) {
        return judge_no_number(result, "every number of the inverse is finite");
      })));
  return claims;
}

template <FloatingPoint T>
void call_inv(const ForeignKernel& kernel, const Executor& on, const SquareCase<T>& c, T* result) {
  thread_local FencedMemory memory;
  const StoredColumns columns = stored_columns(c.n, c.n, hash_of(c.a));
  const FencedArray<T> a(memory, with_gaps(c.a, columns));
  const int status = function<int(std::size_t, T*, std::size_t)>(kernel)(static_cast<std::size_t>(c.n), a.data(),
                                                                         static_cast<std::size_t>(columns.lda));
  if (status < 0) finish(on, status);
  without_gaps(on, a.take(on), columns, result);
  if (status > 0) std::fill_n(result, c.a.size(), not_a_number<T>());
}

/// Whether every right kernel has an inverse: others may raise an error.
template <FloatingPoint T>
bool must_have_inverse(const SquareCase<T>& c) {
  return c.n == 0 || (is_regular(c) && must_complete(system_of(c, 0)));
}

constexpr auto inv_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, SquareCase<T>, Dyadic>{"inv", inv_domain<T>(), [](const SquareCase<T>& c) { return c.a; },
                                               call_inv<T>, shown_inverse<T>, &SquareCase<T>::a, inv_claims<T>()},
      question, may_refuse<SquareCase<T>>(kernel, must_have_inverse<T>, format<T>.nan()));
};

const OperationRegistration inv({"inv",
                                 "X with AX = I by elimination with partial pivoting, column-major",
                                 {"f64", "f32"},
                                 {{CallForm::plain, "int f(size_t n, T* a, size_t lda)"}},
                                 {{"right_residual", &solve_inv_1.words},
                                  {"left_residual", &solve_inv_3.words},
                                  {"exceptional", &solve_inv_2.words, {}, {}, false}},
                                 property_in_format<inv_of>});

const ShapedCallRegistration inv_call({"inv", {{"a", {"n", "n"}}}, true, {"right_residual"}});

}  // namespace
}  // namespace assay::contracts::factorizations
