#pragma once

#include <map>
#include <string>
#include <vector>

#include "errorbounds/pages/page.hpp"

namespace assay::theorems {

/// The text of each page of docs/bounds by its name without the ending: "dw".
using Pages = std::map<std::string, std::string>;

/// The pages of a folder: every file that ends in .md.
Pages read_pages(const std::string& folder);

/// The theorems of all pages.
std::vector<Entry> theorems_of(const Pages& pages);

/// One line "page: what is wrong" for each offense against the form of a page (offences_of_page), and between pages:
/// every theorem that a text names exists; `Checked by` names claims, ctests or theorems whose lemma this is, and a
/// chain of lemmas has no cycle.
std::vector<std::string> offences_of_pages(const Pages& pages);

/// The names in `Checked by`: "claim dw.sqrt*/error, ctest errorbounds_test.DoubleWordBounds, lemma of dw.mul1.1 (words
/// in parentheses)".
struct Checks {
  std::vector<std::string> claims;  ///< patterns property/claim, * for any characters
  std::vector<std::string> ctests;
  std::vector<std::string> lemma_of;
};
Checks checks_of(const Entry& theorem);

}  // namespace assay::theorems
