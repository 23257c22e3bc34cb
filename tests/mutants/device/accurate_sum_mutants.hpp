#pragma once
// The S rows of the mutant catalog: NearSum in binary64, one thread per sum, with one mistake each. The mistake is a
// value, so that all rows use one kernel.

#include <span>
#include <vector>

#include "arith/hd.hpp"
#include "exec/executor.hpp"
#include "kernels/sum/summation.hpp"

namespace assay::mutants {

enum class NearSumMistake {
  none,
  faithful,            ///< S1: the faithful sum is the result
  tie_keeps,           ///< S2: at a tie of the remainder the faithful sum is kept: no third pass
  tie_changes,         ///< S3: at a tie of the remainder its neighbor is taken: no third pass
  half_sigma,          ///< S6: σ is half as large
  floor_of_logarithm,  ///< S8: σ from ⌊log₂ max|xⱼ|⌋
  no_underflow_stop,   ///< S12: extraction does not end when σ has reached the smallest normal number
  ties_away,           ///< S13: an exact tie goes to the larger magnitude
  ties_to_odd,         ///< S13: an exact tie goes to the odd neighbor
  one_half_ulp,        ///< S14: half an ulp as above the faithful sum on both sides
  stops_early          ///< S15: extraction ends at 2^(M − p)·σ
};

/// A sum, and the number of passes through its terms. A sum that takes more than most_passes() passes is given up.
struct CountedSum {
  double sum;
  double passes;
};

/// The most extractions of a correct NearSum: σ falls from at most 2¹⁰²³ to 2⁻¹⁰²² in the worst case, each time by at
/// least 2^(53 − M), M = ⌈log₂(n + 2)⌉ ≤ 26, and this in each of three passes.
ASSAY_HD constexpr int most_passes(std::size_t n) {
  int headroom = 1;
  while ((std::size_t{1} << headroom) < n + 2) ++headroom;
  return 3 * (2045 / (53 - headroom) + 2);
}

/// RN(Σx) of each segment. Rump, Ogita, Oishi, Accurate floating-point summation part II, SISC 31(2), 2008, Algorithm
/// 7.1 (NearSum), except that extraction does not start again when the sum so far is zero. Requires: 2^M·max|xⱼ| <
/// 2¹⁰²³.
std::vector<CountedSum> near_sum_with(NearSumMistake mistake, const Executor& on, std::span<const double> x,
                                      sum::Offsets offsets);

}  // namespace assay::mutants
