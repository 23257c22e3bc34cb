#pragma once
// The numbers and words that a conversion with stochastic rounding is asked.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/stochastic.hpp"

namespace assay::conversions {

/// Codes of `from` in ascending order, with both signs: all of at most 16 bits. Of more, special values, and between
/// neighbors of the target, and behind its largest number, the numbers at and next to k/2^r and (k + 1/2)/2^r of the
/// gap for the smallest k, the largest k, the middle one and a random one. Neighbors: all of a target of at most 8
/// bits, else the ends of its binades and `random` others.
std::vector<std::uint64_t> stochastic_inputs(const oracle::NumberFormat& from, const oracle::NumberFormat& to, int bits,
                                             std::uint64_t seed, std::size_t random);

/// Words for a number in ascending order: the smallest, the largest and the middle ones, two of the seed, and all next
/// to a word at which a rule changes its result.
std::vector<std::uint32_t> words_for(const oracle::Number& x, const oracle::NumberFormat& to, int bits,
                                     std::uint64_t seed);

/// Numbers between neighbors of the target, with both signs, whose probabilities are tested: multiples of powers of two
/// of the gap, and numbers just below such powers. Beside zero, in the subnormal numbers, at the least normal number,
/// in the middle and at the end.
std::vector<std::uint64_t> inputs_of_frequencies(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                                 int bits);

/// With both signs, a number in the middle between two neighbors of the target in each of its binades, and one in the
/// subnormal numbers.
std::vector<std::uint64_t> inputs_of_binades(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                             std::uint64_t seed);

/// A number in the middle between two neighbors of the target. Requires: the source has one (not checked).
std::uint64_t input_of_agreements(const oracle::NumberFormat& from, const oracle::NumberFormat& to);

}  // namespace assay::conversions
