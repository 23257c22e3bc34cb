#pragma once

#include <cstdint>
#include <vector>

#include "oracle/dyadic.hpp"

namespace assay::oracle {

/// s = Σ tᵢ and S = Σ |tᵢ| of terms ±m·2^e, exactly: an integer of 128 bits for each exponent and sign.
/// Requires: m < 2¹⁰⁷ and least ≤ e ≤ largest, as products of two numbers of binary64 have them (not checked).
/// Threads: as any value type. Cost: some 2 ns a term, and 0.1 ms for every 2²⁰ of them.
class LongSum {
 public:
  __extension__ typedef unsigned __int128 Significand;
  static constexpr int least = -2148;
  static constexpr int largest = 2047;

  LongSum();
  void add(bool negative, Significand m, int e) {
    buckets_[static_cast<std::size_t>(2 * (e - least) + (negative ? 1 : 0))] += m;
    if (++terms_ == most_terms) flush();
  }
  void add(const LongSum& other);

  [[nodiscard]] Dyadic sum() const { return total(false) - total(true); }
  [[nodiscard]] Dyadic magnitudes() const { return total(false) + total(true); }

 private:
  static constexpr std::uint64_t most_terms = std::uint64_t{1} << 20;

  /// What was added with one sign.
  [[nodiscard]] Dyadic total(bool negative) const;
  /// Empties the integers before one overflows.
  void flush();

  std::vector<Significand> buckets_;
  std::uint64_t terms_ = 0;
  Dyadic flushed_[2];
};

}  // namespace assay::oracle
