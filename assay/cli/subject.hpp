#pragma once
// Kernels from outside on the command line: the request, and the answer.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/cli/options.hpp"
#include "assay/doors/subject.hpp"
#include "assay/store/summary.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {

/// Errors: UsageError lists the nearest names.
const Operation& operation_named(const std::string& name);

/// Adds the operation of a formula to the program and returns its name. Errors: UsageError.
std::string formula_of_file(const std::string& path, const std::string& shape);

/// The kernel that the options name. The path of a library in the current folder includes the folder, because the
/// loader searches a bare name elsewhere.
doors::Subject subject_of(const Options& options);

/// The same for an operation that has rules, with the place of its arrays: --on, or where the library's table runs.
/// Empty if that is a device and there is none, which is told to standard error. Errors: UsageError,
/// doors::SubjectError.
std::optional<doors::Subject> placed_subject_of(const Options& options);

/// If the options name a kernel from outside: tries to load it in another process, adds its property to the program,
/// and makes `check` select it. Errors: UsageError, doors::SubjectError.
void open_subject(Options& options);

/// The provenance() of this program together with the kernel's library.
std::map<std::string, std::string> provenance_of_run(const Options& options, bool with_device);

/// The options that make the kernel of a property from outside, as words of a shell. `subject`: the subject's name in
/// that command. Empty for a property of the program itself.
std::string subject_options(const Options& options, const std::string& property, const std::string& subject);

/// The options of `replay` for each property of a kernel from outside, valid on this machine in any folder.
std::map<std::string, std::string> calls_here(const Options& options);

/// The keys of a summary's provenance that tell how its cases are repeated and how its kernels are called:
/// store::program_key, store::options_key, store::call_key.
std::map<std::string, std::string> call_of_run(const Options& options);

/// The result of judging the controls in place of a kernel from outside.
struct Answer {
  std::string text;                 ///< whether the kernel is one of them; which controls the contracts refuse
  std::vector<std::string> passed;  ///< controls that no contract about an error refused, one line each
};
/// Also judges the controls, and writes to the summary which contracts would also accept them. Empty for the program's
/// own properties.
std::optional<Answer> answer_of(store::Summary& summary, const Options& options);

}  // namespace assay::cli
