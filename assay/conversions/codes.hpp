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

/// Some of the inputs 0 … count − 1, converted again in short arrays.
struct Again {
  std::vector<std::size_t> places;
  std::vector<std::uint64_t> codes;
};
/// Converts at most 2^16 evenly spread inputs again, from the last to the first, in arrays of 1 to 31 numbers.
Again asked_again(std::size_t count,
                  const std::function<void(std::span<const std::size_t> places, std::span<std::uint64_t> codes)>& ask);

}  // namespace assay::conversions
