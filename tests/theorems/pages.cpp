#include "tests/theorems/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <utility>

namespace assay::theorems {
namespace {

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

class PageCheck {
 public:
  explicit PageCheck(const Pages& pages) : pages_(pages), theorems_(theorems_of(pages)) {
    for (const Entry& each : theorems_) ids_.insert(each.id);
  }

  std::vector<std::string> run() {
    for (const auto& [name, text] : pages_) {
      for (std::string& each : offences_of_page(name, text)) offences_.push_back(std::move(each));
      check_references(name, text);
    }
    for (const Entry& each : theorems_) {
      check_checks(each);
      check_lemma(each);
    }
    return std::move(offences_);
  }

 private:
  void offence(const std::string& page, const std::string& reason) { offences_.push_back(page + ": " + reason); }

  void check_references(const std::string& name, const std::string& text) {
    static const std::regex reference(R"(\b([a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\.[1-9][0-9]*)\b)");
    for (const std::string& id : matches(text, reference)) {
      if (pages_.contains(family_of(id)) && !ids_.contains(id)) offence(name, "there is no theorem " + id);
    }
  }

  void check_checks(const Entry& each) {
    const Checks checks = checks_of(each);
    for (const std::string& id : checks.lemma_of) {
      if (!pages_.contains(family_of(id))) offence(each.page, "there is no theorem " + id);
    }
    if (!each.checked_by.empty() && checks.claims.empty() && checks.ctests.empty() && checks.lemma_of.empty()) {
      offence(each.page, each.id + " is checked by no claim, no ctest, and is no lemma");
    }
  }

  /// A theorem that is a lemma alone: its chain of lemmas must end in one that a claim or a ctest checks.
  void check_lemma(const Entry& each) {
    std::set<std::string> reached{each.id};
    for (std::vector<std::string> open{each.id}; !open.empty();) {
      const auto at = std::ranges::find(theorems_, open.back(), &Entry::id);
      open.pop_back();
      if (at == theorems_.end()) return;  // reported as a reference
      const Checks checks = checks_of(*at);
      if (!checks.claims.empty() || !checks.ctests.empty() || checks.lemma_of.empty()) return;
      for (const std::string& id : checks.lemma_of) {
        if (reached.insert(id).second) open.push_back(id);
      }
    }
    offence(each.page, each.id + " is a lemma of nothing that is checked");
  }

  const Pages& pages_;
  std::vector<Entry> theorems_;
  std::set<std::string> ids_;
  std::vector<std::string> offences_;
};

}  // namespace

Pages read_pages(const std::string& folder) {
  Pages pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream file(entry.path());
    pages[entry.path().stem().string()] =
        std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return pages;
}

std::vector<Entry> theorems_of(const Pages& pages) {
  std::vector<Entry> theorems;
  for (const auto& [name, text] : pages) {
    for (Entry& each : theorems_of(name, text)) theorems.push_back(std::move(each));
  }
  return theorems;
}

std::vector<std::string> offences_of_pages(const Pages& pages) { return PageCheck(pages).run(); }

Checks checks_of(const Entry& theorem) {
  static const std::regex claim(R"(\bclaim\s+([^\s,()]+/[A-Za-z0-9_*]+))");
  static const std::regex ctest(R"(\bctest\s+([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)?))");
  static const std::regex lemma(R"(\blemma\s+of\s+([a-z0-9_]+\.[a-z0-9_]+\.[0-9]+))");
  return {matches(theorem.checked_by, claim), matches(theorem.checked_by, ctest), matches(theorem.checked_by, lemma)};
}

}  // namespace assay::theorems
