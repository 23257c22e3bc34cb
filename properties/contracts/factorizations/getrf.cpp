// P, L and U with PA = LU, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/factorization_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/factorizations/getrf_domain.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/stored_columns.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/framework/shaped_call.hpp"

namespace assay::contracts::factorizations {
namespace {

// -------------------------------------------------------------------------------------------------- the factors

/// The numbers of the result before its pivots.
template <FloatingPoint T>
std::size_t entries_of(const GetrfCase<T>& c) {
  return static_cast<std::size_t>(c.m * c.n);
}

/// Row i of PA is row order[i] of A. Nothing where the place `bad` has no row that step k may have taken.
template <FloatingPoint T>
std::optional<std::vector<std::int64_t>> order_of(const GetrfCase<T>& c, const std::vector<T>& result,
                                                  std::size_t& bad) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(c.m));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t k = 0; k < pivots_of(c); ++k) {
    bad = entries_of(c) + static_cast<std::size_t>(k);
    if (!oracle::is_finite(format<T>, bits_of(result[bad]))) return std::nullopt;
    const Dyadic taken = value_of(result[bad]);
    std::int64_t row = k;
    while (row < c.m && taken != Dyadic(row)) ++row;
    if (row == c.m) return std::nullopt;
    std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(row)]);
  }
  return order;
}

template <FloatingPoint T>
std::vector<Dyadic> values_of(const GetrfCase<T>& c, const std::vector<T>& result) {
  std::vector<Dyadic> values;
  for (std::size_t at = 0; at < entries_of(c); ++at) values.push_back(value_of(result[at]));
  return values;
}

/// |PA − L̂Û| ≤ bound_of(products before the last, Σ|lᵢₖuₖⱼ|, |uⱼⱼ| below the diagonal) in each entry; with `is_partial`
/// also |lᵢⱼ| ≤ 1.
template <FloatingPoint T, class BoundOf>
Judgement judge_factors(const GetrfCase<T>& c, const std::vector<T>& result, bool is_partial, BoundOf bound_of) {
  std::size_t bad = 0;
  const auto order = order_of(c, result, bad);
  if (!order) {
    remark("the pivots are no rows from their step on, or the status does not tell the first pivot that is 0");
    return Judgement::fail(bad);
  }
  for (std::size_t at = 0; at < entries_of(c); ++at) {
    if (!oracle::is_finite(format<T>, bits_of(result[at]))) return Judgement::fail(at);
  }
  const std::vector<Dyadic> lu = values_of(c, result);
  Judgement worst;
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      const std::size_t at = place(c, i, j);
      if (is_partial && i > j && Dyadic(1) < abs(lu[at])) {
        remark("|l| is above 1: a larger pivot was not taken");
        worst.worsen(Judgement::fail(at));
      }
      Dyadic residual = value_of(c.a[place(c, (*order)[static_cast<std::size_t>(i)], j)]);
      Dyadic products;
      const std::int64_t before = std::min(i, j);
      for (std::int64_t k = 0; k < before; ++k) {
        const Dyadic product = lu[place(c, i, k)] * lu[place(c, k, j)];
        residual -= product;
        products += abs(product);
      }
      const Dyadic last = i > j ? lu[at] * lu[place(c, j, j)] : lu[at];
      residual -= last;
      products += abs(last);
      const Dyadic entry = i > j ? abs(lu[place(c, j, j)]) : Dyadic();
      worst.worsen(judge_within(residual, Dyadic(), bound_of(static_cast<std::uint64_t>(before), products, entry), at));
    }
  }
  worst.judged = entries_of(c);
  return worst;
}

/// L and U for the order of rows of a result, where no step rounds, whatever its order: factorization.getrf.4.
template <FloatingPoint T>
std::optional<std::vector<T>> exact_factors(const GetrfCase<T>& c, const std::vector<std::int64_t>& order) {
  std::vector<T> lu(c.a.size());
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      const T& entry = c.a[place(c, order[static_cast<std::size_t>(i)], j)];
      Terms terms;
      terms.add(entry);
      Dyadic rest = value_of(entry);
      for (std::int64_t k = 0; k < std::min(i, j); ++k) {
        terms.add(lu[place(c, i, k)], lu[place(c, k, j)]);
        rest -= value_of(lu[place(c, i, k)]) * value_of(lu[place(c, k, j)]);
      }
      if (!terms.is_exact_in(format<T>)) return std::nullopt;
      if (i > j && !rest.is_zero()) {
        const Dyadic pivot = value_of(lu[place(c, j, j)]);
        if (pivot.is_zero() || abs(pivot) != Dyadic::scaled(1, pivot.exponent())) return std::nullopt;
        rest.mul_2exp(-pivot.exponent());
        if (pivot < Dyadic()) rest.negate();
      }
      if (!rest.is_zero() && abs(rest) < Dyadic::scaled(1, FloatTraits<T>::emin)) return std::nullopt;
      lu[place(c, i, j)] = nearest_to<T>(rest);
      if (value_of(lu[place(c, i, j)]) != rest) return std::nullopt;
    }
  }
  return lu;
}

