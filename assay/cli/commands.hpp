#pragma once
// The commands, each from its options to its exit code. Documents go to standard output, everything else to standard
// error. Errors: UsageError, DamagedFile, OutputError, Interrupted; std::exception for a harness that does not work.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/cli/options.hpp"
#include "assay/cli/selection.hpp"

namespace assay::cli {

using Command = int(const Options& options);
Command run_list, run_check, run_hunt, run_replay, run_eval, run_shrink, run_report, run_corpus, run_explain,
    run_selftest, run_doctor, run_probe_device, run_ledger, run_compare, run_new, run_bench;
/// `check` where a device judges: --judge device, or the tier `bulk`.
Command run_device_judge;

/// The commands of assay/cli/outside, which belong to the library for kernels from outside.
Command run_contracts, run_probe_order, run_tolerance;
/// `check --operation convert`: finds the rule that a conversion from outside follows.
Command run_convert;
/// `check --operation quantize`: finds the rule that a quantizer from outside follows.
Command run_quantize;
/// Adds commands by name.
void register_commands(const std::map<std::string, Command*>& commands);
/// The command with a name that the library for kernels from outside registers. Errors: MissingLibrary; UsageError in a
/// program without that library.
Command* command_about_kernels_from_outside(const std::string& name);

/// Runs the command on rank 0 of an MPI job, with the workers of the other ranks. Returns 0 on the other ranks.
int run_in_job(Options options, Command* command);
/// The device for the rank with this place among the ranks of its machine, in the notation of CUDA_VISIBLE_DEVICES: the
/// devices of the list `visible` in turn; without a list, the devices that have a file nvidia0, nvidia1, … in the
/// folder `files`. Empty if there is none. CUDA itself is not called, because it would open all devices.
std::string device_of(unsigned place, const char* visible, const std::filesystem::path& files);

/// The executors that `--on` selects on this machine. Empty with --on cuda if there is no device; then a line says so.
std::vector<std::string> executors(const Options& options);

/// The self-tests that every run begins with: one line for each failure.
std::vector<std::string> cheap_self_tests(const std::vector<std::string>& executors);
/// Whether all self-tests pass; prints the failures on standard error.
bool passes_self_tests(const std::vector<std::string>& executors);

/// The properties of a run, and the executors to run them on.
struct Run {
  std::vector<Selected> properties;
  std::vector<std::string> executors;
};
/// Selects, runs the self-tests and watches for signals that end the run. Empty if a self-test fails. Errors: as
/// select_to_run().
std::optional<Run> begin_run(const Options& options);

/// The tier of a property: the tier of its size if it enumerates its domain, otherwise quick.
std::string tier_of(const PropertyInfo& info);

}  // namespace assay::cli
