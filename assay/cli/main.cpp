#include "assay/cli/cli.hpp"

int main(int argc, char** argv) { return assay::cli::assay_main(argc, argv); }
