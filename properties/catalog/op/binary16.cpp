#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration of_binary16{"op", [] { OperationFamily<binary16>(); }};
const LateRegistration of_directed_binary16{"op", [] { DirectedOperationFamily<binary16>(); }};

}  // namespace

}  // namespace assay::op
