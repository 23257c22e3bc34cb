#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const OperationFamily<float> to_nearest;

}  // namespace

}  // namespace assay::op
