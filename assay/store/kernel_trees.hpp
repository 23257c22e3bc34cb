#pragma once
// orders.json in the folder of a run: `assay probe-order --run` writes it, and `assay report` shows it.

#include <vector>

#include "assay/store/json.hpp"
#include "assay/store/order.hpp"

namespace assay::store {

struct KernelTrees {
  std::vector<KernelTree> rows;  ///< sorted
};

Json kernel_trees_to_json(const KernelTrees& trees);
/// Throws JsonError.
KernelTrees kernel_trees_from_json(const Json& value);

}  // namespace assay::store
