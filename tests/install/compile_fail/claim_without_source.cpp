#include "properties/framework/claim.hpp"

namespace assay {

auto claim() {
  const auto holds = [](const auto&, const auto&) { return true; };
#ifdef WRONG_USE
  return satisfies("ordered", "a <= b", "", holds);
#else
  return satisfies("ordered", "a <= b", "Higham 2002, section 2.2", holds);
#endif
}

using Made = decltype(claim());

}  // namespace assay
