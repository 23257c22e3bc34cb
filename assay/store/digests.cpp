#include "assay/store/digests.hpp"

#include "assay/store/digests_document.hpp"

namespace assay::store {

Json digests_to_json(const Digests& digests) { return to_json(digests); }
Digests digests_from_json(const Json& value) { return read_json<Digests>(value); }

}  // namespace assay::store
