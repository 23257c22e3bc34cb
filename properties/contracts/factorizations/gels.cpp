// The solution of least squares problems, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/orthogonal_theorems.hpp"
#include "oracle/ball.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/geqrf_cases.hpp"
#include "properties/contracts/factorizations/named_matrices.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/spans.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/framework/shaped_call.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::factorizations {
namespace {

using oracle::Ball;

/// An m × n matrix, m ≥ n, column-major without gaps, and a right side.
template <FloatingPoint T>
struct GelsCase {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::vector<T> a, b;
  static constexpr auto fields() {
    return std::tuple{field("m", &GelsCase::m), field("n", &GelsCase::n), field("a", &GelsCase::a),
                      field("b", &GelsCase::b)};
  }
};

template <FloatingPoint T>
bool is_regular(const GelsCase<T>& c) {
  return all_finite(c.a) && all_finite(c.b);
}

/// Whether the columns are so far from dependent that a right kernel solves by all of them.
template <FloatingPoint T>
bool has_full_rank(const GelsCase<T>& c) {
  const auto rows = static_cast<std::size_t>(c.m);
  const auto columns = static_cast<std::size_t>(c.n);
  const std::vector<Dyadic> a = values_of(c.a);
  const Dyadic least = qr_residual_bound(rows, columns, root_above(squares_of(a, 0, a.size())), format<T>).numerator +
                       Dyadic::scaled(1, FloatTraits<T>::emin / 2 + 4);
  return is_independent_by(a, rows, columns, least * least);
}

/// The solution in balls, by AᵀAx = Aᵀb. Requires: full rank (not checked). Not finite where balls are too wide.
template <FloatingPoint T>
std::vector<Ball> solution_of(const GelsCase<T>& c) {
  constexpr long bits = 1024;
  const auto rows = static_cast<std::size_t>(c.m);
  const auto n = static_cast<std::size_t>(c.n);
  const std::vector<Dyadic> a = values_of(c.a);
  const std::vector<Dyadic> b = values_of(c.b);
  std::vector<Ball> s(n * n);
  std::vector<Ball> x(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i <= n; ++i) {
      Dyadic sum;
      for (std::size_t k = 0; k < rows; ++k) sum.add_mul(i < n ? a[k + i * rows] : b[k], a[k + j * rows]);
      (i < n ? s[i + j * n] : x[j]) = Ball(sum);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const Ball factor = div(s[i + k * n], s[k + k * n], bits);
      for (std::size_t j = k + 1; j < n; ++j) s[i + j * n] = sub(s[i + j * n], mul(factor, s[k + j * n], bits), bits);
      x[i] = sub(x[i], mul(factor, x[k], bits), bits);
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] = sub(x[i], mul(s[i + k * n], x[k], bits), bits);
    x[i] = div(x[i], s[i + i * n], bits);
  }
  return x;
}

template <FloatingPoint T>
Judgement judge_least_squares(const GelsCase<T>& c, const std::vector<T>& result) {
  constexpr long bits = 1024;
  const auto rows = static_cast<std::size_t>(c.m);
  const auto n = static_cast<std::size_t>(c.n);
  if (n == 0 || !qr_bound_applies(rows, n, format<T>) || !has_full_rank(c)) return says_nothing();
  for (std::size_t i = 0; i < n; ++i) {
    if (!oracle::is_finite(format<T>, bits_of(result[i]))) return Judgement::fail(i);
  }
  const std::vector<Ball> exact = solution_of(c);
  if (!std::ranges::all_of(exact, [](const Ball& x) { return x.is_finite(); })) return says_nothing();
  const std::vector<Dyadic> a = values_of(c.a);
  std::vector<Dyadic> residual = values_of(c.b);
  Dyadic lengths = root_above(squares_of(residual, 0, rows));
  Dyadic of_error;
  std::vector<Ball> image(rows);
  for (std::size_t j = 0; j < n; ++j) {
    const Dyadic unknown = value_of(result[j]);
    const Dyadic length = root_above(squares_of(a, j * rows, rows));
    const Ball error = sub(exact[j], Ball(unknown), bits);
    lengths += length * abs(unknown);
    of_error += length * abs(error).upper();
    for (std::size_t i = 0; i < rows; ++i) {
      residual[i] -= a[i + j * rows] * unknown;
      image[i] = add(image[i], mul(Ball(a[i + j * rows]), error, bits), bits);
    }
  }
  Ball squares;
  for (const Ball& each : image) squares = add(squares, mul(each, each, bits), bits);
  const Dyadic least = squares.lower() <= Dyadic() ? Dyadic() : oracle::sqrt(Ball(squares.lower()), bits).lower();
  const Dyadic change = least_squares_change(rows, n, format<T>);
  const Dyadic root = root_above(change * of_error * (root_above(squares_of(residual, 0, rows)) + change * lengths));
  Judgement judgement = judge_within(least, Dyadic(), orthogonal_gels_1(rows, n, lengths, root, format<T>), 0);
  judgement.judged = result.size();
  return judgement;
}

