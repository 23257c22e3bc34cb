// Sums, sums of magnitudes, norms and dot products, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "exec/fenced.hpp"
#include "properties/catalog/sum/claims.hpp"
#include "properties/catalog/sum/exact_norm.hpp"
#include "properties/contracts/claims.hpp"
#include "properties/contracts/controls.hpp"
#include "properties/contracts/foreign.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/narrow_cases.hpp"
#include "properties/contracts/stored.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts::reductions {
namespace {

using oracle::Dyadic;
using sum::DotCase;
using sum::SumCase;

constexpr const char* height_of_pairs = "h = ⌈log₂ n⌉";
constexpr const char* greatest_height = "h = n − 1";

/// The call of a function of one vector that returns a number.
template <class T>
T call(const ForeignKernel& kernel, const Executor& on, const SumCase<T>& c) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, on, c.x);
  const std::size_t n = c.x.size();
  T result{};
  switch (kernel.form) {
    case CallForm::plain:
      result = function<T(std::size_t, const T*)>(kernel)(n, x.data());
      break;
    case CallForm::cblas:
      result = function<T(int, const T*, int)>(kernel)(static_cast<int>(n), x.data(), 1);
      break;
    case CallForm::fortran: {
      const FortranNumber length(static_cast<std::int64_t>(n));
      const FortranNumber one(1);
      result = function<T(const int*, const T*, const int*)>(kernel)(length.address(), x.data(), one.address());
      break;
    }
    case CallForm::device:
      result = device_result<T>(kernel, on, n, x.data());
      break;
    case CallForm::cublas:
      result = cublas_result<T>(kernel, on, static_cast<int>(n), x.data(), 1);
      break;
    default:
      break;  // no signature of the operation
  }
  check_input(x, on, c.x, "x");
  return result;
}

/// The call of a function of two vectors that returns a number.
template <class T>
T call(const ForeignKernel& kernel, const Executor& on, const DotCase<T>& c) {
  thread_local std::array<FencedMemory, 2> memory;
  const FencedArray<T> x(memory[0], on, c.x);
  const FencedArray<T> y(memory[1], on, c.y);
  const std::size_t n = c.x.size();
  T result{};
  switch (kernel.form) {
    case CallForm::plain:
      result = function<T(std::size_t, const T*, const T*)>(kernel)(n, x.data(), y.data());
      break;
    case CallForm::cblas:
      result = function<T(int, const T*, int, const T*, int)>(kernel)(static_cast<int>(n), x.data(), 1, y.data(), 1);
      break;
    case CallForm::fortran: {
      const FortranNumber length(static_cast<std::int64_t>(n));
      const FortranNumber one(1);
      result = function<T(const int*, const T*, const int*, const T*, const int*)>(kernel)(
          length.address(), x.data(), one.address(), y.data(), one.address());
      break;
    }
    case CallForm::device:
      result = device_result<T>(kernel, on, n, x.data(), y.data());
      break;
    case CallForm::cublas:
      result = cublas_result<T>(kernel, on, static_cast<int>(n), x.data(), 1, y.data(), 1);
      break;
    default:
      break;  // no signature of the operation
  }
  check_input(x, on, c.x, "x");
  check_input(y, on, c.y, "y");
  return result;
}

/// The first term that the operation adds; 0 for none.
template <class T>
Dyadic first_term(const SumCase<T>& c) {
  return c.x.empty() ? Dyadic{} : value_of(c.x.front());
}
template <class T>
Dyadic first_term(const DotCase<T>& c) {
  return c.x.empty() ? Dyadic{} : value_of(c.x.front()) * value_of(c.y.front());
}

/// The answers of the controls. `right` is the exact result of the case.
template <class T>
Answers<T> answers_of(const auto& c, const auto& right) {
  constexpr T nan = number_of<T>(format<T>.nan());
  return {.one = T(1),
          .nan = nan,
          .first_term = nearest_to<T>(first_term(c)),
          .copy = c.x.empty() ? T{} : c.x.front(),
          .unwritten = nan,
          .right = nearest_to<T>(right)};
}

