#pragma once
// What arithmetic in binary64 knows of sums, maxima, variances and sums of exponentials of the rows of a formula, and
// what no bound of their errors falls below. Compiled as enclosures/entries.cuh is.

#include "enclosures/elementwise_entries.cuh"

namespace assay::enclosures {

enum ReductionOp {
  sum_of_row,
  products_of_row,
  largest_of_row,
  picked_of_row,
  moments_of_row,       ///< of a variance, before its deviations
  deviations_of_row,    ///< from the center that the moments have
  exponentials_of_row,  ///< of the distances to the largest number
};

/// A reduction of a row: it makes one or several numbers of the row.
struct Reduction {
  int op, a, b;      ///< arguments of its terms
  int needed;        ///< of deviations and exponentials: the first number of the row that they need
  int slot;          ///< the first of its numbers, like `needed` without most_slots
  int label;         ///< of a pick: the array of integers
  int has_ignored;   ///< and `ignored` names no place
  int is_stored;     ///< rounded to the format of stored definitions
  int may_be_exact;  ///< formula.grid.1 may hold
  int has_exact_products, has_unit, has_weights;
  Integer ignored;
  double terms, height;            ///< n, and the height of their additions
  double extra;                    ///< further roundings of each term
  double least_moved, most_moved;  ///< of the factors that may move into the sum
  double normal_a, normal_b;       ///< with a matrix unit: the smallest normal numbers of its factors
};

/// Numbers of a row that several reductions need behind their first one.
enum { number_of_row, size_of_row, numbers_of_largest };                       // of a maximum
enum { center_of_row, magnitudes_of_row, errors_of_row, numbers_of_moments };  // of moments
enum { sum_of_weights = 1, norm_of_weights, lost_of_weights, numbers_of_exponentials };

/// What the terms of a part of a row come to.
struct RowTotals {
  Sums values;                  ///< of the values of the terms; of deviations and exponentials `low` has them
  double radius = 0;            ///< Σ of the radii; of a maximum and of moments the largest one
  double least = 0, most = 0;   ///< Σ of the errors to both sides, or the largest ones, or Σ of their squares
  double low = 0, high = 0;     ///< Σ of the magnitudes to both sides, or the largest one
  double lone = 0, lifted = 0;  ///< Σ(1 + |a|)(1 + |b|), of moments Σ low²; formula.unit.1, of moments Σ high²
  double largest = 0;           ///< of a maximum
  Integer nonzero = 0;          ///< terms that are not 0
  int grid = no_numbers;        ///< all values are multiples of 2 to it
  int has_any = 0, is_open = 0;
};

constexpr double row_up = 1 + 0x1p-18, row_down = 1 - 0x1p-18;  // more than n·2⁻⁵³ and 2⁻²⁰ together
constexpr double most_terms = 0x1p31;                           // of a row
constexpr Integer most_parts = 8192;                            // of a row

ASSAY_ENTRY double least_size(const ElementwiseNumber& x) {
  const double size = magnitude_of(x.value);
  return size > x.radius ? size - x.radius : 0;
}
ASSAY_ENTRY double most_size(const ElementwiseNumber& x) { return magnitude_of(x.value) + x.radius + x.most; }
ASSAY_ENTRY double larger(double a, double b) { return a > b ? a : b; }
ASSAY_ENTRY double smaller(double a, double b) { return a < b ? a : b; }
/// At least e^t − 1 for t ≥ 0.
ASSAY_ENTRY double most_grown(double t) {
  if (t <= 1) return t * (1 + t);
  return t <= farthest_exponent ? exponential_at(t) * row_up : no_bound();
}

/// What an exponent of a weight errs by without its distance to the largest one, and its rounding: formula.logits.1.
struct Exponents {
  double least_of_function, most_of_function;  ///< of one exponential
  double beta;                                 ///< at least β and β' of formula.weight.1
};
ASSAY_ENTRY Exponents exponents_of(const ElementwiseCosts& costs, double terms, double size) {
  const double relative = 2 * costs.functions * costs.unit, slack = costs.unit * (1 + 8 * costs.unit);
  const double often = costs.is_online != 0 ? terms : 1;
  Exponents of{relative, relative <= 0.25 ? relative * (1 + 2 * relative) : no_bound(), 0};
  of.beta = (often * (slack * costs.exp_shift * size + of.most_of_function) + 2 * costs.half_eta) * row_up;
  return of;
}
/// The error of a logit, its own and that of its exponential but for the function: to one side.
ASSAY_ENTRY double least_of_logit(const ElementwiseNumber& s, const ElementwiseNumber& top, double distance,
                                  const ElementwiseCosts& costs) {
  const double shift = least_size(costs.is_online != 0 ? s : top);
  return s.least + costs.unit * (costs.exp_difference * (distance + s.least) + costs.exp_shift * shift);
}
ASSAY_ENTRY double most_of_logit(const ElementwiseNumber& s, const ElementwiseNumber& top, double beta,
                                 const ElementwiseCosts& costs) {
  const double slack = costs.unit * (1 + 8 * costs.unit);
  const double distance = (top.value - s.value) + top.radius + top.most + s.radius + s.most;
  return (s.most + slack * costs.exp_difference * distance) * row_up + beta;
}
/// At most the distance of the exact logit to the largest one.
ASSAY_ENTRY double least_distance(const ElementwiseNumber& s, const ElementwiseNumber& top) {
  const double distance = (top.value - s.value) * elementwise_down - 2 * top.radius;
  return distance > 0 ? distance : 0;
}

/// Adds the term of a column. `first`: the numbers of the row that the reduction needs.
ASSAY_ENTRY_ONCE void add_term(const Reduction& of, const ElementwiseCosts& costs, const ElementwiseNumber& a,
                               const ElementwiseNumber& b, const ElementwiseNumber* first, RowTotals& to) {
  if (!is_number(a.value) || a.may_overflow) {
    to.is_open = 1;
    return;
  }
  switch (of.op) {
    case sum_of_row: {
      const double low = least_size(a), high = most_size(a);
      add_rounded(a.value, 1, to.values);
      to.radius += a.radius;
      to.least += a.least;
      to.most += a.most;
      to.low += low;
      to.high += high;
      to.lone += 1 + high;
      to.nonzero += low > 0 ? 1 : 0;
      const int grid = lowest_bit(a.value);
      if (grid < to.grid) to.grid = grid;
      return;
    }
    case products_of_row: {
      if (!is_number(b.value) || b.may_overflow) {
        to.is_open = 1;
        return;
      }
      ElementwiseNode product{};
      product.op = op_mul;
      const ElementwiseNumber y = value_of(product, a, b);
      const double low = least_size(a) * least_size(b), of_a = most_size(a), of_b = most_size(b);
      add_rounded(y.value, 1, to.values);
      to.radius += y.radius;
      to.least += propagated_of(product, a, b, y, false);
      to.most += propagated_of(product, a, b, y, true);
      to.low += low;
      to.high += of_a * of_b;
      to.lone += (1 + of_a) * (1 + of_b);
      to.lifted = larger(to.lifted, larger(of_a, of.normal_a) * larger(of_b, of.normal_b));
      to.nonzero += low > 0 ? 1 : 0;
      const int grid = lowest_bit(y.value);
      if (grid < to.grid) to.grid = grid;
      return;
    }
    case largest_of_row:
      to.largest = to.has_any == 0 ? a.value : larger(to.largest, a.value);
      to.has_any = 1;
      to.radius = larger(to.radius, a.radius);
      to.least = larger(to.least, a.least);
      to.most = larger(to.most, a.most);
      to.high = larger(to.high, most_size(a));
      return;
    case moments_of_row: {
      const double low = least_size(a), high = most_size(a);
      add_rounded(a.value, 1, to.values);
      to.radius = larger(to.radius, a.radius);
      to.least = fma(a.least, a.least, to.least);
      to.most = fma(a.most, a.most, to.most);
      to.low += low;
      to.high += high;
      to.lone = fma(low, low, to.lone);
      to.lifted = fma(high, high, to.lifted);
      return;
    }
    case deviations_of_row: {
      const double d = a.value - first[center_of_row].value;
      to.low = fma(d, d, to.low);
      return;
    }
    default: {
      const ElementwiseNumber& top = first[number_of_row];
      const double beta = exponents_of(costs, of.terms, first[size_of_row].value).beta;
      const double weight = exponential_of(difference(top.value, a.value));
      const double most = most_of_logit(a, top, beta, costs);
      to.low += weight;
      to.least = fma(weight, least_of_logit(a, top, least_distance(a, top), costs), to.least);
      to.most = fma(weight, most, to.most);
      to.high = larger(to.high, most);
    }
  }
}

/// Adds the number of a column if its place is the one that the integer of the row names.
ASSAY_ENTRY void add_picked(const ElementwiseNumber& a, bool is_named, RowTotals& to) {
  if (!is_number(a.value) || a.may_overflow) {
    to.is_open = 1;
    return;
  }
  if (is_named) {
    to.largest = a.value;
    to.radius = a.radius;
    to.has_any = 1;
  }
  to.least = larger(to.least, is_named ? a.least : 0);
  to.most = larger(to.most, a.most);
}

/// Adds the totals of another part.
ASSAY_ENTRY void add_totals(int op, const RowTotals& other, RowTotals& to) {
  const bool selects = op == largest_of_row || op == picked_of_row;
  if (other.has_any != 0) {
    to.largest = to.has_any == 0 ? other.largest : larger(to.largest, other.largest);
    to.has_any = 1;
  }
  to.is_open |= other.is_open;
  if (other.grid < to.grid) to.grid = other.grid;
  to.nonzero += other.nonzero;
  add_sums(other.values, to.values);
  to.radius = selects || op == moments_of_row ? larger(to.radius, other.radius) : to.radius + other.radius;
  to.least = selects ? larger(to.least, other.least) : to.least + other.least;
  to.most = selects ? larger(to.most, other.most) : to.most + other.most;
  to.low += other.low;
  to.high = selects || op == exponentials_of_row ? larger(to.high, other.high) : to.high + other.high;
  to.lone += other.lone;
  to.lifted = op == moments_of_row ? to.lifted + other.lifted : larger(to.lifted, other.lifted);
}

/// A number with what it errs by, or a NaN where nothing is known, or where a number may overflow.
ASSAY_ENTRY ElementwiseNumber finished(const Reduction& of, const ElementwiseCosts& costs, ElementwiseNumber y) {
  store(costs, of.is_stored, y);
  const double high = most_size(y);
  const double largest = of.is_stored != 0 ? costs.largest : costs.largest_wide;
  if (!is_number(y.radius) || !is_number(y.most) || !(high < largest)) y.value = no_number();
  return y;
}

/// The exact sum of the values that were added: theorem elementwise.rows.1.
ASSAY_ENTRY ElementwiseNumber sum_of(const RowTotals& totals, double terms) {
  constexpr double up = 1 + 0x1p-40, unit = 0x1p-53;
  const double size = totals.values.magnitude * row_up;
  const bool is_nothing = totals.grid == no_numbers;
  const int top = is_nothing ? 0 : totals.grid + 53;
  if (totals.radius == 0 && (is_nothing || (top > -1022 && top < 1000 && size <= power_of_two(top)))) {
    return {totals.values.high, 0, 0, 0};
  }
  const Enclosure sum = enclosure_of(totals.values, static_cast<Integer>(terms) + most_parts, false);
  const double value = sum.value + sum.low;
  return {value, (magnitude_of(value) * unit + sum.radius + totals.radius * row_up) * up + 0x1p-1070, 0, 0};
}

/// A sum of numbers or of products: theorems elementwise.rows.1 and elementwise.rows.3.
ASSAY_ENTRY_ONCE ElementwiseNumber number_of_sum(const Reduction& of, const ElementwiseCosts& costs,
                                                 const RowTotals& totals) {
  const double u = costs.unit, eta = 2 * costs.half_eta, n = of.terms;
  const bool is_dot = of.op == products_of_row, has_weights = of.has_weights != 0;
  ElementwiseNumber y = sum_of(totals, n);
  const double low = totals.low * row_down, high = totals.high * row_up;
  const double nonzero = has_weights ? n : static_cast<double>(totals.nonzero);
  const double additions = nonzero < 1 ? 0 : smaller(of.height, nonzero - 1);
  const double of_product = is_dot && (of.has_exact_products == 0 || has_weights) ? 1 : 0;
  const double online = has_weights && costs.is_online != 0 ? n : 0;
  const double extra = of.extra + (has_weights ? 2 + online : 0);

  const double p_low = totals.least * row_down;
  const int top = totals.grid == no_numbers ? 0 : costs.precision + totals.grid;
  const bool is_off_grid = totals.radius == 0 && top > -1000 && top < 1000 && low > power_of_two(top);
  const bool is_exact = p_low == 0 && of.may_be_exact != 0 && !is_off_grid;
  double local = (additions + of_product + extra) * u * low + of_product * nonzero * costs.half_eta;
  if (of.has_unit != 0) {
    const double of_unit = (n * 0x1p-23 + extra * u) * low;
    local = larger(local, of_unit) + (has_weights ? local : 0);
  }
  if (of.extra != 0) local += eta * n * of.least_moved;
  y.least = p_low + (is_exact ? 0 : local);

  const double all = smaller(of.height, n - 1), late = has_weights ? 32 : 1;
  const double grown = most_grown((all + of_product + extra) * u), of_extra = most_grown(extra * u);
  const double theta = n * 0x1p-23;
  double most = grown * high + of_product * n * costs.half_eta * (1 + grown) * late;
  if (of.has_unit != 0) {
    const double lifted = larger(larger(high, 0x1p-126), totals.lifted);
    most = larger(most, (theta + of_extra + theta * of_extra) * lifted) + (has_weights ? most : 0);
  }
  if (of.extra != 0) most += eta * totals.lone * row_up * of.most_moved;
  double partial = of.extra != 0 ? larger(high, totals.lone * row_up * of.most_moved) : high;
  if (has_weights) partial = larger(partial, 8 * totals.lone * row_up);
  partial *= 1 + most_grown((2 * n + 6 + of.extra) * u);
  y.most = totals.most * row_up + most;
  if (!(partial + most < costs.largest_wide)) y.value = no_number();
  return finished(of, costs, y);
}

/// What a variance needs of a row: its center, its magnitudes and its errors.
ASSAY_ENTRY void write_moments(const Reduction& of, const RowTotals& totals, ElementwiseNumber* to) {
  constexpr double up = 1 + 0x1p-40;
  const double n = of.terms;
  const ElementwiseNumber sum = sum_of({totals.values, 0, 0, 0, 0, 0, 0, 0, 0, 0, -100000}, n);
  const double center = sum.value / n;
  const double off = (sum.radius / n + magnitude_of(center) * 0x1p-53) * up;
  to[center_of_row] = {center, off, totals.radius, 0};
  to[magnitudes_of_row] = {totals.low / n * row_down, totals.high / n * row_up, totals.lone / n * row_down,
                           totals.lifted / n * row_up};
  to[errors_of_row] = {totals.least / n * row_down, totals.most / n * row_up, 0, 0};
}

/// A variance: theorems elementwise.rows.1 and elementwise.rows.3. `first`: the numbers of its moments.
ASSAY_ENTRY_ONCE ElementwiseNumber number_of_variance(const Reduction& of, const ElementwiseCosts& costs,
                                                      const RowTotals& totals, const ElementwiseNumber* first) {
  constexpr double up = 1 + 0x1p-40, unit = 0x1p-53;
  const double u = costs.unit, eta = 2 * costs.half_eta, n = of.terms, q = costs.quotient;
  const ElementwiseNumber &center = first[center_of_row], &magnitudes = first[magnitudes_of_row],
                          &errors = first[errors_of_row];
  const double off = center.radius, moved = center.least;
  ElementwiseNumber y{totals.low / n, 0, 0, 0};
  const double gamma = (n + most_parts + 16) * unit * row_up;
  const double root = sqrt(y.value * (1 + 2 * gamma)) * up;
  y.radius = (y.value * (gamma + unit) + off * off + (2 * root + moved) * moved) * up + 0x1p-1000;
  const double low = least_size(y), high = y.value + y.radius;
  const double hops = smaller(of.height, n - 1);

  const double p_low = 2 * sqrt(errors.value * low) * elementwise_down + errors.value;
  double local = (hops + 3 + q) * u * (low + p_low) + (2 + q) * eta;
  if (costs.has_one_pass != 0) {
    const double of_mean = (hops + q) * u * magnitudes.value;
    const double first_pass = (hops + 1 + q) * u * magnitudes.least;
    const double second = 2 * of_mean * magnitudes.value + u * magnitudes.value * magnitudes.value;
    local = larger(local, first_pass + second + u * (low + p_low));
  }
  y.least = p_low + local;

  const auto times = [](double a, double b) { return a + b + a * b; };
  const double of_sum = most_grown(hops * u);
  const double mean = magnitudes.radius, squares = magnitudes.most;
  const double p_high = 2 * sqrt(errors.radius * high) * elementwise_up + errors.radius;
  const double of_mean = times(of_sum, most_grown(q * u)) * mean + q * costs.half_eta;
  const double shifted = of_mean * of_mean, of_squares = times(of_sum, most_grown((3 + q) * u));
  const double largest = high + p_high;
  double most = of_squares * (largest + shifted) + shifted + (2 + q) * eta;
  if (costs.has_one_pass != 0) {
    const double first_pass = times(of_sum, most_grown((1 + q) * u)) * squares + (2 + q) * eta;
    const double second = of_mean * (2 * mean + of_mean) + u * (mean + of_mean) * (mean + of_mean) + eta;
    most = larger(most, (first_pass + second) * (1 + u) + u * largest);
  }
  y.most = (p_high + most) * row_up;
  const double partial = squares * n * 4 * (1 + most_grown((n + 4) * u));
  if (!(partial + most < costs.largest_wide)) y.value = no_number();
  return finished(of, costs, y);
}

/// A relative error of the sum of the weights of a row: g of formula.norm.1.
ASSAY_ENTRY double roundings_of_weights(const Reduction& of, const ElementwiseCosts& costs) {
  return (costs.is_online != 0 ? 2 * (of.terms - 1) : smaller(of.height, of.terms - 1)) * costs.unit;
}

/// The logarithm of a sum of exponentials, and what weights need of a row: theorems elementwise.rows.2 and
/// elementwise.rows.4. `first`: the numbers of its maximum.
ASSAY_ENTRY_ONCE void write_exponentials(const Reduction& of, const ElementwiseCosts& costs, const RowTotals& totals,
                                         const ElementwiseNumber* first, ElementwiseNumber* to) {
  constexpr double up = 1 + 0x1p-40, unit = 0x1p-53;
  const double u = costs.unit, eta = 2 * costs.half_eta, n = of.terms;
  const ElementwiseNumber& top = first[number_of_row];
  const Exponents exponents = exponents_of(costs, n, first[size_of_row].value);
  const double sum = totals.low, logarithm = log_at(sum);
  const double relative = (n + most_parts + 16) * unit * row_up;  // of the sum, for the logits that are computed
  const double off = (relative + 2 * top.radius) * up;
  ElementwiseNumber y{top.value + logarithm, 0, 0, 0};
  const double of_logarithm = (relative + 16 * unit * logarithm) * up + not_vanished;
  y.radius = (top.radius + of_logarithm + magnitude_of(y.value) * unit) * up;

  const double p_low = totals.least / sum * (1 - 2 * off) * row_down + exponents.least_of_function * elementwise_down;
  const double g = roundings_of_weights(of, costs), g_most = most_grown(g);
  const double g_norm = g_most <= 0.5 ? g_most * (1 + 2 * g_most) : no_bound();
  const double log_low = logarithm - of_logarithm - 2 * top.radius, a_low = log_low > 0 ? log_low : 0;
  double error = g + 2 * costs.functions * u * a_low + costs.functions * eta;
  if (costs.exp_shift != 0) error += 5 * u * (least_size(top) + a_low);
  y.least = p_low + error + u * (least_size(y) + p_low + error);

  const double p_all = totals.most / sum * (1 + 2 * off) * row_up, largest = totals.high;
  const double p_high = largest <= 0.25 ? smaller(largest, p_all * (1 + 2 * largest)) : largest;
  // e^2β is at most 8 for β ≤ 1, and 1/(1 − g) at most 2.
  const double often = costs.is_online != 0 ? n : 1;
  const double lost = exponents.beta <= 1 ? often * costs.functions * eta * 16 : no_bound();
  const double a_high = log_at(n) * up + exponents.beta + g_norm;
  const double size = first[size_of_row].value;
  double most = g_norm + 2 * costs.functions * u * a_high + costs.functions * eta + 2 * n * lost;
  if (costs.exp_shift != 0) most += 5 * u * (size + a_high);
  y.most = (p_high + most + u * (magnitude_of(y.value) + y.radius + p_high + most)) * row_up;
  const double partial = n * 3 * (1 + g_most);
  const bool is_said = partial < costs.largest_wide && 1.5 * costs.exp_shift * size < costs.largest_wide &&
                       n * lost <= 0.125 && off <= 0x1p-20 && top.radius <= 0x1p-20;
  if (!is_said) y.value = no_number();
  to[number_of_row] = finished(of, costs, y);
  to[sum_of_weights] = {is_said ? sum : no_number(), off, p_low, p_all};
  const bool is_normal = costs.quotient == 1 || partial * costs.least_normal <= 1;
  to[norm_of_weights] = {g, is_normal ? g_norm * row_up : no_bound(), n, largest};
  to[lost_of_weights] = {lost, exponents.beta, 0, 0};
}

/// A weight of a softmax from its logit: likewise. `first`: the numbers of the maximum, `of_sum` those of the sum.
ASSAY_ENTRY_ONCE ElementwiseNumber number_of_weight(const ElementwiseNode& node, const ElementwiseCosts& costs,
                                                    const ElementwiseNumber& s, const ElementwiseNumber* first,
                                                    const ElementwiseNumber* of_sum) {
  constexpr double unit = 0x1p-53;
  const double u = costs.unit, q = costs.quotient;
  const ElementwiseNumber &top = first[number_of_row], &sum = of_sum[sum_of_weights], &norm = of_sum[norm_of_weights],
                          &gone = of_sum[lost_of_weights];
  const double n = norm.least, farthest = norm.most, lost = gone.value, beta = gone.radius;
  const Exponents exponents = exponents_of(costs, n, first[size_of_row].value);
  ElementwiseNumber p{exponential_of(difference(top.value, s.value)) / sum.value, 0, 0, 0};
  p.radius = p.value * (sum.radius + s.radius + 16 * unit) * row_up + not_vanished;
  const double low = least_size(p), high = p.value + p.radius;
  const double others_low = high < 1 ? 1 - high : 0, others_high = low < 1 ? 1 - low : 0;

  const double distance = least_distance(s, top);
  const double own = least_of_logit(s, top, distance, costs) + exponents.least_of_function;
  const double of_rest = sum.least * elementwise_down - high * own * elementwise_up;
  double corner = low * (others_low * own + (of_rest > 0 ? of_rest : 0));
  corner = smaller(corner, larger(low, others_low));
  const double p_low = corner + (low + corner) * norm.value;
  double local = q * u * (low + p_low) + q * costs.half_eta;
  if (costs.is_online != 0) {
    const double of_form = u * (costs.exp_difference * distance + costs.exp_shift * least_size(s));
    local += low * 2 * (of_form + exponents.least_of_function);
  }
  p.least = (p_low + local) * elementwise_down;

  const double own_most = most_of_logit(s, top, beta, costs);
  const double moved = smaller(sum.most * (1 + farthest), others_high * most_grown(farthest));
  const double corner_most =
      farthest <= 1 ? smaller(1, high * (others_high * most_grown(own_most) + moved) * (1 + 2 * farthest)) : 1;
  const double p_high = corner_most + (high + corner_most) * norm.radius, largest = high + p_high;
  const double of_quotient = most_grown(q * u);
  double of_numerator = 0;
  if (costs.is_online != 0) of_numerator = largest * most_grown(2 * (own_most - s.most) + u);
  p.most = (p_high + of_quotient * largest + q * costs.half_eta + (1 + of_quotient) * of_numerator +
            2 * lost * (1 + of_quotient) * (1 + n * (largest + of_numerator))) *
           row_up;
  store(costs, node.is_stored, p);
  if (!is_number(sum.value) || !is_number(p.radius) || !is_number(p.most)) p.value = no_number();
  return p;
}

/// Writes the numbers that a reduction makes of a row. `rows`: all numbers of the row.
ASSAY_ENTRY void write_numbers(const Reduction& of, const ElementwiseCosts& costs, const RowTotals& totals,
                               ElementwiseNumber* rows) {
  const ElementwiseNumber* const first = rows + of.needed;
  ElementwiseNumber* const to = rows + of.slot;
  to[0] = {no_number(), 0, 0, 0};
  if (totals.is_open != 0) {
    if (of.op == exponentials_of_row) to[sum_of_weights] = to[0];
    return;
  }
  switch (of.op) {
    case sum_of_row:
    case products_of_row:
      to[0] = number_of_sum(of, costs, totals);
      break;
    case largest_of_row:
      to[0] = finished(of, costs, {totals.largest, totals.radius, totals.least, totals.most});
      to[size_of_row] = {totals.high, 0, 0, 0};
      break;
    case picked_of_row:
      to[0] = finished(of, costs, {totals.has_any != 0 ? totals.largest : 0, totals.radius, totals.least, totals.most});
      break;
    case moments_of_row:
      write_moments(of, totals, to);
      break;
    case deviations_of_row:
      to[0] = is_number(first[center_of_row].value) ? number_of_variance(of, costs, totals, first) : to[0];
      break;
    default:
      if (is_number(first[number_of_row].value)) {
        write_exponentials(of, costs, totals, first, to);
      } else {
        to[sum_of_weights] = to[0];
      }
  }
}

}  // namespace assay::enclosures
