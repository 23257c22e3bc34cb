#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const OperationFamily<double> to_nearest;

}  // namespace

}  // namespace assay::op
