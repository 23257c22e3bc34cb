#pragma once
// What arithmetic in binary64 knows of one entry of a product, and whether that shows the entry to keep a rule.
// Compiled by NVRTC for a device and by the compiler of the host for tests; nothing is contracted in either place.

#ifdef __CUDACC__
#define ASSAY_ENTRY __device__ __forceinline__
#define ASSAY_ENTRY_ONCE __device__ __noinline__  // the compiler takes less time
#else
#include <cmath>
#include <cstring>
#define ASSAY_ENTRY inline
#define ASSAY_ENTRY_ONCE inline
#endif

namespace assay::enclosures {

typedef long long Integer;
typedef unsigned long long Pattern;

ASSAY_ENTRY Pattern pattern_of(double x) {
#ifdef __CUDACC__
  return static_cast<Pattern>(__double_as_longlong(x));
#else
  Pattern pattern;
  std::memcpy(&pattern, &x, sizeof pattern);
  return pattern;
#endif
}
ASSAY_ENTRY double number_of(Pattern pattern) {
#ifdef __CUDACC__
  return __longlong_as_double(static_cast<Integer>(pattern));
#else
  double x;
  std::memcpy(&x, &pattern, sizeof x);
  return x;
#endif
}
ASSAY_ENTRY double magnitude_of(double x) { return number_of(pattern_of(x) & ~(1ULL << 63)); }
ASSAY_ENTRY double infinity() { return number_of(0x7ffULL << 52); }
ASSAY_ENTRY bool is_number(double x) { return (pattern_of(x) >> 52 & 0x7ff) != 0x7ff; }
/// 2^e. Requires: −1022 ≤ e ≤ 1023.
ASSAY_ENTRY double power_of_two(int e) { return number_of(static_cast<Pattern>(1023 + e) << 52); }

/// Sums of the terms of an entry: in order, each step rounded to nearest, and of Dot2 the sum of the rounding errors.
struct Sums {
  double high = 0, low = 0, magnitude = 0;
};

/// Adds ab, which is exact in binary64.
ASSAY_ENTRY void add_exact(double a, double b, Sums& sums) {
  sums.high = fma(a, b, sums.high);
  sums.magnitude = fma(magnitude_of(a), magnitude_of(b), sums.magnitude);
}
/// Adds ab as Dot2 does.
ASSAY_ENTRY void add_rounded(double a, double b, Sums& sums) {
  const double product = a * b;
  const double before = sums.high;
  sums.high = before + product;
  sums.magnitude += magnitude_of(product);
  const double part = sums.high - before;
  sums.low += ((before - (sums.high - part)) + (product - part)) + fma(a, b, -product);
}

/// Adds the terms of other sums of Dot2.
ASSAY_ENTRY void add_sums(const Sums& other, Sums& sums) {
  const double before = sums.high;
  sums.high = before + other.high;
  sums.magnitude += other.magnitude;
  const double part = sums.high - before;
  sums.low += ((before - (sums.high - part)) + (other.high - part)) + other.low;
}

/// |s − (value + low)| ≤ radius and magnitude ≤ Σ|aₗbₗ| of the exact sum s.
struct Enclosure {
  double value, low, radius, magnitude;
};

/// From sums of k terms: theorem matmul.enclosure.1 for exact products, matmul.enclosure.4 for Dot2. Requires: k < 2³².
ASSAY_ENTRY_ONCE Enclosure enclosure_of(Sums sums, Integer k, bool exact) {
  constexpr double up = 1 + 0x1p-48, down = 1 - 0x1p-48;  // more than the rounding errors of these few operations
  constexpr double unit = 0x1p-53, least = 0x1p-1074;
  const double terms = static_cast<double>(k);
  const double gamma = terms * unit / (1 - terms * unit) * up;
  const double lost = exact ? 0 : terms * least;
  const double largest = (sums.magnitude + lost) * up / (1 - gamma * up) * up;
  const double smallest = (sums.magnitude * down - 2 * lost) * (1 - gamma * up) * down;
  Enclosure of;
  of.value = sums.high;
  of.low = exact ? 0 : sums.low;
  of.radius = (exact ? gamma * largest : gamma * gamma * largest + 6 * lost) * up;
  of.magnitude = smallest > 0 ? smallest : 0;
  return of;
}

/// Not below |got − s|.
ASSAY_ENTRY double error_of(double got, const Enclosure& entry) {
  constexpr double up = 1 + 0x1p-50;
  const double distance = got - entry.value;
  const double part = distance - got;
  const double lost = (got - (distance - part)) + (-entry.value - part);  // distance + lost is got − value
  const double rounded = 0x1p-52 * (magnitude_of(lost) + magnitude_of(entry.low));
  return (magnitude_of(distance + (lost - entry.low)) + rounded + entry.radius) * up;
}

/// Every number of the line is a multiple of 2^low, unless it has an infinity or a NaN.
struct Line {
  int low;
  int is_special;
};
constexpr int no_numbers = 0x7fffffff;  // Line::low, before it is known, of a line of zeros

/// The exponent of the lowest bit of x; no_numbers for 0.
ASSAY_ENTRY int lowest_bit(double x) {
  if (x == 0) return no_numbers;
  const Pattern pattern = pattern_of(x);
  const Pattern significand = (pattern & 0xfffffffffffffULL) | 1ULL << 52;
  int zeros = 0;
  while ((significand >> zeros & 1) == 0) ++zeros;
  const int exponent = static_cast<int>(pattern >> 52 & 0x7ff);
  return (exponent == 0 ? 1 : exponent) - 1075 + zeros;
}

/// What an entry must be; EntryRule::Kind of enclosures/entry_rule.hpp has the words.
enum Rule { rule_within, rule_rounded, rule_faithful, rule_on_grid, rule_finite, rule_not_zero };

/// The format of the results, and the bits that every kernel of the contracts holds of a partial sum.
struct Numbers {
  int precision, emin, bits_of_sums, is_stored;
};

/// Error/bound for a number ≤ 1, or what is divided by the bound that the key stands for. −1: not shown to be kept.
struct Share {
  double error;
  unsigned key;
};
/// What the numbers of a block come to: how many are shown to be kept, and the largest share of one of these.
struct BlockCount {
  Integer kept = 0;
  double nearest = -1;
};
ASSAY_ENTRY void add_share(double share, BlockCount& count) {
  if (share >= 0) ++count.kept;
  if (share > count.nearest) count.nearest = share;
}

constexpr unsigned key_of_one = 0;            // the bound 1
constexpr unsigned key_of_special = 1;        // no entry of which the rule speaks
constexpr unsigned keys = 1U << 19;           // below it are all keys
constexpr unsigned sums_of_a_magnitude = 32;  // keys with one magnitude

/// The key of a bound for at least that magnitude and that sum: 4 bits of the one and 2 of the other are kept.
ASSAY_ENTRY unsigned key_of(double magnitude, double sum) {
  const unsigned high = static_cast<unsigned>(pattern_of(magnitude) >> 49);
  unsigned low = 0;
  if (sum >= magnitude * 0x1p-8) {
    const int below = static_cast<int>(high >> 2) - static_cast<int>(pattern_of(sum) >> 51);
    low = below < -1 ? 1U : static_cast<unsigned>(below + 2);
  }
  return high * sums_of_a_magnitude + low;
}
/// The magnitude and the sum that a key stands for.
ASSAY_ENTRY double magnitude_of_key(unsigned key) {
  return number_of(static_cast<Pattern>(key / sums_of_a_magnitude) << 49);
}
ASSAY_ENTRY double sum_of_key(unsigned key) {
  const unsigned low = key % sums_of_a_magnitude;
  return low == 0 ? 0 : number_of(static_cast<Pattern>(key / sums_of_a_magnitude / 4 + 2 - low) << 51);
}

/// The distance between a number other than 0 and the nearer of its neighbors in the format of the results.
ASSAY_ENTRY double gap_at(double got, const Numbers& numbers) {
  const Pattern pattern = pattern_of(got);
  int exponent = static_cast<int>(pattern >> 52 & 0x7ff) - 1023;
  if ((pattern & 0xfffffffffffffULL) == 0) --exponent;
  if (exponent < numbers.emin) exponent = numbers.emin;
  const int lowest = exponent - numbers.precision + 1;
  return lowest < -1022 ? 0 : power_of_two(lowest);
}

/// How far got + off is from the numbers that are rounded to got, rounded once; at most 0 for one of them.
ASSAY_ENTRY double outside_of_stored(double got, double off, const Numbers& numbers) {
  const double gap = got == 0 ? power_of_two(numbers.emin - numbers.precision + 1) : gap_at(got, numbers);
  const bool is_power = (pattern_of(got) & 0xfffffffffffffULL) == 0 && magnitude_of(got) > power_of_two(numbers.emin);
  const double outwards = got < 0 ? -off : off;
  const double beyond = outwards - (is_power ? gap : gap / 2), below = -outwards - gap / 2;
  return beyond > below ? beyond : below;
}
/// Not below the distance of a truth from the numbers that are rounded to got, where that is positive; the truth is
/// within `radius` of got + off: theorem softmax.enclosure.3.
ASSAY_ENTRY double error_of_stored(double got, double off, double radius, const Numbers& numbers) {
  constexpr double up = 1 + 0x1p-50;
  const double outside = outside_of_stored(got, off, numbers);
  const double error = outside + ((magnitude_of(outside) + magnitude_of(off)) * 0x1p-51 + radius * up);
  return error > 0 ? error * up : 0;
}

ASSAY_ENTRY_ONCE Share share_of(Enclosure entry, Line row, Line column, double got, Rule rule, const Numbers& numbers) {
  if (row.is_special != 0 || column.is_special != 0) return {0, key_of_special};
  const double error = error_of(got, entry);
  if (rule == rule_finite) return {is_number(got) ? 0.0 : -1.0, key_of_one};
  if (rule == rule_not_zero) return {entry.magnitude > 0 ? 0.0 : -1.0, key_of_one};
  if (!is_number(got) || !is_number(error)) return {-1, key_of_one};
  if (rule == rule_rounded || rule == rule_faithful) {
    const double gap = got == 0 ? 0 : rule == rule_rounded ? gap_at(got, numbers) / 2 : gap_at(got, numbers);
    return {error < gap ? error / gap : -1, key_of_one};
  }
  const Integer grid = static_cast<Integer>(row.low) + column.low;
  const bool is_nothing = row.low == no_numbers || column.low == no_numbers;
  const Integer top = grid + numbers.bits_of_sums;
  const bool is_off_grid =
      !is_nothing && (top < -1022 || (top < 1023 && entry.magnitude > power_of_two(static_cast<int>(top))));
  if (is_nothing) return {got == 0 ? 0.0 : -1.0, key_of_one};
  if (!is_off_grid) {
    // The entry is a multiple of 2^grid: a number that is one, too, and nearer than 2^grid is the entry.
    if (grid < -1022 || grid > 900) return {-1, key_of_one};
    const double step = power_of_two(static_cast<int>(grid));
    const double multiple = got / step;
    const bool is_multiple = trunc(multiple) == multiple && (multiple != 0 || got == 0);  // the division may underflow
    return {error < step && is_multiple ? 0.0 : -1.0, key_of_one};
  }
  if (rule == rule_on_grid) return {0, key_of_one};
  if (entry.magnitude < 0x1p-900) return {-1, key_of_one};  // the bound may leave the range of binary64
  if (numbers.is_stored != 0 && got != 0 && error < gap_at(got, numbers) / 2) return {0, key_of_one};
  const double sum = magnitude_of(entry.value) * (1 - 0x1p-50) - magnitude_of(entry.low) - entry.radius;
  return {error, key_of(entry.magnitude, sum)};
}

}  // namespace assay::enclosures
