#pragma once
// The form of a page of docs/bounds, and the header of theorem objects that the build writes from it.

#include <string>
#include <string_view>
#include <vector>

namespace assay::theorems {

/// One numbered theorem of a page. Fields as on the page, line breaks included; empty where the page has none.
struct Entry {
  std::string page;
  std::string id;
  std::string hypotheses;
  std::string statement;
  std::string source;
  std::string bound;  ///< empty where the theorem bounds no error
  std::string proof;
  std::string attained;
  std::string checked_by;
  std::string loose_because;          ///< why cases cannot come near to the bound; empty where they do
  std::vector<std::string> repeated;  ///< the labels that stand twice
};

/// The theorems of a page in its order. `page` is its name without the ending: "dw". A heading `### Theorem <id>`
/// begins a theorem; the next heading of any level ends it. A line that begins with "Hypotheses:", "Statement:",
/// "Source:", "Bound:", "Proof:", "Attained:", "Checked by:" or "Loose because:" begins a field; a blank line ends each
/// field but the proof.
std::vector<Entry> theorems_of(const std::string& page, std::string_view text);

/// One line "page: what is wrong" for each offence against the form of one page:
/// an id is family.topic.number, its family is the page's name, numbers of a topic are 1, 2, … without a gap, no id
/// stands twice; a theorem has all fields once and none empty, but needs no "Bound:" and no "Loose because:"; a bound
/// is the name of a function in backquotes; no line has more than 120 characters or a control character.
std::vector<std::string> offences_of_page(const std::string& page, std::string_view text);

/// The text of errorbounds/<page>_theorems.hpp: an object family_topic_number for each theorem, with the words of the
/// page, normalized, and with its bound function, which errorbounds/<page>.hpp declares.
/// Requires: offences_of_page is empty (not checked).
std::string header_of_page(const std::string& page, std::string_view text);

/// Runs of white space as one blank, none at the ends, and no full stop at the end.
std::string normalized(std::string_view text);

/// The part of an id before the first dot.
std::string family_of(const std::string& id);

}  // namespace assay::theorems
