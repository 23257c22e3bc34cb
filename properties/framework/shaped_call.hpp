#pragma once
// How functions that know the shapes of their arrays, as those of NumPy, are called.

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// An argument: a matrix, which a case stores column by column, or a vector.
struct ShapedArgument {
  std::string name;                     ///< of the field of the case
  std::vector<std::string> dimensions;  ///< fields of the case: {"m", "n"} for an m × n matrix
};

/// What a function takes in place of the fields of a case. Matrices of its result are read column by column, several
/// results one behind the other.
struct ShapedCall {
  std::string operation;
  std::vector<ShapedArgument> arguments;
  bool may_refuse = false;              ///< it may raise an error in place of a result
  std::vector<std::string> usual = {};  ///< ids of contracts, any of which will do where nobody names one
};

/// The call of that operation, or nullptr where none is described.
const ShapedCall* find_shaped_call(std::string_view operation);

/// A namespace-scope ShapedCallRegistration describes a call before main.
class ShapedCallRegistration {
 public:
  /// Errors: std::logic_error for an operation whose call is described.
  explicit ShapedCallRegistration(ShapedCall call);
};

}  // namespace assay
