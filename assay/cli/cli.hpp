#pragma once

namespace assay::cli {

/// The whole program over the properties that are registered: the exit code for a command line.
int assay_main(int argc, char** argv);

}  // namespace assay::cli
