#include "assay/store/tolerances_document.hpp"

namespace assay::store {

Json tolerances_document(const Tolerances& tolerances) { return to_json(tolerances); }

}  // namespace assay::store
