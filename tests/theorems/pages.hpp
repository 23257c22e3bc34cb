#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::theorems {

/// The text of each page of docs/bounds by its name without the ending: "dw".
using Pages = std::map<std::string, std::string>;

/// The pages of a folder: every file that ends in .md.
Pages read_pages(const std::string& folder);

/// One numbered theorem of a page. Fields as on the page, line breaks included; empty where the page has none.
struct Entry {
  std::string page;
  std::string id;
  std::string hypotheses;
  std::string statement;
  std::string proof;
  std::string attained;
  std::string checked_by;
};

/// The theorems of the pages in the order of the page. A heading `### Theorem <id>` begins one; the next heading of any
/// level ends it. A line that begins with "Hypotheses:", "Statement:", "Proof:", "Attained:" or "Checked by:" begins a
/// field; a blank line ends each field but the proof.
std::vector<Entry> theorems_of(const Pages& pages);

/// One line "page: what is wrong" for each offence against the form of a page:
/// an id is family.topic.number, its family is the page's name, numbers of a topic are 1, 2, … without a gap, no id
/// stands twice; a theorem has all five fields, none empty; every theorem that a text names exists; `Checked by` names
/// claims, ctests or theorems whose lemma this is, and a chain of lemmas has no cycle; no line has more than 120
/// characters.
std::vector<std::string> offences_of_pages(const Pages& pages);

/// What `Checked by` names: "claim dw.sqrt*/error, ctest errorbounds_test.DoubleWordBounds, lemma of dw.mul1.1 (words
/// in parentheses)".
struct Checks {
  std::vector<std::string> claims;  ///< patterns property/claim, * for any characters
  std::vector<std::string> ctests;
  std::vector<std::string> lemma_of;
};
Checks checks_of(const Entry& theorem);

/// Runs of white space as one blank, none at the ends, and no full stop at the end.
std::string normalized(std::string_view text);

}  // namespace assay::theorems
