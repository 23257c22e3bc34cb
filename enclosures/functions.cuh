#pragma once
// Functions of one number in binary64 with proven errors, and bounds of their slopes: theorem elementwise.functions.1.
// Compiled as enclosures/entries.cuh is.

#include "enclosures/row_entries.cuh"

namespace assay::enclosures {

enum Function { exp_of, expm1_of, log_of, log1p_of, sqrt_of, rsqrt_of, tanh_of, erf_of, sigmoid_of };

constexpr double farthest_exponent = 600;  // of an exponential that is computed
constexpr double not_vanished = 0x1p-860;  // what an exponential may lose, and a function of it

ASSAY_ENTRY double no_number() { return number_of(0x7ff8ULL << 48); }  // a NaN
ASSAY_ENTRY double no_bound() { return number_of(0x7ffULL << 52); }    // an infinity

/// 2·artanh(f) = ln((1 + f)/(1 − f)). Requires: |f| ≤ 1/5.
ASSAY_ENTRY double twice_artanh(double f) {
  const double s = f * f;
  double sum = 0;
  for (int j = 13; j >= 0; --j) sum = sum * s + 1. / (2 * j + 1);
  return 2 * f * sum;
}
ASSAY_ENTRY double exponential_at(double x) {
  if (x <= 0) return exponential(-x, 0);
  return x <= farthest_exponent ? 1 / exponential(x, 0) : no_number();
}
ASSAY_ENTRY double expm1_at(double x) {
  if (magnitude_of(x) >= 0.25) return exponential_at(x) - 1;
  constexpr double reciprocals[] = {
      1,          1. / 2,      1. / 6,       1. / 24,       1. / 120,       1. / 720,       1. / 5040,
      1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800};
  double sum = 0;
  for (int j = 12; j >= 0; --j) sum = sum * x + reciprocals[j];
  return x * sum;
}
ASSAY_ENTRY double log_at(double x) {
  if (!(x >= 0x1p-1000)) return no_number();
  int exponent = static_cast<int>(pattern_of(x) >> 52) - 1023;
  double m = number_of((pattern_of(x) & 0xfffffffffffffULL) | 0x3ffULL << 52);
  if (m >= 1.5) {
    m = m / 2;
    ++exponent;
  }
  const double of_m = twice_artanh((m - 1) / (m + 1));
  constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  return exponent * ln2_high + (exponent * ln2_low + of_m);
}
ASSAY_ENTRY double log1p_at(double x) { return x >= -0.25 && x <= 0.5 ? twice_artanh(x / (2 + x)) : log_at(1 + x); }
/// The series of x·exp(−x²)·Σ (2x²)ⁿ/(1·3·…·(2n + 1)), whose terms have one sign.
ASSAY_ENTRY double erf_at(double x) {
  if (!(magnitude_of(x) < 6)) return x < 0 ? -1 : 1;
  const double square = x * x, z = 2 * square;
  double term = 1, sum = 1;
  for (int n = 1; term > sum * 0x1p-60 || 2 * n + 1 < 2 * z; ++n) {
    term = term * z / (2 * n + 1);
    sum += term;
  }
  return x * (0x1.20dd750429b6dp+0 * exponential(square, 0) * sum);  // 2/√π
}

/// f(x) within a relative error and not_vanished; NaN where it is not computed.
struct FunctionValue {
  double value, relative;
};
ASSAY_ENTRY_ONCE FunctionValue function_at(int function, double x) {
  constexpr double unit = 0x1p-53;
  switch (function) {
    case exp_of:
      return {exponential_at(x), 8 * unit};
    case expm1_of:
      return {expm1_at(x), 48 * unit};
    case log_of:
      return {log_at(x), 16 * unit};
    case log1p_of:
      return {log1p_at(x), 24 * unit};
    case sqrt_of:
      return {x >= 0 ? sqrt(x) : no_number(), unit};
    case rsqrt_of:
      return {x >= 0x1p-1000 ? 1 / sqrt(x) : no_number(), 3 * unit};
    case tanh_of: {
      const double m = expm1_at(-2 * magnitude_of(x));
      const double size = -m / (2 + m);
      return {x < 0 ? -size : size, 128 * unit};
    }
    case erf_of:
      return {erf_at(x), 1024 * unit};
    default: {
      const double e = exponential(magnitude_of(x), 0);
      return {(x < 0 ? e : 1) / (1 + e), 8 * unit};
    }
  }
}

/// The smaller one of a bound and of what exponential() gives for it.
ASSAY_ENTRY double bounded_slope(double most, double slope) {
  const double above = (slope + not_vanished) * (1 + 0x1p-20);
  return above < most ? above : most;
}
/// No slope of f between x − w and x + w is larger, y = f(x) as function_at() has it; infinite or NaN where none is
/// known.
ASSAY_ENTRY double largest_slope(int function, double x, double y, double w) {
  constexpr double up = 1 + 0x1p-20;
  const double grown = w <= 1 ? (1 + 2 * w) * up : no_bound();
  const double least = function == log1p_of ? (1 + x) - w : x - w;
  const double inside = magnitude_of(x) > w ? magnitude_of(x) - w : 0;
  const double inverse = least > 0 ? 1 / least * up : no_bound();
  switch (function) {
    case exp_of:
      return (y + not_vanished) * grown;
    case expm1_of:
      return (y + 1 + 0x1p-40) * grown;
    case log_of:
    case log1p_of:
      return inverse;
    case sqrt_of:
      return sqrt(inverse) / 2 * up;
    case rsqrt_of:
      return least < 0x1p600 ? inverse * sqrt(inverse) / 2 * up : no_bound();  // above, it may vanish
    case tanh_of:
      return bounded_slope(1, 4 * exponential(2 * inside, 0));
    case erf_of:
      return bounded_slope(1.13, 1.13 * exponential(inside * inside, 0));
    default:
      return bounded_slope(0.25, exponential(inside, 0));
  }
}

/// |f(t) − f(x)| is at least this times |t − x| for some t as far from x as one likes, up to |x|; likewise.
ASSAY_ENTRY double least_slope(int function, double x, double y) {
  constexpr double down = 1 - 0x1p-20, lost = 0x1p-40;
  double slope = 0;
  switch (function) {
    case exp_of:
      slope = y - not_vanished;
      break;
    case expm1_of:
      slope = y + 1 - lost;
      break;
    case log_of:
      slope = 1 / x;
      break;
    case log1p_of:
      slope = 1 / (1 + x + 0x1p-30);
      break;
    case sqrt_of:
      slope = 0.5 / y;
      break;
    case rsqrt_of:
      slope = x > 0x1p-600 && x < 0x1p600 ? 0.5 * y / x : 0;
      break;
    case tanh_of:
      slope = 1 - y * y - lost;
      break;
    case erf_of:
      slope = magnitude_of(x) < 6 ? 1.128 * exponential(x * x, 0) : 0;
      break;
    default:
      slope = y * (1 - y - lost);
  }
  return slope > 0 ? slope * down : 0;
}

}  // namespace assay::enclosures
