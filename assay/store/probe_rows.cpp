#include "assay/store/probe_rows.hpp"

#include "assay/store/probe_document.hpp"

namespace assay::store {

Json probes_to_json(const ProbeRows& probes) { return to_json(probes); }
ProbeRows probes_from_json(const Json& value) { return read_json<ProbeRows>(value); }

}  // namespace assay::store
