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
using sum::DotCase;
using sum::SumCase;

constexpr const char* height_of_pairs = "h = ⌈log₂ n⌉";
constexpr const char* greatest_height = "h = n − 1";
constexpr const char* as_any_order = "and at most (n − 1)uS";

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

template <class T>
Terms sum_of_terms(const SumCase<T>& c) {
  if (sum::is_long<T>(c.x.size())) return long_terms(c.x);
  Terms terms;
  for (const T& each : c.x) terms.add(each);
  return terms;
}
template <class T>
Terms sum_of_terms(const DotCase<T>& c) {
  if (sum::is_long<T>(c.x.size())) return long_terms(c.x, &c.y);
  Terms terms;
  for (std::size_t i = 0; i < c.x.size(); ++i) terms.add(c.x[i], c.y[i]);
  return terms;
}

/// The terms of a sum or a dot product. Those of the last case of a thread are kept, because all its claims ask.
template <class Case>
Terms terms_of(const Case& c) {
  if (!sum::is_kept(c.x.size())) return sum_of_terms(c);
  thread_local std::pair<Case, Terms> last;
  if (sum::same_numbers(c, last.first)) return last.second;
  last = {c, sum_of_terms(c)};
  return last.second;
}

template <class T, class Case>
using Claims = std::vector<Claim<Case, T, Dyadic>>;

/// Narrow numbers are compensated in binary32 alone, others in their own format.
template <FloatingPoint T>
bool has_compensated(const Accumulator& in) {
  return in.rounds_once == is_narrow<T>;
}

/// within(id, theorem, bound_of, instance) for each bound of a sum s, or of the sum S of the magnitudes, that is
/// computed in the accumulator.
template <class T, bool of_magnitudes>
void for_each_bound_of_sums(const Accumulator& in, const auto& within) {
  const int p = in.format.precision;
  if (has_compensated<T>(in)) {
    within(
        "compensated", sum_sum2_1,
        [p](const auto& bound, const Terms& terms) {
          return bound(terms.n, of_magnitudes ? terms.magnitudes : terms.sum, terms.magnitudes, p);
        },
        "");
  }
  within(
      "pairwise", sum_pairwise_1,
      [p](const auto& bound, const Terms& terms) {
        return smaller(bound(pairwise_height(terms.n), terms.magnitudes, p),
                       sum_recursive_1(terms.n, terms.magnitudes, p));
      },
      as_any_order);
  within(
      "any_order", sum_recursive_1,
      [p](const auto& bound, const Terms& terms) { return bound(terms.n, terms.magnitudes, p); }, "");
  if (!is_usual<T>(in)) return;
  within(
      "any_order_ftz", contract_flushed_1,
      [of = in.format](const auto& bound, const Terms& terms) {
        return bound(terms.n, terms.magnitudes, terms.lost_in(of), of);
      },
      "");
}

/// The same of dot products.
template <class T>
void for_each_bound_of_dots(const Accumulator& in, const auto& within) {
  const oracle::Format of = in.format;
  if (has_compensated<T>(in)) {
    within(
        "compensated", dot_dot2_1,
        [of](const auto& bound, const Terms& terms) { return bound(terms.n, terms.sum, terms.magnitudes, of); }, "");
  }
  within("pairwise", dot_tree_1, dot_in_trees(of, pairwise_height), height_of_pairs);
  within("any_order", dot_tree_1, dot_in_trees(of, greatest_height_of), greatest_height);
  if (is_usual<T>(in)) within("any_order_ftz", contract_flushed_3, dot_flushed(of), greatest_height);
}

/// The claims about the error of sums whose bounds are these.
template <class T, class Case>
Claims<T, Case> claims_of_bounds(const auto& for_each_bound) {
  const auto claims_in = [&](const Accumulator& in) {
    Claims<T, Case> claims;
    for_each_bound(in, [&](const char* id, const BoundedTheorem auto& theorem, auto bound_of, const char* instance) {
      claims.push_back(adds_within<T>(in, id, theorem, terms_of<Case>, bound_of, instance));
    });
    if (is_usual<T>(in)) claims.push_back(exact_on_grids<T>(in, terms_of<Case>));
    return claims;
  };
  Claims<T, Case> claims;
  append_rungs<T>(
      claims, claims_in, [](const Case& c) { return is_finite_case(c); }, staying_finite<T>(),
      [](const Case& c) { return stays_finite<T>(terms_of(c).magnitudes); });
  return claims;
}

