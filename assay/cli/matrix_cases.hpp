#pragma once
// Matrices in files as cases of kernels from outside.

#include "assay/cli/options.hpp"

namespace assay::cli {

/// `check --case`: judges the kernels of the options on the matrices in the files, and on nothing else. Prints one
/// answer for each file and kernel, saves the cases that break a contract, and returns the exit code. Errors:
/// UsageError for other options, operations and matrices; store::DamagedFile; store::OutputError.
int run_matrix_cases(const Options& options);

}  // namespace assay::cli
