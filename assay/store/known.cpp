#include "assay/store/known.hpp"

#include "assay/store/known_document.hpp"

namespace assay::store {

Json known_document(const KnownErrors& known) { return to_json(known); }

}  // namespace assay::store
