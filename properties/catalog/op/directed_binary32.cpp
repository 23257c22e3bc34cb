#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration directed{"op", [] { DirectedOperationFamily<float>(); }};

}  // namespace

}  // namespace assay::op
