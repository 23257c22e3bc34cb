#include "properties/catalog/op/properties.hpp"

namespace assay::op {

namespace {

const LateRegistration of_directed_binary64{"op", [] { DirectedOperationFamily<double>(); }};

}  // namespace

}  // namespace assay::op
