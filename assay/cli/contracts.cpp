#include <fmt/core.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {

int run_contracts(const Options& options) {
  store::ContractListing listing;
  if (options.arguments.empty()) {
    for (const Operation* each : operations()) listing.operations.push_back(store::described(*each));
  } else {
    const std::string& name = options.arguments.front();
    listing.operations.push_back(
        store::described(operation_named(name.ends_with(".formula") ? formula_of_file(name, "") : name)));
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
