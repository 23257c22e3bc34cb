#pragma once
// The numbers and words with which a conversion with stochastic rounding is tested.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/stochastic.hpp"

namespace assay::conversions {

/// Codes of `from` in ascending order, with both signs. All codes if `from` has at most 16 bits. Otherwise special
/// values, and numbers between neighbors of the target and after its largest number: the numbers at and next to k/2^r
/// and (k + 1/2)/2^r of the gap, for the smallest k, the largest k, the middle k and a random k. Neighbors: all of a
/// target with at most 8 bits, otherwise the ends of its binades and `random` others.
std::vector<std::uint64_t> stochastic_inputs(const oracle::NumberFormat& from, const oracle::NumberFormat& to, int bits,
                                             std::uint64_t seed, std::size_t random);

/// Words for a number in ascending order: the smallest, the largest and the middle words, two words drawn with the
/// seed, and all words next to one at which a rule changes its result.
std::vector<std::uint32_t> words_for(const oracle::Number& x, const oracle::NumberFormat& to, int bits,
                                     std::uint64_t seed);

/// Numbers between neighbors of the target, with both signs, whose probabilities are tested. Their distances from the
/// lower neighbor are multiples of powers of two of the gap, or just below such powers. The neighbors lie next to zero,
/// in the subnormal numbers, at the least normal number, in the middle and at the end of the range.
std::vector<std::uint64_t> inputs_of_frequencies(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                                 int bits);

/// With both signs, a number in the middle between two neighbors of the target in each of its binades, and one in the
/// subnormal numbers.
std::vector<std::uint64_t> inputs_of_binades(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                             std::uint64_t seed);

/// A number in the middle between two neighbors of the target. Requires: the source has one (not checked).
std::uint64_t input_of_agreements(const oracle::NumberFormat& from, const oracle::NumberFormat& to);

}  // namespace assay::conversions
