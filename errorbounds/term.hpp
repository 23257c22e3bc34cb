#pragma once

#include <cstddef>

namespace assay {

/// How many named terms a bound has at most.
inline constexpr std::size_t most_terms = 4;

/// The name of a term of a bound. Only a literal compiles: bounds and judgments keep the pointer.
struct TermName {
  const char* text;

  // NOLINTNEXTLINE(google-explicit-constructor): a literal is the natural spelling of a name.
  consteval TermName(const char* literal) : text(literal) {
    if (*literal == '\0') {
      throw "a term of a bound has a name";
    }
  }
};

}  // namespace assay