/// The solution, rounded, or zeros where columns are nearly dependent. It is shown beside the result of a kernel, and
/// taken for controls; the judge has its own balls.
template <FloatingPoint T>
std::vector<Dyadic> shown_least_squares(const GelsCase<T>& c) {
  if (c.n == 0 || !is_regular(c)) return std::vector<Dyadic>(static_cast<std::size_t>(c.n));
  return middles_of(solution_of(c));
}

template <FloatingPoint T>
std::vector<GelsCase<T>> smaller_problems(const GelsCase<T>& c) {
  std::vector<GelsCase<T>> smaller;
  for (std::int64_t j = 0; j < c.n; ++j) {
    smaller.push_back({c.m, c.n - 1, without(GetrfCase<T>{c.m, c.n, c.a}, -1, j).a, c.b});
  }
  for (std::int64_t i = 0; i < c.m && c.m > c.n; ++i) {
    GelsCase<T> other{c.m - 1, c.n, without(GetrfCase<T>{c.m, c.n, c.a}, i, -1).a, c.b};
    other.b.erase(other.b.begin() + i);
    smaller.push_back(std::move(other));
  }
  return smaller;
}

template <FloatingPoint T>
Domain<GelsCase<T>> gels_domain() {
  using F = FloatTraits<T>;
  using Case = GelsCase<T>;
  // make(m, n) gives the matrix; the right side is any one, or that of an x, rounded.
  const auto of = [](auto make) {
    return drawn<Case>([make](Draw& draw) {
      const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(6));
      const GetrfCase<T> a = make(draw, n + static_cast<std::int64_t>(draw.below(7)), n);
      const auto number = [&](std::int64_t) { return draw_number<T>(draw, Significand::any, draw.between(-2, 2)); };
      const bool is_mapped = draw.coin();
      std::vector<T> x;
      for (std::int64_t j = 0; j < a.n; ++j) x.push_back(number(j));
      Case c{a.m, a.n, a.a, {}};
      for (std::int64_t i = 0; i < a.m; ++i) {
        Dyadic sum;
        for (std::int64_t j = 0; j < a.n; ++j) {
          sum.add_mul(value_of(a.a[place(a, i, j)]), value_of(x[static_cast<std::size_t>(j)]));
        }
        c.b.push_back(is_mapped ? moderate_nearest_to<T>(sum) : number(i));
      }
      return c;
    });
  };
  const auto any = [of](int low, int high) {
    return of([=](Draw& draw, std::int64_t m, std::int64_t n) {
      return matrix_of<T>(m, n, [&](std::int64_t, std::int64_t) {
        return draw_number<T>(draw, Significand::any, draw.between(low, high));
      });
    });
  };
  return {.classes = {{"entries of one size", 3, any(-1, 1)},
                      {"exponents apart", 1, any(-6, 6)},
                      {"columns nearly dependent", 5, of([](Draw& draw, std::int64_t m, std::int64_t n) {
                         GetrfCase<T> c = draw_nearly_dependent<T>(draw, m, n);
                         return c;
                       })},
                      {"ones above a small diagonal", 2, of([](Draw& draw, std::int64_t m, std::int64_t n) {
                         const int small = -draw.between(1, F::precision - 8);
                         return matrix_of<T>(m + 1, n, [&](std::int64_t i, std::int64_t j) {
                           return i == 0 ? T(1) : i == j + 1 ? compose<T>(draw.coin(), 1, small) : T{};
                         });
                       })},
                      {"powers of numbers", 1,
                       of([](Draw& draw, std::int64_t m, std::int64_t n) { return draw_vandermonde<T>(draw, m, n); })},
                      {"NaN", 1, drawn<Case>([](Draw& draw) {
                         const std::int64_t n = 1 + static_cast<std::int64_t>(draw.below(6));
                         const GetrfCase<T> a = matrix_of<T>(n + 2, n, [&](std::int64_t, std::int64_t) {
                           return draw_number<T>(draw, Significand::any, draw.between(-1, 1));
                         });
                         Case c{a.m, a.n, a.a, std::vector<T>(static_cast<std::size_t>(a.m), T(1))};
                         c.b[draw.below(static_cast<std::uint64_t>(n))] = sum::detail::draw_nan<T>(draw);
                         return c;
                       })}},
          .contains =
              [](const Case& c) {
                return c.n >= 0 && c.m >= c.n && c.m <= most_order() &&
                       c.a.size() == static_cast<std::size_t>(c.m * c.n) &&
                       c.b.size() == static_cast<std::size_t>(c.m) && std::ranges::all_of(c.a, is_moderate_number<T>) &&
                       std::ranges::all_of(c.b, is_moderate_number<T>);
              },
          .features = {{"unknowns", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
          .shrink_shape = smaller_problems<T>,
          .accepts =
              "up to 1024 rows and as many columns or fewer; numbers that are 0, NaN or, in magnitude, within "
              "2^±(emax/4)"};
}

/// Whether a NaN is where a right kernel meets it: in the first n numbers of b, and A is finite.
template <FloatingPoint T>
bool has_nan(const GelsCase<T>& c) {
  return std::any_of(c.b.begin(), c.b.begin() + c.n, [](const T& x) { return oracle::is_nan(format<T>, bits_of(x)); });
}

template <FloatingPoint T>
std::vector<Claim<GelsCase<T>, std::vector<T>, std::vector<Dyadic>>> gels_claims() {
  using Case = GelsCase<T>;
  using Result = std::vector<T>;
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{claim_spec(
      "backward", orthogonal_gels_1,
      [](const Case& c, const std::vector<Dyadic>&, const Result& result) { return judge_least_squares(c, result); })};
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN is in the first n numbers of b", [](const Case& c) { return has_nan(c); },
      satisfies("exceptional", orthogonal_gels_2,
                [](const Case&, const Result& result) { return judge_no_number(result, "every unknown is finite"); })));
  return claims;
}

