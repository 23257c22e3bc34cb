#include "assay/store/hunt.hpp"

#include "assay/store/hunt_document.hpp"

namespace assay::store {

Json hunt_to_json(const HuntRows& hunt) { return to_json(hunt); }
HuntRows hunt_from_json(const Json& value) { return read_json<HuntRows>(value); }

}  // namespace assay::store
