#pragma once
// The largest errors in published works, from the fields "Largest published:" of docs/bounds.

#include <string_view>

namespace assay {

/// The largest error that a work names for the algorithm of a theorem.
struct PublishedError {
  std::string_view theorem;
  std::string_view value;    ///< "2.25u²"
  std::string_view leading;  ///< the leading term of the theorem's bound in the same unit; empty for a theorem without
  double ratio = -1;         ///< value/leading; negative without a leading term
  std::string_view key;      ///< of the work in docs/sources.bib
  std::string_view place;    ///< where the work has it: "Table 1"
};

/// The largest published error of a theorem; null if its page names none.
const PublishedError* published_error_of(std::string_view theorem);

}  // namespace assay
