#pragma once
// The tokens of the text of a formula.

#include <cstddef>
#include <string>
#include <vector>

namespace assay::formulas {

struct Token {
  enum class Kind { name, number, text, symbol, end_of_line, end } kind;
  std::string text;
  std::size_t line;
  std::size_t column;
  bool starts_line = false;
};

/// The token as text for a message.
std::string shown(const Token& token);

/// Errors: FormulaError, always: "source:line:column: what".
[[noreturn]] void refuse(const std::string& source, std::size_t line, std::size_t column, const std::string& what);

/// The tokens of the text. A # before a letter is an operator, else it begins a comment. Line ends inside brackets are
/// ignored. `source`: the name of the text in messages. Errors: FormulaError.
std::vector<Token> tokens_of(const std::string& text, const std::string& source);

}  // namespace assay::formulas
