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
#include "properties/contracts/claims.hpp"
#include "properties/contracts/controls.hpp"
#include "properties/contracts/order_terms.hpp"
#include "properties/contracts/reduction_calls.hpp"
#include "properties/contracts/reduction_cases.hpp"
#include "properties/contracts/reduction_claims.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/draws/sum/claims.hpp"
#include "properties/draws/sum/exact_norm.hpp"
#include "properties/framework/device_turn.hpp"
#include "properties/framework/entry_rules.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts::reductions {
namespace {

using oracle::Dyadic;

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

/// Not above the bound of sums of n terms whose magnitudes add up to at least that, and whose sum has at least that
/// magnitude; 0 for a bound that is empty or that the theorem does not have. No bound here falls where the terms grow.
template <FloatingPoint T>
double floor_of_bound(const auto& theorem, const auto& bound_of, std::uint64_t n, double magnitude, double sum) {
  Terms terms;
  terms.n = n;
  terms.sum = oracle::exact(sum);
  terms.magnitudes = oracle::exact(magnitude);
  terms.emin = FloatTraits<T>::emin;
  try {
    const Bound bound = bound_of(theorem, terms);
    if (is_empty(bound, terms)) return 0;
    return bound.numerator.is_zero() ? 0 : at_most({bound.numerator, bound.denominator});
  } catch (const std::domain_error&) {
    return 0;
  }
}

/// What a contract says of sums of n terms whose bounds are these.
template <class T>
std::optional<enclosures::EntryRule> rule_of(const std::string& contract, std::uint64_t n, const auto& for_each_bound) {
  using Kind = enclosures::EntryRule::Kind;
  enclosures::EntryRule rule{Kind::within, format<T>.precision, format<T>.emin, format<T>.precision, {}};
  if (contract == "correctly_rounded" || contract == "faithful") {
    rule.kind = contract == "faithful" ? Kind::faithful : Kind::rounded;
    return rule;
  }
  for (const Accumulator& in : {wider_format<T>, own_format<T>}) {
    for_each_bound(in, [&](const char* id, const BoundedTheorem auto& theorem, auto bound_of, const char*) {
      if (contract != std::string(in.prefix) + id) return;
      rule.bits_of_sums = in.format.precision;
      rule.is_stored = in.rounds_once;
      rule.bound = [&theorem, bound_of, n](double magnitude, double sum) {
        return floor_of_bound<T>(theorem, bound_of, n, magnitude, sum);
      };
    });
  }
  if (!rule.bound) return std::nullopt;
  return rule;
}

/// A reduction of the cases: its name, their domain, the exact result, and the claims about its error.
template <class T, class Case, class Truth = Dyadic>
struct Reduction {
  const char* name;
  Domain<Case> (*domain)();
  Truth (*truth)(const Case&);
  std::vector<Claim<Case, T, Truth>> (*error_claims)();
  Due (*due)(const Case&);  ///< of cases with NaN or infinities
};

/// Σxᵢ, Σ|xᵢ|, √Σxᵢ² and Σxᵢyᵢ of numbers of the type T.
constexpr auto of_sum = []<class T>(T) {
  using Case = SumCase<T>;
  return Reduction<T, Case>{"sum", sums_of_all_kinds<T>, sum::exact_sum_of<Case>, sum_claims<T>, due_of_sum<T>};
};
constexpr auto of_asum = []<class T>(T) {
  using Case = SumCase<T>;
  return Reduction<T, Case>{"asum", sums_of_all_kinds<T>, [](const Case& c) { return sum::exact_sums(c).magnitudes; },
                            sum_claims<T, true>, due_of_magnitudes<T>};
};
constexpr auto of_nrm2 = []<class T>(T) {
  return Reduction<T, SumCase<T>, oracle::Exact>{"nrm2", sums_of_all_kinds<T>, sum::exact_norm<T>, norm_claims<T>,
                                                 due_of_magnitudes<T>};
};
constexpr auto of_dot = []<class T>(T) {
  using Case = DotCase<T>;
  return Reduction<T, Case>{"dot", dots_of_all_kinds<T>, sum::exact_sum_of<Case>, dot_claims<T>, due_of_products<T>};
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

template <class Order, class T, class Case, class Truth>
std::unique_ptr<PropertyModel> property_of(const Reduction<T, Case, Truth>& reduction, const Question& question,
                                           const ForeignKernel& asked_kernel) {
  const ForeignKernel kernel = may_refuse<Case>(asked_kernel, [](const Case& c) { return is_finite_case(c); });
  const auto truth_of = [exact = reduction.truth](const Case& c) {
    return is_finite_case(c) ? exact(c) : exact(finite_part_of(c));
  };
  const RunOf<Case, T> run = [kernel, truth = truth_of](const Executor& on, std::span<const Case> cases) {
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
  // Swaps take more calls: a check of other promises makes none.
  const bool swaps = question.promised.empty() || question.names("order_free");
  claims.push_back(claim_spec(
      "order_free", contract_order_free_1, [run, kernel, swaps](const Case& c, const Truth&, const T& result) {
        const Case other = reversed(c);
        const DeviceTurn turn(kernel.on_device);
        const T again = run_fenced(run, Executor::host(), std::span<const Case>(&other, 1)).front();
        if (same_bits(result, again)) return swaps ? judge_any_order<Order>(run, c) : Judgement::pass();
        take_remark();
        const bool is_number = is_finite(result) && is_finite(again);
        remark("of the terms in reverse order " + text_of(again) +
               (is_number ? ", a difference of " + oracle::decimal(value_of(again) - value_of(result), 6) : ""));
        return Judgement::fail();
      }));
  const auto is_finite = [](const Case& c) { return is_finite_case(c); };
  claims = of_finite_cases(std::move(claims), is_finite);
  claims.push_back(when(
      "a NaN or an infinity is among the numbers, in a norm not both",
      [is_norm = std::is_same_v<Truth, oracle::Exact>](const Case& c) {
        return !is_finite_case(c) && !(is_norm && has_both(c));
      },
      becomes<T>("exceptional", contract_exceptional_1, reduction.due)));
  append_order<Order>(claims, question, kernel, in_turn(kernel, run));
  claims = with_increments(std::move(claims), kernel, [kernel](const Case& c) { return increments_told(kernel, c); });
  return asked(Property<Case, T, Truth>{.name = {},
                                        .domain = reduction.domain(),
                                        .subject = run,
                                        .reference = truth_of,
                                        .claims = in_order_of_contracts(std::move(claims), reduction.name)},
               reduction.name + format_suffix<T>(), question);
}

template <auto of_reduction, template <FloatingPoint> class Order>
constexpr auto property =
    property_in_any_format<[](auto number, const Question& question, const ForeignKernel& kernel) {
      return property_of<Order<decltype(number)>>(of_reduction(number), question, kernel);
    }>;

const std::vector<Contract> not_about_errors{{"order_free", &contract_order_free_1.words, {}, {}, false},
                                             {"exceptional", &contract_exceptional_1.words, {}, {}, false}};

/// The contracts of a norm.
std::vector<Contract> norm_contracts() {
  return with_order(with_stored(
      {{"correctly_rounded",
        &contract_correctly_rounded_1.words,
        {},
        {"faithful", "any_order", "any_range", "running_maximum", "wide_any_order"}},
       {"faithful", &contract_faithful_1.words, {}, {"any_range"}},
       {"wide_any_order", &contract_wide_1.words, wide_instance(contract_norm_1.words, {}), {}, true, wide_formats()}},
      {{"any_order", &contract_norm_1.words, {}, {}, true, wide_formats()},
       {"any_range", &contract_norm_2.words, {}, {"running_maximum"}, true, wide_formats()},
       {"running_maximum", &contract_norm_3.words, {}, {}, true, wide_formats()}},
      not_about_errors));
}

/// The contracts of a reduction: its theorems, with the heights if a theorem is about any tree.
std::vector<Contract> contracts_with(const TheoremWords& compensated, const Contract& pairwise,
                                     const Contract& any_order, const Contract& flushed) {
  return with_order_of_chunks(with_rungs(
      {{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "compensated", "pairwise"}},
       {"faithful", &contract_faithful_1.words}},
      {{"compensated", &compensated, {}, {}, true, wide_formats()}, pairwise, any_order}, {flushed},
      {"pairwise", "any_order"}, not_about_errors));
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
    sum_sum2_1.words, {"pairwise", &sum_pairwise_1.words, as_any_order, {"any_order"}},
    {"any_order", &sum_recursive_1.words, {}, {"any_order_ftz"}}, {"any_order_ftz", &contract_flushed_1.words});

const OperationRegistration all[] = {
    OperationRegistration({"sum", "Σxᵢ of a vector of n numbers", with_narrow_formats(), of_one_vector, of_sums,
                           property<of_sum, OrderOfSum>, true}),
    OperationRegistration({"asum", "Σ|xᵢ| of a vector of n numbers", with_narrow_formats(), of_one_vector, of_sums,
                           property<of_asum, OrderOfMagnitudes>, true}),
    OperationRegistration({"nrm2", "√Σxᵢ² of a vector of n numbers", with_narrow_formats(), of_one_vector,
                           norm_contracts(), property<of_nrm2, OrderOfNorm>, true}),
    OperationRegistration(
        {"dot", "Σxᵢyᵢ of two vectors of n numbers", with_narrow_formats(), of_two_vectors,
         contracts_with(dot_dot2_1.words, {"pairwise", &dot_tree_1.words, height_of_pairs, {"any_order"}},
                        {"any_order", &dot_tree_1.words, greatest_height, {"any_order_ftz"}},
                        {"any_order_ftz", &contract_flushed_3.words, greatest_height}),
         property<of_dot, OrderOfDot>, true}),
};

/// Rules of an operation whose formats are those of one number type each; `of`: rule_of() with its bounds.
template <auto of>
std::optional<enclosures::EntryRule> entry_rule(const std::string& contract, const std::string& format,
                                                std::uint64_t n) {
  std::optional<enclosures::EntryRule> rule;
  const auto in = [&]<class T>(T) {
    if ((format == "f64" ? "" : "." + format) == format_suffix<T>()) rule = of(T(), contract, n);
  };
  in(double());
  in(float());
  in(binary16());
  in(bfloat16());
  return rule;
}

constexpr auto rule_of_sum = []<class T>(T, const std::string& contract, std::uint64_t n) {
  return rule_of<T>(contract, n,
                    [](const Accumulator& in, const auto& within) { for_each_bound_of_sums<T, false>(in, within); });
};
constexpr auto rule_of_dot = []<class T>(T, const std::string& contract, std::uint64_t n) {
  return rule_of<T>(contract, n,
                    [](const Accumulator& in, const auto& within) { for_each_bound_of_dots<T>(in, within); });
};

const EntryRuleRegistration rules_of_sum("sum", {EntryTerms::sum, entry_rule<rule_of_sum>});
const EntryRuleRegistration rules_of_dot("dot", {EntryTerms::dot, entry_rule<rule_of_dot>});

}  // namespace
}  // namespace assay::contracts::reductions