template <FloatingPoint T>
Judgement judge_exact_factors(const GetrfCase<T>& c, const std::vector<T>& result) {
  std::size_t bad = 0;
  const auto order = order_of(c, result, bad);
  if (!order) return Judgement::fail(bad);
  const auto exact = exact_factors(c, *order);
  if (!exact) return says_nothing();
  Judgement worst;
  for (std::size_t at = 0; at < entries_of(c); ++at) {
    const bool is_number = oracle::is_finite(format<T>, bits_of(result[at]));
    worst.worsen(is_number ? judge_exact(value_of(result[at]), value_of((*exact)[at]), at) : Judgement::fail(at));
  }
  worst.judged = entries_of(c);
  return worst;
}

/// Elimination in balls with the largest pivots, rounded to midpoints. It is shown beside the result of a kernel, and
/// taken for controls; no contract is judged by it.
template <FloatingPoint T>
std::vector<Dyadic> shown_factors(const GetrfCase<T>& c) {
  std::vector<Dyadic> shown(entries_of(c) + static_cast<std::size_t>(pivots_of(c)));
  if (!is_regular(c)) return shown;
  constexpr long bits = 256;
  std::vector<oracle::Ball> lu;
  for (const T& each : c.a) lu.emplace_back(value_of(each));
  const auto middle = [](const oracle::Ball& x) { return x.is_finite() ? middle_of(x) : Dyadic(); };
  for (std::int64_t k = 0; k < pivots_of(c); ++k) {
    std::int64_t row = k;
    for (std::int64_t i = k; i < c.m; ++i) {
      if (abs(middle(lu[place(c, row, k)])) < abs(middle(lu[place(c, i, k)]))) row = i;
    }
    shown[entries_of(c) + static_cast<std::size_t>(k)] = Dyadic(row);
    for (std::int64_t j = 0; j < c.n; ++j) swap(lu[place(c, k, j)], lu[place(c, row, j)]);
    if (middle(lu[place(c, k, k)]).is_zero()) continue;
    for (std::int64_t i = k + 1; i < c.m; ++i) {
      oracle::Ball& factor = lu[place(c, i, k)];
      factor = div(factor, lu[place(c, k, k)], bits);
      for (std::int64_t j = k + 1; j < c.n; ++j) {
        lu[place(c, i, j)] = sub(lu[place(c, i, j)], mul(factor, lu[place(c, k, j)], bits), bits);
      }
    }
  }
  for (std::size_t at = 0; at < lu.size(); ++at) shown[at] = middle(lu[at]);
  return shown;
}

// ------------------------------------------------------------------------------------------------------- claims

template <FloatingPoint T>
std::vector<Claim<GetrfCase<T>, std::vector<T>, std::vector<Dyadic>>> getrf_claims() {
  using Case = GetrfCase<T>;
  using Result = std::vector<T>;
  const auto backward = [](const std::string& id, bool is_partial, std::uint64_t more) {
    return claim_spec(id, factorization_getrf_1, [=](const Case& c, const std::vector<Dyadic>&, const Result& result) {
      return judge_factors(c, result, is_partial,
                           [&](std::uint64_t before, const Dyadic& products, const Dyadic& entry) {
                             return factorization_getrf_1(static_cast<std::uint64_t>(pivots_of(c)) + more, before,
                                                          products, entry, format<T>);
                           });
    });
  };
  std::vector<Claim<Case, Result, std::vector<Dyadic>>> claims{
      of_instance("s = 0, |lᵢⱼ| ≤ 1", backward("backward", true, 0)),
      of_instance("s = 2, |lᵢⱼ| ≤ 1", backward("backward_reciprocal", true, 2)),
      of_instance("s = 2, any pivots", backward("backward_any_pivots", false, 2)),
      claim_spec("exact_grid", factorization_getrf_4,
                 [](const Case& c, const std::vector<Dyadic>&, const Result& result) {
                   return judge_exact_factors(c, result);
                 }),
      claim_spec("growth", factorization_getrf_2, [](const Case& c, const std::vector<Dyadic>&, const Result& result) {
        if (pivots_of(c) == 0) return says_nothing();
        Dyadic largest;
        for (const T& each : c.a) largest = std::max(largest, abs(value_of(each)));
        const Bound bound = factorization_getrf_2(static_cast<std::uint64_t>(pivots_of(c)), largest, format<T>);
        Judgement worst;
        for (std::int64_t j = 0; j < c.n; ++j) {
          for (std::int64_t i = 0; i <= std::min(j, c.m - 1); ++i) {
            const std::size_t at = place(c, i, j);
            worst.worsen(oracle::is_finite(format<T>, bits_of(result[at]))
                             ? judge_within(value_of(result[at]), Dyadic(), bound, at)
                             : Judgement::fail(at));
          }
        }
        worst.judged = entries_of(c);
        return worst;
      })};
  claims = of_finite_cases(std::move(claims), [](const GetrfCase<T>& c) { return is_regular(c); });
  claims.push_back(when(
      "a NaN or an infinity is in A", [](const Case& c) { return !is_regular(c); },
      satisfies("exceptional", factorization_getrf_3, [](const Case& c, const Result& result) {
        const auto numbers = std::span(result).first(entries_of(c));
        const bool is_told =
            std::ranges::any_of(numbers, [](const T& x) { return !oracle::is_finite(format<T>, bits_of(x)); });
        if (!is_told) remark("every number of L and U is finite");
        return Judgement::of(is_told);
      })));
  return claims;
}

