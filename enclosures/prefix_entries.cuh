#pragma once
// What arithmetic in binary64 knows of a stretch of prefix sums, and whether that shows a result to keep a rule.
// Compiled as enclosures/entries.cuh is.

#include "enclosures/entries.cuh"

namespace assay::enclosures {

constexpr Integer prefix_length = 1 << 14;  // of a stretch

/// What a kernel finds of the numbers of a stretch.
struct PrefixTotals {
  Sums sums;
  Integer numbers = 0;
  int low = no_numbers;  ///< all are multiples of 2^low
  int is_special = 0;    ///< one is infinite or a NaN
  int has_subnormal = 0;
};
ASSAY_ENTRY void add_to(PrefixTotals& totals, double x, double least_normal) {
  ++totals.numbers;
  if (!is_number(x)) totals.is_special = 1;
  const int low = lowest_bit(x);
  if (low < totals.low) totals.low = low;
  if (x != 0 && magnitude_of(x) < least_normal) totals.has_subnormal = 1;
  add_rounded(x, 1, totals.sums);
}
ASSAY_ENTRY void join_to(PrefixTotals& totals, const PrefixTotals& other) {
  totals.numbers += other.numbers;
  totals.is_special |= other.is_special;
  totals.has_subnormal |= other.has_subnormal;
  if (other.low < totals.low) totals.low = other.low;
  add_sums(other.sums, totals.sums);
}

/// Of a stretch: its sums that begin with `start` are off by at most `radius`, and no bound of theirs is below `bound`.
struct PrefixStretch {
  int is_open = 0;
  Sums start;
  double radius = 0, bound = 0;
};

/// Error/bound of a sum that is shown to keep the rule, at most 1; otherwise −1: theorem scan.enclosure.1.
ASSAY_ENTRY double share_of_prefix(const Sums& sums, const PrefixStretch& stretch, double got, Rule rule,
                                   const Numbers& numbers) {
  constexpr double up = 1 + 0x1p-50;
  if (!is_number(got)) return -1;
  const double first = got - sums.high, second = first - sums.low;
  const double radius = magnitude_of(first) * 0x1p-52 + stretch.radius;
  double error = (magnitude_of(second) + radius) * up;
  if (rule != rule_within) {
    const double gap = got == 0 ? 0 : gap_at(got, numbers);
    const double most = rule == rule_rounded ? gap / 2 : gap;
    return error < most ? error / most : -1;
  }
  if (numbers.is_stored != 0) error = error_of_stored(got, -second, radius, numbers);
  if (error == 0) return 0;
  return error <= stretch.bound ? error / stretch.bound : -1;
}

}  // namespace assay::enclosures
