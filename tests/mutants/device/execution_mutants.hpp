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
  garbage_lanes,      ///< G3: lanes without an element take part in the tree with the values they held before
  barrier_in_branch,  ///< G5: threads without an element do not reach the barrier
  uninitialised       ///< G10: the sum in shared memory is not initialized
};

/// Σx of each segment, by one block of 64 threads each: every 64 elements are added in a tree, at distances 32, 16, 8,
/// 4, 2, 1, and the results of the trees one after the other. A barrier that some threads do not reach never opens: the
/// block ends there, and the memory that it should have written stays as it was.
std::vector<double> block_sum_with(BlockSumMistake mistake, const Executor& on, std::span<const double> x,
                                   sum::Offsets offsets);

/// The sum of a block's elements: x_2b + x_(2b+1).
inline constexpr int grid_sum_threads = 2;

/// Σx of each segment by a grid of blocks of two threads: the sums of the blocks are added one after the other, in the
/// order of the blocks, or if `atomic` in the order in which the blocks finish: G9.
std::vector<double> grid_sum_with(bool atomic, const Executor& on, std::span<const double> x, sum::Offsets offsets);

/// Σx of each segment, rounded once: 32 threads add their numbers to one superaccumulator, in turn, or if `race` all at
/// once: each reads the words, adds its number and writes them back.
std::vector<double> shared_accumulator_with(bool race, const Executor& on, std::span<const double> x,
                                            sum::Offsets offsets);

/// How many of `rows` results, one per block, were written. If `second_dimension` the blocks form the second dimension
/// of the grid, which has at most 65535, and the status of the launch is not checked: G8. On the host such a launch
/// does the same as on CUDA: nothing.
std::int64_t written_rows_with(bool second_dimension, const Executor& on, std::int64_t rows);

/// How many of n elements were written by a grid whose threads proceed by strides. If `usual_step` the stride is the
/// length of a grid that has a thread for each element, whatever the actual grid: G12.
std::int64_t written_by_strides_with(bool usual_step, const Executor& on, std::int64_t n);

}  // namespace assay::mutants
