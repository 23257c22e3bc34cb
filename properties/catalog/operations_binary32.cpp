#include "properties/catalog/operations.hpp"

namespace assay {

namespace {

const OperationFamily<float> to_nearest;

}  // namespace

}  // namespace assay
