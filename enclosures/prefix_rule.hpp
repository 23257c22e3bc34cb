#pragma once

#include <vector>

#include "enclosures/prefix_entries.cuh"

namespace assay::enclosures {

/// What prefix sums must be.
struct PrefixRule {
  Rule kind;            ///< rule_within, rule_rounded or rule_faithful
  int precision, emin;  ///< of the results
  bool is_stored;       ///< the bound is of what is computed, which is then rounded to nearest
  std::vector<PrefixStretch> stretches;
};

}  // namespace assay::enclosures
