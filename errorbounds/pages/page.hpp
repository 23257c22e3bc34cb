#pragma once
// The form of a page of docs/bounds, and the header of theorem objects that the build writes from it.

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::theorems {

/// One numbered theorem of a page. Fields as on the page, line breaks included; empty if the page has none.
struct Entry {
  std::string page;
  std::string id;
  std::string hypotheses;
  std::string statement;
  std::string source;
  std::string bound;  ///< empty if the theorem bounds no error
  std::string proof;
  std::string attained;
  std::string checked_by;
  std::string published;              ///< the largest published error; empty if the page names none
  std::string loose_because;          ///< the reason why cases cannot come near to the bound; empty if they do
  std::vector<std::string> repeated;  ///< labels that occur twice
};

/// The theorems of a page in its order. `page` is its name without the ending: "dw". A heading `### Theorem <id>`
/// begins a theorem; the next heading of any level ends it. A line that begins with "Hypotheses:", "Statement:",
/// "Source:", "Bound:", "Proof:", "Attained:", "Largest published:", "Checked by:" or "Loose because:" begins a field;
/// a blank line ends each field but the proof.
std::vector<Entry> theorems_of(const std::string& page, std::string_view text);

/// One line "page: error" for each violation of the form of one page: an id is family.topic.number, its family is the
/// page's name, numbers of a topic are 1, 2, … without a gap, no id occurs twice; a theorem has all fields once and
/// none empty, except that "Bound:", "Largest published:" and "Loose because:" are optional; a bound is the name of a
/// function in backquotes; published_of() reads a largest published error, which names the leading term of the bound if
/// there is a bound; no line has more than 120 characters or a control character.
std::vector<std::string> offences_of_page(const std::string& page, std::string_view text);

/// The text of errorbounds/<page>_theorems.hpp: an object family_topic_number for each theorem, with the words of the
/// page, normalized, and with its bound function, which errorbounds/<page>.hpp declares.
/// Requires: offences_of_page is empty (not checked).
std::string header_of_page(const std::string& page, std::string_view text);

/// The largest error in a published work.
struct Published {
  std::string value;    ///< "2.25u²"
  std::string leading;  ///< the leading term of the theorem's bound in the same unit, "3u²"; empty if it has no bound
  std::string key;      ///< of the work in docs/sources.bib
  std::string place;    ///< where the work has it: "Table 1"
};

/// The content of a field "Largest published:": "2.25u² of 3u², Key2017, Table 1", or "1, Key2017, Table 1". A value is
/// a decimal number and a unit without blanks and digits; it is above 0 and at most the leading term, which has the
/// same unit. Empty for another form.
std::optional<Published> published_of(std::string_view text);

/// The keys of the entries of a BibTeX file; each entry begins with a line "@kind{key,".
std::set<std::string> keys_of_bibtex(std::string_view text);

/// One line "page: error" for each largest published error from a work without an entry.
std::vector<std::string> unknown_works(std::span<const Entry> theorems, const std::set<std::string>& keys);

/// The text of errorbounds/published_table.hpp: the array `published_table` with the largest published errors of these
/// theorems, sorted by theorem. Requires: the pages have no offences (not checked).
std::string header_of_published(std::span<const Entry> theorems);

/// Runs of white space as one blank, none at the ends, and no full stop at the end.
std::string normalized(std::string_view text);

/// The part of an id before the first dot.
std::string family_of(const std::string& id);

}  // namespace assay::theorems
