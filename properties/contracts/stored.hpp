#pragma once
// Results of f16 and bf16: a kernel rounds every step to the format, or computes in binary32 and rounds once where it
// stores a result.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "properties/contracts/foreign.hpp"

namespace assay::contracts {

template <FloatingPoint T>
inline constexpr bool is_narrow = FloatTraits<T>::precision < FloatTraits<float>::precision;

/// The format in which the truth of a domain overflows: binary32 for narrow numbers, which a kernel may compute in.
template <FloatingPoint T>
using Wide = std::conditional_t<is_narrow<T>, float, T>;

/// The contract `id` of a kernel that computes in binary32 and stores narrow numbers, and its bound.
inline std::string stored_id(const std::string& id) { return "f32_" + id; }
inline std::string stored_instance(const TheoremWords& of_binary32, const std::string& instance) {
  return std::string("B in binary32 as ") + of_binary32.id.text + " has it" + (instance.empty() ? "" : ", " + instance);
}

/// The claim of the theorem about results of the type T that are computed in A, judge(case, truth, result).
template <FloatingPoint T, FloatingPoint A, class Judge>
ClaimSpec<Judge> computed_claim(std::string id, const AnyTheorem auto& theorem, Judge judge,
                                const std::string& instance = {}) {
  if constexpr (std::is_same_v<T, A>) {
    auto claim = claim_spec(std::move(id), theorem, std::move(judge));
    return instance.empty() ? claim : of_instance(instance, std::move(claim));
  } else {
    return of_instance(stored_instance(theorem.words, instance),
                       claim_spec(stored_id(id), contract_stored_1, std::move(judge)));
  }
}

/// |got − truth| ≤ bound where T is A; else `got` is the rounding of a number within the bound.
template <FloatingPoint T, FloatingPoint A>
Judgement judge_computed(std::uint64_t got, const auto& truth, const auto& bound, std::size_t at) {
  if constexpr (!std::is_same_v<T, A>) return judge_stored(got, truth, bound, format<T>, at);
  if (!oracle::is_finite(format<T>, got)) return Judgement::fail(at);
  return judge_within(oracle::decode_finite(format<T>, got), truth, bound, at);
}

/// The bounds that bound_of(theorem, case) gives hold for what is computed in A of every number.
template <FloatingPoint T, FloatingPoint A, BoundedTheorem Theorem, class BoundOf>
auto computed_within(std::string id, const Theorem& theorem, BoundOf bound_of, const std::string& instance = {}) {
  return computed_claim<T, A>(
      std::move(id), theorem,
      [theorem, bound_of](const auto& c, const auto& truth, const auto& result) {
        const auto bounds = bound_of(theorem, c);
        return assay::detail::by_number(truth, result, [&](std::uint64_t got, const auto& exact, std::size_t i) {
          return judge_computed<T, A>(got, exact, assay::detail::bound_at(bounds, i), i);
        });
      },
      instance);
}

/// Appends what claims_in(A{}) gives of results of T that are computed in A: in T or, for narrow numbers, in binary32,
/// and then also in T for the cases that `fit`.
template <FloatingPoint T, class Claims>
void append_computed(Claims& claims, const auto& claims_in, const std::string& preconditions, const auto& fit) {
  for (auto& each : claims_in(Wide<T>{})) claims.push_back(std::move(each));
  if constexpr (is_narrow<T>) {
    for (auto& each : claims_in(T{})) {
      each.info.preconditions = preconditions;
      each.applies = fit;
      claims.push_back(std::move(each));
    }
  }
}

/// Whether sums of numbers with these magnitudes overflow in no order, and that in words.
template <FloatingPoint T>
bool stays_finite(const oracle::Dyadic& magnitudes) {
  return magnitudes <= oracle::Dyadic::scaled(1, FloatTraits<T>::emax - 2);
}
template <FloatingPoint T>
std::string staying_finite() {
  return "the sum of the magnitudes is at most 2^" + std::to_string(FloatTraits<T>::emax - 2);
}

/// The formats of an operation with narrow numbers, and those that are not narrow.
inline std::vector<std::string> with_narrow_formats() { return {"f64", "f32", "f16", "bf16"}; }
inline std::vector<std::string> wide_formats() { return {"f64", "f32"}; }

/// The contracts of an operation that has narrow numbers: those of rounding; for narrow numbers the twins f32_… of the
/// bounds; the bounds, in the formats that they name; the others. A correctly rounded result keeps the twins of the
/// bounds that it keeps.
inline std::vector<Contract> with_stored(std::vector<Contract> rounding, const std::vector<Contract>& bounds,
                                         const std::vector<Contract>& others) {
  const auto twins_of = [&](const std::vector<std::string>& ids) {
    std::vector<std::string> twins;
    for (const std::string& id : ids) {
      if (std::ranges::find(bounds, id, &Contract::id) != bounds.end()) twins.push_back(stored_id(id));
    }
    return twins;
  };
  for (Contract& each : rounding) {
    if (each.id == "correctly_rounded") std::ranges::copy(twins_of(each.implies), std::back_inserter(each.implies));
  }
  std::vector<Contract> all = std::move(rounding);
  for (const Contract& each : bounds) {
    Contract twin{stored_id(each.id),
                  &contract_stored_1.words,
                  stored_instance(*each.theorem, each.instance),
                  twins_of(each.implies),
                  true,
                  {"f16", "bf16"}};
    if (each.formats.empty()) twin.implies.push_back(each.id);
    for (const std::string& id : each.implies) {
      if (std::ranges::find(others, id, &Contract::id) != others.end()) twin.implies.push_back(id);
    }
    all.push_back(std::move(twin));
  }
  all.insert(all.end(), bounds.begin(), bounds.end());
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace assay::contracts
