#pragma once
// The inputs on which a conversion is tested.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/low_precision.hpp"

namespace assay::conversions {

/// Whether all inputs are tested in any case: sources of at most 16 bits.
constexpr bool are_few(const oracle::NumberFormat& from) { return from.bits <= 16; }

/// The code of the largest number of a floating-point format that is not above m·2^e.
std::uint64_t at_most(const oracle::NumberFormat& of, std::uint64_t m, int e);

/// Codes of a floating-point source: powers of two with their neighbors, infinities and three NaNs, with both signs.
std::vector<std::uint64_t> special_inputs(const oracle::NumberFormat& from);

/// Codes of `from` without repetition: all if they are few, otherwise the reduced set of docs/bounds/convert.md,
/// special values, powers of two with their neighbors, and four times `random` numbers of the seed. For a target of
/// more than 16 bits, the reduced set has a sample of its numbers.
std::vector<std::uint64_t> inputs_of(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                     std::uint64_t seed, std::size_t random);

/// The reduced set of docs/bounds/convert.md: codes in ascending order. Requires: a floating-point source (not
/// checked).
std::vector<std::uint64_t> reduced_set(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                       std::uint64_t seed);

/// Magnitudes m of `from` in ascending order, as codes without a sign: all finite numbers of one sign from one of them
/// to the one below the next have the same result by every rule but `wrap`. Requires: a floating-point source; a target
/// of at most 16 bits (not checked).
std::vector<std::uint64_t> borders_between(const oracle::NumberFormat& from, const oracle::NumberFormat& to);

}  // namespace assay::conversions
