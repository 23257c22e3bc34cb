#pragma once
// Prefix sums in double words with a radius, and which results are surely near to them.

#include <cstddef>
#include <vector>

#include "oracle/dyadic.hpp"
#include "oracle/term_totals.hpp"

namespace assay::oracle {

/// What the results of a screen must surely be.
struct PrefixRule {
  /// Within `bound` of the sums; one rounding of a number that is; the sums rounded to nearest; one of their neighbors.
  enum class Kind { within, stored, rounded, faithful };
  Kind kind = Kind::within;
  double bound = 0;
};

/// What a screen leaves: the places that it does not decide, and the one with the largest share of what is allowed.
struct PrefixScreen {
  std::vector<std::size_t> open{};
  std::size_t nearest = 0;
  double share = 0;
};

/// Screens got_i against sᵢ = start + x₁ + … + xᵢ, for numbers of the format that are finite. `largest`: at least every
/// |sᵢ| and |start|. `is_exact`: every sᵢ is a multiple of a power of two g below 2^64·g, and so is start.
///
/// A double word plus a number of binary64 (DWPlusFP) errs by at most 2u² of the sum, u = 2⁻⁵³ (Joldes, Muller,
/// Popescu, Tight and rigorous error bounds for basic building blocks of double-word arithmetic, ACM TOMS 44(2), 2017).
/// So after i ≤ 2¹⁷ steps from a start that is rounded to a double word the sum is off by at most (i +
/// 1)·2⁻¹⁰⁴·largest. Where `is_exact`, no step rounds: both words are multiples of g, and l is below 2^11·g. Requires:
/// n ≤ 2¹⁷ and largest < 2¹⁰²² (not checked). Cost: some 5 ns a number.
PrefixScreen screen_prefixes(const Format& format, const Strided& x, const Strided& got, std::size_t n,
                             const Dyadic& start, double largest, bool is_exact, const PrefixRule& rule);

}  // namespace assay::oracle
