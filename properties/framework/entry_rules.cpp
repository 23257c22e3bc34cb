#include "properties/framework/entry_rules.hpp"

#include <map>

namespace assay {
namespace {

template <class Rules>
std::map<std::string, Rules, std::less<>>& all_rules() {
  static std::map<std::string, Rules, std::less<>> all;
  return all;
}

template <class Rules>
const Rules* rules_of(std::string_view operation) {
  const auto found = all_rules<Rules>().find(operation);
  return found == all_rules<Rules>().end() ? nullptr : &found->second;
}

}  // namespace

const EntryRules* entry_rules(std::string_view operation) { return rules_of<EntryRules>(operation); }
const RowRules* row_rules(std::string_view operation) { return rules_of<RowRules>(operation); }
PrefixRules prefix_rules(std::string_view operation) {
  const PrefixRules* const found = rules_of<PrefixRules>(operation);
  return found == nullptr ? nullptr : *found;
}
SparseRules sparse_rules(std::string_view operation) {
  const SparseRules* const found = rules_of<SparseRules>(operation);
  return found == nullptr ? nullptr : *found;
}

EntryRuleRegistration::EntryRuleRegistration(const char* operation, EntryRules rules) {
  all_rules<EntryRules>().emplace(operation, rules);
}
EntryRuleRegistration::EntryRuleRegistration(const char* operation, RowRules rules) {
  all_rules<RowRules>().emplace(operation, rules);
}
EntryRuleRegistration::EntryRuleRegistration(const char* operation, PrefixRules rules) {
  all_rules<PrefixRules>().emplace(operation, rules);
}
EntryRuleRegistration::EntryRuleRegistration(const char* operation, SparseRules rules) {
  all_rules<SparseRules>().emplace(operation, rules);
}

}  // namespace assay
