#pragma once
// The commands, each from its options to its exit code. Documents go to standard output, everything else to standard
// error. Errors: UsageError, DamagedFile, OutputError, Interrupted; std::exception for a harness that does not work.

#include "assay/cli/options.hpp"

namespace assay::cli {

int run_list(const Options& options);
int run_check(const Options& options);
int run_replay(const Options& options);
int run_eval(const Options& options);
int run_shrink(const Options& options);
int run_report(const Options& options);
int run_corpus(const Options& options);
int run_selftest(const Options& options);
int run_doctor(const Options& options);

/// Which executors `--on` names here. Empty with --on cuda where there is no device; a line says so.
std::vector<std::string> executors(const Options& options);

/// The self-tests that every run begins with: one line for each thing that is not as it should be.
std::vector<std::string> cheap_self_tests(const std::vector<std::string>& executors);

/// The tier of a property: the one of its size where it enumerates its domain, else quick.
std::string tier_of(const PropertyInfo& info);

}  // namespace assay::cli
