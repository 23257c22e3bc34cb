#include "properties/catalog/op/properties.hpp"

namespace assay {

namespace {

const OperationFamily<double> to_nearest;

}  // namespace

}  // namespace assay
