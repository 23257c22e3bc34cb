#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration of_binary64{"op", [] { OperationFamily<double>(); }};

}  // namespace

}  // namespace assay::op
