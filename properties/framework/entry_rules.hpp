#pragma once
// What contracts say of single entries of products, sums and rows, for a judge on a device.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "enclosures/entry_rule.hpp"
#include "enclosures/prefix_rule.hpp"
#include "enclosures/row_rule.hpp"
#include "enclosures/sparse_entries.cuh"

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

/// What contracts say of the numbers of rows that have so many columns, in one of the operation's formats; nothing for
/// a contract that the host alone decides. `eps`: ε of a norm.
struct RowRules {
  enclosures::RowOperation operation;
  std::optional<enclosures::RowRule> (*rule)(const std::string& contract, const std::string& format,
                                             std::int64_t columns, double eps);
};

/// Those of the operation of that name; null for an operation whose rows are not judged on a device.
const RowRules* row_rules(std::string_view operation);

/// What contracts say of the prefix sums of n numbers in one of the operation's formats, from what a device finds of
/// their stretches; nothing for a contract or numbers that the host alone judges. Stretches of which nothing is known
/// are left open.
using PrefixRules = std::optional<enclosures::PrefixRule> (*)(const std::string& contract, const std::string& format,
                                                              std::span<const enclosures::PrefixTotals> stretches,
                                                              std::int64_t n);
/// Those of the operation of that name; null for another.
PrefixRules prefix_rules(std::string_view operation);

/// What contracts say of the rows of a sparse matrix times a vector in one of the operation's formats; nothing for a
/// contract that the host alone decides.
using SparseRules = std::optional<enclosures::SparseRule> (*)(const std::string& contract, const std::string& format);
/// Those of the operation of that name; null for another.
SparseRules sparse_rules(std::string_view operation);

/// A namespace-scope EntryRuleRegistration adds the rules of an operation to the program before main.
class EntryRuleRegistration {
 public:
  EntryRuleRegistration(const char* operation, EntryRules rules);
  EntryRuleRegistration(const char* operation, RowRules rules);
  EntryRuleRegistration(const char* operation, PrefixRules rules);
  EntryRuleRegistration(const char* operation, SparseRules rules);
};

}  // namespace assay
