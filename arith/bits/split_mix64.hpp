#pragma once

#include <cstdint>

#include "arith/hd.hpp"

namespace assay::bits {

/// SplitMix64: 64-bit pseudorandom words, the same on every machine. Draw i, counted from 1, of the generator that
/// starts at s is mixed(s + i·step). Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
/// 8 operations a word.
struct SplitMix64 {
  /// An odd number next to 2⁶⁴/φ, φ the golden ratio: its multiples are spread evenly modulo 2⁶⁴.
  static constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

  std::uint64_t state;

  /// The output function: a bijection of the 64-bit words.
  [[nodiscard]] ASSAY_HD static constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// The next word.
  ASSAY_HD constexpr std::uint64_t operator()() { return mixed(state += step); }
};

}  // namespace assay::bits
