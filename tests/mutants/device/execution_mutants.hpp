#pragma once
// The G rows of the mutant catalog: sums by blocks of threads with one mistake each in how threads, blocks and
// launches work together.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/sum/summation.hpp"

namespace assay::mutants {

enum class BlockSumMistake {
  none,
  barrier_removed,    ///< G1: no barrier between what threads write to shared memory and what others read there
  garbage_lanes,      ///< G3: lanes without an element take part in the tree with what they held before
  barrier_in_branch,  ///< G5: threads without an element do not come to the barrier
  uninitialised       ///< G10: the sum in shared memory has no first value
};

/// Σx of each segment, a block of 64 threads each: of every 64 elements a tree, 32, 16, 8, 4, 2, 1 apart, and the trees
/// one after the other. A barrier to which some threads do not come never opens: the block ends there, and what it
/// should have written stays as it was.
std::vector<double> block_sum_with(BlockSumMistake mistake, const Executor& on, std::span<const double> x,
                                   sum::Offsets offsets);

/// The sum of a block's elements: x_2b + x_(2b+1).
inline constexpr int grid_sum_threads = 2;

/// Σx of each segment by a grid of blocks of two threads: the sums of the blocks one after the other, in the order of
/// the blocks, or if `atomic` as the blocks come to it: G9.
std::vector<double> grid_sum_with(bool atomic, const Executor& on, std::span<const double> x, sum::Offsets offsets);

/// Σx of each segment, rounded once: 32 threads add their numbers to one superaccumulator, in turn, or if `race` all at
/// once: each reads the words, and writes them back with its number added.
std::vector<double> shared_accumulator_with(bool race, const Executor& on, std::span<const double> x,
                                            sum::Offsets offsets);

/// How many of `rows` results, one a block, were written. If `second_dimension` the blocks are the second dimension of
/// the grid, which has 65535 at most, and the code of the launch is not looked at: G8. On the host such a launch does
/// what CUDA does with it: nothing.
std::int64_t written_rows_with(bool second_dimension, const Executor& on, std::int64_t rows);

/// How many of n elements were written by a grid whose threads go on by strides. If `usual_step` the stride is as long
/// as a grid that has a thread for each element, whatever the grid: G12.
std::int64_t written_by_strides_with(bool usual_step, const Executor& on, std::int64_t n);

}  // namespace assay::mutants
