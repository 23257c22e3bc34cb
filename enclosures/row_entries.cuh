#pragma once
// What arithmetic in binary64 knows of a row of softmax, log_softmax, layer_norm or rms_norm and of its numbers, and
// whether that shows a result to keep a rule. Compiled as enclosures/entries.cuh is.

#include "enclosures/entries.cuh"

namespace assay::enclosures {

enum RowOperation { softmax, log_softmax, layer_norm, rms_norm };

/// Matrices whose rows lie `x_step` and `got_step` numbers apart; weights and biases of norms, one a column.
struct Rows {
  const void *x, *got, *weight, *bias;
  Integer x_step, got_step, columns;
};

/// What a kernel finds of a row.
struct RowFacts {
  int is_special = 0;   ///< it has a NaN or +∞, of a norm also −∞
  int has_far = 0;      ///< of softmax: some Dᵢ is larger than 2048
  Integer numbers = 0;  ///< that are not −∞
  double largest = 0;   ///< of softmax: m
  double size = 0;      ///< the largest |xᵢ|
  double second = 0;    ///< of softmax: the smallest Dᵢ of all but one that is m, rounded; 0 where it is above 2048
  double rest = 0;      ///< Σ exp(−Dᵢ) of all but one that is m; of a norm Σ(xᵢ − center)²
  double center = 0;    ///< about the mean for layer_norm
  Sums sums;            ///< of the numbers, for layer_norm
};

/// What encloses the numbers of a row, and what makes a number that no bound of theirs falls below.
struct Row {
  int is_open = 0;    ///< nothing is known
  double center = 0;  ///< m; about the mean
  double scale = 0;   ///< about Z, ln Z or 1/√V
  double slack = 0;   ///< a relative error
  double lost = 0;    ///< of a norm: an error for each unit of the weight
  // At least `relative` of σ or |t|, `result` of Dσ, D or |y|, `alone`; of a norm also of |w|/√V, |b| and |w|.
  double relative = 0, result = 0, alone = 0, deviation = 0, bias = 0, weight = 0;
};

/// |truth − value| ≤ radius, and no bound of the number is below `floor`.
struct Known {
  double value, radius, floor;
};

constexpr double most_numbers = 0x1p20;  // of a row of which something is known
constexpr double far_from_largest = 2048;
constexpr double least_rest = 0x1p-800;  // where the logarithm of a sum is known from its rest

/// exp(−d − low) within a relative 5u; 0 where d > 624: theorem softmax.enclosure.1. Requires: d ≥ 0, |low| ≤ ud.
ASSAY_ENTRY double exponential(double d, double low) {
  if (!(d <= 624)) return 0;
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln2_high = 0x1.62e42feep-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  constexpr double reciprocals[] = {
      1,         1,          1. / 2,      1. / 6,       1. / 24,       1. / 120,       1. / 720,
      1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800};
  const double k = rint(d * log2_e);
  const double minus_r = (k * ln2_low - (d - k * ln2_high)) - low;
  double sum = 0;
  for (int j = 13; j >= 0; --j) sum = sum * minus_r + reciprocals[j];
  return sum * power_of_two(-static_cast<int>(k));
}

/// x − y = high + low exactly: TwoSum.
struct Difference {
  double high, low;
};
ASSAY_ENTRY Difference difference(double x, double y) {
  const double high = x - y;
  const double part = high - x;
  return {high, (x - (high - part)) + (-y - part)};
}
/// exp(−(x − y)).
ASSAY_ENTRY double exponential_of(Difference d) { return exponential(d.high, d.low); }

/// A relative error of σᵢ and λᵢ in a row of n numbers, n ≤ 2²⁰: theorem softmax.enclosure.2.
ASSAY_ENTRY double slack_of(Integer n) { return (static_cast<double>(n) + 14) * 0x1p-53 * (1 + 0x1p-20); }

/// What encloses a row of softmax with Z, or of log_softmax with ln Z, as `scale`: theorem softmax.enclosure.2.
ASSAY_ENTRY Row row_of_exponentials(const RowFacts& facts, double scale) {
  Row row;
  const bool is_long = static_cast<double>(facts.numbers) > most_numbers;
  row.is_open = facts.is_special != 0 || facts.numbers < 1 || is_long || !is_number(scale) ? 1 : 0;
  row.center = facts.largest;
  row.scale = scale;
  row.slack = slack_of(facts.numbers);
  return row;
}

/// σ of a number of a row, and a floor: theorems softmax.enclosure.2 and 3.
ASSAY_ENTRY Known number_of_softmax(double x, const Row& row) {
  constexpr double down = 1 - 0x1p-40;
  const Difference d = difference(row.center, x);
  const double exponential = exponential_of(d);
  if (!(exponential >= 0x1p-880)) return {0, 0x1p-870, row.alone};
  const double value = exponential / row.scale;
  const double least = value * (1 - 2 * row.slack);
  return {value, value * row.slack, ((row.relative + row.result * (d.high * down)) * least + row.alone) * down};
}

/// λ of a number of a row, and a floor: likewise.
ASSAY_ENTRY Known number_of_log_softmax(double x, const Row& row) {
  constexpr double down = 1 - 0x1p-40;
  const double d = row.center - x;
  const double value = d + row.scale;
  return {-value, value * row.slack, (row.relative + row.result * (d * down) + row.alone) * down};
}

/// y of a number of a row with its weight and its bias: theorem normalization.enclosure.1.
ASSAY_ENTRY Known number_of_norm(double x, double w, double b, const Row& row) {
  constexpr double up = 1 + 0x1p-48, down = 1 - 0x1p-40;
  const double size = magnitude_of(w);
  const double t = (x - row.center) * (w * row.scale);
  const double off = (magnitude_of(t) * row.slack + row.lost * size) * up;
  const double y = t + b;
  const double radius = (off + magnitude_of(y) * 0x1p-53) * up;
  const double of_t = magnitude_of(t) - off, of_y = magnitude_of(y) - radius;
  double floor = row.alone + row.bias * magnitude_of(b) + (row.weight + row.deviation * row.scale * down) * size;
  if (of_t > 0) floor += row.relative * of_t;
  if (of_y > 0) floor += row.result * of_y;
  return {y, radius, floor * down};
}

/// At most what the numbers of a NormRow are.
struct LeastSizes {
  double mean, mean_magnitude, mean_square, variance, inverse, inverse_root;
};

/// What encloses a row of n numbers of layer_norm, or of rms_norm, n ≤ 2²⁰: theorem normalization.enclosure.1.
ASSAY_ENTRY Row row_of_norm(const RowFacts& facts, bool has_mean, double eps, LeastSizes& least) {
  constexpr double up = 1 + 0x1p-30, down = 1 - 0x1p-30, unit = 0x1p-53;
  const double n = static_cast<double>(facts.numbers);
  const double gamma = (n + 16) * unit * up;
  Row row;
  row.center = facts.center;
  double off = 0;
  least = {};
  if (has_mean) {
    const Enclosure sum = enclosure_of(facts.sums, facts.numbers + 16, false);
    off = (magnitude_of(facts.center) * 0x1p-52 + sum.radius / n) * up;
    const double mean = magnitude_of(facts.center) - off;
    least.mean = mean > 0 ? mean * down : 0;
    least.mean_magnitude = sum.magnitude / n * down;
  }
  const double mean_square = facts.rest / n;
  const double variance = mean_square * (1 - gamma) - off * off * up;
  const double radicand = mean_square + eps;
  const double relative = (gamma + unit + off * off / radicand) * up;
  row.is_open = facts.is_special != 0 || !(n <= most_numbers) || !(relative <= 0x1p-31) ? 1 : 0;
  row.scale = 1 / sqrt(radicand);
  row.slack = (relative + 8 * unit) * up;
  row.lost = off * row.scale * up;
  least.variance = variance > 0 ? variance * down : 0;
  least.mean_square = (least.variance + least.mean * least.mean) * down;
  least.inverse_root = row.scale * (1 - row.slack) * down;
  least.inverse = least.inverse_root * least.inverse_root * down;
  return row;
}

/// Error/bound of a number that is shown to keep a rule, at most 1: theorem softmax.enclosure.3. Otherwise a negative
/// number, the lower the farther the error is above what is shown.
ASSAY_ENTRY_ONCE double share_of(const Known& truth, double got, Rule rule, const Numbers& numbers) {
  constexpr double up = 1 + 0x1p-50, farthest = -0x1p1000;
  if (!is_number(got)) return farthest;
  double error = (magnitude_of(got - truth.value) + truth.radius) * up;
  if (rule != rule_within) {
    const double gap = got == 0 ? power_of_two(numbers.emin - numbers.precision + 1) : gap_at(got, numbers);
    const double most = rule == rule_rounded ? gap / 2 : gap;
    return error < most ? error / most : -1 - error / most;
  }
  if (numbers.is_stored != 0) error = error_of_stored(got, truth.value - got, truth.radius, numbers);
  if (error == 0) return 0;
  if (error <= truth.floor) return error / truth.floor;
  return truth.floor > 0 ? -1 - error / truth.floor : farthest;
}

}  // namespace assay::enclosures
