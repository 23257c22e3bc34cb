#pragma once
// Binned sums, dot products and norms: the same bits in every order of the terms, for every grid, and for every split
// over devices and processes.
//
// A result is an accumulator (arith/accumulators/binned.hpp) of K = 1 … 4 bins in double or float: accumulators of
// parts of the terms merge by `add`, in any tree, and value() and root() round the sum once and its root. The terms may
// be any numbers. If there is an infinity or a NaN among them, value() documents the result; partial sums and products
// do not overflow. An exact 0 is +0. Bit-identical on every executor, because the accumulator of the terms does not
// depend on how they are grouped. Bounds: docs/bounds/sum.md, sum.binned.1 and the following theorems;
// docs/bounds/dot.md, dot.binned.1 and the following theorems.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/accumulators/binned.hpp"
#include "exec/executor.hpp"
#include "kernels/sum/summation.hpp"

namespace assay::sum {

/// The summands: xᵢ or |xᵢ|.
enum class BinnedTerms { numbers, magnitudes };

// Serial per result: a batch of vectors as in kernels/sum/summation.hpp, an accumulator for each. Errors: as there.

template <class T, int K>
std::vector<BinnedSum<T, K>> binned_sums(const Executor& on, BinnedTerms terms, std::span<const T> x, Offsets offsets);
/// Σ xᵢyᵢ. With y = x, root() of the accumulator is the norm.
template <class T, int K>
std::vector<BinnedSum<T, K>> binned_dots(const Executor& on, std::span<const T> x, std::span<const T> y,
                                         Offsets offsets);

// One vector by a grid of `blocks` blocks of 256 threads; 0 means the number of blocks that fills the executor best.

template <class T, int K>
BinnedSum<T, K> binned_sum(const Executor& on, BinnedTerms terms, std::span<const T> x, std::size_t blocks = 0);
/// x and y have the same size, otherwise std::invalid_argument is thrown.
template <class T, int K>
BinnedSum<T, K> binned_dot(const Executor& on, std::span<const T> x, std::span<const T> y, std::size_t blocks = 0);

// The same on memory that lies on the executor. Requires: x, y hold n ≥ 0 numbers, `partial` has room for
// binned_workspace(on, n, blocks) accumulators, total and partial overlap nothing else (not checked). The launches are
// queued: the calls do not wait (exec/launch.hpp), and allocate nothing.

/// The blocks of a call: `blocks`, or for 0 those that fill the executor.
std::size_t binned_workspace(const Executor& on, std::int64_t n, std::size_t blocks);

template <class T, int K>
void binned_sum(const Executor& on, BinnedTerms terms, const T* x, std::int64_t n, std::size_t blocks,
                BinnedSum<T, K>* total, BinnedSum<T, K>* partial);
template <class T, int K>
void binned_dot(const Executor& on, const T* x, const T* y, std::int64_t n, std::size_t blocks, BinnedSum<T, K>* total,
                BinnedSum<T, K>* partial);

}  // namespace assay::sum
