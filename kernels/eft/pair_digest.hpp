#pragma once
// Digests of an operation over all pairs of a 16-bit format, to compare executors bit for bit without moving 2³²
// results.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/eft/error_free.hpp"

namespace assay::eft {

/// Digest i, for i < count: the sum modulo 2⁶⁴, over every pattern b, of a mix of b and the bits of op(a, b), where a
/// is the pattern first + i. Op takes a Pair of a 16-bit format and gives two words of it. Requires: first + count ≤
/// 2¹⁶ (not checked). Instantiated for TwoSum and TwoProd over binary16. Throws ExecutorError. Bit-identical on every
/// executor by exactness: addition modulo 2⁶⁴ has no order. A pair with other bits goes unnoticed with probability
/// 2⁻⁶⁴. Cost: 2¹⁶ operations a digest.
template <class Op>
std::vector<std::uint64_t> pair_digests(const Executor& on, std::uint32_t first, std::size_t count);

}  // namespace assay::eft
