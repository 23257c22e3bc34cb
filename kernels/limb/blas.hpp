#pragma once
// axpy, dot and GEMV with floating-point numbers of L limbs, L = 2, 4, 8, 16, 32 or 64; every operation rounds to
// nearest, ties to even. Scalars are arrays of length 1. Bit-identical on every executor by the same operations in the
// same order. Bounds: docs/bounds/limb.md.
//
// A sum of products Σ aᵢbᵢ of n terms: `limb_dot_splits` blocks of 128 lanes for a dot product, 32 lanes for an entry
// of a GEMV. Lane c of all lanes adds the terms c, c + lanes, … in ascending order, each by s ← fma(aᵢ, bᵢ, s) from s =
// +0. Each block adds its lanes as a tree: lane c + d to lane c for d = lanes/2, …, 1. The sums of several blocks are
// added by 128 lanes and a tree in the same way.
//
// Functions on arrays throw std::invalid_argument with one line for wrong arguments: a number of limbs that is not
// offered, arrays of another size, a leading dimension below the rows; all throw ExecutorError when the executor fails.

#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/limb/array.hpp"

namespace assay::limb {

/// The lanes of an entry of a GEMV, and of a block of a dot product.
inline constexpr std::int64_t gemv_lanes = 32;
inline constexpr std::int64_t dot_lanes = 128;

/// The blocks of a dot product of `length` terms.
constexpr std::int64_t limb_dot_splits(std::int64_t length) {
  const std::int64_t splits = (length + 4 * dot_lanes - 1) / (4 * dot_lanes);
  return splits < 1 ? 1 : splits > 1024 ? 1024 : splits;
}

/// y after y ← αx + y, each entry RN(αxᵢ + yᵢ).
FloatArray limb_axpy(const Executor& on, const FloatArray& alpha, const FloatArray& x, const FloatArray& y);

/// Σ xᵢyᵢ, an array of length 1.
FloatArray limb_dot(const Executor& on, const FloatArray& x, const FloatArray& y);

/// y after y ← α·op(A)x + βy, op(A) = A or Aᵀ; A is m × n, column-major, with the leading dimension lda. Entry i is
/// fma(α, dᵢ, RN(βyᵢ)) for the sum dᵢ of products. For α = 0 A and x are not read, and for β = 0 y is not: the entry is
/// RN(βyᵢ), RN(αdᵢ) or +0.
FloatArray limb_gemv(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n, const FloatArray& alpha,
                     const FloatArray& a, std::int64_t lda, const FloatArray& x, const FloatArray& beta,
                     const FloatArray& y);

/// Queues d ← op(A)x for numbers in memory of the executor. Requires: arrays of these sizes, d apart from A and x (not
/// checked).
void queue_limb_gemv(const Executor& on, blas::Transpose trans, int limbs, std::int64_t m, std::int64_t n,
                     FloatPlanes a, std::int64_t lda, FloatPlanes x, FloatPlanes d);

/// Queues y ← αx + y in the same way, with α as number 0 of an array.
void queue_limb_axpy(const Executor& on, int limbs, std::size_t length, FloatPlanes alpha, FloatPlanes x,
                     FloatPlanes y);

/// Queues d₀ ← Σ xᵢyᵢ. `partial` is a workspace of limb_dot_splits(length) numbers.
void queue_limb_dot(const Executor& on, int limbs, std::int64_t length, FloatPlanes x, FloatPlanes y,
                    FloatPlanes partial, FloatPlanes d);

}  // namespace assay::limb
