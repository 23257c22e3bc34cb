#pragma once
// Kernels from outside on the command line: what was asked, and the answer.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/cli/options.hpp"
#include "assay/doors/subject.hpp"
#include "assay/store/summary.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {

/// Errors: UsageError, with the nearest names.
const Operation& operation_named(const std::string& name);

/// Adds the operation of a formula to the program and returns its name. Errors: UsageError.
std::string formula_of_file(const std::string& path, const std::string& shape);

/// The kernel that the options name. The path of a library in the current folder includes the folder, because the
/// loader searches a bare name elsewhere.
doors::Subject subject_of(const Options& options);

/// Where the options name a kernel from outside: tries to load it in another process, adds its property to the program,
/// and has `check` select it. Errors: UsageError, doors::SubjectError.
void open_subject(Options& options);

/// provenance(), with the library of the kernel.
std::map<std::string, std::string> provenance_of_run(const Options& options, bool with_device);

/// The options that make the kernel of a property from outside, as words of a shell. `subject`: how it is called there.
/// Empty for a property that is none of its own.
std::string subject_options(const Options& options, const std::string& property, const std::string& subject);

/// The options of `replay` of each property of a kernel from outside, as they work on this machine from any folder.
std::map<std::string, std::string> calls_here(const Options& options);

/// The keys of a summary's provenance that say how its cases are repeated, and as what kernels are called:
/// store::program_key, store::options_key, store::call_key.
std::map<std::string, std::string> call_of_run(const Options& options);

/// The result of judging the controls in place of a kernel from outside.
struct Answer {
  std::string text;                 ///< whether the kernel is one of them; which controls the contracts refuse
  std::vector<std::string> passed;  ///< controls that a contract about an error did not refuse, a line each
};
/// Also judges the controls, and writes to the summary which contracts would also accept them. Empty for the program's
/// own properties.
std::optional<Answer> answer_of(store::Summary& summary, const Options& options);

}  // namespace assay::cli
