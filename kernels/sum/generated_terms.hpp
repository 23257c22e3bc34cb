#pragma once
// Numbers that are a function of their place, generated in the memory of the executor: for operands too large to copy.
// Their exact sums are known by construction.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/hd.hpp"
#include "exec/executor.hpp"

namespace assay::sum {

/// ±f·2^e of a seed and a number, 1 ≤ f < 2, −20 ≤ e ≤ 20: all bits of f random.
ASSAY_HD constexpr double generated_number(std::uint64_t seed, std::uint64_t number) {
  const std::uint64_t word = bits::SplitMix64::mixed(bits::SplitMix64::mixed(seed) + number);
  const std::uint64_t other = bits::SplitMix64::mixed(word ^ bits::SplitMix64::step);
  const std::uint64_t exponent = 1003 + other % 41;
  return from_bits<double>((other >> 63) << 63 | exponent << 52 | word >> 12);
}

/// A term that is not canceled: at place `pair`, or n − 1 − pair if `upper` is 1. Its mirror image is 0.
struct SingleTerm {
  std::int64_t pair = -1;  ///< below n/2; −1: no term
  std::int32_t upper = 0;
  double value = 0;
};
inline constexpr int single_terms = 4;
struct SingleTerms {
  SingleTerm term[single_terms];
};

/// x_i for i = 0 … n − 1: g_i = generated_number(seed, i) for i < n/2, x_(n−1−i) = −g_i, 0 in the middle of an odd
/// number, and the single terms in their places. Σ x_i is the sum of the single terms. Queued.
void queue_mirrored_terms(const Executor& on, double* x, std::int64_t n, std::uint64_t seed, const SingleTerms& single);

/// y_i = y_(n−1−i) = ±2^e, a function of the seed and i < n/2: Σ x_i·y_i of mirrored terms is the sum over the single
/// terms. Queued.
void queue_symmetric_powers(const Executor& on, double* y, std::int64_t n, std::uint64_t seed);
double symmetric_power(std::uint64_t seed, std::int64_t n, std::int64_t i);

/// a[i + j·lda] = generated_number(seed, i + j·m) for i < m, j < n. Queued.
void queue_generated_matrix(const Executor& on, double* a, std::int64_t m, std::int64_t n, std::int64_t lda,
                            std::uint64_t seed);

}  // namespace assay::sum
