// y ← αx + y and prefix sums of vectors, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/axpy_cases.hpp"
#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/increments.hpp"
#include "properties/contracts/order_terms.hpp"
#include "properties/contracts/prefix_bounds.hpp"
#include "properties/contracts/reduction_cases.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/draws/sum/claims.hpp"

namespace assay::contracts::vectors {
namespace {

using oracle::Dyadic;

template <FloatingPoint T>
std::vector<Dyadic> exact_axpy(const AxpyCase<T>& c) {
  const Dyadic alpha = value_of(c.alpha);
  std::vector<Dyadic> exact;
  for (std::size_t i = 0; i < c.x.size(); ++i) exact.push_back(value_of(c.y[i]).add_mul(alpha, value_of(c.x[i])));
  return exact;
}

/// The terms of each number: αxᵢ and yᵢ.
template <FloatingPoint T>
std::vector<Terms> terms_of_axpy(const AxpyCase<T>& c) {
  std::vector<Terms> all(c.x.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].add(c.alpha, c.x[i]);
    all[i].add(c.y[i]);
  }
  return all;
}

/// The increments of x and y.
template <FloatingPoint T>
std::array<int, 2> increments_for(const ForeignKernel& kernel, const AxpyCase<T>& c) {
  const std::uint64_t hash = hash_of(c.x) ^ hash_of(c.y);
  return {increment_of_input(kernel.form, hash, 0, c.x), increment_of(kernel.form, hash, 1)};
}

template <FloatingPoint T>
void call_axpy(const ForeignKernel& kernel, const Executor& on, const AxpyCase<T>& c, T* result) {
  thread_local std::array<FencedMemory, 2> memory;
  const auto [incx, incy] = increments_for(kernel, c);
  const std::vector<T> array_of_x = spread(c.x, incx);
  const FencedArray<T> x(memory[0], array_of_x);
  const FencedArray<T> y(memory[1], spread(c.y, incy));
  const std::size_t n = c.x.size();
  switch (kernel.form) {
    case CallForm::plain:
      function<void(std::size_t, T, const T*, T*)>(kernel)(n, c.alpha, x.data(), result);
      break;
    case CallForm::cblas:
      function<void(int, T, const T*, int, T*, int)>(kernel)(static_cast<int>(n), c.alpha, x.data(), incx, y.data(),
                                                             incy);
      break;
    case CallForm::fortran: {
      const FortranNumber length(static_cast<std::int64_t>(n));
      const std::array<FortranNumber, 2> steps{FortranNumber(incx), FortranNumber(incy)};
      function<void(const int*, const T*, const T*, const int*, T*, const int*)>(kernel)(
          length.address(), &c.alpha, x.data(), steps[0].address(), y.data(), steps[1].address());
      break;
    }
    default:
      break;  // no signature of the operation
  }
  if (has_increments(kernel.form)) collect(on, y.take(on), incy, n, result);
  check_input(x, on, array_of_x, "x");
}

template <FloatingPoint T>
bool has_zero_alpha(const AxpyCase<T>& c) {
  return (bits_of(c.alpha) & ~format<T>.sign_mask()) == 0;
}

/// Where α is 0: every number of the result is what due_of(case) asks for, and yᵢ where that is a number.
template <FloatingPoint T>
auto keeps_y(const char* id, const AnyTheorem auto& theorem, Due (*due_of)(const AxpyCase<T>&)) {
  auto claim = becomes<T>(id, theorem, due_of);
  const auto judge = [inner = claim.judge, due_of](const auto& c, const auto& truth, const auto& result) -> Judgement {
    const Judgement judgement = inner(c, truth, result);
    if (judgement.verdict != Verdict::holds) return judgement;
    const Due due = due_of(c);
    for (std::size_t i = 0; i < due.size(); ++i) {
      if (due[i] == 0 && value_of(result[i]) != value_of(c.y[i])) return Judgement::fail(i);
    }
    return judgement;
  };
  return when(
      "α = 0, and a NaN or an infinity is in x or y",
      [](const AxpyCase<T>& c) { return !is_finite_case(c) && has_zero_alpha(c); },
      ClaimSpec<decltype(judge)>{claim.info, judge});
}

/// The sign of αxᵢ + yᵢ = 0, as fma has it: minus where both summands are negative zeros.
template <FloatingPoint T>
bool has_negative_zero(const AxpyCase<T>& c, std::size_t i) {
  const auto is_minus = [](T each) { return oracle::is_negative(format<T>, bits_of(each)); };
  const bool is_zero = value_of(c.alpha).is_zero() || value_of(c.x[i]).is_zero();
  return is_zero && is_minus(c.y[i]) && is_minus(c.alpha) != is_minus(c.x[i]);
}

template <FloatingPoint T>
std::vector<Claim<AxpyCase<T>, std::vector<T>, std::vector<Dyadic>>> axpy_claims() {
  std::vector<Claim<AxpyCase<T>, std::vector<T>, std::vector<Dyadic>>> claims{
      claim_spec("fma", contract_fma_1,
                 [](const AxpyCase<T>& c, const std::vector<Dyadic>& truth, const std::vector<T>& result) {
                   return assay::detail::by_number(
                       truth, result, [&](std::uint64_t got, const Dyadic& exact, std::size_t i) {
                         const bool is_minus = has_negative_zero(c, i);
                         const Judgement judgement = judge_rounded(got, exact, format<T>, oracle::Rounding::nearest,
                                                                   {.negative_zero = is_minus}, i);
                         if (judgement.verdict == Verdict::violated && exact.is_zero()) {
                           remark(std::string(is_minus ? "-0" : "0") + is_due);
                         }
                         return judgement;
                       });
                 }),
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1)};
  const auto claims_in = [](const Accumulator& in) {
    decltype(claims) bounds{adds_within<T>(
        in, "two_roundings", contract_two_roundings_1, terms_of_axpy<T>,
        [of = in.format](const auto& bound, const Terms& terms) { return bound(terms.products, terms.sum, of); })};
    if (!is_usual<T>(in)) return bounds;
    bounds.push_back(adds_within<T>(in, "two_roundings_ftz", contract_two_roundings_2, terms_of_axpy<T>,
                                    [of = in.format](const auto& bound, const Terms& terms) {
                                      return bound(terms.products, terms.sum, terms.lost_in(of), of);
                                    }));
    bounds.push_back(exact_on_grids<T>(in, terms_of_axpy<T>));
    return bounds;
  };
  const auto is_finite = [](const AxpyCase<T>& c) { return is_finite_case(c); };
  append_rungs<T>(claims, claims_in, is_finite, "for each i " + staying_finite<T>(),
                  [](const AxpyCase<T>& c) { return fits<T>(c); });
  claims = of_finite_cases(std::move(claims), is_finite);
  claims.push_back(when(
      "α ≠ 0, and a NaN or an infinity is among the numbers",
      [](const AxpyCase<T>& c) { return !is_finite_case(c) && !has_zero_alpha(c); },
      becomes<T>("exceptional", contract_exceptional_2, due_of_axpy<T>)));
  claims.push_back(keeps_y<T>("alpha_zero_reads", contract_exceptional_3, due_of_axpy<T>));
  claims.push_back(keeps_y<T>("alpha_zero_skips", contract_exceptional_4, due_of_y<T>));
  return in_order_of_contracts(std::move(claims), "axpy");
}

