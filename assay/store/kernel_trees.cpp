#include "assay/store/kernel_trees.hpp"

#include "assay/store/order_documents.hpp"

namespace assay::store {

Json kernel_trees_to_json(const KernelTrees& trees) { return to_json(trees); }
KernelTrees kernel_trees_from_json(const Json& value) { return read_json<KernelTrees>(value); }

}  // namespace assay::store
