#include <string>

#include "assay/store/listing.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/shaped_call.hpp"

namespace assay::store {

ContractListing::Operation described(const Operation& operation) {
  ContractListing::Operation into{operation.name,
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
                              each.formats,
                              each.is_rung,
                              older_names_of(each.id)});
  }
  if (const ShapedCall* const call = find_shaped_call(operation.name)) {
    for (const ShapedArgument& each : call->arguments) into.arguments.push_back({each.name, each.dimensions});
    into.may_refuse = call->may_refuse;
    into.usual = call->usual;
  }
  return into;
}

}  // namespace assay::store
