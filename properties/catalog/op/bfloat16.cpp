#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration of_bfloat16{"op", [] { OperationFamily<bfloat16>(); }};

}  // namespace

}  // namespace assay::op
