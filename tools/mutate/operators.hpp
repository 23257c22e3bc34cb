#pragma once
// The small mistakes that a mutant may make.

#include <string>
#include <string_view>
#include <vector>

#include "tools/mutate/tokens.hpp"

namespace mutate {

/// A mistake at one place of a source: the tokens first … last − 1 become another text.
struct Mistake {
  std::size_t first = 0;
  std::size_t last = 0;
  bool statement = false;  ///< the tokens are a statement, with its semicolon; otherwise an expression
  std::string operation;   ///< which kind of mistake: "< for <="
  std::string was;         ///< the tokens on one line
  std::string becomes;     ///< may be empty for a statement
};

/// The mistakes of a source in the order of their places. Some of them may not compile: the types of operands are not
/// known.
std::vector<Mistake> mistakes_of(const std::vector<Token>& tokens);

}  // namespace mutate