template <FloatingPoint T>
std::vector<Dyadic> exact_finite_axpy(const AxpyCase<T>& c) {
  return exact_axpy(is_finite_case(c) ? c : finite_part_of(c));
}

constexpr auto axpy_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  auto claims = with_increments(axpy_claims<T>(), kernel, [kernel](const AxpyCase<T>& c) {
    const auto [incx, incy] = increments_for(kernel, c);
    return increments_text(incx, incy);
  });
  return property_of(
      ArrayOperation<T, AxpyCase<T>>{"axpy", axpy_domain<T>(), [](const AxpyCase<T>& c) { return c.y; }, call_axpy<T>,
                                     exact_finite_axpy<T>, &AxpyCase<T>::x, std::move(claims)},
      question, may_refuse<AxpyCase<T>>(kernel, [](const AxpyCase<T>& c) { return is_finite_case(c); }));
};

template <FloatingPoint T>
using PrefixCase = sum::SumCase<T>;

/// The terms of each number of the result: those of the case up to it. Those of the last case of a thread are kept.
template <FloatingPoint T>
const std::vector<Terms>& prefixes_of(const PrefixCase<T>& c) {
  thread_local std::pair<PrefixCase<T>, std::vector<Terms>> last;
  if (last.first.x == c.x) return last.second;
  std::vector<Terms> prefixes;
  Terms terms;
  terms.whole = c.x.size();
  for (const T& each : c.x) {
    terms.add(each);
    prefixes.push_back(terms);
  }
  last = {c, std::move(prefixes)};
  return last.second;
}

template <FloatingPoint T>
bool is_finite_prefix(const PrefixCase<T>& c) {
  return all_finite(c.x);
}

template <FloatingPoint T>
std::vector<Dyadic> exact_cumsum(const PrefixCase<T>& c) {
  std::vector<Dyadic> exact;
  const PrefixCase<T> finite{finite_part(c.x)};
  for (const Terms& each : prefixes_of(finite)) exact.push_back(each.sum);
  return exact;
}

/// What each number of the result becomes.
template <FloatingPoint T>
Due due_of_prefixes(const PrefixCase<T>& c) {
  Due due;
  std::uint64_t sum = 0;
  for (const T& each : c.x) {
    const std::array<std::uint64_t, 2> terms{sum, sum::special_term(format<T>, bits_of(each))};
    sum = sum::special_sum<T>(2, [&](std::size_t i) { return terms[i]; });
    due.push_back(sum);
  }
  return due;
}

template <FloatingPoint T>
void call_cumsum(const ForeignKernel& kernel, const Executor& on, const PrefixCase<T>& c, T* y) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  function<void(std::size_t, const T*, T*)>(kernel)(c.x.size(), x.data(), y);
  check_input(x, on, c.x, "x");
}

