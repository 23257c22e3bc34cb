#pragma once
// The tokens of a C++ source, as far as the generator of mutants needs them. The source has the layout of clang-format:
// a binary operator has blanks on both sides, a template's `<` has none before it. Comments, directives and what only
// nvcc compiles have no tokens.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mutate {

struct Token {
  enum class Kind { word, number, literal, punctuation };
  Kind kind = Kind::word;
  std::string_view text;
  std::size_t at = 0;             ///< the offset in the source
  bool blank_before = false;      ///< a blank, a new line or a comment stands before it
  bool directive_before = false;  ///< a directive stands between it and the token before
  std::size_t partner = none;     ///< of a bracket: the bracket that closes or opens it
  bool angle = false;             ///< `<` or `>` around arguments of a template

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t end() const { return at + text.size(); }
};

/// The source must outlive its tokens. Errors: std::runtime_error where brackets do not match.
std::vector<Token> tokens_of(std::string_view source);

/// The tokens first … last − 1 in one line; what stands between two of them becomes one blank or nothing.
std::string flat(const std::vector<Token>& tokens, std::size_t first, std::size_t last);

/// The line and the column of an offset, from 1; a column is a byte.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
  bool operator==(const Place&) const = default;
};
Place place_of(std::string_view source, std::size_t offset);

}  // namespace mutate
