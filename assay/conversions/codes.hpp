#pragma once
// Codes of a conversion: their order, their bits, and repeated inputs.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "oracle/low_precision.hpp"

namespace assay::conversions {

/// The key that orders examples: by magnitude, plus before minus. Infinities and NaNs come after numbers, since their
/// codes are the largest. A NaN in place of −0 comes last.
std::uint64_t size_of(const oracle::NumberFormat& from, std::uint64_t code);

/// The code of an integer narrower than a byte, without copies of its sign in the bits above.
std::uint64_t without_extension(const oracle::NumberFormat& to, std::uint64_t code);

/// Codes as they lie in memory; of a pair, the first is the low half. Requires: an even number of those in pairs (not
/// checked).
std::vector<std::byte> in_memory(const oracle::NumberFormat& format, std::span<const std::uint64_t> codes);
void from_memory(const oracle::NumberFormat& format, std::span<const std::byte> bytes, std::span<std::uint64_t> codes);

/// Some of the inputs 0 … count − 1, converted again in short arrays.
struct Again {
  std::vector<std::size_t> places;
  std::vector<std::uint64_t> codes;
};
/// Converts at most 2^16 evenly spread inputs again, from the last to the first, in arrays of 1 to 31 numbers. Of
/// pairs, in arrays of 1 to 31 pairs: each input is in the other half of its byte.
Again asked_again(std::size_t count,
                  const std::function<void(std::span<const std::size_t> places, std::span<std::uint64_t> codes)>& ask,
                  bool are_pairs = false);

}  // namespace assay::conversions
