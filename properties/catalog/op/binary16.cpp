#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const OperationFamily<binary16> of_binary16;
const DirectedOperationFamily<binary16> directed;

}  // namespace

}  // namespace assay::op