/// |ŝ − s| ≤ bound_of(theorem, n, s, S) of a sum that is computed in A, for a dot product with its d and T.
template <class T, class A, class BoundOf>
auto error_within(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of,
                  const std::string& instance = {}) {
  return computed_within<T, A>(
      std::move(id), theorem,
      [bound_of](const auto& bound, const auto& c) {
        const sum::ExactSums sums = sum::exact_sums(c);
        return bound_of(bound, c.x.size(), sums.sum, sums.magnitudes);
      },
      instance);
}

/// The claims about the error of a sum s, or of the sum S of the magnitudes.
template <class T, bool of_magnitudes = false>
std::vector<Claim<SumCase<T>, T, Dyadic>> sum_claims() {
  const auto claims_in = []<class A>(A) {
    std::vector<Claim<SumCase<T>, T, Dyadic>> claims;
    if constexpr (!is_narrow<A>) {
      claims.push_back(error_within<T, A>("compensated", sum_sum2_1,
                                          [](const auto& bound, std::size_t n, const Dyadic& s, const Dyadic& S) {
                                            return bound(n, of_magnitudes ? S : s, S, sum::precision<A>);
                                          }));
    }
    claims.push_back(error_within<T, A>("pairwise", sum_pairwise_1,
                                        [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& S) {
                                          return bound(pairwise_height(n), S, sum::precision<A>);
                                        }));
    claims.push_back(error_within<T, A>("any_order", sum_recursive_1,
                                        [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& S) {
                                          return bound(n, S, sum::precision<A>);
                                        }));
    return claims;
  };
  std::vector<Claim<SumCase<T>, T, Dyadic>> claims;
  append_computed<T>(claims, claims_in, staying_finite<T>(),
                     [](const SumCase<T>& c) { return stays_finite<T>(sum::exact_sums(c).magnitudes); });
  return claims;
}
/// The claims about the error of a dot product.
template <class T>
std::vector<Claim<DotCase<T>, T, Dyadic>> dot_claims() {
  const auto claims_in = []<class A>(A) {
    std::vector<Claim<DotCase<T>, T, Dyadic>> claims;
    if constexpr (!is_narrow<A>) {
      claims.push_back(error_within<T, A>(
          "compensated", dot_dot2_1, [](const auto& bound, std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
            return bound(n, d, magnitudes, format<A>);
          }));
    }
    claims.push_back(error_within<T, A>(
        "pairwise", dot_tree_1,
        [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
          return bound(n, pairwise_height(n), magnitudes, format<A>);
        },
        height_of_pairs));
    claims.push_back(error_within<T, A>(
        "any_order", dot_tree_1,
        [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
          return bound(n, n == 0 ? 0 : n - 1, magnitudes, format<A>);
        },
        greatest_height));
    return claims;
  };
  std::vector<Claim<DotCase<T>, T, Dyadic>> claims;
  append_computed<T>(claims, claims_in, "n < 2^" + std::to_string(sum::precision<T>) + ", and " + staying_finite<T>(),
                     [](const DotCase<T>& c) {
                       return c.x.size() >> sum::precision<T> == 0 && stays_finite<T>(sum::exact_sums(c).magnitudes);
                     });
  return claims;
}

/// The largest exponent of the numbers; nothing where all are 0.
template <class T>
std::optional<long> largest_exponent(const SumCase<T>& c) {
  std::optional<long> largest;
  for (const T& each : c.x) {
    if (const Dyadic x = value_of(each); !x.is_zero()) {
      largest = std::max(largest.value_or(x.exponent()), static_cast<long>(x.exponent()));
    }
  }
  return largest;
}

/// The exponents between which squares and sums of up to 8192 squares are normal numbers.
template <class T>
constexpr int lowest_of_squares = FloatTraits<T>::emin / 2;
template <class T>
constexpr int highest_of_squares = FloatTraits<T>::emax / 2 - 8;

template <class A, class T>
bool squares_are_normal(const SumCase<T>& c) {
  // Of more than 8192 squares, each must be smaller by as much.
  const int further = std::max(static_cast<int>(std::bit_width(c.x.size())) - 13, 0) / 2;
  return std::all_of(c.x.begin(), c.x.end(), [further](const T& each) {
    const Dyadic x = value_of(each);
    return x.is_zero() || (x.exponent() >= lowest_of_squares<A> && x.exponent() <= highest_of_squares<A> - further);
  });
}
template <class A, class T>
bool norm_is_normal(const SumCase<T>& c) {
  const std::optional<long> largest = largest_exponent(c);
  return !largest || *largest >= FloatTraits<A>::emin + FloatTraits<A>::precision;
}

