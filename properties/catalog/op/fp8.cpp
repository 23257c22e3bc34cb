#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const OperationFamily<e4m3> of_e4m3;
const OperationFamily<e5m2> of_e5m2;

}  // namespace

}  // namespace assay::op
