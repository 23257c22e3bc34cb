#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration of_e4m3{"op", [] { OperationFamily<e4m3>(); }};
const LateRegistration of_e5m2{"op", [] { OperationFamily<e5m2>(); }};

}  // namespace

}  // namespace assay::op
