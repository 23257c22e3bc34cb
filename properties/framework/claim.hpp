#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/judge.hpp"
#include "errorbounds/theorem.hpp"
#include "properties/framework/citations.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay {

/// A promise about a kernel: an identifier, the theorem that it cites, and the judge that decides it exactly.
template <class Case, class Result, class Truth>
struct Claim {
  ClaimInfo info;
  SharedFunction<Judgement(const Case&, const Truth&, const Result&)> judge;
  /// The claim's own preconditions; empty: every case of the domain. Other cases count as rejected for this claim.
  SharedFunction<bool(const Case&)> applies;
};

/// A claim whose case, result and truth types are not fixed yet; it becomes a Claim when a property lists it.
template <class Judge, class Applies = std::nullptr_t>
struct ClaimSpec {
  ClaimInfo info;
  Judge judge;
  Applies applies{};

  template <class Case, class Result, class Truth>
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator Claim<Case, Result, Truth>() const {
    return {info, judge, applies};
  }
};

/// The parts of a claim that come from its theorem: the statement, the source, the id and the reason of looseness.
inline ClaimInfo claim_info(std::string id, const TheoremWords& theorem) {
  cite(theorem);
  return {std::move(id), theorem.statement.text, theorem.source.text,  "",
          false,         theorem.id.text,        theorem.loose_because};
}

/// A claim with its own judge: judge(case, truth, result) returns a Judgement.
template <AnyTheorem T, class Judge>
ClaimSpec<Judge> claim_spec(std::string id, const T& theorem, Judge judge) {
  return {claim_info(std::move(id), theorem.words), std::move(judge), {}};
}

/// The claim of its theorem for one of the cases that the theorem covers; `instance` describes that case in words.
template <class Judge, class Applies>
ClaimSpec<Judge, Applies> of_instance(const std::string& instance, ClaimSpec<Judge, Applies> claim) {
  claim.info.statement += ": " + instance;
  return claim;
}

/// The claim restricted to the cases that `applies` accepts; `preconditions` describes them in words.
template <class Judge, class Applies>
ClaimSpec<Judge, Applies> when(std::string preconditions, Applies applies, ClaimSpec<Judge> claim) {
  claim.info.preconditions = std::move(preconditions);
  return {std::move(claim.info), std::move(claim.judge), std::move(applies)};
}

/// A negative control: the claim is known to be false, and the run must refute it. `ceiling`: the id of a true claim of
/// the same property that says how far the control may err; a control about a structure or about equality may have
/// none.
template <class Judge, class Applies>
ClaimSpec<Judge, Applies> expected_refuted(ClaimSpec<Judge, Applies> claim, std::string ceiling = {}) {
  claim.info.expected_refuted = true;
  claim.info.ceiling = std::move(ceiling);
  return claim;
}

namespace detail {

inline const oracle::Dyadic& truth_at(const oracle::Dyadic& truth, std::size_t) { return truth; }
inline const oracle::Exact& truth_at(const oracle::Exact& truth, std::size_t) { return truth; }
template <class T>
const T& truth_at(const std::vector<T>& truth, std::size_t i) {
  return truth[i];
}
/// For truths that are computed on demand.
template <class T>
  requires requires(const T& truth) { truth.computed(std::size_t{}); }
auto truth_at(const T& truth, std::size_t i) {
  return truth.computed(i);
}

inline const Bound& bound_at(const Bound& bound, std::size_t) { return bound; }
inline const RelativeBound& bound_at(const RelativeBound& bound, std::size_t) { return bound; }
template <class B>
const B& bound_at(const std::vector<B>& bounds, std::size_t i) {
  return bounds[i];
}

/// The bound for a case: a constant, or a function of the case.
template <class B, class Case>
decltype(auto) bound_for(const B& bound, const Case& c) {
  if constexpr (std::is_invocable_v<const B&, const Case&>) {
    return bound(c);
  } else {
    return (bound);
  }
}

/// judge(value, truth, i) for each component with a finite value; a component that is not finite is violated.
template <class Result, class Truth, class Judge>
Judgement by_component(const Truth& truth, const Result& result, const Judge& judge) {
  Judgement worst;
  thread_local oracle::Dyadic value;
  const std::size_t count = ResultTraits<Result>::components(result);
  for (std::size_t i = 0; i < count; ++i) {
    worst.worsen(component_value(result, i, value) ? judge(value, truth_at(truth, i), i) : Judgement::fail(i));
  }
  worst.judged = count;
  return worst;
}

/// judge(bits, truth, i) for each component of a result whose components are single numbers.
template <class Result, class Truth, class Judge>
Judgement by_number(const Truth& truth, const Result& result, const Judge& judge) {
  static_assert(ResultTraits<Result>::per_component == 1, "a rounding claim needs components of one word");
  Judgement worst;
  const std::size_t count = ResultTraits<Result>::components(result);
  for (std::size_t i = 0; i < count; ++i) {
    worst.worsen(judge(bits_of(ResultTraits<Result>::word(result, i)), truth_at(truth, i), i));
  }
  worst.judged = count;
  return worst;
}

template <class Result>
constexpr oracle::Format result_format() {
  return format_of<typename ResultTraits<Result>::Number>();
}

}  // namespace detail

namespace detail {

template <AnyTheorem T, class B>
auto within_bound(std::string id, const T& theorem, B bound) {
  return claim_spec(
      std::move(id), theorem, [bound = std::move(bound)](const auto& c, const auto& truth, const auto& result) {
        decltype(auto) bounds = bound_for(bound, c);
        return by_component(truth, result, [&](const oracle::Dyadic& got, const auto& exact, std::size_t i) {
          return judge_within(got, exact, bound_at(bounds, i), i);
        });
      });
}

}  // namespace detail

