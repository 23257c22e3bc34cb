#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration of_directed_binary32{"op", [] { DirectedOperationFamily<float>(); }};

}  // namespace

}  // namespace assay::op
