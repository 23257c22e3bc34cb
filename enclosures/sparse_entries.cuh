#pragma once
// What arithmetic in binary64 knows of a row of a sparse matrix times a vector, and whether that shows a result to keep
// a rule. Compiled as enclosures/entries.cuh is.

#include "enclosures/entries.cuh"

namespace assay::enclosures {

constexpr Integer sparse_part = 1 << 12;     // of a matrix: so many rows and entries
constexpr Integer sparse_stretch = 1 << 14;  // of indices, or of results

/// A matrix in compressed sparse rows, a vector of `width` numbers x, and what a kernel gave for their product, one
/// number after the other. Indices have 4 or 8 bytes.
struct SparseArrays {
  const void *offsets, *columns, *values, *x, *got;
  int offset_bytes, column_bytes;
  Integer rows, width, entries;
};

/// What a result of a row of n entries must be, for one that is finite: γ_m = m·unit/(1 − m·unit), m = n, or ⌈log₂ n⌉ +
/// 1 if it `is_pairwise`.
struct SparseRule {
  Rule kind;  ///< rule_within, rule_rounded, rule_faithful or rule_on_grid
  /// Of the results; bits_of_sums: a row is on a grid 2^g of its products if their magnitudes add up to at most that
  /// many bits, 2^g is at least 2^emin, and no factor is subnormal.
  Numbers numbers;
  double most;  ///< the rule speaks of rows whose magnitudes add up to that
  // For rule_within: γ_m·T + k·lost is at most the bound, k = n, or 2n − 1 if it `is_flushed`; if it `is_compensated`
  // unit·|d| + γ_m²·T + k·lost is. With 6k·lost for k·lost it is at least the bound where T ≥ 2⁻⁹⁰⁰ and no factor is
  // flushed.
  double unit, lost;
  int is_pairwise, is_compensated, is_flushed;
};

/// What the rows of a stretch come to: how many are kept, and the largest of their shares plus 1, with its row.
struct SparseCount {
  Integer kept = 0, row = 0;
  float nearest = 0;
};

/// What a kernel finds of the products of a row, or of some of its entries.
struct SparseTotals {
  Sums sums;             ///< of products of finite factors
  Integer entries = 0;   ///< all of them
  int low = no_numbers;  ///< products other than 0 are multiples of 2^low
  int has_subnormal = 0;
  int special = 0;  ///< products that are no numbers: those below, added
};
constexpr int special_nan = 1, special_above = 2, special_below = 4;

ASSAY_ENTRY void add_to(SparseTotals& totals, double a, double x, int emin) {
  ++totals.entries;
  if (!is_number(a) || !is_number(x)) {
    const double product = a * x;
    totals.special |= product > 0 ? special_above : product < 0 ? special_below : special_nan;
    return;
  }
  if (a == 0 || x == 0) return;
  const int low = lowest_bit(a) + lowest_bit(x);
  if (low < totals.low) totals.low = low;
  const double least = power_of_two(emin);
  if (magnitude_of(a) < least || magnitude_of(x) < least) totals.has_subnormal = 1;
  add_rounded(a, x, totals.sums);
}
ASSAY_ENTRY void join_to(SparseTotals& totals, const SparseTotals& other) {
  totals.entries += other.entries;
  if (other.low < totals.low) totals.low = other.low;
  totals.has_subnormal |= other.has_subnormal;
  totals.special |= other.special;
  add_sums(other.sums, totals.sums);
}

/// Whether all sums are exact: the products are multiples of 2^low, and S < 2⁵³·2^low.
ASSAY_ENTRY bool is_exact(const SparseTotals& totals) {
  const Integer top = static_cast<Integer>(totals.low) + 53;
  return totals.low >= -1022 && (top >= 1023 || totals.sums.magnitude < power_of_two(static_cast<int>(top)));
}

/// From the totals of a row of n entries, which blocks of so many threads add: theorem sparse.enclosure.1.
ASSAY_ENTRY Enclosure enclosure_of_row(const SparseTotals& totals, Integer n, Integer of_block) {
  constexpr double up = 1 + 0x1p-20, down = 1 - 0x1p-50, unit = 0x1p-53;
  const Integer in_thread = n < sparse_part ? n : sparse_part;
  const double depth = static_cast<double>(in_thread + n / (sparse_part * of_block) + 40);
  const double gamma = depth * unit;
  const double radius = is_exact(totals) ? 0 : gamma * gamma * totals.sums.magnitude * up;
  return {totals.sums.high, totals.sums.low, radius, totals.sums.magnitude * (1 - gamma) * down};
}

/// Whether the result is the NaN or the infinity that the products make that are no numbers.
ASSAY_ENTRY bool is_due(int special, double got) {
  if ((special & special_nan) != 0 || special == (special_above | special_below)) return got != got;
  return !is_number(got) && (special == special_above ? got > 0 : got < 0);
}

/// A number that the bound of a row does not fall below; −1 where it is not shown to be below T, or to be a bound.
ASSAY_ENTRY double floor_of_row(const Enclosure& row, Integer n, const SparseRule& rule) {
  constexpr double up = 1 + 0x1p-30, down = 1 - 0x1p-40;
  Integer m = n;
  if (rule.is_pairwise != 0) {
    m = 1;
    for (Integer leaves = 1; leaves < n; leaves *= 2) ++m;
  }
  const double mu = static_cast<double>(m) * rule.unit;
  if (!(mu <= 0.5)) return -1;
  const double gamma = mu / (1 - mu);
  const double growth = rule.is_compensated != 0 ? gamma * gamma : gamma;
  const double lost = static_cast<double>(rule.is_flushed != 0 ? 2 * n - 1 : n) * rule.lost;
  const double largest = ((rule.is_compensated != 0 ? rule.unit + growth : growth) * row.magnitude + 6 * lost) * up;
  if (!(largest < row.magnitude)) return -1;
  const double sum = magnitude_of(row.value) * down - magnitude_of(row.low) - row.radius;
  const double of_sum = rule.is_compensated != 0 && sum > 0 ? rule.unit * sum : 0;
  return (of_sum + growth * row.magnitude + lost) * down;
}

/// Error/bound of the result of a row of n entries that is shown to keep the rule, at most 1; otherwise −1: theorem
/// sparse.enclosure.2.
ASSAY_ENTRY_ONCE double share_of_row(const SparseTotals& totals, Integer n, Integer of_block, double got,
                                     const SparseRule& rule) {
  const Numbers& numbers = rule.numbers;
  if (totals.entries != n || !(totals.sums.magnitude <= rule.most * (1 - 0x1p-20))) return -1;
  if (totals.special != 0) return is_due(totals.special, got) ? 0 : -1;
  if (!is_number(got) || (!is_exact(totals) && totals.sums.magnitude < 0x1p-890)) return -1;
  const Enclosure row = enclosure_of_row(totals, n, of_block);
  double error = error_of(got, row);
  if (rule.kind == rule_rounded || rule.kind == rule_faithful) {
    if (error == 0) return 0;
    const double gap = got == 0 ? 0 : gap_at(got, numbers);
    const double most = rule.kind == rule_rounded ? gap / 2 : gap;
    return error < most ? error / most : -1;
  }
  if (numbers.is_stored != 0 && error != 0) {
    const double off = row.value - got;
    error = error_of_stored(got, off + row.low, magnitude_of(off) * 0x1p-52 + row.radius, numbers);
  }
  const Integer top = static_cast<Integer>(totals.low) + numbers.bits_of_sums;
  const bool is_on_grid = totals.low >= numbers.emin && totals.has_subnormal == 0 &&
                          (top >= 1023 || row.magnitude <= power_of_two(static_cast<int>(top)));
  if (is_on_grid || rule.kind == rule_on_grid) return is_on_grid && error == 0 ? 0 : -1;
  if (row.magnitude < 0x1p-900) return -1;
  if (rule.is_flushed != 0 && totals.has_subnormal != 0) return -1;
  const double floor = floor_of_row(row, n, rule);
  return error <= floor ? error / floor : -1;
}

}  // namespace assay::enclosures
