#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace own {

/// s_i = Σ_j x_ij for every row i of the matrix x: rows × columns, row by row without gaps.
/// Order: thread t of 64 adds columns t, t + 64, … from left to right; the partial sums are then added by halves,
/// t and t + 32, t and t + 16, … t and t + 1. A thread without columns keeps +0.
/// Requires: columns > 0 divides the size of x (throws std::invalid_argument). Not checked: overflow.
/// Bit-identical on every executor by the same operations in the same order. One block per row.
std::vector<double> row_sum(const assay::Executor& on, std::span<const double> x, std::size_t columns);

}  // namespace own
