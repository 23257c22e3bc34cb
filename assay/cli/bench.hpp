#pragma once
// Documents of times, for the commands that read them.

#include <span>
#include <string>

#include "assay/store/bench.hpp"

namespace assay::cli {

/// The files as one document, with ratios. Benchmarks that cannot be used are named on standard error. Throws
/// DamagedFile; JsonError if two files have the same times.
store::Bench read_benches(std::span<const std::string> files);

}  // namespace assay::cli
