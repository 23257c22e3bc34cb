#pragma once
// BLAS 1 with multiple-precision numbers: n = 8, 16, 32, 64 or 128 moduli, rns::Standard<n>.
//
// Entry i of a vector of length l with stride inc is at [i·inc] for inc > 0 and at [(i − l + 1)·inc] for inc < 0, as in
// the reference BLAS. Scalars are arrays of length 1. A length 0 gives 0 or leaves the array as it is. As in the
// reference BLAS, axpy with α = 0 does not read x, and scal with α = 1 leaves x as it is; unlike there, scal, asum and
// the norms also accept negative strides and visit the same entries. waxpby always reads both operands. Entries between
// the strides keep their bits. Wrong arguments throw std::invalid_argument: a negative length, a stride 0, an array
// that is too short, different numbers of moduli, and a number of moduli that is not offered; ExecutorError when the
// executor fails.
//
// Sums: `mp_sum_blocks(l)` blocks of 32 lanes; lane c of all lanes adds the terms c, c + lanes, … in ascending order,
// each block adds its lanes as a tree, and the results of several blocks are added up in the same way. An addend goes
// through at most mp_sum_depth(l) additions. Bit-identical on every executor and in every layout by the same operations
// in the same order. Bounds: docs/bounds/mp.md.

#include <algorithm>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/mp/array.hpp"

namespace assay::mp {

/// The lanes of a block.
inline constexpr std::int64_t mp_sum_lanes = 32;

/// The most blocks that sum up terms at a time.
inline constexpr std::int64_t mp_most_sum_blocks = 4096;

/// The blocks that sum up `length` terms.
constexpr std::int64_t mp_sum_blocks(std::int64_t length) {
  const std::int64_t blocks = (length + 8 * mp_sum_lanes - 1) / (8 * mp_sum_lanes);
  return std::clamp<std::int64_t>(blocks, 1, mp_most_sum_blocks);
}

/// The numbers of the workspace of a sum: the results of the blocks, and of the blocks that sum up those.
constexpr std::int64_t mp_sum_workspace(std::int64_t length) {
  const std::int64_t blocks = mp_sum_blocks(length);
  return blocks == 1 ? 1 : blocks + mp_sum_workspace(blocks);
}

/// The largest number of additions of nonzero numbers that one of `length` addends goes through: in its lane, in the
/// tree of its block, and in the sum over blocks.
constexpr std::int64_t mp_sum_depth(std::int64_t length) {
  const std::int64_t blocks = mp_sum_blocks(length);
  std::int64_t depth = (length - 1) / (blocks * mp_sum_lanes);
  for (std::int64_t width = 1; width < length && width < mp_sum_lanes; width *= 2) ++depth;
  return blocks == 1 ? depth : depth + mp_sum_depth(blocks);
}

/// Σ |xᵢ|: the one-norm.
MpArray mp_asum(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx);
/// Σ xᵢ².
MpArray mp_sum_of_squares(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx);
/// √Σ xᵢ², the two-norm. The squares are those of 2^(−k)·xᵢ, k the largest exponent, so that they stay in range;
/// entries with exponents more than 2²⁹ below it count as 0, which is less than a square of the unit.
MpArray mp_nrm2(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx);
/// max |xᵢ|, exactly: the infinity norm, with the bits of the first |xᵢ| of this magnitude in the order of the sums.
/// Requires: no entry is out of range (not checked).
MpArray mp_norm_inf(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx);
/// Σ xᵢyᵢ.
MpArray mp_dot(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx, const MpArray& y,
               std::int64_t incy);

/// x after x ← αx.
MpArray mp_scal(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx);
/// y after y ← αx + y.
MpArray mp_axpy(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx,
                const MpArray& y, std::int64_t incy);
/// w after w ← αx + βy.
MpArray mp_waxpby(const Executor& on, std::int64_t length, const MpArray& alpha, const MpArray& x, std::int64_t incx,
                  const MpArray& beta, const MpArray& y, std::int64_t incy, const MpArray& w, std::int64_t incw);

// The same for numbers that lie on the executor, whose entries stand side by side: entry i is number i. Requires:
// arrays of one of the offered n, the same for all of a call, that hold the entries; an output apart from the inputs
// (not checked). The launches are queued: the calls do not wait (exec/launch.hpp), and allocate nothing.

/// x ← αx, y ← αx + y, and w ← αx + βy, whatever α and β are.
void queue_mp_scal(const Executor& on, std::int64_t length, const MpNumbersOn& alpha, const MpNumbersOn& x);
void queue_mp_axpy(const Executor& on, std::int64_t length, const MpNumbersOn& alpha, const MpNumbersOn& x,
                   const MpNumbersOn& y);
void queue_mp_waxpby(const Executor& on, std::int64_t length, const MpNumbersOn& alpha, const MpNumbersOn& x,
                     const MpNumbersOn& beta, const MpNumbersOn& y, const MpNumbersOn& w);

/// z₀ ← Σ |xᵢ| and z₀ ← Σ xᵢyᵢ. `partial` is a workspace of mp_sum_workspace(length) numbers.
void queue_mp_asum(const Executor& on, std::int64_t length, const MpNumbersOn& x, const MpNumbersOn& partial,
                   const MpNumbersOn& z);
void queue_mp_dot(const Executor& on, std::int64_t length, const MpNumbersOn& x, const MpNumbersOn& y,
                  const MpNumbersOn& partial, const MpNumbersOn& z);

/// Two vectors.
struct MpPair {
  MpArray x, y;
};

/// x and y after x ← c·x + s·y, y ← c·y − s·x, both of the vectors before; c and s are any numbers. A rotation where
/// c² + s² = 1. c = 1 and s = 0 are not special cases.
MpPair mp_rot(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx, const MpArray& y,
              std::int64_t incy, const MpArray& c, const MpArray& s);

}  // namespace assay::mp
