#pragma once

#include <cstdint>

#include "properties/framework/record.hpp"

namespace assay {

/// Sums modulo 2⁶⁴ of hashes of cases and of the bits of their results. A hash is a function of the case's number and
/// of its words, so the sums depend neither on the order of the cases nor on how a run was cut.
struct BitSums {
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;

  /// Adds the case of this number and its result. In a result all NaNs of a format count as equal: executors choose
  /// payloads and signs of NaNs freely.
  void add(std::uint64_t number, const Record& inputs_of_case, Words result);
  void merge(const BitSums& other);
  bool operator==(const BitSums&) const = default;
};

/// The words with every NaN replaced by the canonical NaN of its format.
Words with_one_nan(Words words);

}  // namespace assay
