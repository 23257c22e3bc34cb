#pragma once
// Which tokens of a source a mutant may change: those that run. Bodies and initializer lists of functions run;
// arguments of templates, static_assert, requires, constants, labels and bounds of arrays do not. Checks of arguments
// are also excluded: functions named require_… or check_… and conditions of a throw. No property gives a kernel wrong
// arguments.

#include <vector>

#include "tools/mutate/tokens.hpp"

namespace mutate {

struct Code {
  enum class Brace : unsigned char { none, block, value };
  std::vector<bool> runs;     ///< of each token
  std::vector<Brace> braces;  ///< for each token: the kind of the brace around it inside a function
};

Code code_of(const std::vector<Token>& tokens);

}  // namespace mutate
