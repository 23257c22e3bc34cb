#pragma once
// What a control returns in place of a kernel.

#include <utility>

#include "properties/framework/operation.hpp"

namespace assay::contracts {

/// The results of one case among which a control chooses.
template <class Result>
struct Answers {
  Result one;
  Result nan;
  Result first_term;
  Result copy;
  Result unwritten;
  Result right;  ///< the exact result, rounded
};

/// The result of a control. The result of the case before is that of the last call with this type of results.
template <class Result>
Result controlled(Control control, const Answers<Result>& answers) {
  thread_local Result last{};
  switch (control) {
    case Control::zeros:
      return Result{};
    case Control::ones:
      return answers.one;
    case Control::nan:
      return answers.nan;
    case Control::first_term:
      return answers.first_term;
    case Control::copy:
      return answers.copy;
    case Control::previous:
      return std::exchange(last, answers.right);
    case Control::unwritten:
      return answers.unwritten;
    case Control::last_product:
      break;
  }
  return Result{};
}

}  // namespace assay::contracts
