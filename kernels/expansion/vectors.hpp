#pragma once
// BLAS 1 with entries of one, two or four words of binary64.
//
// An entry of W = `words` words is their unevaluated sum, words by decreasing magnitude, side by side in memory: W = 1
// are numbers, W = 2 double-doubles, W = 4 quad-doubles. Entry i of a vector of length n with stride inc is at [i·inc]
// for inc > 0 and at [(i − n + 1)·inc] for inc < 0, as in the reference BLAS; strides count entries. Entries between
// the strides are neither read nor written. Wrong arguments throw std::invalid_argument: another number of words, a
// negative n, a stride 0 (except for the norm), an array that is too short, a scalar with another number of words.
//
// Arithmetic: ExpansionAccumulator with K = max(W, 2) words. With W = 1 its sum is that of Dot2, and the nearest number
// is stored. Results of two or four words are ulp-nonoverlapping with their zeros at the end. Not checked: that the
// operands' words are expansions (the bound holds for any words, with their weights), overflow, and, except for the
// norm, values that are not finite. Bit-identical on every executor by the same operations in the same order; any NaN
// equals any NaN. Bounds: docs/bounds/xblas.md.
//
// The first form of each function works on memory that lies on the executor. Vectors point to their lowest address. Its
// launches are queued: it does not wait (exec/launch.hpp), and allocates nothing. Requires there: the arrays hold what
// is read and written, and the output overlaps no input (not checked). The second form takes arrays of the host, which
// are copied to the executor and back.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace assay::expansion {

/// The lanes of a sum of n terms, a power of two: lane c adds the terms c, c + lanes, … in ascending order; then for d
/// = lanes/2, lanes/4, …, 1 lane c < d adds lane c + d.
constexpr std::int64_t sum_lanes(std::int64_t n) {
  const std::int64_t longest = std::max<std::int64_t>(n, 64) / 64;
  return static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::clamp<std::int64_t>(longest, 64, std::int64_t{1} << 16))));
}

/// The numbers of workspace for a sum; the words of the result are the first of them.
constexpr std::size_t sum_workspace(int words, std::int64_t n) {
  return static_cast<std::size_t>(sum_lanes(n)) * static_cast<std::size_t>(std::max(words, 2));
}

/// y ← αx + y. With α = 0, y stays as it is and x is not read.
void expansion_axpy(const Executor& on, int words, std::int64_t n, std::span<const double> alpha, const double* x,
                    std::int64_t incx, double* y, std::int64_t incy);
std::vector<double> expansion_axpy(const Executor& on, int words, std::int64_t n, std::span<const double> alpha,
                                   std::span<const double> x, std::int64_t incx, std::span<const double> y,
                                   std::int64_t incy);

/// Σ xᵢyᵢ; 0 for n = 0. `result` holds sum_workspace(words, n) numbers and is aligned to 8 bytes.
void expansion_dot(const Executor& on, int words, std::int64_t n, const double* x, std::int64_t incx, const double* y,
                   std::int64_t incy, double* result);
std::vector<double> expansion_dot(const Executor& on, int words, std::int64_t n, std::span<const double> x,
                                  std::int64_t incx, std::span<const double> y, std::int64_t incy);

/// Σ |xᵢ|; |x| is x or −x, such that its first word other than 0 is positive. As expansion_dot otherwise.
void expansion_asum(const Executor& on, int words, std::int64_t n, const double* x, std::int64_t incx, double* result);
std::vector<double> expansion_asum(const Executor& on, int words, std::int64_t n, std::span<const double> x,
                                   std::int64_t incx);

/// √Σ xᵢ², without spurious overflow or underflow: the bits are those for entries that are divided by the power of two
/// 2^e of the largest magnitude of a word. x is read once if no square can over- or underflow, otherwise twice. With S
/// the sum of the squares, digits of the root are q₀ = RN(√S₀) and qᵢ = RN(r₀/(2q₀)), r₀ the first word of the rest r;
/// with Q the sum of the digits before, an accumulator of r and −qᵢ·(2Q + qᵢ) gives the next rest. Two digits for W =
/// 1, otherwise W + 1; their sum is multiplied by 2^e. NaN if a word is NaN, otherwise ∞ if a word is infinite. incx
/// may be 0: the norm of n copies of one entry. `result` holds norm_workspace(words, n) numbers. Requires: Σ xᵢ² is not
/// far below the square of the largest word, as for expansions (not checked).
void expansion_nrm2(const Executor& on, int words, std::int64_t n, const double* x, std::int64_t incx, double* result);
std::vector<double> expansion_nrm2(const Executor& on, int words, std::int64_t n, std::span<const double> x,
                                   std::int64_t incx);

/// The numbers of workspace for a norm.
constexpr std::size_t norm_workspace(int words, std::int64_t n) { return sum_workspace(words, n) + 1; }

}  // namespace assay::expansion
