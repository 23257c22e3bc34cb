#pragma once
// Parts of fixed_inputs(), and the numbers that it takes.

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "tests/digests/digest.hpp"

namespace assay {

/// Numbers made of the words of a SplitMix64 generator: the same everywhere.
class Sequence {
 public:
  explicit Sequence(std::uint64_t start) : random_{start} {}
  std::uint64_t next() { return random_(); }
  /// Numbers of both signs with 53 bits and exponents from −40 to 40; one of sixteen is 0.
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> x(count);
    for (double& each : x) {
      const std::uint64_t word = next();
      const auto exponent = static_cast<int>(next() % 81) - 40;
      const double magnitude = word % 16 == 0 ? 0.0 : std::ldexp(static_cast<double>(word >> 11), exponent - 52);
      each = (word & 16) != 0 ? -magnitude : magnitude;
    }
    return x;
  }
  /// Integers from −limit to limit.
  template <class T>
  std::vector<T> integers(std::size_t count, std::uint64_t limit) {
    std::vector<T> x(count);
    for (T& each : x) {
      each = static_cast<T>(static_cast<std::int64_t>(next() % (2 * limit + 1)) - static_cast<std::int64_t>(limit));
    }
    return x;
  }

 private:
  bits::SplitMix64 random_;
};

/// Binary64 or binary32, with one NaN.
template <class T>
Words words_of(const std::vector<T>& x) {
  constexpr bool wide = sizeof(T) == 8;
  Words words{wide ? oracle::binary64 : oracle::binary32, Words::Shape::list, {}};
  for (const T each : x) {
    words.bits.push_back(std::bit_cast<std::conditional_t<wide, std::uint64_t, std::uint32_t>>(each));
  }
  return with_one_nan(std::move(words));
}

/// Kernels in the form for one result, where properties call the form for a batch; exact sums on the executor's memory.
std::vector<DigestSubject> single_results();

/// Operations in small formats that no property has.
std::vector<DigestSubject> small_formats();

}  // namespace assay
