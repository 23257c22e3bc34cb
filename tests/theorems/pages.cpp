#include "tests/theorems/pages.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "errorbounds/theorem.hpp"

namespace assay::theorems {
namespace {

constexpr std::string_view kHeading = "### Theorem ";
constexpr std::size_t kLongestLine = 120;

struct Field {
  std::string_view label;
  std::string Entry::*text;
};
constexpr std::array<Field, 5> kFields{{{"Hypotheses:", &Entry::hypotheses},
                                        {"Statement:", &Entry::statement},
                                        {"Proof:", &Entry::proof},
                                        {"Attained:", &Entry::attained},
                                        {"Checked by:", &Entry::checked_by}}};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Code points: bytes that do not continue one.
std::size_t length(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

/// "family." of an id.
std::string family_of(const std::string& id) { return id.substr(0, id.find('.')); }

class PageCheck {
 public:
  explicit PageCheck(const Pages& pages) : pages_(pages), theorems_(theorems_of(pages)) {
    for (const Entry& each : theorems_) ids_.insert(each.id);
  }

  std::vector<std::string> run() {
    for (const auto& [name, text] : pages_) check_lines(name, text);
    std::set<std::string> seen;
    for (const Entry& each : theorems_) {
      if (!seen.insert(each.id).second) offence(each.page, each.id + " stands twice");
      check_id(each);
      check_fields(each);
      check_lemma(each);
    }
    return std::move(offences_);
  }

 private:
  void offence(const std::string& page, const std::string& reason) { offences_.push_back(page + ": " + reason); }

  void check_lines(const std::string& name, const std::string& text) {
    int number = 0;
    for (const std::string& line : lines_of(text)) {
      ++number;
      if (std::ranges::any_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x20U; })) {
        offence(name, "line " + std::to_string(number) + " has a control character");
      }
      if (length(line) > kLongestLine) {
        offence(name, "line " + std::to_string(number) + " has more than 120 characters");
      }
    }
    static const std::regex reference(R"(\b([a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\.[1-9][0-9]*)\b)");
    for (const std::string& id : matches(text, reference)) {
      if (pages_.contains(family_of(id)) && !ids_.contains(id)) offence(name, "there is no theorem " + id);
    }
  }

  void check_id(const Entry& each) {
    if (!TheoremId::is_theorem_id(each.id)) {
      offence(each.page, "'" + each.id + "' is not family.topic.number");
      return;
    }
    if (family_of(each.id) != each.page) offence(each.page, each.id + " belongs on the page of its family");
    const std::size_t dot = each.id.rfind('.');
    const int number = std::stoi(each.id.substr(dot + 1));
    const std::string previous = each.id.substr(0, dot + 1) + std::to_string(number - 1);
    if (number > 1 && !ids_.contains(previous)) {
      offence(each.page, each.id + " without " + previous);
    } else if (number > 1 && position(previous) > position(each.id)) {
      offence(each.page, each.id + " stands before " + previous);
    }
  }

  std::ptrdiff_t position(const std::string& id) const {
    return std::ranges::find(theorems_, id, &Entry::id) - theorems_.begin();
  }

  void check_fields(const Entry& each) {
    for (const Field& field : kFields) {
      if (normalized(each.*field.text).empty()) {
        offence(each.page, each.id + " has no '" + std::string(field.label) + "'");
      }
    }
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
    bool inside = false;
    std::string Entry::*field = nullptr;
    for (const std::string& line : lines_of(text)) {
      if (line.starts_with("#")) {
        inside = line.starts_with(kHeading);
        field = nullptr;
        if (inside) {
          theorems.push_back({});
          theorems.back().page = name;
          theorems.back().id = line.substr(kHeading.size());
        }
        continue;
      }
      if (!inside) continue;
      Entry& current = theorems.back();
      const auto label = std::ranges::find_if(kFields, [&](const Field& each) { return line.starts_with(each.label); });
      if (label != kFields.end()) {
        field = label->text;
        current.*field = line.substr(label->label.size());
      } else if (field != nullptr && line.empty() && field != &Entry::proof) {
        field = nullptr;
      } else if (field != nullptr) {
        current.*field += "\n" + line;
      }
    }
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

std::string normalized(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) result += c;
    if (blank && !result.empty() && result.back() != ' ') result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  if (!result.empty() && result.back() == '.') result.pop_back();
  return result;
}

}  // namespace assay::theorems
