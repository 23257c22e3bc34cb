#pragma once

#include <map>
#include <string>
#include <vector>

namespace assay::layering {

/// The text of each source file by its path from the root of the tree, with `/` between folders: "kernels/sum/sum.cpp".
using Tree = std::map<std::string, std::string>;

/// The C++ and CUDA sources of the rooms below `root`; tests, benchmarks and examples included, build folders not.
Tree read_tree(const std::string& root);

/// One line "path: reason" for each #include that the table of rooms forbids, in the order of the paths:
/// a room includes only rooms below it and its own third-party libraries; the oracle and arith include nothing of ours;
/// errorbounds includes only the oracle; the rooms that judge kernels from outside (properties/framework, draws and
/// contracts, and assay except for its door assay/catalog) include neither kernels nor probes nor properties/catalog;
/// assay/store includes neither assay/report nor assay/campaign; nothing includes tests, bench or examples; a header in
/// a folder detail/ is included only from its own family and that family's tests; bench includes no header of a folder
/// detail/. Files that nvcc compiles (.cu, .cuh) are in exec, kernels, probes, bench, examples, tests/device or
/// tests/mutants/device and reach only arith, exec, kernels and probes, through any number of headers. Not seen:
/// includes inside comments that begin on an earlier line count as includes; macros in #include are an offense.
std::vector<std::string> offences(const Tree& tree);

}  // namespace assay::layering
