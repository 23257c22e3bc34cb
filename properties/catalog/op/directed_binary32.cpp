#include "properties/catalog/op/properties.hpp"

namespace assay {

namespace {

const DirectedOperationFamily<float> directed;

}  // namespace

}  // namespace assay