/// |result − truth| ≤ bound in every component, the theorem's bound for these numbers.
template <BoundedTheorem T, class... Numbers>
  requires std::invocable<const T&, const Numbers&...>
auto within(std::string id, const T& theorem, const Numbers&... numbers) {
  return detail::within_bound(std::move(id), theorem, theorem(numbers...));
}

/// result − truth| ≤ bound in every component. bound_of(theorem, case) applies the theorem to the numbers of a case: it
/// returns a Bound or RelativeBound or, for results of several components, a vector of them.
template <BoundedTheorem T, class BoundOf>
  requires(!std::invocable<const T&, const BoundOf&>)
auto within(std::string id, const T& theorem, BoundOf bound_of) {
  return detail::within_bound(std::move(id), theorem, [theorem, bound_of = std::move(bound_of)](const auto& c) {
    return bound_of(theorem, c);
  });
}

/// The same for a theorem without a bound function, for example one whose statement is known to be false: the caller
/// gives the bound, a Bound, a RelativeBound or a function of the case.
template <class B>
auto within(std::string id, const Theorem<NoBound>& theorem, B bound) {
  return detail::within_bound(std::move(id), theorem, std::move(bound));
}

/// result = truth in every component.
template <AnyTheorem T>
auto exact(std::string id, const T& theorem) {
  return claim_spec(std::move(id), theorem, [](const auto&, const auto& truth, const auto& result) {
    return detail::by_component(truth, result, [](const oracle::Dyadic& got, const auto& exact_value, std::size_t i) {
      return judge_exact(got, exact_value, i);
    });
  });
}

/// Every component has the bits of the rounded truth. `policy`: oracle::RoundingPolicy for a case; it determines the
/// sign of zero.
template <AnyTheorem T, class Policy>
auto rounded(std::string id, const T& theorem, oracle::Rounding direction, Policy policy) {
  return claim_spec(std::move(id), theorem, [direction, policy](const auto& c, const auto& truth, const auto& result) {
    constexpr auto format = detail::result_format<std::remove_cvref_t<decltype(result)>>();
    const oracle::RoundingPolicy for_case = policy(c);
    return detail::by_number(truth, result, [&](std::uint64_t got, const auto& exact_value, std::size_t i) {
      return judge_rounded(got, exact_value, format, direction, for_case, i);
    });
  });
}
template <AnyTheorem T>
auto rounded(std::string id, const T& theorem, oracle::Rounding direction) {
  return rounded(std::move(id), theorem, direction, [](const auto&) { return oracle::RoundingPolicy{}; });
}

/// Every component is one of the truth's two neighbors (the truth itself if representable).
template <AnyTheorem T>
auto faithful(std::string id, const T& theorem) {
  return claim_spec(std::move(id), theorem, [](const auto&, const auto& truth, const auto& result) {
    constexpr auto format = detail::result_format<std::remove_cvref_t<decltype(result)>>();
    return detail::by_number(truth, result, [&](std::uint64_t got, const auto& exact_value, std::size_t i) {
      return judge_faithful(got, exact_value, format, i);
    });
  });
}

/// |result − truth| ≤ k·ulp(truth) in every component, with Goldberg's ulp of the truth (see oracle::ulp).
template <AnyTheorem T>
auto within_ulps(std::string id, const T& theorem, oracle::Dyadic k) {
  return claim_spec(std::move(id), theorem, [k = std::move(k)](const auto&, const auto& truth, const auto& result) {
    constexpr auto format = detail::result_format<std::remove_cvref_t<decltype(result)>>();
    return detail::by_number(truth, result, [&](std::uint64_t got, const auto& exact_value, std::size_t i) {
      return judge_within_ulps(got, exact_value, format, k, i);
    });
  });
}

/// A structural claim: `holds(case, result)` or `holds(case, truth, result)` gives bool or a Judgement.
template <AnyTheorem T, class Predicate>
auto satisfies(std::string id, const T& theorem, Predicate holds) {
  return claim_spec(
      std::move(id), theorem,
      [holds = std::move(holds)](const auto& c, const auto& truth, const auto& result) -> Judgement {
        const auto answer = [&] {
          if constexpr (std::is_invocable_v<const Predicate&, decltype(c), decltype(truth), decltype(result)>) {
            return holds(c, truth, result);
          } else {
            return holds(c, result);
          }
        }();
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(answer)>, bool>) {
          return Judgement::of(answer);
        } else {
          return answer;
        }
      });
}

/// The first word of a result of several words is the nearest number to their sum: h = RN(h + l).
/// Ties to even; a sum of zero has a first word ±0.
template <class Result>
bool is_normalised(const Result& result) {
  constexpr oracle::Format format = detail::result_format<Result>();
  thread_local oracle::Dyadic value;
  if (!component_value(result, 0, value)) {
    return false;
  }
  const std::uint64_t first = bits_of(ResultTraits<Result>::word(result, 0));
  return oracle::round(value, format, oracle::Rounding::nearest,
                       {.negative_zero = oracle::is_negative(format, first)}) == first;
}

/// Whether no word of the result, from word `first` on, is the zero of that sign.
template <class Result>
bool has_no_zero(const Result& result, bool negative, std::size_t first) {
  using Traits = ResultTraits<Result>;
  const std::uint64_t zero = negative ? format_of<typename Traits::Number>().sign_mask() : 0;
  const std::size_t count = Traits::components(result) * words_per_component(result);
  for (std::size_t i = first; i < count; ++i) {
    if (bits_of(Traits::word(result, i)) == zero) return false;
  }
  return true;
}

}  // namespace assay
