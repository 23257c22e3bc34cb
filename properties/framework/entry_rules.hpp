#pragma once
// What contracts say of single entries of D = A·B, for a judge on a device.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "enclosures/entry_rule.hpp"

namespace assay {

/// What a contract of an operation says of entries of k terms, in one of its formats; nothing for a contract that the
/// host alone decides.
using EntryRules = std::optional<enclosures::EntryRule> (*)(const std::string& contract, const std::string& format,
                                                            std::uint64_t k);

/// Those of the operation of that name; null for an operation that is not judged on a device.
EntryRules entry_rules(std::string_view operation);

/// A namespace-scope EntryRuleRegistration adds the rules of an operation to the program before main.
class EntryRuleRegistration {
 public:
  EntryRuleRegistration(const char* operation, EntryRules rules);
};

}  // namespace assay
