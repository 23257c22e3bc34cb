// The solution of Ax = b by the factors and pivots of A, as a foreign function computes it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/solve_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/moderate.hpp"
#include "properties/contracts/factorizations/orders.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/framework/limbs.hpp"
#include "properties/framework/shaped_call.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::factorizations {
namespace {

/// L below the diagonal and U of order n, column-major without gaps; row k was swapped with row pivots[k], both from 0;
/// a right side.
template <FloatingPoint T>
struct GetrsCase {
  std::int64_t n = 0;
  std::vector<T> lu;
  std::vector<std::uint32_t> pivots;
  std::vector<T> b;
  static constexpr auto fields() {
    return std::tuple{field("n", &GetrsCase::n), field("lu", &GetrsCase::lu), field("pivots", &GetrsCase::pivots),
                      field("b", &GetrsCase::b)};
  }
  [[nodiscard]] const T& at(std::int64_t i, std::int64_t j) const { return lu[static_cast<std::size_t>(i + j * n)]; }
};

template <FloatingPoint T>
bool is_regular(const GetrsCase<T>& c) {
  return all_finite(c.lu) && all_finite(c.b);
}

/// Pb.
template <FloatingPoint T>
std::vector<T> swapped(const GetrsCase<T>& c) {
  std::vector<T> right = c.b;
  for (std::size_t k = 0; k < right.size(); ++k) std::swap(right[k], right[c.pivots[k]]);
  return right;
}

template <FloatingPoint T>
bool has_shape(const GetrsCase<T>& c) {
  const auto n = static_cast<std::size_t>(c.n);
  if (c.n < 0 || c.n > most_order() || c.lu.size() != n * n || c.pivots.size() != n || c.b.size() != n) return false;
  for (std::size_t k = 0; k < n; ++k) {
    if (c.pivots[k] < k || c.pivots[k] >= n) return false;
  }
  return std::ranges::all_of(c.lu, is_moderate_number<T>) && std::ranges::all_of(c.b, is_moderate_number<T>);
}

/// Whether no step is near to overflow: twice the magnitudes of the exact steps without cancellation.
template <FloatingPoint T>
bool stays_small(const GetrsCase<T>& c) {
  const Dyadic largest = Dyadic::scaled(1, FloatTraits<T>::emax - 4);
  const std::vector<T> right = swapped(c);
  std::vector<Dyadic> y;
  for (std::int64_t i = 0; i < c.n; ++i) {
    Dyadic sum = abs(value_of(right[static_cast<std::size_t>(i)]));
    for (std::int64_t k = 0; k < i; ++k) sum.add_mul(abs(value_of(c.at(i, k))), y[static_cast<std::size_t>(k)]);
    y.push_back(sum.mul_2exp(1));
    if (largest < y.back()) return false;
  }
  for (std::int64_t i = c.n; i-- > 0;) {
    const Dyadic pivot = abs(value_of(c.at(i, i)));
    if (pivot.is_zero()) return false;
    Dyadic& sum = y[static_cast<std::size_t>(i)];
    for (std::int64_t k = i + 1; k < c.n; ++k) {
      sum.add_mul(abs(value_of(c.at(i, k))), y[static_cast<std::size_t>(k)]);
    }
    if (largest < sum) return false;
    sum.mul_2exp(1 - pivot.exponent());
    if (largest < sum) return false;
  }
  return true;
}

/// Whether a NaN is where a right kernel meets it: on the diagonal of U or in b.
template <FloatingPoint T>
bool has_nan(const GetrsCase<T>& c) {
  const auto is_nan = [](const T& x) { return oracle::is_nan(format<T>, bits_of(x)); };
  bool found = std::ranges::any_of(c.b, is_nan);
  for (std::int64_t k = 0; k < c.n; ++k) found = found || is_nan(c.at(k, k));
  return found;
}

template <FloatingPoint T>
Domain<GetrsCase<T>> getrs_domain() {
  using F = FloatTraits<T>;
  using Case = GetrsCase<T>;
  // |l| ≤ 1, the numbers of U between 2^low and 2^high, its diagonal between 2^least and 2^(least + 1); smaller ones
  // beside the diagonal of many unknowns, so that no solution is large.
  const auto draw_case = [](Draw& draw, std::int64_t n, int low, int high, int least) {
    const int off = n > 8 ? -3 : 0;
    Case c{n, std::vector<T>(static_cast<std::size_t>(n * n)), std::vector<std::uint32_t>(static_cast<std::size_t>(n)),
           std::vector<T>(static_cast<std::size_t>(n))};
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < n; ++i) {
        const int exponent = i == j ? least : off + (i > j ? draw.between(-4, -1) : draw.between(low, high));
        c.lu[static_cast<std::size_t>(i + j * n)] = draw_number<T>(draw, Significand::any, exponent);
      }
      c.pivots[static_cast<std::size_t>(j)] =
          static_cast<std::uint32_t>(j + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(n - j))));
      c.b[static_cast<std::size_t>(j)] = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
    }
    return c;
  };
  return {.classes = {{"entries of one size", 4,
                       drawn<Case>([draw_case](Draw& draw) { return draw_case(draw, draw_order(draw), -2, 0, 1); })},
                      {"exponents apart", 2, drawn<Case>([draw_case](Draw& draw) {
                         return draw_case(draw, 1 + static_cast<std::int64_t>(draw.below(8)), -6, 4,
                                          draw.between(-3, 3));
                       })},
                      {"small pivots", 2, drawn<Case>([draw_case](Draw& draw) {
                         Case c = draw_case(draw, 1 + static_cast<std::int64_t>(draw.below(4)), -1, 1, 0);
                         const std::size_t k = draw.below(c.b.size());
                         c.lu[k * (c.b.size() + 1)] =
                             draw_number<T>(draw, Significand::any, -draw.between(1, F::precision / 2));
                         return c;
                       })},
                      {"NaN", 1, drawn<Case>([draw_case](Draw& draw) {
                         Case c = draw_case(draw, 1 + static_cast<std::int64_t>(draw.below(8)), -2, 0, 1);
                         const std::size_t k = draw.below(c.b.size());
                         (draw.coin() ? c.b[k] : c.lu[k * (c.b.size() + 1)]) = sum::detail::draw_nan<T>(draw);
                         return c;
                       })}},
          .contains = [](const Case& c) { return has_shape(c) && (is_regular(c) ? stays_small(c) : has_nan(c)); },
          .features = {{"unknowns", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
          .accepts =
              "up to 1024 unknowns; numbers that are 0 or, in magnitude, within 2^±(emax/4), none of them 0 on the "
              "diagonal, no step near to overflow; or a NaN in b or on the diagonal; pivots[k] from k to n − 1"};
}

template <FloatingPoint T>
Judgement judge_substitutions(const GetrsCase<T>& c, const std::vector<T>& result) {
  const auto n = static_cast<std::uint64_t>(c.n);
  if (!getrs_bound_applies(n, format<T>)) return says_nothing();
  std::vector<Dyadic> ux(n);
  std::vector<Dyadic> magnitudes(n);
  for (std::int64_t i = 0; i < c.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!oracle::is_finite(format<T>, bits_of(result[at]))) return Judgement::fail(at);
    for (std::int64_t j = i; j < c.n; ++j) {
      const Dyadic product = value_of(c.at(i, j)) * value_of(result[static_cast<std::size_t>(j)]);
      ux[at] += product;
      magnitudes[at] += abs(product);
    }
  }
  const std::vector<T> right = swapped(c);
  Judgement worst;
  for (std::int64_t i = 0; i < c.n; ++i) {
    Dyadic residual = value_of(right[static_cast<std::size_t>(i)]);
    Dyadic products;
    Dyadic spoiled(n);
    for (std::int64_t k = 0; k <= i; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Dyadic factor = k == i ? Dyadic(1) : value_of(c.at(i, k));
      residual -= factor * ux[at];
      products += abs(factor) * magnitudes[at];
      spoiled += Dyadic(2) * abs(factor) * (Dyadic(n) + abs(value_of(c.at(k, k))));
    }
    worst.worsen(
        judge_within(residual, Dyadic(), solve_getrs_1(n, products, spoiled, format<T>), static_cast<std::size_t>(i)));
  }
  worst.judged = result.size();
  return worst;
}

