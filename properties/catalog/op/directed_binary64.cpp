#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const DirectedOperationFamily<double> directed;

}  // namespace

}  // namespace assay::op
