#pragma once
// Exact sums of segments, and scatter-add: many sums at once, each rounded once, in binary64 or binary32.
//
// Everything before the rounding to nearest, ties to even, is exact: partial sums neither overflow nor lose a bit,
// whatever the exponents are. Subnormal results and overflow per IEEE 754. With terms that are not finite a result is
// NaN if a term is a NaN or if there are both infinities among them, otherwise the infinity; any NaN equals any NaN. An
// exact 0 is −0 if there are terms and all of them are −0, otherwise +0. Bit-identical on every executor, in every
// order of the terms, because terms are added as integers, and threads meet in additions of integers alone:
// docs/bounds/segment.md.
//
// A first pass finds the binades of all terms. Then each target has a window of 64-bit words that reaches from the
// lowest bit of all terms to the highest, and each word takes digits of 32 bits without carries (after Collange,
// Defour, Graillat, Iakymchuk, Parallel Computing 49, 2015). A thread first adds neighboring terms of one target by
// itself. Where not all windows find room in the workspace, the targets take turns, up to nine, and each turn reads all
// terms again.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace assay::segment {

/// The words of 64 bits of workspace for m targets: at most 8.5 for each, but up to 66.5 for each of the first 16384.
std::size_t workspace(std::int64_t m);

/// yᵢ = RN(yᵢ + Σ xⱼ over all j with indexⱼ = i) for 0 ≤ i < m. Indices in any order, any number of them for one i.
/// Terms whose index is not one of 0 … m − 1 enter no sum, and *outside is their number. Everything lies on the
/// executor. Throws std::invalid_argument unless 0 ≤ n < 2³⁰ and 0 ≤ m < 2³¹. Requires: x and index hold n elements, y
/// holds m, workspace has workspace(m) words; y, outside and workspace overlap nothing else (not checked). The launches
/// are queued: the call does not wait (exec/launch.hpp), and allocates nothing. Reads x twice, and makes two or three
/// atomic additions for a term whose neighbors have other indices. If the binades of the terms differ by more than 195,
/// neighbors are not joined, and many terms for one target wait for each other.
template <class T>
void scatter_add(const Executor& on, const T* x, const std::int32_t* index, std::int64_t n, T* y, std::int64_t m,
                 std::int64_t* outside, std::int64_t* workspace);

/// yᵢ = RN(Σ xⱼ over offsetsᵢ ≤ j < offsetsᵢ₊₁) for 0 ≤ i < m; +0 for an empty segment. As scatter_add; n is the number
/// of terms. Requires: offsets holds m + 1 places that do not fall, from 0 to n (not checked).
template <class T>
void segmented_sum(const Executor& on, const T* x, std::int64_t n, const std::int64_t* offsets, T* y, std::int64_t m,
                   std::int64_t* workspace);

// The same of arrays on the host, which are copied to the executor and back.

template <class T>
struct ScatterResult {
  std::vector<T> y;
  std::int64_t outside;
};
/// Throws std::invalid_argument if x and index differ in size.
template <class T>
ScatterResult<T> scatter_add(const Executor& on, std::span<const T> x, std::span<const std::int32_t> index,
                             std::span<const T> y);

/// Throws std::invalid_argument unless the offsets rise from 0 to the size of x, or stay.
template <class T>
std::vector<T> segmented_sum(const Executor& on, std::span<const T> x, std::span<const std::int64_t> offsets);

}  // namespace assay::segment
