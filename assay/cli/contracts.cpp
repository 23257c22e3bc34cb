#include <fmt/core.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

store::ContractListing::Operation described(const Operation& operation) {
  store::ContractListing::Operation into{operation.name,
                                         operation.computes,
                                         operation.property({.format = operation.formats.front()}, {})->info().accepts,
                                         operation.formats,
                                         {},
                                         {}};
  for (const Signature& each : operation.signatures)
    into.signatures.push_back({std::string(name_of(each.form)), each.declaration});
  for (const Contract& each : operation.contracts) {
    const TheoremWords& words = *each.theorem;
    into.contracts.push_back({each.id,
                              {words.id.text, words.hypotheses.text, words.statement.text, words.source.text},
                              each.instance,
                              each.implies,
                              each.is_about_error,
                              each.formats});
  }
  return into;
}

}  // namespace

int run_contracts(const Options& options) {
  store::ContractListing listing;
  if (options.arguments.empty()) {
    for (const Operation* each : operations()) listing.operations.push_back(described(*each));
  } else {
    listing.operations.push_back(described(operation_named(options.arguments.front())));
  }
  if (options.json) {
    fmt::print("{}", store::pretty(store::contracts_document(listing)));
    return report::exit_holds;
  }
  for (const auto& operation : listing.operations) {
    fmt::print("{}: {}\n  accepts {}\n  formats", operation.name, operation.computes, operation.accepts);
    for (const std::string& each : operation.formats) fmt::print(" {}", each);
    fmt::print("\n");
    for (const auto& each : operation.signatures) fmt::print("  {:<8} {}\n", each.form, each.declaration);
    for (const auto& each : operation.contracts) {
      fmt::print("  {}/{}: {}{}{} [{}, {}]\n", operation.name, each.id, each.theorem.statement,
                 each.instance.empty() ? "" : ": ", each.instance, each.theorem.id, each.theorem.source);
      if (!each.formats.empty()) fmt::print("    of {}\n", fmt::join(each.formats, ", "));
      for (const std::string& weaker : each.implies) fmt::print("    implies {}\n", weaker);
    }
  }
  return report::exit_holds;
}

}  // namespace assay::cli
