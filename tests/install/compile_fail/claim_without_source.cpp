#include "properties/framework/claim.hpp"

namespace assay {

#ifdef WRONG_USE
constexpr auto ordered_1 = theorem({"own.ordered.1", "any numbers", "a <= b", ""});
#else
constexpr auto ordered_1 = theorem({"own.ordered.1", "any numbers", "a <= b", "Higham 2002, section 2.2"});
#endif

auto claim() {
  return satisfies("ordered", ordered_1, [](const auto&, const auto&) { return true; });
}

using Made = decltype(claim());

}  // namespace assay
