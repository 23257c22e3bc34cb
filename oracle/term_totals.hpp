#pragma once
// What one pass over arrays of any length tells of the terms of a sum or of a dot product.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "oracle/format.hpp"
#include "oracle/long_sum.hpp"

namespace assay::oracle {

/// Numbers of one format in memory: number i lies `i·step` bytes behind `data`.
struct Strided {
  const std::byte* data = nullptr;
  std::ptrdiff_t step = 0;

  [[nodiscard]] Strided from(std::size_t i) const { return {data + static_cast<std::ptrdiff_t>(i) * step, step}; }
};

/// The pattern of number i.
std::uint64_t bits_at(const Strided& numbers, std::size_t i, const Format& format);

/// The terms x₁ … xₙ, or x₁y₁ … xₙyₙ: their exact sum, and what bounds of its error need. Terms that are infinite or
/// NaN are counted by kind and not added. Requires: binary64 or a format whose numbers are among those of binary64 (not
/// checked). Cost: some 3 ns a term; no memory that grows with n.
class TermTotals {
 public:
  explicit TermTotals(const Format& format) : format_(format) {}

  /// Adds `count` terms. `y`: the second factors; null for none.
  void add(const Strided& x, const Strided* y, std::size_t count);
  void add(const TermTotals& other);

  [[nodiscard]] Dyadic sum() const { return sum_.sum(); }
  [[nodiscard]] Dyadic magnitudes() const { return sum_.magnitudes(); }
  /// The part of the magnitudes whose terms have a subnormal factor.
  [[nodiscard]] Dyadic lost() const { return lost_.magnitudes(); }

  std::uint64_t n = 0;
  long grid = std::numeric_limits<long>::max();   ///< every term is a multiple of 2^grid; the greatest for zeros alone
  long least = std::numeric_limits<long>::max();  ///< the least exponent of a factor of a term that is not 0
  long most = std::numeric_limits<long>::lowest();  ///< the largest one
  bool has_nan = false;                             ///< a term is NaN
  bool has_infinity[2] = {false, false};            ///< a term is +∞, −∞

 private:
  template <class Word>
  void add_numbers(const Strided& x, std::size_t n);
  template <class Word>
  void add_products(const Strided& x, const Strided& y, std::size_t n);

  Format format_;
  LongSum sum_{};
  LongSum lost_{};
};

}  // namespace assay::oracle
