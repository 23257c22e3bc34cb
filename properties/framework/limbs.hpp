#pragma once
// Integers in cases: limbs of 32 bits, the lowest first.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/format.hpp"
#include "properties/framework/codec.hpp"

namespace assay {

/// The format whose subnormal numbers are the integers 0 … 2³² − 1, each with itself as its pattern: so limbs are
/// printed, stored and shrunk like numbers. In files a limb is its eight hexadecimal digits: 0x0.0000002ap+32 for 42.
inline constexpr oracle::Format limb_format{33, 32, 32};

/// The size in bytes of a number that a kernel from outside gets: a limb is passed as an integer of 64 bits.
constexpr std::size_t bytes_for_kernel(const oracle::Format& format) {
  return format == limb_format ? sizeof(std::int64_t) : static_cast<std::size_t>(format.width()) / 8;
}

template <>
struct Codec<std::vector<std::uint32_t>> {
  static std::variant<Words, std::int64_t> encode(const std::vector<std::uint32_t>& x) {
    return Words{limb_format, Words::Shape::list, {x.begin(), x.end()}};
  }
  static bool decode(const std::variant<Words, std::int64_t>& value, std::vector<std::uint32_t>& out) {
    const auto* words = std::get_if<Words>(&value);
    if (words == nullptr || words->format != limb_format) {
      return false;
    }
    out.clear();
    for (const std::uint64_t each : words->bits) {
      if (each > std::numeric_limits<std::uint32_t>::max()) {
        return false;
      }
      out.push_back(static_cast<std::uint32_t>(each));
    }
    return true;
  }
};

}  // namespace assay
