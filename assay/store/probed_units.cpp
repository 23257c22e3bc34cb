#include "assay/store/probed_units_document.hpp"

namespace assay::store {

Json probed_units_document(const ProbedUnits& units) { return to_json(units); }

}  // namespace assay::store
