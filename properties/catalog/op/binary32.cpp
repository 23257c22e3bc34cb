#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration of_binary32{"op", [] { OperationFamily<float>(); }};

}  // namespace

}  // namespace assay::op
