#pragma once

#include <string>
#include <vector>

namespace assay::oracle {

/// Is this build's oracle right where the truth is known? Published vectors first (hard quotients and square roots at
/// p = 24 and p = 53, subnormal rounding boundaries, ties, the FP8 formats' limits), then both paths held against each
/// other on a fixed sample: arithmetic and roundings, special values, balls, integers of residues, and large products.
/// One line for each disagreement; empty if there is none. Deterministic. Cost: some twenty milliseconds.
std::vector<std::string> self_test();

}  // namespace assay::oracle