/// The solution to some 200 bits. It is shown beside the result of a kernel, and taken for controls; no contract is
/// judged by it.
template <FloatingPoint T>
std::vector<Dyadic> shown_substitutions(const GetrsCase<T>& c) {
  constexpr long bits = 256;
  if (!is_regular(c)) return std::vector<Dyadic>(c.b.size());
  std::vector<oracle::Ball> x;
  for (const T& each : swapped(c)) x.emplace_back(value_of(each));
  const auto take_off = [&](std::int64_t i, std::int64_t k) {
    const auto at = static_cast<std::size_t>(i);
    x[at] = sub(x[at], mul(oracle::Ball(value_of(c.at(i, k))), x[static_cast<std::size_t>(k)], bits), bits);
  };
  for (std::int64_t i = 0; i < c.n; ++i) {
    for (std::int64_t k = 0; k < i; ++k) take_off(i, k);
  }
  for (std::int64_t i = c.n; i-- > 0;) {
    for (std::int64_t k = i + 1; k < c.n; ++k) take_off(i, k);
    oracle::Ball& own = x[static_cast<std::size_t>(i)];
    own = div(own, oracle::Ball(value_of(c.at(i, i))), bits);
  }
  return middles_of(x);
}

template <FloatingPoint T>
std::vector<Claim<GetrsCase<T>, std::vector<T>, std::vector<Dyadic>>> getrs_claims() {
  using Case = GetrsCase<T>;
  using Result = std::vector<T>;
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{claim_spec(
      "backward", solve_getrs_1,
      [](const Case& c, const std::vector<Dyadic>&, const Result& result) { return judge_substitutions(c, result); })};
  claims = of_finite_cases(std::move(claims), [](const Case& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN is in b or on the diagonal", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", solve_getrs_2,
                [](const Case&, const Result& result) { return judge_no_number(result, "every unknown is finite"); })));
  return claims;
}

