#pragma once
// The shell command that repeats a case.

#include <string>

#include "assay/store/summary.hpp"

namespace assay::report {

/// The text as one word of a shell: unchanged if no character is special to a shell, else in quotes.
std::string shell_word(const std::string& text);

/// `program replay id options`. `options`: words of a shell, each after a blank.
std::string replay_line(const std::string& program, const std::string& id, const std::string& options);

/// The line for a case of a property. Its program and options are those that the run recorded; a merged summary has
/// those of the first run.
std::string replay_line(const store::Summary& summary, const std::string& property, const std::string& id);

/// The line for a saved case.
std::string replay_line(const store::Summary& summary, const store::CaseFile& file);

}  // namespace assay::report
