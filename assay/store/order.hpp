#pragma once
// What a run has on the order of a kernel's additions besides its claims.

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/framework/tally.hpp"

namespace assay::store {

/// The bits of a kernel's results beside those of another executor or of a file of digests: `same_on`.
struct SameOn {
  std::string property;
  std::string executor;
  std::string model;           ///< of the processor or the device
  std::string other_executor;  ///< that computed the results with which they were compared
  std::string other_model;
  std::uint64_t results = 0;      ///< that were compared
  std::uint64_t different = 0;    ///< of these
  std::uint64_t first = no_case;  ///< the smallest case number with other bits
  auto operator<=>(const SameOn&) const = default;
};

/// The order of additions that `assay probe-order` found for a kernel. The texts are those of ProbedOrder.
struct KernelTree {
  std::string property;
  std::uint64_t terms = 0;
  std::string verdict;
  std::string order;
  std::string why;
  std::uint64_t predicted = 0;
  std::uint64_t checked = 0;
  bool sampled = false;
  auto operator<=>(const KernelTree&) const = default;
};

}  // namespace assay::store
