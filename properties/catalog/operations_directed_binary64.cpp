#include "properties/catalog/operations.hpp"

namespace assay {

namespace {

const DirectedOperationFamily<double> directed;

}  // namespace

}  // namespace assay