template <class T, bool of_magnitudes = false>
Claims<T, SumCase<T>> sum_claims() {
  return claims_of_bounds<T, SumCase<T>>(
      [](const Accumulator& in, const auto& within) { for_each_bound_of_sums<T, of_magnitudes>(in, within); });
}

template <class T>
Claims<T, DotCase<T>> dot_claims() {
  return claims_of_bounds<T, DotCase<T>>(
      [](const Accumulator& in, const auto& within) { for_each_bound_of_dots<T>(in, within); });
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

/// The largest exponent of the numbers; nothing where all are 0.
template <class T>
std::optional<long> largest_exponent(const SumCase<T>& c) {
  std::optional<long> largest;
  for (const T& each : c.x) {
    if (const auto x = parts_of(format<T>, bits_of(each)))
      largest = std::max(largest.value_or(x->leading()), x->leading());
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
  // If there are more than 8192 squares, each must be smaller by as much.
  const int further = std::max(static_cast<int>(std::bit_width(c.x.size())) - 13, 0) / 2;
  return std::all_of(c.x.begin(), c.x.end(), [further](const T& each) {
    const auto x = parts_of(format<T>, bits_of(each));
    return !x || (x->leading() >= lowest_of_squares<A> && x->leading() <= highest_of_squares<A> - further);
  });
}
template <class A, class T>
bool norm_is_normal(const SumCase<T>& c) {
  const std::optional<long> largest = largest_exponent(c);
  return !largest || *largest >= FloatTraits<A>::emin + FloatTraits<A>::precision;
}

/// A claim about the relative error of a norm, as it is computed in the accumulator.
template <FloatingPoint T>
auto norm_within(const Accumulator& in, const char* id, const BoundedTheorem auto& theorem,
                 std::uint64_t (*roundings)(std::uint64_t)) {
  return claim_in<T>(in, id, theorem.words,
                     [=](const SumCase<T>& c, const oracle::Exact& truth, const T& result) {
                       const RelativeBound bound = theorem(roundings(c.x.size()), in.format.precision);
                       if (in.rounds_once) return judge_stored(bits_of(result), truth, bound, format<T>);
                       if (!oracle::is_finite(format<T>, bits_of(result))) return Judgement::fail();
                       return judge_within(value_of(result), truth, bound);
                     },
                     {});
}

/// The claims about the error of a norm: narrow numbers are squared in binary32 alone.
template <class T>
std::vector<Claim<SumCase<T>, T, oracle::Exact>> norm_claims() {
  using Case = SumCase<T>;
  using A = Wide<T>;
  const auto power = [](int exponent) { return "2^" + std::to_string(exponent); };
  const auto plain = [&](const Accumulator& in) {
    return when(
        "the numbers are 0 or in [" + power(lowest_of_squares<A>) + ", " + power(highest_of_squares<A> + 1) + ")",
        [](const Case& c) { return is_finite_case(c) && squares_are_normal<A, T>(c); },
        norm_within<T>(in, "any_order", contract_norm_1, [](std::uint64_t n) { return n; }));
  };
  const auto scaled = [&](const char* id, const BoundedTheorem auto& theorem,
                          std::uint64_t (*roundings)(std::uint64_t)) {
    return when(
        "the largest number is 0 or at least " + power(FloatTraits<A>::emin + FloatTraits<A>::precision),
        [](const Case& c) { return is_finite_case(c) && norm_is_normal<A, T>(c); },
        norm_within<T>(is_narrow<T> ? wider_format<T> : own_format<T>, id, theorem, roundings));
  };
  std::vector<Claim<Case, T, oracle::Exact>> claims{plain(wider_format<T>)};
  if constexpr (!is_narrow<T>) claims.push_back(plain(own_format<T>));
  claims.push_back(scaled("any_range", contract_norm_2, [](std::uint64_t n) { return n + 8; }));
  claims.push_back(scaled("running_maximum", contract_norm_3, [](std::uint64_t n) { return 5 * n + 4; }));
  return claims;
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
  const auto run = [kernel, truth = truth_of](const Executor& on, std::span<const Case> cases) {
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
