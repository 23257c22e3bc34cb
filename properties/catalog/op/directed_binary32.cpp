#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const DirectedOperationFamily<float> directed;

}  // namespace

}  // namespace assay::op
