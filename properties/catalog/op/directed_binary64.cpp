#include "properties/catalog/op/properties.hpp"

namespace assay {

namespace {

const DirectedOperationFamily<double> directed;

}  // namespace

}  // namespace assay
