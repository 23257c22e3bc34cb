#pragma once
// The line of a shell that repeats a case.

#include <string>

#include "assay/store/summary.hpp"

namespace assay::report {

/// The text as one word of a shell: as it is where no character of it means something to a shell, else in quotes.
std::string shell_word(const std::string& text);

/// `program replay id options`. `options`: words of a shell, each with a blank in front.
std::string replay_line(const std::string& program, const std::string& id, const std::string& options);

/// The line for a case of a property. Its program and its options are those that the run recorded; a merged
/// summary has the first of several.
std::string replay_line(const store::Summary& summary, const std::string& property, const std::string& id);

/// The line for a saved case.
std::string replay_line(const store::Summary& summary, const store::CaseFile& file);

}  // namespace assay::report
