#pragma once

#include <functional>

#include "enclosures/row_entries.cuh"

namespace assay::enclosures {

/// What the numbers of a row must be.
struct RowRule {
  Rule kind;            ///< rule_within, rule_rounded or rule_faithful
  int precision, emin;  ///< of the results
  bool is_stored;       ///< the bound is of what is computed, which is then rounded to nearest
  std::function<Row(const RowFacts&)> row;
  /// Whether the rule speaks of a column with that weight and that bias; empty without them.
  std::function<bool(double weight, double bias)> speaks_of = {};
};

}  // namespace assay::enclosures
