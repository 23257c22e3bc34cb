#pragma once
// How long a test is. A test that draws very many inputs has a short form for the default run and a long one, which
// ctest has again under the label nightly, with ASSAY_TIER=nightly.

#include <cstdlib>
#include <string_view>

namespace assay::test {

/// `quick` in the default run, `nightly` if the long form is requested.
template <class Number>
Number of_tier(Number quick, Number nightly) {
  const char* const tier = std::getenv("ASSAY_TIER");
  return tier != nullptr && std::string_view(tier) == "nightly" ? nightly : quick;
}

}  // namespace assay::test
