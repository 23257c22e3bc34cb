#pragma once
// Sums and dot products: serial per result, and one block of threads per result.
//
// Every kernel takes a batch of vectors, laid one after the other: result i belongs to x[offsets[i]] … x[offsets[i+1]
// − 1] (and the same places of y for a dot product), so that `offsets` has one entry more than there are results. The
// second form takes one vector. T is double or float; recursive_sum, neumaier_sum, sum2, sum_k<3>, recursive_dot and
// dot2 also take binary16, bfloat16, Toy<3> and Toy<4>. Requires: offsets do not decrease and end within x; x and y
// have the same size; otherwise std::invalid_argument is thrown. An empty offsets list gives no results; an empty
// vector has the sum +0. A sum starts from +0, so −0 alone gives +0. Not checked: overflow, and values that are not
// finite (the error terms turn Inf into NaN). Bit-identical on every executor by the same operations in the same order;
// any NaN equals any NaN.

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "arith/accumulators/summation.hpp"
#include "exec/executor.hpp"

namespace assay::sum {

using Offsets = std::span<const std::size_t>;

/// The threads of a block in the cooperative kernels.
inline constexpr int block_sum_threads = 64;

/// A kernel on vectors. Called with (on, x…, offsets) it gives batch(on, offsets, x…), one result for each vector of
/// the batch. Called with (on, x…) it gives the result of one vector, which is all of x. The last of x… is a vector.
template <auto batch>
struct VectorKernel;

template <class R, class... X, std::vector<R> (*batch)(const Executor&, Offsets, X...)>
struct VectorKernel<batch> {
  std::vector<R> operator()(const Executor& on, X... x, Offsets offsets) const { return batch(on, offsets, x...); }
  R operator()(const Executor& on, X... x) const {
    const std::size_t ends[] = {0, std::get<sizeof...(X) - 1>(std::tie(x...)).size()};
    return batch(on, Offsets(ends), x...).front();
  }
};

/// A VectorKernel that can also be called on memory that lies on the executor, with (on, x…, offsets, count, results):
/// results[i] of i = 0 … count − 1 belongs to elements offsets[i] … offsets[i + 1] − 1 of each vector x. Requires: the
/// arrays hold what is read and written, offsets do not decrease, results overlap nothing else (not checked). The
/// launch is queued: the call does not wait (exec/launch.hpp), and allocates nothing.
template <auto batch, auto queued>
struct QueuedVectorKernel;

template <class R, class... X, std::vector<R> (*batch)(const Executor&, Offsets, std::span<const X>...),
          void (*queued)(const Executor&, std::size_t, const std::size_t*, R*, const X*...)>
struct QueuedVectorKernel<batch, queued> : VectorKernel<batch> {
  using VectorKernel<batch>::operator();
  void operator()(const Executor& on, const X*... x, const std::size_t* offsets, std::size_t count, R* results) const {
    queued(on, count, offsets, results, x...);
  }
};

namespace detail {

using summation::Compensated;
using summation::DotLevels;
using summation::Kahan;
using summation::Levels;
using summation::Neumaier;
using summation::Pairwise;
using summation::Recursive;
using summation::Widened;

// The work of one thread or one block on a result: defined in kernels/sum/summation.cpp.
template <class Accumulator, class Data>
struct SerialBody;
template <class Accumulator, class Data>
struct BlockBody;

/// The sum of each vector by the accumulator.
template <template <class, class> class Body, class Accumulator, class T>
std::vector<T> sums(const Executor& on, Offsets offsets, std::span<const T> x);

template <template <class, class> class Body, class Accumulator, class T>
void queue_sums(const Executor& on, std::size_t count, const std::size_t* offsets, T* results, const T* x);

/// The dot product of each pair of vectors of T, as a number of R, by the accumulator.
template <template <class, class> class Body, class Accumulator, class T, class R = T>
std::vector<R> dots(const Executor& on, Offsets offsets, std::span<const T> x, std::span<const T> y);
template <template <class, class> class Body, class Accumulator, class T, class R = T>
void queue_dots(const Executor& on, std::size_t count, const std::size_t* offsets, R* results, const T* x, const T* y);

template <template <class, class> class Body, class Accumulator, class T>
using SumKernel = QueuedVectorKernel<sums<Body, Accumulator, T>, queue_sums<Body, Accumulator, T>>;
template <template <class, class> class Body, class Accumulator, class T, class R = T>
using DotKernel = QueuedVectorKernel<dots<Body, Accumulator, T, R>, queue_dots<Body, Accumulator, T, R>>;

}  // namespace detail

// Serial per result.

/// s = ((x₁ + x₂) + x₃) + … from left to right. Higham 2002, §4.1. n − 1 additions.
template <class T>
inline constexpr detail::SumKernel<detail::SerialBody, detail::Recursive<T>, T> recursive_sum{};

/// s = P(x₁ … xₙ) with P of one element the element itself, and P(x₁ … xₙ) = P(x₁ … xₘ) + P(xₘ₊₁ … xₙ), m the largest
/// power of two below n. The tree has height ⌈log₂ n⌉. Higham 2002, §4.1 (pairwise summation). n − 1 additions.
template <class T>
inline constexpr detail::SumKernel<detail::SerialBody, detail::Pairwise<T>, T> pairwise_sum{};

/// Kahan's compensated sum: y = xᵢ − c, t = s + y, c = (t − s) − y, s = t; the last c is not used.
/// Kahan 1965; Higham 2002, §4.3. 4n operations.
template <class T>
inline constexpr detail::SumKernel<detail::SerialBody, detail::Kahan<T>, T> kahan_sum{};

/// Neumaier's sum: (s, e) = FastTwoSum of s and xᵢ with the larger magnitude first, c = c + e; the result is s + c.
/// The error terms are those of `sum2`, whose bits it therefore has unless an operation overflows. Neumaier 1974. 5n
/// operations.
template <class T>
inline constexpr detail::SumKernel<detail::SerialBody, detail::Neumaier<T>, T> neumaier_sum{};

/// Sum2: (s, e) = TwoSum(s, xᵢ), c = c + e; the result is s + c.
/// Ogita, Rump, Oishi 2005, Algorithm 4.4. 7n operations.
template <class T>
inline constexpr detail::SumKernel<detail::SerialBody, detail::Compensated<T>, T> sum2{};

/// SumK: K − 1 vector transforms (each element replaced by the error of adding it, the last by the sum), then the
/// recursive sum. All K levels run in one pass, which does not change an operation. K is 3 or 4. Ogita, Rump, Oishi
/// 2005, Algorithm 4.8. (6K − 5)n operations.
template <int K, class T>
inline constexpr detail::SumKernel<detail::SerialBody, detail::Levels<T, K>, T> sum_k{};

/// s = ((x₁y₁ + x₂y₂) + x₃y₃) + … from left to right, each product rounded, nothing fused. Higham 2002, §3.1.
/// 2n operations.
template <class T>
inline constexpr detail::DotKernel<detail::SerialBody, detail::Recursive<T>, T> recursive_dot{};

/// Dot2: (p, r) = TwoProd(xᵢ, yᵢ), (s, e) = TwoSum(s, p), c = c + (e + r); the result is s + c.
/// Ogita, Rump, Oishi 2005, Algorithm 5.3, TwoProd by FMA. 10n operations.
template <class T>
inline constexpr detail::DotKernel<detail::SerialBody, detail::Compensated<T>, T> dot2{};

/// DotK: the 2n numbers r₁, (rᵢ, eᵢ) for i = 2 … n, and last sₙ, where (pᵢ, rᵢ) = TwoProd(xᵢ, yᵢ) and
/// (sᵢ, eᵢ) = TwoSum(sᵢ₋₁, pᵢ), summed in this order by SumK with K − 1 levels. K is 3 or 4.
/// Ogita, Rump, Oishi 2005, Algorithm 5.10, up to the order of the 2n − 1 error terms, on which its bound does not
/// depend. (12K − 14)n operations.
template <int K, class T>
inline constexpr detail::DotKernel<detail::SerialBody, detail::DotLevels<T, K>, T> dot_k{};

/// s = Σ xᵢyᵢ of binary32 data: every product is exact in binary64, the sum runs from left to right in binary64.
/// 2n operations.
inline constexpr detail::DotKernel<detail::SerialBody, detail::Widened, float, double> dot_f32_in_f64{};

// Cooperative: one block of 64 threads per result. Thread t takes the elements t, t + 64, t + 128, … (from 0) in
// ascending order, m = ⌈n/64⌉ of them at most, starting from +0. Then for d = 32, 16, 8, 4, 2, 1 every thread t < d
// combines its partial result (left) with that of thread t + d (right). Bounds: docs/bounds/sum.md.

/// Combination: s = sₗ + sᵣ. The tree of additions has height h = max(m − 1, 0) + 6. n + 63 additions.
template <class T>
inline constexpr detail::SumKernel<detail::BlockBody, detail::Recursive<T>, T> block_sum{};

/// In each thread (s, e) = TwoSum(s, xᵢ), c = c + e. Combination: (s, e) = TwoSum(sₗ, sᵣ), c = (cₗ + cᵣ) + e.
/// The result is s + c. About 7n + 8·63 operations.
template <class T>
inline constexpr detail::SumKernel<detail::BlockBody, detail::Compensated<T>, T> block_sum2{};

/// In each thread s = s + xᵢyᵢ, the product rounded. Combination: s = sₗ + sᵣ. About 2n + 63 operations.
template <class T>
inline constexpr detail::DotKernel<detail::BlockBody, detail::Recursive<T>, T> block_dot{};

/// In each thread (p, r) = TwoProd(xᵢ, yᵢ), (s, e) = TwoSum(s, p), c = c + (e + r).
/// Combination: (s, e) = TwoSum(sₗ, sᵣ), c = (cₗ + cᵣ) + e. The result is s + c. About 10n + 8·63 operations.
template <class T>
inline constexpr detail::DotKernel<detail::BlockBody, detail::Compensated<T>, T> block_dot2{};

/// binary32 data, every product exact in binary64. In each thread s = s + xᵢyᵢ; combination: s = sₗ + sᵣ, in binary64.
inline constexpr detail::DotKernel<detail::BlockBody, detail::Widened, float, double> block_dot_f32_in_f64{};

}  // namespace assay::sum
