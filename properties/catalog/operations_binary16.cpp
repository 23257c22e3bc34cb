#include "properties/catalog/operations.hpp"

namespace assay {

namespace {

const OperationFamily<binary16> of_binary16;

}  // namespace

}  // namespace assay
