#include "properties/catalog/op/properties.hpp"

namespace assay {

namespace {

const OperationFamily<float> to_nearest;

}  // namespace

}  // namespace assay
