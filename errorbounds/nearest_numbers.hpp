#pragma once

#include <cstdint>
#include <optional>

#include "oracle/decode.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay {

/// The smallest and the largest number to which `got` is nearest; empty if there is none.
struct NearestNumbers {
  std::optional<oracle::Dyadic> low;
  std::optional<oracle::Dyadic> high;
};
inline NearestNumbers nearest_numbers(std::uint64_t got, const oracle::Format& format) {
  const std::uint64_t magnitude = got & ~format.sign_mask();
  // The infinity represents the number that would follow the largest one.
  const auto number = [&](std::uint64_t pattern) {
    return pattern == format.infinity() ? oracle::Dyadic::scaled(1, format.emax + 1)
                                        : oracle::decode_finite(format, pattern);
  };
  const auto middle = [&](std::uint64_t pattern) {
    oracle::Dyadic sum = number(pattern) + number(pattern + 1);
    sum.mul_2exp(-1);
    return sum;
  };
  NearestNumbers all;
  if (magnitude != format.infinity()) all.high = middle(magnitude);
  all.low = magnitude == 0 ? -*all.high : middle(magnitude - 1);
  if (!oracle::is_negative(format, got)) return all;
  NearestNumbers negated;
  if (all.high) negated.low = -*all.high;
  negated.high = -*all.low;
  return negated;
}

}  // namespace assay
