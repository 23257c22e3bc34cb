#include "assay/store/explanation_document.hpp"

namespace assay::store {

Json explanation_document(const Explanation& explanation) { return to_json(explanation); }

}  // namespace assay::store