/// No number of the result is below the one before where xᵢ ≥ 0, and none above it where xᵢ ≤ 0.
template <FloatingPoint T>
bool is_monotone(const PrefixCase<T>& c, const std::vector<T>& result) {
  for (std::size_t i = 1; i < result.size(); ++i) {
    const int sign = value_of(c.x[i]).sign();
    if ((sign >= 0 && !(result[i - 1] <= result[i])) || (sign <= 0 && !(result[i] <= result[i - 1]))) return false;
  }
  return true;
}

template <FloatingPoint T>
std::vector<Claim<PrefixCase<T>, std::vector<T>, std::vector<Dyadic>>> cumsum_claims() {
  std::vector<Claim<PrefixCase<T>, std::vector<T>, std::vector<Dyadic>>> claims{
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1)};
  const auto claims_in = [](const Accumulator& in) {
    decltype(claims) bounds;
    for_each_bound_of_prefixes<T>(in, [&](const char* id, const BoundedTheorem auto& theorem, auto bound_of) {
      bounds.push_back(adds_within<T>(in, id, theorem, prefixes_of<T>, bound_of));
    });
    if (!is_usual<T>(in)) return bounds;
    bounds.push_back(exact_on_grids<T>(in, prefixes_of<T>));
    return bounds;
  };
  const auto is_finite = [](const PrefixCase<T>& c) { return is_finite_prefix(c); };
  append_rungs<T>(claims, claims_in, is_finite, staying_finite<T>(),
                  [](const PrefixCase<T>& c) { return stays_finite<T>(sum::exact_sums(c).magnitudes); });
  claims.push_back(satisfies("monotone", contract_monotone_1, is_monotone<T>));
  claims = of_finite_cases(std::move(claims), is_finite);
  claims.push_back(when(
      "a NaN or an infinity is among the numbers", [](const PrefixCase<T>& c) { return !is_finite_prefix(c); },
      becomes<T>("exceptional", contract_exceptional_5, due_of_prefixes<T>)));
  return in_order_of_contracts(std::move(claims), "cumsum");
}

constexpr auto cumsum_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of<OrderOfPrefixes<T>>(
      ArrayOperation<T, PrefixCase<T>>{"cumsum", reductions::sums_of_all_kinds<T, 2>(),
                                       [](const PrefixCase<T>& c) { return unwritten<T>(c.x.size()); }, call_cumsum<T>,
                                       exact_cumsum<T>, &PrefixCase<T>::x, cumsum_claims<T>()},
      question, may_refuse<PrefixCase<T>>(kernel, [](const PrefixCase<T>& c) { return is_finite_prefix(c); }));
};

const OperationRegistration all[] = {
    OperationRegistration(
        {"axpy",
         "y ← αx + y of vectors of n numbers",
         with_narrow_formats(),
         {{CallForm::plain, "void f(size_t n, T alpha, const T* x, T* y)"},
          {CallForm::cblas, "void cblas_f(int n, T alpha, const T* x, int incx, T* y, int incy)"},
          {CallForm::fortran,
           "void f_(const int* n, const T* alpha, const T* x, const int* incx, T* y, const int* incy)"}},
         with_rungs({{"fma", &contract_fma_1.words, {}, {"correctly_rounded"}},
                     {"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "two_roundings"}},
                     {"faithful", &contract_faithful_1.words}},
                    {{"two_roundings", &contract_two_roundings_1.words, {}, {"two_roundings_ftz"}}},
                    {{"two_roundings_ftz", &contract_two_roundings_2.words}}, {"two_roundings"},
                    {{"exceptional", &contract_exceptional_2.words, {}, {}, false},
                     {"alpha_zero_reads", &contract_exceptional_3.words, {}, {}, false},
                     {"alpha_zero_skips", &contract_exceptional_4.words, {}, {}, false}}),
         property_in_any_format<axpy_of>}),
    OperationRegistration({"cumsum",
                           "yᵢ = x₁ + … + xᵢ for each of n numbers",
                           with_narrow_formats(),
                           {{CallForm::plain, "void f(size_t n, const T* x, T* y)"}},
                           with_order_of_chunks(with_rungs(
                               {{"correctly_rounded",
                                 &contract_correctly_rounded_1.words,
                                 {},
                                 {"faithful", "compensated", "pairwise", "any_order", "monotone"}},
                                {"faithful", &contract_faithful_1.words}},
                               {{"compensated", &contract_prefix_1.words, {}, {}, true, wide_formats()},
                                {"pairwise", &contract_prefix_2.words, {}, {"tree"}},
                                {"tree", &contract_prefix_3.words, {}, {"tree_ftz"}},
                                {"any_order", &contract_prefix_4.words, {}, {"any_order_ftz"}}},
                               {{"tree_ftz", &contract_prefix_6.words}, {"any_order_ftz", &contract_prefix_5.words}},
                               {"pairwise", "tree", "any_order"},
                               {{"monotone", &contract_monotone_1.words, {}, {}, false},
                                {"exceptional", &contract_exceptional_5.words, {}, {}, false}})),
                           property_in_any_format<cumsum_of>}),
};

}  // namespace
}  // namespace assay::contracts::vectors