/// The claims about the error of a norm.
template <class T>
std::vector<Claim<SumCase<T>, T, oracle::Exact>> norm_claims() {
  const auto power = [](int exponent) { return "2^" + std::to_string(exponent); };
  using A = Wide<T>;
  return {
      when("the numbers are 0 or in [" + power(lowest_of_squares<A>) + ", " + power(highest_of_squares<A> + 1) + ")",
           squares_are_normal<A, T>,
           computed_within<T, A>(
               "any_order", contract_norm_1,
               [](const auto& bound, const SumCase<T>& c) { return bound(c.x.size(), sum::precision<A>); })),
      when("the largest number is 0 or at least " + power(FloatTraits<A>::emin + FloatTraits<A>::precision),
           norm_is_normal<A, T>,
           computed_within<T, A>("any_range", contract_norm_2, [](const auto& bound, const SumCase<T>& c) {
             return bound(c.x.size() + 8, sum::precision<A>);
           }))};
}

/// A reduction of the cases: its name, their domain, the exact result, and the claims about its error.
template <class T, class Case, class Truth = Dyadic>
struct Reduction {
  const char* name;
  Domain<Case> (*domain)();
  Truth (*truth)(const Case&);
  std::vector<Claim<Case, T, Truth>> (*error_claims)();
};

/// Σxᵢ, Σ|xᵢ|, √Σxᵢ² and Σxᵢyᵢ of numbers of the type T.
constexpr auto of_sum = []<class T>(T) {
  return Reduction<T, SumCase<T>>{"sum", sum_domain<T>, sum::exact_sum_of<SumCase<T>>, sum_claims<T>};
};
constexpr auto of_asum = []<class T>(T) {
  return Reduction<T, SumCase<T>>{
      "asum", sum_domain<T>, [](const SumCase<T>& c) { return sum::exact_sums(c).magnitudes; }, sum_claims<T, true>};
};
constexpr auto of_nrm2 = []<class T>(T) {
  return Reduction<T, SumCase<T>, oracle::Exact>{"nrm2", sum_domain<T>, sum::exact_norm<T>, norm_claims<T>};
};
constexpr auto of_dot = []<class T>(T) {
  return Reduction<T, DotCase<T>>{"dot", dot_domain<T>, sum::exact_sum_of<DotCase<T>>, dot_claims<T>};
};

/// The terms from the last to the first.
template <class T>
SumCase<T> reversed(const SumCase<T>& c) {
  return {{c.x.rbegin(), c.x.rend()}};
}
template <class T>
DotCase<T> reversed(const DotCase<T>& c) {
  return {{c.x.rbegin(), c.x.rend()}, {c.y.rbegin(), c.y.rend()}};
}

template <class T, class Case, class Truth>
std::unique_ptr<PropertyModel> property_of(const Reduction<T, Case, Truth>& reduction, const Question& question,
                                           const ForeignKernel& kernel) {
  const auto run = [kernel, truth = reduction.truth](const Executor& on, std::span<const Case> cases) {
    std::vector<T> results;
    if (kernel.program != nullptr) {
      for (const auto& each : results_of<T>(*kernel.program, on, cases, [](const Case&) { return 1U; })) {
        results.push_back(each.front());
      }
      return results;
    }
    for (const Case& c : cases) {
      results.push_back(kernel.control ? controlled(*kernel.control, answers_of<T>(c, truth(c)))
                                       : call<T>(kernel, place_of(kernel, on), c));
    }
    return results;
  };
  std::vector<Claim<Case, T, Truth>> claims{nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
                                            faithful("faithful", contract_faithful_1)};
  for (auto& each : reduction.error_claims()) claims.push_back(std::move(each));
  claims.push_back(
      satisfies("order_free", contract_order_free_1, [run, kernel](const Case& c, const Truth&, const T& result) {
        const Case other = reversed(c);
        const DeviceTurn turn(kernel.on_device);
        const T again = run_fenced(run, Executor::host(), std::span<const Case>(&other, 1)).front();
        if (same_bits(result, again)) return true;
        take_remark();
        const bool is_number = is_finite(result) && is_finite(again);
        remark("of the terms in reverse order " + text_of(again) +
               (is_number ? ", a difference of " + oracle::decimal(value_of(again) - value_of(result), 6) : ""));
        return false;
      }));
  return asked(Property<Case, T, Truth>{.name = {},
                                        .domain = reduction.domain(),
                                        .subject = run,
                                        .reference = reduction.truth,
                                        .claims = std::move(claims)},
               reduction.name + format_suffix<T>(), question);
}

