#include <fmt/core.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/conversions/document.hpp"
#include "assay/doors/conversion.hpp"
#include "assay/quantizations/document.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/json.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {

int run_contracts(const Options& options) {
  const std::string asked = options.arguments.empty() ? "" : options.arguments.front();
  if (asked == doors::conversion_operation) {
    fmt::print("{}", options.json ? store::pretty(conversions::document_of_words()) : conversions::text_of_words());
    return report::exit_holds;
  }
  if (asked == doors::quantization_operation) {
    fmt::print("{}", options.json ? store::pretty(quantizations::document_of_words()) : quantizations::text_of_words());
    return report::exit_holds;
  }
  if (asked == "formulas") {
    for (const std::string& each : formulas::lines_of_shipped()) fmt::print("{}\n", each);
    return report::exit_holds;
  }
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
  if (options.arguments.empty())
    fmt::print(
        "convert: finds the rule that a conversion follows; see `assay "
        "contracts convert`\n");
  if (options.arguments.empty())
    fmt::print(
        "quantize: finds the rule that a quantizer follows; see `assay "
        "contracts quantize`\n"
        "formulas: the formulas that are shipped; see `assay contracts formulas`\n");
  return report::exit_holds;
}

}  // namespace assay::cli
