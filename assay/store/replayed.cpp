#include "assay/store/replayed_document.hpp"

namespace assay::store {

Json replayed_document(const Replayed& replayed) { return to_json(replayed); }

}  // namespace assay::store
