#pragma once
// What contracts say of single entries of products and sums, for a judge on a device.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "enclosures/entry_rule.hpp"

namespace assay {

/// Whose terms are added: those of D = A·B, numbers of one vector, products of two.
enum class EntryTerms { matrix_product, sum, dot };

/// What contracts say of single entries. rule(contract, format, k): of entries of k terms, in one of the operation's
/// formats; nothing for a contract that the host alone decides.
struct EntryRules {
  EntryTerms terms;
  std::optional<enclosures::EntryRule> (*rule)(const std::string& contract, const std::string& format, std::uint64_t k);
};

/// Those of the operation of that name; null for an operation that is not judged on a device.
const EntryRules* entry_rules(std::string_view operation);

/// A namespace-scope EntryRuleRegistration adds the rules of an operation to the program before main.
class EntryRuleRegistration {
 public:
  EntryRuleRegistration(const char* operation, EntryRules rules);
};

}  // namespace assay