// -------------------------------------------------------------------------------------------------------- calls

/// The pivots of a call, `first` those of the first row, behind the factors of the result. They are NaN where the
/// status is not the number of the first pivot that is 0, from 1, or 0 where there is none.
template <FloatingPoint T>
void put_pivots(const GetrfCase<T>& c, const std::vector<int>& pivots, int first, int status, T* result) {
  int expected = 0;
  bool is_number = true;
  for (std::int64_t k = pivots_of(c); k-- > 0;) {
    const T& pivot = result[place(c, k, k)];
    is_number = is_number && oracle::is_finite(format<T>, bits_of(pivot));
    if (is_number && value_of(pivot).is_zero()) expected = static_cast<int>(k + 1);
  }
  for (std::size_t k = 0; k < pivots.size(); ++k) {
    result[entries_of(c) + k] = !is_number || status == expected
                                    ? nearest_to<T>(Dyadic(static_cast<std::int64_t>(pivots[k]) - first))
                                    : not_a_number<T>();
  }
}

template <FloatingPoint T>
void call_getrf(const ForeignKernel& kernel, const Executor& on, const GetrfCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 2> memory;
  const StoredColumns columns = stored_columns(c.m, c.n, hash_of(c.a));
  const FencedArray<T> a(memory[0], with_gaps(c.a, columns));
  const FencedArray<int> pivots(memory[1], std::vector<int>(static_cast<std::size_t>(pivots_of(c)), -1));
  int status = 0;
  int first = 0;
  switch (kernel.form) {
    case CallForm::plain:
      status = function<int(std::size_t, std::size_t, T*, std::size_t, int*)>(kernel)(
          static_cast<std::size_t>(c.m), static_cast<std::size_t>(c.n), a.data(), static_cast<std::size_t>(columns.lda),
          pivots.data());
      break;
    case CallForm::fortran: {
      const std::array<FortranNumber, 3> numbers{FortranNumber(c.m), FortranNumber(c.n), FortranNumber(columns.lda)};
      alignas(8) std::array<int, 2> info{};
      function<void(const int*, const int*, T*, const int*, int*, int*)>(kernel)(
          numbers[0].address(), numbers[1].address(), a.data(), numbers[2].address(), pivots.data(), info.data());
      status = info[0];
      first = 1;
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (status < 0) finish(on, status);
  without_gaps(on, a.take(on), columns, result);
  put_pivots(c, pivots.take(on), first, status, result);
}

constexpr auto getrf_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  const auto before = [](const GetrfCase<T>& c) {
    std::vector<T> result = c.a;
    result.resize(c.a.size() + static_cast<std::size_t>(pivots_of(c)));
    return result;
  };
  return property_of(ArrayOperation<T, GetrfCase<T>, Dyadic>{"getrf", getrf_domain<T>(), before, call_getrf<T>,
                                                             shown_factors<T>, &GetrfCase<T>::a, getrf_claims<T>()},
                     question,
                     may_refuse<GetrfCase<T>>(
                         kernel, [](const GetrfCase<T>& c) { return is_regular(c); }, format<T>.nan()));
};

const OperationRegistration getrf(
    {"getrf",
     "P, L and U with PA = LU and partial pivoting, L without its diagonal below U, column-major",
     {"f64", "f32"},
     {{CallForm::plain, "int f(size_t m, size_t n, T* a, size_t lda, int* pivots)"},
      {CallForm::fortran, "void f_(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info)"}},
     {{"backward", &factorization_getrf_1.words, "s = 0, |lᵢⱼ| ≤ 1", {"backward_reciprocal"}},
      {"backward_reciprocal", &factorization_getrf_1.words, "s = 2, |lᵢⱼ| ≤ 1", {"backward_any_pivots", "growth"}},
      {"backward_any_pivots", &factorization_getrf_1.words, "s = 2, any pivots"},
      {"exact_grid", &factorization_getrf_4.words},
      {"growth", &factorization_getrf_2.words, {}, {}, false},
      {"exceptional", &factorization_getrf_3.words, {}, {}, false}},
     property_in_format<getrf_of>});

const ShapedCallRegistration getrf_call({"getrf", {{"a", {"m", "n"}}}, true, {"backward_reciprocal"}});

}  // namespace
}  // namespace assay::contracts::factorizations
