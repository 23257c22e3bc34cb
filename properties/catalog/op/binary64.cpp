#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration to_nearest{"op", [] { OperationFamily<double>(); }};

}  // namespace

}  // namespace assay::op
