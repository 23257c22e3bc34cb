#pragma once
// The common claims about every number of a result with multiple-precision numbers.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/mp_theorems.hpp"
#include "properties/catalog/mp/cases.hpp"
#include "properties/catalog/mp/result.hpp"
#include "properties/framework/property.hpp"

namespace assay::mp {

using oracle::Dyadic;
using Truth = std::vector<Dyadic>;

/// Cases of the quick tier; sets of up to 32 moduli have `of_few_moduli`, because a case of many moduli takes many
/// times as long.
inline std::uint64_t quick_cases(int n, std::uint64_t of_few_moduli) {
  return n <= 32 ? of_few_moduli : n == 64 ? of_few_moduli / 4 : of_few_moduli / 10;
}

inline std::string named(const char* operation, const MpSystem& system) {
  return std::string("mp.") + operation + std::to_string(system.n);
}

template <class Case, class T = Truth>
using MpClaims = std::vector<Claim<Case, MpNumbers, T>>;

template <class Case, class T = Truth, class Judge>
Claim<Case, MpNumbers, T> structure(std::string id, const AnyTheorem auto& theorem, Judge judge) {
  return satisfies(std::move(id), theorem, [judge](const auto&, const MpNumbers& result) {
    Judgement worst;
    for (std::size_t k = 0; k < result.array.length; ++k) worst.worsen(judge(result, k));
    return worst;
  });
}

/// The form of every rounded number.
template <class Case, class T = Truth>
MpClaims<Case, T> rounded_numbers() {
  return {structure<Case, T>("digits", mp_structure_1, judge_digits),
          structure<Case, T>("enclosure", mp_structure_2, judge_enclosure),
          structure<Case, T>("width", mp_structure_3, judge_width),
          structure<Case, T>("significand", mp_structure_4, judge_significand)};
}

inline constexpr const char* derived_unit = "u = 2^(h+1)/(M(1 − 2⁻²⁰))";
inline constexpr const char* published_unit = "u = 4/√M";

/// The error of the operation, with the unit derived here and with the published one.
template <class Case>
MpClaims<Case> errors(const MpSystem& system, const BoundedTheorem auto& theorem, const std::string& instance = "") {
  const std::string before = instance.empty() ? "" : instance + ", ";
  MpClaims<Case> claims = rounded_numbers<Case>();
  claims.push_back(of_instance(before + derived_unit, within("error", theorem, system.unit)));
  claims.push_back(of_instance(before + published_unit, within("error_published", theorem, system.published_unit)));
  return claims;
}

inline bool is_inexact(const Truth& truth, const MpNumbers& result) {
  Dyadic got;
  for (std::size_t k = 0; k < result.array.length; ++k) {
    if (!component_value(result, k, got) || got != truth[k]) return true;
  }
  return false;
}

template <class Case>
Property<Case, MpNumbers, Truth> numbers(std::string name, Domain<Case> domain, Subject<Case, MpNumbers> subject,
                                         std::function<Truth(const Case&)> reference, MpClaims<Case> claims,
                                         std::uint64_t cases) {
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject = std::move(subject),
          .reference = std::move(reference),
          .claims = std::move(claims),
          .inexact = [](const Case&, const Truth& truth, const MpNumbers& result) { return is_inexact(truth, result); },
          .quick_cases = cases};
}

}  // namespace assay::mp
