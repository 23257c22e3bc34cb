#pragma once
// Sums and dot products to the last bit, serial per result: a batch of vectors as in kernels/sum/summation.hpp.
//
// Every kernel takes a batch of vectors, laid one after the other: result i belongs to x[offsets[i]] … x[offsets[i+1]
// − 1] (and the same places of y for a dot product). The second form takes one vector. Requires: offsets do not
// decrease and end within x; x and y have the same size; otherwise std::invalid_argument is thrown. An empty offsets
// list gives no results, an empty vector has the sum +0. Bit-identical on every executor by the same operations in the
// same order; any NaN equals any NaN.
//
// The algorithms of arith/accumulators/accurate_sum.hpp, for double and float. Requires: vectors of at most
// most_summands(), for acc_sign most_summands_of_sign() and for fast_acc_sum most_summands_of_fast() numbers, and at
// least one word; otherwise std::invalid_argument is thrown. The range of the numbers is that of
// arith/accumulators/accurate_sum.hpp; outside it, and for Inf and NaN, results are NaN (of acc_sign 2). An exact 0 is
// +0. Bounds: docs/bounds/sum.md.

#include <cstdint>
#include <span>
#include <vector>

#include "arith/bits/traits.hpp"
#include "exec/executor.hpp"
#include "kernels/sum/summation.hpp"

namespace assay::sum {

namespace detail {

/// The algorithms with one number for each vector.
enum class Rounded { acc_sum, near_sum, fast_acc_sum };

template <Rounded algorithm, class T>
std::vector<T> rounded_sums(const Executor& on, Offsets offsets, std::span<const T> x);
template <class T>
std::vector<T> precise_sums(const Executor& on, Offsets offsets, int k, std::span<const T> x);
template <class T>
std::vector<std::int32_t> signs(const Executor& on, Offsets offsets, std::span<const T> x);

}  // namespace detail

/// A faithful rounding of Σxᵢ.
template <class T>
inline constexpr VectorKernel<detail::rounded_sums<detail::Rounded::acc_sum, T>> acc_sum{};

/// k words for each vector, side by side: a k-fold faithful rounding of Σxᵢ.
template <class T>
std::vector<T> acc_sum_k(const Executor& on, int k, std::span<const T> x, Offsets offsets);
template <class T>
std::vector<T> acc_sum_k(const Executor& on, int k, std::span<const T> x);

/// The sign of Σxᵢ: −1, 0 or 1.
template <class T>
inline constexpr VectorKernel<detail::signs<T>> acc_sign{};

/// RN(Σxᵢ), ties to even.
template <class T>
inline constexpr VectorKernel<detail::rounded_sums<detail::Rounded::near_sum, T>> near_sum{};

/// A faithful rounding of Σxᵢ by FastAccSum (Rump 2009), for fewer summands than acc_sum takes.
template <class T>
inline constexpr VectorKernel<detail::rounded_sums<detail::Rounded::fast_acc_sum, T>> fast_acc_sum{};

/// prec_sum<T>(on, k, x): a faithful rounding of s = Σxᵢ, or a number r with |r − s| ≤ u^k·Σ|xᵢ|.
template <class T>
inline constexpr VectorKernel<detail::precise_sums<T>> prec_sum{};

// Superaccumulators (arith/accumulators/superaccumulator.hpp), and expansions of `words` words in front of them
// (arith/accumulators/accumulating_expansion.hpp): the exact sum of any binary64 numbers, rounded once in the direction
// `to`. Inf, NaN and the sign of 0 as in kernels/sum/exact_sum.hpp. `words` is 0 (none), 3, 4, 6 or 8; otherwise
// std::invalid_argument is thrown. Requires: fewer than 2⁴⁰ terms (not checked).

std::vector<double> accumulator_sum(const Executor& on, int words, Rounding to, std::span<const double> x,
                                    Offsets offsets);
double accumulator_sum(const Executor& on, int words, Rounding to, std::span<const double> x);

std::vector<double> accumulator_dot(const Executor& on, int words, Rounding to, std::span<const double> x,
                                    std::span<const double> y, Offsets offsets);
double accumulator_dot(const Executor& on, int words, Rounding to, std::span<const double> x,
                       std::span<const double> y);

}  // namespace assay::sum
