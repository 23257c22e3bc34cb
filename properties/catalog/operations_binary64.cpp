#include "properties/catalog/operations.hpp"

namespace assay {

namespace {

const OperationFamily<double> to_nearest;

}  // namespace

}  // namespace assay