template <FloatingPoint T>
void call_getrs(const ForeignKernel& kernel, const Executor& on, const GetrsCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 3> memory;
  const std::uint64_t hash = hash_of(c.lu) ^ hash_of(c.b);
  const StoredColumns columns = stored_columns(c.n, c.n, hash);
  const StoredColumns right = stored_columns(c.n, 1, hash >> 8);
  const std::vector<T> stored = with_gaps(c.lu, columns);
  std::vector<int> rows(c.pivots.begin(), c.pivots.end());
  if (kernel.form == CallForm::fortran) {
    for (int& each : rows) ++each;
  }
  const FencedArray<T> lu(memory[0], stored);
  const FencedArray<int> pivots(memory[1], rows);
  const FencedArray<T> b(memory[2], with_gaps(c.b, right));
  switch (kernel.form) {
    case CallForm::plain:
      function<void(std::size_t, const T*, std::size_t, const int*, T*)>(kernel)(
          static_cast<std::size_t>(c.n), lu.data(), static_cast<std::size_t>(columns.lda), pivots.data(), b.data());
      break;
    case CallForm::fortran: {
      const std::array<FortranNumber, 4> numbers{FortranNumber(c.n), FortranNumber(1), FortranNumber(columns.lda),
                                                 FortranNumber(right.lda)};
      alignas(8) std::array<int, 2> info{};
      function<void(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*,
                    FortranTextLength)>(kernel)("N", numbers[0].address(), numbers[1].address(), lu.data(),
                                                numbers[2].address(), pivots.data(), b.data(), numbers[3].address(),
                                                info.data(), 1);
      finish(on, info[0]);
      break;
    }
    default:
      break;  // no signature of the operation
  }
  without_gaps(on, b.take(on), right, result);
  check_input(lu, on, stored, "lu");
  check_input(pivots, on, rows, "pivots");
}

constexpr auto getrs_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, GetrsCase<T>, Dyadic>{"getrs", getrs_domain<T>(), [](const GetrsCase<T>& c) { return c.b; },
                                              call_getrs<T>, shown_substitutions<T>, &GetrsCase<T>::b,
                                              getrs_claims<T>()},
      question,
      may_refuse<GetrsCase<T>>(
          kernel, [](const GetrsCase<T>& c) { return is_regular(c); }, format<T>.nan()));
};

const OperationRegistration getrs(
    {"getrs",
     "x with LUx = Pb by the factors and pivots of getrf, column-major",
     {"f64", "f32"},
     {{CallForm::plain, "void f(size_t n, const T* lu, size_t lda, const int* pivots, T* b)"},
      {CallForm::fortran,
       "void f_(const char* trans, const int* n, const int* columns, const T* lu, const int* lda, const int* pivots, "
       "T* b, const int* ldb, int* info)"}},
     {{"backward", &solve_getrs_1.words}, {"exceptional", &solve_getrs_2.words, {}, {}, false}},
     property_in_format<getrs_of>});

const ShapedCallRegistration getrs_call(
    {"getrs", {{"lu", {"n", "n"}}, {"pivots", {"n"}}, {"b", {"n"}}}, true, {"backward"}});

}  // namespace
}  // namespace assay::contracts::factorizations
