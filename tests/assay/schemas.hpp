#pragma once
// The schemas of the documents, made from their field lists. docs/<name>.schema.json holds their text.

#include <map>
#include <string>

#include "assay/store/json.hpp"

namespace assay::store {

/// The schemas by name: bench, case, contracts, eval, explain, hunt, list, probe_device, probe_order, replay, summary,
/// tolerance.
std::map<std::string, Json> schemas();

}  // namespace assay::store