template <FloatingPoint T>
void call_gels(const ForeignKernel& kernel, const Executor& on, const GelsCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 3> memory;
  const std::uint64_t hash = hash_of(c.a) ^ hash_of(c.b);
  const StoredColumns columns = stored_columns(c.m, c.n, hash);
  const StoredColumns right = stored_columns(c.m, 1, hash >> 8);
  const FencedArray<T> a(memory[0], with_gaps(c.a, columns));
  const FencedArray<T> b(memory[1], with_gaps(c.b, right));
  int status = 0;
  switch (kernel.form) {
    case CallForm::plain:
      status = function<int(std::size_t, std::size_t, T*, std::size_t, T*)>(kernel)(
          static_cast<std::size_t>(c.m), static_cast<std::size_t>(c.n), a.data(), static_cast<std::size_t>(columns.lda),
          b.data());
      break;
    case CallForm::fortran: {
      constexpr std::int64_t longest = 8 * most_given;
      const std::array<FortranNumber, 6> numbers{FortranNumber(c.m),       FortranNumber(c.n),
                                                 FortranNumber(1),         FortranNumber(columns.lda),
                                                 FortranNumber(right.lda), FortranNumber(longest)};
      const FencedArray<T> work(memory[2], unwritten<T>(longest));
      alignas(8) std::array<int, 2> info{};
      function<void(const char*, const int*, const int*, const int*, T*, const int*, T*, const int*, T*, const int*,
                    int*, FortranTextLength)>(kernel)(
          "N", numbers[0].address(), numbers[1].address(), numbers[2].address(), a.data(), numbers[3].address(),
          b.data(), numbers[4].address(), work.data(), numbers[5].address(), info.data(), 1);
      static_cast<void>(work.take(on));
      status = info[0];
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (status < 0) finish(on, status);
  std::vector<T> factors(c.a.size());
  without_gaps(on, a.take(on), columns, factors.data());
  std::vector<T> solution(c.b.size());
  without_gaps(on, b.take(on), right, solution.data());
  std::copy_n(solution.begin(), c.n, result);
  if (status > 0) std::fill_n(result, c.n, not_a_number<T>());
}

constexpr auto gels_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  const auto before = [](const GelsCase<T>& c) { return unwritten<T>(static_cast<std::size_t>(c.n)); };
  const auto must_solve = [](const GelsCase<T>& c) { return is_regular(c) && has_full_rank(c); };
  return property_of(ArrayOperation<T, GelsCase<T>, Dyadic>{"gels", gels_domain<T>(), before, call_gels<T>,
                                                            shown_least_squares<T>, &GelsCase<T>::b, gels_claims<T>()},
                     question, may_refuse<GelsCase<T>>(kernel, must_solve, format<T>.nan()));
};

const OperationRegistration gels(
    {"gels",
     "x with the least |b − Ax| of an m × n matrix of rank n, column-major",
     {"f64", "f32"},
     {{CallForm::plain, "int f(size_t m, size_t n, T* a, size_t lda, T* b)"},
      {CallForm::fortran,
       "void f_(const char* trans, const int* m, const int* n, const int* columns, T* a, const int* lda, T* b, const "
       "int* ldb, T* work, const int* lwork, int* info)"}},
     {{"backward", &orthogonal_gels_1.words}, {"exceptional", &orthogonal_gels_2.words, {}, {}, false}},
     property_in_format<gels_of>});

const ShapedCallRegistration gels_call({"gels", {{"a", {"m", "n"}}, {"b", {"m"}}}, true, {"backward"}});

}  // namespace
}  // namespace assay::contracts::factorizations
