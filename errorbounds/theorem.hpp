#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace assay {

/// A text of a theorem. An empty one does not compile: a tolerance without a source is an opinion.
struct TheoremText {
  const char* text;

  // NOLINTNEXTLINE(google-explicit-constructor): a literal is the natural spelling in a theorem.
  consteval TheoremText(const char* words) : text(words) {
    if (*words == '\0') {
      throw "a theorem has an id, hypotheses, a statement and a source";
    }
  }
};

/// The identifier of a theorem: family.topic.number, as in the heading of docs/bounds/<family>.md.
/// Another form does not compile.
struct TheoremId {
  const char* text;

  // NOLINTNEXTLINE(google-explicit-constructor): a literal is the natural spelling in a theorem.
  consteval TheoremId(const char* id) : text(id) {
    if (!is_theorem_id(id)) {
      throw "the id of a theorem is family.topic.number";
    }
  }

  /// Letters a … z, digits and _ in family and topic, which begin with a letter; digits in the number, no leading 0.
  static constexpr bool is_theorem_id(std::string_view id) {
    const std::size_t last = id.rfind('.');
    const std::size_t first = id.find('.');
    if (first == std::string_view::npos || first == last || id.find('.', first + 1) != last) {
      return false;
    }
    const std::string_view number = id.substr(last + 1);
    if (number.empty() || number.front() == '0' || number.find_first_not_of("0123456789") != std::string_view::npos) {
      return false;
    }
    const auto is_name = [](std::string_view name) {
      return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
             name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
    };
    return is_name(id.substr(0, first)) && is_name(id.substr(first + 1, last - first - 1));
  }
};

/// The words of a theorem. The build writes errorbounds/<family>_theorems.hpp with the words of the numbered theorems
/// of docs/bounds/<family>.md. `source`: author, title or theorem, year; "derived" if the proof is only on that page.
/// `loose_because`: the reason why no case comes near to the bound, or reaches one of its terms; empty if cases do.
/// `checked_by`: the checks, as on the page: "claim dw.sqrt*/error, ctest …"; empty for a theorem without a page.
/// `attained`: the largest error known relative to the bound, and its source; empty for a theorem without a page.
struct TheoremWords {
  TheoremId id;
  TheoremText hypotheses;
  TheoremText statement;
  TheoremText source;
  const char* loose_because = "";
  const char* checked_by = "";
  const char* attained = "";
};

/// The bound of a theorem without one: a structure, an identity, a definition, or a statement known to be false.
struct NoBound {};

/// A theorem: its words and, if it bounds an error, the function that evaluates the bound exactly. The formula is only
/// in that function; claims, reports and tests take words and formula from here.
template <class BoundFunction = NoBound>
struct Theorem {
  TheoremWords words;
  BoundFunction bound;

  /// The bound for these numbers. Requires: the hypotheses on the numbers; the bound function throws std::domain_error
  /// where they are not met.
  template <class... Numbers>
    requires std::invocable<const BoundFunction&, Numbers...>
  constexpr auto operator()(Numbers&&... numbers) const {
    return bound(std::forward<Numbers>(numbers)...);
  }
};

template <class T>
inline constexpr bool is_theorem = false;
template <class BoundFunction>
inline constexpr bool is_theorem<Theorem<BoundFunction>> = true;

template <class T>
concept AnyTheorem = is_theorem<std::remove_cvref_t<T>>;
template <class T>
concept BoundedTheorem = AnyTheorem<T> && !std::same_as<std::remove_cvref_t<T>, Theorem<NoBound>>;

/// A theorem without a bound.
consteval Theorem<NoBound> theorem(TheoremWords words) { return {words, {}}; }

/// A theorem with a bound: a function, or a captureless lambda.
template <class BoundFunction>
consteval Theorem<std::decay_t<BoundFunction>> theorem(TheoremWords words, BoundFunction&& bound) {
  return {words, std::forward<BoundFunction>(bound)};
}

}  // namespace assay
