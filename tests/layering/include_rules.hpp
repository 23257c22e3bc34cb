#pragma once

#include <map>
#include <string>
#include <vector>

namespace assay::layering {

/// The text of each source file by its path from the root of the tree, with `/` between folders: "kernels/dot.cpp".
using Tree = std::map<std::string, std::string>;

/// The C++ and CUDA sources of the rooms below `root`; tests, benchmarks and examples included, build folders not.
Tree read_tree(const std::string& root);

/// One line "path: reason" for each #include that the table of rooms forbids, in the order of the paths:
/// a room includes only rooms below it and its own third-party libraries; the oracle and arith include nothing of ours;
/// errorbounds includes the oracle alone; nothing includes tests, bench or examples; what nvcc compiles (.cu, .cuh)
/// stands in kernels, bench, examples, tests/device or tests/mutants/device and reaches only arith and kernels, through
/// any number of headers. Not seen: includes inside comments that begin on an earlier line count as includes; macros in
/// #include are an offence.
std::vector<std::string> offences(const Tree& tree);

}  // namespace assay::layering
