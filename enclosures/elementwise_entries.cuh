#pragma once
// What arithmetic in binary64 knows of a number of a formula from the numbers of which it is made, and what no
// bound of its error falls below. Compiled as enclosures/entries.cuh is.

#include "enclosures/elements.cuh"
#include "enclosures/functions.cuh"

namespace assay::enclosures {

enum ElementwiseOp {
  op_input,
  op_add,
  op_sub,
  op_mul,
  op_div,
  op_neg,
  op_abs,
  op_relu,
  op_sign,
  op_maximum,
  op_minimum,
  op_power,
  op_function,
  op_weight  ///< of a softmax
};

constexpr int most_slots = 24;   // numbers that are kept at a time
constexpr int most_arrays = 12;  // of a formula
constexpr int factor_of_columns = 4;

/// A node of a formula. An argument is a slot, −1 − c for the constant c, or most_slots + s for the number s of a row.
struct ElementwiseNode {
  int op, a, b;
  int slot;          ///< of the result; of a number of a row likewise
  int detail;        ///< of an input the array, of a power the exponent, of a function its name
  int is_shift;      ///< a factor or the divisor is a power of two
  int is_stored;     ///< rounded to the format of stored definitions
  int is_one_sided;  ///< of a root: its argument errs less to one side, formula.sides.1
  int factors;       ///< 1 or 2, or their sum: a factor that moves into the sum that is the other argument;
                     ///< factor_of_columns more for one of a column
};
/// The passes of a graph, and its result, which the last one has.
struct ElementwiseGraph {
  int first, end, result;
};

/// What the operations of a machine cost: formula.round.1 to formula.function.1 and formula.store.1.
struct ElementwiseCosts {
  int precision;  ///< of the format of numbers that are not stored
  double unit, half_eta;
  double least_normal;               ///< 2^emin
  double functions;                  ///< k
  double quotient;                   ///< q
  double form;                       ///< 3u(1 + 8u) with exponentials by exp2, else 0
  double farthest_exponent;          ///< 2emax + 4
  double largest;                    ///< number of the formats, of the smaller one
  double largest_wide;               ///< of the format of numbers that are not stored
  double exp_difference, exp_shift;  ///< c_d and c_m
  int is_online, has_one_pass;
  int stored_precision;
  double stored_unit, stored_eta;
};

/// A number of a node: the exact one is within `radius` of `value`, and its E of formula.forward.1 is at least `least`,
/// and at most `most` where its own numbers alone make it.
struct ElementwiseNumber {
  double value, radius, least, most;
  bool may_overflow = false;  ///< a program may have an infinity or a NaN in its place
};

ASSAY_ENTRY double input_at(int type, const void* data, Integer at) {
  switch (type) {
    case binary32:
      return element_at<binary32>(data, at);
    case binary16:
      return element_at<binary16>(data, at);
    default:
      return element_at<bfloat16>(data, at);
  }
}

/// Whether a number has at most that many bits.
ASSAY_ENTRY bool has_bits(double x, int precision) {
  return x == 0 || (pattern_of(x) & ((1ULL << (53 - precision)) - 1)) == 0;
}

constexpr double elementwise_up = 1 + 0x1p-20, elementwise_down = 1 - 0x1p-20;

ASSAY_ENTRY bool is_zero(const ElementwiseNumber& x) { return x.value == 0 && x.radius == 0; }

/// The exact value of a node from those of its arguments: theorem elementwise.enclosure.1.
ASSAY_ENTRY_ONCE ElementwiseNumber value_of(const ElementwiseNode& node, const ElementwiseNumber& a,
                                            const ElementwiseNumber& b) {
  constexpr double up = 1 + 0x1p-40, small = 0x1p-900, lost = 0x1p-1070;
  const double size_a = magnitude_of(a.value), size_b = magnitude_of(b.value);
  const bool is_rounded = a.radius != 0 || b.radius != 0;
  ElementwiseNumber y{no_number(), 0, 0, 0};
  switch (node.op) {
    case op_add:
    case op_sub: {
      const double other = node.op == op_add ? b.value : -b.value;
      const Difference sum = difference(a.value, -other);
      y.value = sum.high;
      y.radius = (magnitude_of(sum.low) + a.radius + b.radius) * up;
      break;
    }
    case op_mul: {
      y.value = a.value * b.value;
      if (is_zero(a) || is_zero(b)) break;
      y.radius = (magnitude_of(fma(a.value, b.value, -y.value)) + size_a * b.radius + size_b * a.radius +
                  a.radius * b.radius) *
                 up;
      if (is_rounded || magnitude_of(y.value) < small) y.radius += lost;
      break;
    }
    case op_div: {
      const double below = size_b - b.radius;
      if (!(below > 0)) break;
      y.value = a.value / b.value;
      if (is_zero(a)) break;
      const double rest = magnitude_of(fma(-y.value, b.value, a.value));
      y.radius = (rest + a.radius + magnitude_of(y.value) * b.radius * up) / below * up;
      if (is_rounded || size_a < small || magnitude_of(y.value) < small) y.radius += lost / below * up + lost;
      break;
    }
    case op_neg:
      y.value = -a.value;
      y.radius = a.radius;
      break;
    case op_abs:
      y.value = size_a;
      y.radius = a.radius;
      break;
    case op_relu:
      y.value = a.value > 0 ? a.value : 0;
      y.radius = a.radius;
      break;
    case op_sign:
      if (size_a > a.radius || a.radius == 0) y.value = a.value > 0 ? 1 : a.value < 0 ? -1 : 0;
      break;
    case op_maximum:
    case op_minimum: {
      const bool is_first = node.op == op_maximum ? a.value >= b.value : a.value <= b.value;
      y.value = is_first ? a.value : b.value;
      y.radius = a.radius > b.radius ? a.radius : b.radius;
      break;
    }
    case op_power: {
      double power = a.value, slope = 1;
      for (int n = 1; n < node.detail; ++n) {
        power *= a.value;
        slope *= size_a + a.radius;
      }
      const double rounded = has_bits(a.value, 53 / node.detail) ? 0 : magnitude_of(power) * (node.detail * 0x1p-53);
      y.value = power;
      y.radius = (rounded + node.detail * slope * a.radius) * up;
      if (!is_zero(a) && (a.radius != 0 || magnitude_of(power) < small)) y.radius += node.detail * 0x1p-800;
      break;
    }
    default: {
      const FunctionValue of = function_at(node.detail, a.value);
      y.value = of.value;
      if (is_zero(a) && of.value == 0) break;
      const double moved = a.radius == 0 ? 0 : a.radius * largest_slope(node.detail, a.value, of.value, a.radius);
      y.radius = (magnitude_of(of.value) * of.relative + moved) * up + not_vanished;
    }
  }
  return y;
}

/// λ of a node, to one side: at most, or with `is_upper` at least. `most`: the largest magnitude of its result, x: of
/// its first argument. `is_exact`: all its operations may be exact by formula.grid.1.
ASSAY_ENTRY double local_error_of(const ElementwiseNode& node, const ElementwiseCosts& costs, double most, double x,
                                  bool is_exact, bool is_upper) {
  const double u = costs.unit, eta = 2 * costs.half_eta, of_functions = 2 * costs.functions * u;
  const double few = costs.functions * eta, far = no_bound();
  const double form = costs.form == 0 ? 0 : costs.form * x + eta;
  switch (node.op) {
    case op_add:
    case op_sub:
      return is_exact ? 0 : u * most;
    case op_mul:
      return is_exact ? 0 : node.is_shift != 0 ? costs.half_eta : u * most + costs.half_eta;
    case op_div: {
      if (is_exact) return 0;
      if (node.is_shift != 0) return costs.half_eta;
      const double grown = costs.quotient * u * (is_upper ? 1 + 2 * costs.quotient * u : 1);
      return grown * most + costs.quotient * costs.half_eta * (1 + x);
    }
    case op_power: {
      if (is_exact && node.detail == 2) return 0;
      const double n = node.detail - 1;
      double relative = is_exact ? 0 : n * u * (is_upper ? 1 + 2 * n * u : 1);
      if (node.detail > 2 && relative < of_functions) relative = of_functions;
      double larger = 1;
      for (int j = 2; is_upper && j < node.detail; ++j) larger *= x > 1 ? x : 1;
      const double grown = is_upper ? 2 : 1;
      return relative * most + n * costs.half_eta * grown * larger + (node.detail > 2 ? few : 0);
    }
    case op_function:
      if (node.detail == sqrt_of) return u * most;
      if (node.detail == rsqrt_of) return (of_functions + u) * most;
      if (node.detail == exp_of) {
        const double of_form = !is_upper ? form : form <= 1 ? form * (1 + form) : form <= 90 ? 0x1p131 : far;
        return (of_functions + of_form) * most + few;
      }
      if (node.detail == sigmoid_of) {
        const double s = of_functions + 2 * u + few + form;
        const double relative = !is_upper ? s : s < 0.5 ? s * (1 + 2 * s) : far;
        return relative * most + costs.half_eta + costs.least_normal;
      }
      return of_functions * most + few;
    default:
      return 0;
  }
}

/// P of a node from the errors of its arguments, to one side. Requires: y has its value.
ASSAY_ENTRY double propagated_of(const ElementwiseNode& node, const ElementwiseNumber& a, const ElementwiseNumber& b,
                                 const ElementwiseNumber& y, bool is_upper) {
  const double of_a = is_upper ? a.most : a.least, of_b = is_upper ? b.most : b.least;
  const double sign = is_upper ? 1 : -1;
  const auto size_of = [&](const ElementwiseNumber& x) {
    const double size = magnitude_of(x.value) + sign * x.radius;
    return size > 0 ? size : 0;
  };
  switch (node.op) {
    case op_add:
    case op_sub:
      return of_a + of_b;
    case op_mul:
      return size_of(a) * of_b + of_a * (size_of(b) + of_b);
    case op_div: {
      if (of_a == 0 && of_b == 0) return 0;
      const double below = magnitude_of(b.value) - sign * b.radius - of_b;
      return below > 0 ? (of_a + size_of(y) * of_b) / below : is_upper ? no_bound() : 0;
    }
    case op_maximum:
    case op_minimum:
      return of_a > of_b ? of_a : of_b;
    case op_sign:
      return 0;
    case op_power: {
      double slope = node.detail;
      for (int n = 1; n < node.detail; ++n) slope *= size_of(a) + of_a;
      return slope * of_a;
    }
    case op_function: {
      if (of_a == 0) return 0;
      const double size = size_of(a);
      if (is_upper) {
        const double far = of_a * largest_slope(node.detail, a.value, y.value, a.radius + of_a);
        const bool is_bounded = node.detail == tanh_of || node.detail == erf_of || node.detail == sigmoid_of;
        return is_bounded && !(far < 2) ? 2 : far;
      }
      const bool is_known = a.radius <= 0x1p-30 && a.radius <= 0x1p-30 * size;
      if (!is_known || (node.is_one_sided != 0 && !(2 * of_a < size))) return 0;
      const double flatter = node.is_one_sided != 0 ? (1 - 2 * of_a / size) * elementwise_down : 1;
      return (of_a < size ? of_a : size) * least_slope(node.detail, a.value, y.value) * flatter;
    }
    default:
      return of_a;
  }
}

/// Adds what a number may err by where it is rounded to the format of stored definitions, and what covers all roundings
/// of both errors.
ASSAY_ENTRY void store(const ElementwiseCosts& costs, int is_stored, ElementwiseNumber& y) {
  const double size = magnitude_of(y.value);
  const double low = size > y.radius ? size - y.radius : 0, high = size + y.radius;
  if (is_stored != 0 && (y.least > 0 || (y.radius == 0 && !has_bits(y.value, costs.stored_precision)))) {
    y.least += costs.stored_unit * (low + y.least) + costs.stored_eta;
  }
  if (is_stored != 0) y.most += costs.stored_unit * (high + y.most) + costs.stored_eta;
  y.least *= elementwise_down;
  y.most *= elementwise_up;
}

constexpr double farthest_factor = 0x1p60;  // a factor that may move into a sum is no farther from 1
/// Whether a factor may move into a sum: formula.factor.1.
ASSAY_ENTRY bool moves(const ElementwiseNumber& c) {
  const double size = magnitude_of(c.value), least = size - c.radius;
  return least >= 1 / farthest_factor && size + c.radius <= farthest_factor && c.most <= least / 2 * elementwise_down;
}

/// A number of a node from those of its arguments: theorems elementwise.enclosure.1 and elementwise.floor.1. Its value
/// is a NaN where nothing is known, or the machine may say nothing.
ASSAY_ENTRY_ONCE ElementwiseNumber number_of_node(const ElementwiseNode& node, const ElementwiseCosts& costs,
                                                  const ElementwiseNumber& a, const ElementwiseNumber& b) {
  ElementwiseNumber y = value_of(node, a, b);
  const double size = magnitude_of(y.value);
  const double low = size > y.radius ? size - y.radius : 0, high = size + y.radius;
  const double a_low = magnitude_of(a.value) > a.radius ? magnitude_of(a.value) - a.radius : 0;

  const double p_low = propagated_of(node, a, b, y, false);
  const bool is_number_of_format = y.radius != 0 || has_bits(y.value, costs.precision);
  const bool is_exact = p_low == 0 && is_number_of_format && (node.op != op_div || node.is_shift != 0);
  y.least = p_low + local_error_of(node, costs, low + p_low, a_low + a.least, is_exact, false);

  const double p_high = propagated_of(node, a, b, y, true);
  y.most = p_high + local_error_of(node, costs, high + p_high, magnitude_of(a.value) + a.radius + a.most, false, true);
  const bool picks = node.op == op_div || node.op == op_maximum || node.op == op_minimum;
  const bool has_two = picks || node.op == op_add || node.op == op_sub || node.op == op_mul;
  const bool makes_numbers = picks || node.op == op_relu || node.op == op_sign || node.op == op_function;
  const bool follows = a.may_overflow || (has_two && b.may_overflow);
  if (follows && makes_numbers) {
    // Of an infinity they may make any number that their operation gives: formula.overflow.1.
    const double of_b = picks ? magnitude_of(b.value) + b.radius + b.most : 0;
    const double far = 2 * (high + 1 + magnitude_of(a.value) + a.radius + a.most + of_b);
    y.most = y.most > far ? y.most : far;
  }
  if (node.op == op_sign && a.most > 0 && !(a.most < a_low * elementwise_down)) y.most = 2;
  store(costs, node.is_stored, y);
  const double divisor = magnitude_of(b.value) - b.radius - b.most;
  const bool has_reciprocal = node.op == op_div && costs.quotient > 1;
  y.may_overflow = follows || (node.factors & factor_of_columns) != 0 || !(high + y.most < costs.largest) ||
                   (has_reciprocal && !(elementwise_up / divisor < costs.largest));

  const bool is_exponential = node.op == op_function && (node.detail == exp_of || node.detail == expm1_of);
  const bool is_sigmoid = node.op == op_function && node.detail == sigmoid_of;
  // Beyond the first limit all programs may overflow; beyond the second one the host has no bound.
  const bool is_beyond = is_exponential && !(a.value + a.radius <= costs.farthest_exponent);
  const bool is_far = is_sigmoid && a.most != 0 && !(magnitude_of(a.value) < 0x1p120);
  const bool is_lost = ((node.factors & 1) != 0 && !moves(a)) || ((node.factors & 2) != 0 && !moves(b));
  if (is_beyond || is_far || is_lost || !is_number(y.radius) || !is_number(y.most)) y.value = no_number();
  return y;
}

}  // namespace assay::enclosures
