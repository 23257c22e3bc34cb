// What the program knows of operations and contracts, as C has it.

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/campaign/match.hpp"
#include "assay/judge/objects.hpp"
#include "assay/store/json.hpp"

namespace assay::judge {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

}  // namespace

std::string unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = campaign::nearest(name, known);
  return "no " + what + " " + name + (near.empty() ? "; there are: " + listed(known) : "; nearest: " + listed(near));
}

const Operation& operation_named(const char* name) {
  require(name, "operation");
  if (const Operation* const found = find_operation(name)) return *found;
  std::vector<std::string> names;
  for (const Operation* each : operations()) names.push_back(each->name);
  throw std::invalid_argument(unknown("operation", name, names));
}

}  // namespace assay::judge

using assay::judge::give;
using assay::judge::guarded;
using assay::judge::operation_named;

size_t assay_operation_count(void) { return assay::operations().size(); }

assay_status assay_operation_at(size_t i, assay_operation_info* out) {
  return guarded([&] {
    const std::vector<const assay::Operation*> all = assay::operations();
    if (i >= all.size()) throw std::invalid_argument("i: there are fewer operations");
    static auto& listing = *new assay::store::ContractListing;  // texts that live as long as the library
    if (listing.operations.empty()) {
      for (const assay::Operation* each : all) listing.operations.push_back(assay::store::described(*each));
    }
    give({0, all[i]->name.c_str(), all[i]->computes.c_str(), listing.operations[i].accepts.c_str(),
          all[i]->formats.size(), all[i]->contracts.size()},
         out);
  });
}

const char* assay_format_at(const char* operation, size_t i) {
  const char* format = nullptr;
  guarded([&] {
    const assay::Operation& of = operation_named(operation);
    if (i >= of.formats.size()) throw std::invalid_argument("i: the operation has fewer formats");
    format = of.formats[i].c_str();
  });
  return format;
}

assay_status assay_contract_at(const char* operation, size_t i, assay_contract_info* out) {
  return guarded([&] {
    const assay::Operation& of = operation_named(operation);
    if (i >= of.contracts.size()) throw std::invalid_argument("i: the operation has fewer contracts");
    const assay::Contract& contract = of.contracts[i];
    const assay::TheoremWords& words = *contract.theorem;
    give({0, contract.id.c_str(), words.id.text, words.hypotheses.text, words.statement.text, contract.instance.c_str(),
          words.source.text, contract.is_about_error ? 1 : 0},
         out);
  });
}

const char* assay_contracts_json(void) {
  static const std::string& text = *new std::string([] {
    assay::store::ContractListing listing;
    for (const assay::Operation* each : assay::operations()) {
      listing.operations.push_back(assay::store::described(*each));
    }
    return assay::store::pretty(assay::store::contracts_document(listing));
  }());
  return text.c_str();
}
