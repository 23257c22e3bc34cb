#pragma once
// The bounds of prefix sums.

#include "errorbounds/contract_theorems.hpp"
#include "properties/contracts/rungs.hpp"

namespace assay::contracts {

/// within(id, theorem, bound_of) for each bound of prefix sums that are computed in the accumulator.
template <FloatingPoint T>
void for_each_bound_of_prefixes(const Accumulator& in, const auto& within) {
  const oracle::Format of = in.format;
  const int p = of.precision;
  if (in.rounds_once == is_narrow<T>) {
    within("compensated", contract_prefix_1,
           [p](const auto& bound, const Terms& terms) { return bound(terms.n, terms.sum, terms.magnitudes, p); });
  }
  within("pairwise", contract_prefix_2,
         [p](const auto& bound, const Terms& terms) { return bound(pairwise_height(terms.n), terms.magnitudes, p); });
  within("tree", contract_prefix_3, [p](const auto& bound, const Terms& terms) {
    return bound(2 * pairwise_height(terms.whole), terms.magnitudes, p);
  });
  within("any_order", contract_prefix_4,
         [p](const auto& bound, const Terms& terms) { return bound(terms.n, terms.magnitudes, p); });
  if (!is_usual<T>(in)) return;
  within("tree_ftz", contract_prefix_6, [of](const auto& bound, const Terms& terms) {
    return bound(terms.n, 2 * pairwise_height(terms.whole), terms.magnitudes, terms.lost_in(of), of);
  });
  within("any_order_ftz", contract_prefix_5, [of](const auto& bound, const Terms& terms) {
    return bound(terms.n, terms.magnitudes, terms.lost_in(of), of);
  });
}

}  // namespace assay::contracts
