#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration directed{"op", [] { DirectedOperationFamily<double>(); }};

}  // namespace

}  // namespace assay::op
