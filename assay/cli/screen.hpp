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

/// Whether to color the output to `stream`: depends on --color, NO_COLOR, CI and whether it is a terminal.
bool colored(const Options& options, std::FILE* stream);

/// One line for each claim that matters, or a table of families if there are many properties; failures with their
/// numbers and the command that reproduces them; with -v everything, and the input classes.
void print_summary(const store::Summary& summary, const Options& options);

/// The contracts that kernels from outside keep and break, and how they were called; of contracts that nobody promised,
/// the smallest counterexample of the weakest broken one.
void print_ladders(const store::Summary& summary, const Options& options);

/// A failure: the case, the result, the exact value, their difference, the claim and its source.
void print_failure(const store::PropertySummary& property, const ClaimInfo& claim, const store::CaseFile& file,
                   const Options& options);

/// The command that reproduces it.
std::string replay_line(const store::CaseFile& file, const Options& options);

/// The words of a result in one line; if there are more than ten, their number and the first and last five.
std::string words_text(const std::vector<std::string>& words, bool are_integers);
/// The judged component of a result with several: its position, how many components violate the claim, its words. Empty
/// for others.
std::string worst_text(const store::CaseFile::Evidence& evidence, bool are_integers);
/// The lines about a result: the judged component, the exact value, the error; for a claim that every kernel must keep,
/// the result of the other call.
std::string evidence_text(const store::CaseFile::Evidence& evidence, const std::string& claim, bool are_integers,
                          std::string_view indent);
/// Whether the inputs and results of the property are integers.
bool holds_integers(const PropertyInfo& info);
/// The signed error in ulps, if it is known, and its magnitude as a fraction of the bound. The ulp is the ulp of the
/// format: a result of several words has a smaller ulp of its own.
std::string error_text(const store::CaseFile::Evidence& evidence);

/// A ratio in four significant digits; in more digits if it is near 1, but not 1.
std::string short_number(double value);

}  // namespace assay::cli
