#pragma once

namespace assay::cli {

/// Runs the program over all registered properties; returns the exit code for a command line.
int assay_main(int argc, char** argv);

}  // namespace assay::cli
