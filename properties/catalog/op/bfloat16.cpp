#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const OperationFamily<bfloat16> of_bfloat16;

}  // namespace

}  // namespace assay::op
