#include "properties/catalog/operations.hpp"

namespace assay {

namespace {

const DirectedOperationFamily<float> directed;

}  // namespace

}  // namespace assay
