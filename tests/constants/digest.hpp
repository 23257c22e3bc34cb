#pragma once
// A hash of values that the compiler computed, for assertions that pin a whole table.

#include <cstddef>
#include <cstdint>

namespace assay::constants {

/// FNV-1a over 64-bit words.
class Digest {
 public:
  constexpr Digest& operator<<(std::uint64_t value) {
    hash_ = (hash_ ^ value) * 0x100000001B3u;
    hash_ ^= hash_ >> 29;
    return *this;
  }
  template <class T, std::size_t n>
  constexpr Digest& operator<<(const T (&values)[n]) {
    for (const T& each : values) add(each);
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }

 private:
  template <class T>
  constexpr void add(const T& each) {
    if constexpr (requires { static_cast<std::uint64_t>(each); }) {
      *this << static_cast<std::uint64_t>(each);
    } else {
      *this << each;
    }
  }

  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

}  // namespace assay::constants