template <auto of_reduction>
constexpr auto property =
    property_in_any_format<[](auto number, const Question& question, const ForeignKernel& kernel) {
      return property_of(of_reduction(number), question, kernel);
    }>;

/// The contracts of a reduction: its theorems, with the heights where a theorem is about any tree.
std::vector<Contract> contracts_with(const TheoremWords& compensated, const Contract& pairwise,
                                     const Contract& any_order) {
  return with_stored({{"correctly_rounded",
                       &contract_correctly_rounded_1.words,
                       {},
                       {"faithful", "compensated", "pairwise", "order_free"}},
                      {"faithful", &contract_faithful_1.words}},
                     {{"compensated", &compensated, {}, {}, true, wide_formats()}, pairwise, any_order},
                     {{"order_free", &contract_order_free_1.words, {}, {}, false}});
}

/// The signatures of a function of vectors: their arguments as arrays alone, with increments, with addresses of these.
std::vector<Signature> signatures_of(const std::string& arrays, const std::string& strided,
                                     const std::string& fortran) {
  return {{CallForm::plain, "T f(size_t n, " + arrays + ")"},
          {CallForm::cblas, "T cblas_f(int n, " + strided + ")"},
          {CallForm::fortran, "T f_(const int* n, " + fortran + ")"},
          {CallForm::device, "void f(size_t n, " + arrays + ", T* result, void* stream)"},
          {CallForm::cublas, "int cublasf(void* handle, int n, " + strided + ", T* result)"}};
}
const std::vector<Signature> of_one_vector =
    signatures_of("const T* x", "const T* x, int incx", "const T* x, const int* incx");
const std::vector<Signature> of_two_vectors =
    signatures_of("const T* x, const T* y", "const T* x, int incx, const T* y, int incy",
                  "const T* x, const int* incx, const T* y, const int* incy");

const std::vector<Contract> of_sums = contracts_with(
    sum_sum2_1.words, {"pairwise", &sum_pairwise_1.words, {}, {"any_order"}}, {"any_order", &sum_recursive_1.words});

const OperationRegistration all[] = {
    OperationRegistration(
        {"sum", "Σxᵢ of a vector of n numbers", with_narrow_formats(), of_one_vector, of_sums, property<of_sum>, true}),
    OperationRegistration({"asum", "Σ|xᵢ| of a vector of n numbers", with_narrow_formats(), of_one_vector, of_sums,
                           property<of_asum>, true}),
    OperationRegistration({"nrm2", "√Σxᵢ² of a vector of n numbers", with_narrow_formats(), of_one_vector,
                           with_stored({{"correctly_rounded",
                                         &contract_correctly_rounded_1.words,
                                         {},
                                         {"faithful", "any_order", "any_range", "order_free"}},
                                        {"faithful", &contract_faithful_1.words, {}, {"any_range"}}},
                                       {{"any_order", &contract_norm_1.words, {}, {}, true, wide_formats()},
                                        {"any_range", &contract_norm_2.words, {}, {}, true, wide_formats()}},
                                       {{"order_free", &contract_order_free_1.words, {}, {}, false}}),
                           property<of_nrm2>, true}),
    OperationRegistration(
        {"dot", "Σxᵢyᵢ of two vectors of n numbers", with_narrow_formats(), of_two_vectors,
         contracts_with(dot_dot2_1.words, {"pairwise", &dot_tree_1.words, height_of_pairs, {"any_order"}},
                        {"any_order", &dot_tree_1.words, greatest_height}),
         property<of_dot>, true}),
};

}  // namespace
}  // namespace assay::contracts::reductions
