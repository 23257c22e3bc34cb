#pragma once
// The claim of sums and dot products about their error.

#include <string>
#include <utility>

#include "properties/catalog/sum/exact_sums.hpp"
#include "properties/framework/claim.hpp"

namespace assay::sum {

/// |ŝ − s| ≤ bound_of(theorem, n, s, S), for a dot product with its d and T.
template <class BoundOf>
auto error_within(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of) {
  return claim_spec(std::move(id), theorem,
                    [theorem, bound_of](const auto& c, const oracle::Dyadic& truth, const auto& result) {
                      oracle::Dyadic got;
                      if (!component_value(result, 0, got)) return Judgement::fail();
                      return judge_within(got, truth, bound_of(theorem, c.x.size(), truth, exact_sums(c).magnitudes));
                    });
}

}  // namespace assay::sum
