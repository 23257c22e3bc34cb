#pragma once
// The works that theorems cite, from docs/sources.bib.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

/// One entry of docs/sources.bib.
struct Source {
  std::string key;
  std::string entry;                  ///< the BibTeX text, without `cited_as`
  std::vector<std::string> cited_as;  ///< words in a `Source:` text that name the work
};

/// All entries in the order of the file.
std::span<const Source> sources();

/// The entries of a BibTeX file of this form: an entry begins with a line "@kind{key," and ends with a line "}", and
/// each field is on one line. Throws std::invalid_argument, one line, for another form, a repeated key, and an entry
/// without `cited_as`.
std::vector<Source> sources_of(std::string_view bib);

/// The keys of the works that the source of a theorem names, in its order; empty if it names none.
std::vector<std::string> keys_of(std::string_view source);

/// The parts of a source, between semicolons, that name no work of the file and do not say "derived".
std::vector<std::string> unresolved(std::string_view source);

}  // namespace assay::report
