#pragma once
// Bounds of sums and dot products, whose coefficients depend on the number of terms.

#include "arith/hd.hpp"
#include "probes/residual.hpp"
#include "probes/sum/vectors.hpp"

namespace assay::probes::sum {

/// |error| ≤ a_n·|s| + b_n·S + c_n·η for n terms whose exact sum is s and whose magnitudes come to S, η the smallest
/// positive number of the format of the results. Every coefficient is rounded down.
struct Coefficients {
  double of_sum[longest + 1];         ///< a
  double of_magnitudes[longest + 1];  ///< b
  double of_smallest[longest + 1];    ///< c

  /// A number that is at most the bound, where that is 2⁻¹⁰²⁰ or more: each part is rounded four times at most, and
  /// subnormal products and `sum` exceed them by a few places of 2⁻¹⁰⁷⁴.
  ASSAY_HD constexpr double at_least(int n, double sum, double magnitudes, double smallest) const {
    const double whole = of_sum[n] * sum + of_magnitudes[n] * magnitudes + of_smallest[n] * smallest;
    return whole * (1 - 0x1p-50);
  }
};

/// The rounded sum of `count` magnitudes, themselves rounded once, as a number that is at most the exact sum: each of
/// the count roundings gains the factor 1 + u at most. Requires: count ≤ 128 (not checked).
ASSAY_HD constexpr double at_most_total(double rounded, int count) { return rounded * (1 - (count + 2) * 0x1p-53); }

/// A lower bound of |s|, where |s − z| ≤ upper, and s − z is within upper − |difference| of `difference`. If it is
/// subnormal, it may exceed |s| by one place.
ASSAY_HD constexpr double at_most_sum(double z, double difference, double upper) {
  const double near = absolute(z + difference) * (1 - 0x1p-51);
  const double least = (near - (upper - absolute(difference)) * (1 + 0x1p-51)) * (1 - 0x1p-51);
  return least > 0 ? least : 0;
}

/// The number of passes that leave less than 2⁻³² of u^order·S of a sum: docs/decisions/device_judge.md.
template <class T, int order>
inline constexpr int passes_for_order = 1 + (order * FloatTraits<T>::precision + 52) / 53;

}  // namespace assay::probes::sum
