#pragma once
// Sums of so many terms that an exact addition for each would take long: integers by exponent, on all cores.

#include <cstddef>
#include <thread>
#include <vector>

#include "oracle/long_sum.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/number_parts.hpp"

namespace assay::sum {

/// So many terms are added by exponent, so many fewer one after the other.
inline constexpr std::size_t fewest_long = 1024;

/// Whether LongSum holds the products of numbers of the type.
template <FloatingPoint T>
inline constexpr bool has_long_sums = FloatTraits<T>::precision <= 53 && FloatTraits<T>::emax <= 1023 &&
                                      FloatTraits<T>::emin - FloatTraits<T>::precision + 1 >= -1074;

/// part.add(i) for each i < n, where each core has a part of its own; the parts.
template <class Part>
std::vector<Part> in_parts(std::size_t n, const Part& empty) {
  constexpr std::size_t fewest_of_core = std::size_t{1} << 19;
  const std::size_t cores = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()),
                                                  std::max<std::size_t>(1, n / fewest_of_core));
  std::vector<Part> parts(cores, empty);
  const auto work = [&](std::size_t at) {
    for (std::size_t i = n / cores * at, end = at + 1 == cores ? n : i + n / cores; i < end; ++i) parts[at].add(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t at = 1; at < cores; ++at) others.emplace_back(work, at);
  work(0);
  others.clear();
  return parts;
}

/// (±m·2^e) of a number, or of a product of two; nothing is added for 0.
inline void add_to(oracle::LongSum& sum, const OddParts& x) {
  sum.add(x.negative, x.significand, static_cast<int>(x.exponent));
}
inline void add_to(oracle::LongSum& sum, const OddParts& x, const OddParts& y) {
  sum.add(x.negative != y.negative, static_cast<oracle::LongSum::Significand>(x.significand) * y.significand,
          static_cast<int>(x.exponent + y.exponent));
}

/// Σxᵢ, or Σxᵢyᵢ where y is given. Requires: finite numbers of a type that has_long_sums (not checked).
template <FloatingPoint T>
oracle::LongSum long_sum_of(const std::vector<T>& x, const std::vector<T>* y = nullptr) {
  struct Part {
    const std::vector<T>* x;
    const std::vector<T>* y;
    oracle::LongSum sum = {};
    void add(std::size_t i) {
      constexpr oracle::Format format = format_of<T>();
      const auto a = parts_of(format, bits_of((*x)[i]));
      if (!a) return;
      if (y == nullptr) {
        add_to(sum, *a);
      } else if (const auto b = parts_of(format, bits_of((*y)[i]))) {
        add_to(sum, *a, *b);
      }
    }
  };
  oracle::LongSum all;
  for (const Part& each : in_parts(x.size(), Part{&x, y})) all.add(each.sum);
  return all;
}

}  // namespace assay::sum
