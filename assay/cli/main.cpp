#include "assay/cli/cli.hpp"

int main(int argc, char** argv) { return assay::assay_main(argc, argv); }
