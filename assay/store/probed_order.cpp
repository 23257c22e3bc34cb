#include "assay/store/probed_order_document.hpp"
#include "assay/store/read_document.hpp"

namespace assay::store {

Json probed_order_document(const ProbedOrder& order) { return to_json(order); }

ProbedOrder probed_order_of_text(const std::string& text) { return read_json<ProbedOrder>(parse_json(text)); }

ProbedOrder read_probed_order(const std::string& path) {
  return read_document(path, [](const Json& value) { return read_json<ProbedOrder>(value); });
}

}  // namespace assay::store
