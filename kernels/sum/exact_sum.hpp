#pragma once
// Sums and dot products of binary64 numbers, rounded once.
//
// s = Σ xᵢ or Σ xᵢyᵢ, exactly, then rounded to binary64 in the direction `to`: to nearest with ties to even, up, down
// or toward zero; subnormal results and overflow per IEEE 754. For every finite input: partial sums and products
// neither overflow nor underflow. With terms that are not finite the result is NaN if a term is a NaN or 0·∞ or if
// there are both infinities among them, otherwise the infinity; any NaN equals any NaN. Bit-identical on every
// executor, in every order of the terms, because everything before the rounding is exact:
// docs/bounds/sum.md.

#include <cstddef>
#include <cstdint>
#include <span>

#include "arith/bits/traits.hpp"
#include "exec/executor.hpp"

namespace assay::sum {

// On memory that lies on the executor: host pointers for the host, device pointers for CUDA. Requires: n < 2³⁶
// (checked: std::invalid_argument); x, y hold n numbers, and result and workspace overlap nothing else (not checked).
// On the host in its usual order of threads, vector instructions on all cores do the work
// (kernels/sum/exact_sum_host.hpp); other orders run the blocks that a device runs.
// The launches are queued: the calls do not wait (exec/launch.hpp), and allocate nothing. An exact 0 is −0 if n ≥ 1 and
// every term is −0, otherwise +0, in every direction.

// A device reads the numbers about as fast as it copies them, if the numbers of a block lie within the binades given
// below; numbers of every exponent take about 30 times (dot: 70 times) as long.

/// The words of 64 bits of workspace for a call.
std::size_t exact_sum_workspace();

/// *result = Σ xᵢ rounded; result and workspace lie on the executor, too. 9 operations a number as long as the numbers
/// of a block lie within about 78 binades.
void exact_sum(const Executor& on, const double* x, std::int64_t n, Rounding to, double* result,
               std::int64_t* workspace);

/// *result = Σ xᵢyᵢ rounded. 29 operations a product as long as the products of a block lie within about 113 binades.
void exact_dot(const Executor& on, const double* x, const double* y, std::int64_t n, Rounding to, double* result,
               std::int64_t* workspace);

// The same of arrays on the host.

double exact_sum(const Executor& on, std::span<const double> x, Rounding to = Rounding::rn);

/// x and y have the same size, otherwise std::invalid_argument is thrown.
double exact_dot(const Executor& on, std::span<const double> x, std::span<const double> y, Rounding to = Rounding::rn);

}  // namespace assay::sum
