#pragma once
// The texts of the program for a terminal.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "assay/cli/options.hpp"
#include "assay/store/summary.hpp"

namespace assay::cli {

/// Whether an environment variable has a value.
bool is_set(const char* variable);
/// Whether the stream is a terminal that knows escape codes.
bool is_terminal(std::FILE* stream);

/// Whether to colour what goes to `stream`: --color, NO_COLOR, CI, a terminal.
bool colored(const Options& options, std::FILE* stream);

/// One line for each claim that matters, or of many properties a table of families; failures with their numbers, and a
/// line to copy; with -v everything, and classes.
void print_summary(const store::Summary& summary, const Options& options);

/// What kernels from outside keep and break, as what they were asked, and of contracts that nobody promised the
/// smallest counterexample of the weakest.
void print_ladders(const store::Summary& summary, const Options& options);

/// A failure: the case, what came out, what should have, by how much, what was promised by whom.
void print_failure(const store::PropertySummary& property, const ClaimInfo& claim, const store::CaseFile& file,
                   const Options& options);

/// The line to copy.
std::string replay_line(const store::CaseFile& file, const Options& options);

/// Words of a result in one line; of more than ten their number and the first and last five.
std::string words_text(const std::vector<std::string>& words, bool are_integers);
/// The judged component of a result of several: its place, how many violate the claim, its words. Empty for others.
std::string worst_text(const store::CaseFile::Evidence& evidence, bool are_integers);
/// The lines about a result: the judged component, what is exact, by how much it errs; of a claim that every kernel
/// must keep, what another call gave.
std::string evidence_text(const store::CaseFile::Evidence& evidence, const std::string& claim, bool are_integers,
                          std::string_view indent);
/// Whether the inputs and results of the property are integers.
bool holds_integers(const PropertyInfo& info);
/// The signed error in ulps, where it is known, and its size as a fraction of the bound. The ulp is that of the format:
/// a result of several words has a smaller one of its own.
std::string error_text(const store::CaseFile::Evidence& evidence);

/// A ratio in four significant digits; in more of them where it is near 1 and not 1.
std::string short_number(double value);

}  // namespace assay::cli
