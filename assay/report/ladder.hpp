#pragma once
// The contracts that kernels from outside keep and break although nobody promised them: the ladder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/summary.hpp"
#include "properties/framework/operation.hpp"

namespace assay::report {

/// The ladder of one kernel on one executor.
struct KernelLadder {
  std::string property;
  std::string executor;
  std::uint64_t cases = 0;  ///< cases that were run, including saved cases of a corpus
  std::string call;         ///< the call, by store::call_key(); empty if it is not recorded
  Ladder ladder;
  std::vector<std::string> open;         ///< contracts that were asked and not decided
  std::vector<const Contract*> unasked;  ///< left_to_ask()
  std::vector<std::string> partly;       ///< kept ones that did not judge all cases or entries, and kept or open ones
                                         ///< that say nothing of some numbers, each with a count in words
  Cost cost;                             ///< of the drawn cases, the workers added up
  std::vector<std::string> shown;  ///< kept ones about order, each with how many swaps of terms it would have seen
  std::optional<std::size_t> counterexample;  ///< a claim whose case is kept: the weakest broken contract about an
                                              ///< error, or if there is none the weakest broken one
  bool is_promised = false;                   ///< its contracts were promised: a broken one is a failure
  bool keeps_about_error = false;  ///< a contract about an error is kept; only if this program knows the operation
};

/// The ladder of the property: its operation is `operation`; nullptr stands for an operation that this program does not
/// have. In that case the ladder lists all kept contracts and all broken contracts.
KernelLadder ladder_of(const store::Summary& summary, const store::PropertySummary& property,
                       const Operation* operation);

/// The ladders of all kernels from outside in a summary, in its order.
std::vector<KernelLadder> ladders(const store::Summary& summary);

/// "keeps any_order; breaks faithful; not decided: order_free".
std::string describe(const KernelLadder& kernel);

/// "asked with 1000 cases, as double my_dot(size_t n, const double* x, const double* y)".
std::string describe_call(const KernelLadder& kernel);

}  // namespace assay::report
