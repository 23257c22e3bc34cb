#pragma once
// The common parts of the properties of expansion arithmetic: names, conversions between cases and the flat arrays of
// the kernels, and claims about the words of a result.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/expansion_theorems.hpp"
#include "properties/catalog/expansion/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::expansion {

template <class T>
inline constexpr int precision = FloatTraits<T>::precision;

/// All properties of a number format have one of two types, so that compilation stays short.
template <class T>
using TermsProperty = Property<ExpansionCase<T>, Expansions<T>, oracle::Exact>;
template <class T>
using PairProperty = Property<ExpansionPairCase<T>, Expansions<T>, oracle::Exact>;
template <class T>
using TermsClaims = std::vector<Claim<ExpansionCase<T>, Expansions<T>, oracle::Exact>>;
template <class T>
using PairClaims = std::vector<Claim<ExpansionPairCase<T>, Expansions<T>, oracle::Exact>>;

inline std::uint64_t quick_cases(std::size_t words) { return words <= 4 ? 10000 : words <= 8 ? 2000 : 1000; }

template <class T>
std::string named(const char* operation, std::size_t k) {
  return std::string("expansion.") + operation + std::to_string(k) + format_suffix<T>();
}

// Converts cases to the flat arrays of the kernels and back.

template <class T, class Case>
std::vector<T> packed_words(std::span<const Case> cases, std::vector<T> Case::*operand) {
  std::vector<T> all;
  for (const Case& each : cases) {
    all.insert(all.end(), (each.*operand).begin(), (each.*operand).end());
  }
  return all;
}

template <class T>
std::vector<Expansions<T>> unpacked(const std::vector<T>& words, std::size_t length) {
  std::vector<Expansions<T>> results;
  for (std::size_t i = 0; i + length <= words.size(); i += length) {
    const auto from = words.begin() + static_cast<std::ptrdiff_t>(i);
    results.push_back({std::vector<T>(from, from + static_cast<std::ptrdiff_t>(length)), length});
  }
  return results;
}

// Claims about the words of a result.

/// judge(words, p) on the words of the result.
template <class Judge>
auto structure(std::string id, const AnyTheorem auto& theorem, Judge judge) {
  return satisfies(std::move(id), theorem, [judge](const auto&, const auto& result) {
    using T = typename ResultTraits<std::remove_cvref_t<decltype(result)>>::Number;
    thread_local ExactWords words;
    return exact_words<T>(result.words, words) ? judge(words, precision<T>) : Judgement::fail();
  });
}

inline auto has_zeros_last() {
  return structure("zeros_last", expansion_zeros_last_1,
                   [](const ExactWords& words, int) { return Judgement::of(zeros_last(words)); });
}
inline auto has_positive_zeros() {
  return satisfies("zeros_positive", expansion_zeros_positive_1,
                   [](const auto&, const auto& result) { return has_no_zero(result, true, 0); });
}
inline auto is_renormalized(std::string id) {
  return structure(std::move(id), expansion_renormalize_1,
                   [](const ExactWords& words, int p) { return judge_renormalized(words, p); });
}
inline auto is_bailey() {
  return structure("bailey", expansion_renormalize_4,
                   [](const ExactWords& words, int p) { return judge_bailey_nonoverlapping(words, p); });
}
// Operations by Newton's iteration.

template <class T>
Box quotient_box_of(std::size_t k) {
  return expansion_quotient_box(format_of<T>(), static_cast<int>(k));
}

/// The error c·u^R with c1 for one word, c2 for two and c3 for more: the form of the theorem's bound.
template <class T>
auto newton_error(const BoundedTheorem auto& theorem, int R, int c1, int c2) {
  return of_instance("c = " + std::to_string(R == 1 ? c1 : R == 2 ? c2 : 3), within("error", theorem, R, precision<T>));
}

}  // namespace assay::expansion
