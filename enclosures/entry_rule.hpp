#pragma once

#include <functional>

namespace assay::enclosures {

/// What an entry with finite terms must be.
struct EntryRule {
  enum class Kind {
    within,      ///< as near to the exact sum as `bound` says; the exact sum where the entry is on a grid
    rounded,     ///< nearer than half a gap
    faithful,    ///< nearer than a gap
    on_grid,     ///< the exact sum where the entry is on a grid
    finite,      ///< a finite number
    not_zero,    ///< anything, if a term is not 0
    exceptional  ///< of entries whose row or column has an infinity or a NaN: what IEEE arithmetic makes of their terms
  };
  Kind kind;
  int precision, emin;  ///< of the results
  int bits_of_sums;     ///< an entry is on a grid 2^g of its terms if their magnitudes add up to at most that many bits
  /// A number that no bound of an entry falls below whose magnitudes Σ|aₗbₗ| and |Σaₗbₗ| do not fall below the
  /// arguments; for Kind::within.
  std::function<double(double magnitude, double sum)> bound = {};
  /// The bound is of what is computed, which is then rounded to nearest: the rounding of the exact sum is within it,
  /// too.
  bool is_stored = false;
};

}  // namespace assay::enclosures
