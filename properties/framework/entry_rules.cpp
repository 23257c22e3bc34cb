#include "properties/framework/entry_rules.hpp"

#include <map>

namespace assay {
namespace {

std::map<std::string, EntryRules, std::less<>>& all_rules() {
  static std::map<std::string, EntryRules, std::less<>> all;
  return all;
}

}  // namespace

const EntryRules* entry_rules(std::string_view operation) {
  const auto found = all_rules().find(operation);
  return found == all_rules().end() ? nullptr : &found->second;
}

EntryRuleRegistration::EntryRuleRegistration(const char* operation, EntryRules rules) {
  all_rules().emplace(operation, rules);
}

}  // namespace assay
