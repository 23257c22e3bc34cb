#include "tests/theorems/rules.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay::theorems {
namespace {

std::string text_of(const nlohmann::json& object, const char* member) {
  const auto at = object.find(member);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

class ProgramCheck {
 public:
  ProgramCheck(const Pages& pages, const Program& program) : program_(program), entries_(theorems_of(pages)) {
    for (const CitingClaim& claim : program.claims) claims_of_[claim.theorem].push_back(&claim);
    for (const Entry& each : entries_) by_id_[each.id] = &each;
  }

  std::vector<std::string> run() {
    for (const auto& [id, claims] : claims_of_) {
      if (id.empty()) {
        for (const CitingClaim* claim : claims) offences_.push_back(claim->name + " cites no theorem");
      } else if (!by_id_.contains(id)) {
        offences_.push_back(claims.front()->name + " cites " + id + ", which no page has");
      }
    }
    for (const Entry& each : entries_) check_use(each);
    for (const Words& words : program_.theorems) check_words(words);
    for (const CitingClaim& claim : program_.claims) check_ceiling(claim);
    return std::move(offences_);
  }

 private:
  bool cited(const std::string& id) const { return claims_of_.contains(id); }

  void check_use(const Entry& each) {
    const Checks checks = checks_of(each);
    for (const std::string& pattern : checks.claims) {
      const auto claims = claims_of_.find(each.id);
      const bool found =
          claims != claims_of_.end() && std::ranges::any_of(claims->second, [&](const CitingClaim* claim) {
            return matches_pattern(pattern, claim->name);
          });
      if (!found) offences_.push_back(each.id + " names the claim " + pattern + ", which does not cite it");
    }
    bool tested = false;
    for (const std::string& name : checks.ctests) {
      tested = tested || program_.ctests.contains(name);
      if (!program_.ctests.contains(name))
        offences_.push_back(each.id + " names the ctest " + name + ", which is none");
    }
    const bool lemma = std::ranges::any_of(checks.lemma_of, [&](const std::string& id) { return by_id_.contains(id); });
    if (!cited(each.id) && !tested && !lemma) offences_.push_back(each.id + " is used by no claim");
  }

  void check_words(const Words& words) {
    const auto at = by_id_.find(words.id);
    if (at == by_id_.end()) {
      offences_.push_back("the program has " + words.id + ", which no page has");
      return;
    }
    const Entry& page = *at->second;
    if (words.hypotheses != normalized(page.hypotheses) || words.statement != normalized(page.statement) ||
        words.source != normalized(page.source)) {
      offences_.push_back("the program has other words of " + words.id + " than its page");
    }
  }

  void check_ceiling(const CitingClaim& claim) {
    if (!claim.refuted || !claim.ceiling.empty()) return;
    const std::string id = claim.name.substr(claim.name.find('/') + 1);
    const auto theorem = by_id_.find(claim.theorem);
    if (id.starts_with("error") || id.starts_with("grade") ||
        (theorem != by_id_.end() && !theorem->second->bound.empty())) {
      offences_.push_back(claim.name + " is to be refuted and names no claim that says how far it may err");
    }
  }

  const Program& program_;
  std::vector<Entry> entries_;
  std::map<std::string, const Entry*> by_id_;
  std::map<std::string, std::vector<const CitingClaim*>> claims_of_;
  std::vector<std::string> offences_;
};

}  // namespace

Program program_of(const std::string& list_json) {
  const nlohmann::json document = nlohmann::json::parse(list_json, nullptr, false);
  if (document.is_discarded()) throw std::runtime_error("the list of properties is not JSON");
  Program program;
  for (const auto& property : document.value("properties", nlohmann::json::array())) {
    for (const auto& claim : property.value("claims", nlohmann::json::array())) {
      program.claims.push_back({text_of(property, "name") + "/" + text_of(claim, "id"), text_of(claim, "theorem"),
                                text_of(claim, "expected") == "refuted", text_of(claim, "ceiling")});
    }
  }
  for (const auto& each : document.value("theorems", nlohmann::json::array())) {
    program.theorems.push_back(
        {text_of(each, "id"), text_of(each, "hypotheses"), text_of(each, "statement"), text_of(each, "source")});
  }
  return program;
}

std::vector<std::string> offences_of_program(const Pages& pages, const Program& program) {
  return ProgramCheck(pages, program).run();
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at) {
    if (matches_pattern(rest, name.substr(at))) return true;
  }
  return false;
}

}  // namespace assay::theorems
