#pragma once
// Arithmetic of a format on numbers of binary64, and elementary functions that err as much as a machine admits: for the
// programs of random_program.hpp. It shares no code with the bounds.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "oracle/format.hpp"
#include "properties/formulas/graph.hpp"

namespace assay::formulas {

/// Numbers of a format with at most 24 bits, or of binary64. Their sums, quotients and roots by binary64 are rounded
/// twice, which is innocuous for at most 25 bits; products are exact.
class Arithmetic {
 public:
  explicit Arithmetic(const oracle::Format& format)
      : format_(format),
        is_double_(format == oracle::binary64),
        largest_(std::ldexp(2 - std::ldexp(1.0, 1 - format.precision), format.emax)) {}

  const oracle::Format& format() const { return format_; }

  /// Numbers below the normal range are read and written as 0 from now on, each time that this says so.
  void flush(std::function<bool()> decides) { decides_ = std::move(decides); }
  /// A number that an operation reads or writes.
  double seen(double x) const { return is_flushed(x) ? std::copysign(0.0, x) : x; }
  /// RN(x), or 0 where x is below the normal range.
  double round(double x) const { return is_flushed(x) ? std::copysign(0.0, x) : seen(nearest(x)); }
  /// A comparison reads numbers as any operation does. What is selected by it is the number itself.
  bool less(double a, double b) const { return seen(a) < seen(b); }
  double add(double a, double b) const { return round(seen(a) + seen(b)); }
  double mul(double a, double b) const { return round(seen(a) * seen(b)); }
  double div(double a, double b) const { return round(seen(a) / seen(b)); }
  double sqrt(double a) const { return round(std::sqrt(seen(a))); }
  double fma(double a, double b, double c) const {
    const double x = seen(a);
    const double y = seen(b);
    const double z = seen(c);
    return round(is_double_ ? std::fma(x, y, z) : odd_sum(x * y, z));
  }

  /// A number of the format that errs by `ulps` of y, or a little less; RN(y) for 0. `is_exact`: y has no error of its
  /// own in 64 bits.
  double off(long double y, double ulps, bool is_exact = false) const {
    if (!std::isfinite(y)) return static_cast<double>(y);
    const int e = y == 0 ? format_.emin : std::max(std::ilogb(y), format_.emin);
    const int q = e - format_.precision + 1;
    const long double scaled = std::ldexp(y, -q);
    const long double moved = scaled + static_cast<long double>(is_exact ? ulps : (1 - 0x1p-20) * ulps);
    const long double whole = ulps > 0 ? std::floor(moved) : ulps < 0 ? std::ceil(moved) : std::nearbyint(scaled);
    const double x = static_cast<double>(std::ldexp(whole, q));
    // Beyond the next power of two, not every multiple of this ulp is a number.
    const bool is_number = nearest(x) == x;
    return seen(is_number ? x : nearest(static_cast<double>(y)));
  }

 private:
  bool is_flushed(double x) const {
    return decides_ && x != 0 && std::abs(x) < std::ldexp(1.0, format_.emin) && decides_();
  }
  double nearest(double x) const {
    if (is_double_ || x == 0 || !std::isfinite(x)) return x;
    const int q = std::max(std::ilogb(x), format_.emin) - format_.precision + 1;
    const double nearest = std::ldexp(std::nearbyint(std::ldexp(x, -q)), q);
    return std::abs(nearest) > largest_ ? std::copysign(INFINITY, x) : nearest;
  }
  /// a + b with its last bit set if it is not exact: its rounding to fewer bits is that of the sum.
  static double odd_sum(double a, double b) {
    const double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    const double of_b = sum - a;
    const double rest = (a - (sum - of_b)) + (b - of_b);
    int exponent = 0;
    const double whole = std::ldexp(std::frexp(sum, &exponent), 53);
    const bool is_even = std::fmod(whole, 2) == 0;
    return rest != 0 && is_even ? std::nextafter(sum, rest > 0 ? INFINITY : -INFINITY) : sum;
  }

  oracle::Format format_;
  bool is_double_;
  double largest_;
  std::function<bool()> decides_;  ///< whether the next number below the normal range is flushed; empty: no number
};

/// An operation of one or two numbers, in 64 bits.
inline long double function_value(Op op, long double x, long double y, unsigned long exponent) {
  switch (op) {
    case Op::add:
      return x + y;
    case Op::sub:
      return x - y;
    case Op::mul:
      return x * y;
    case Op::div:
      return x / y;
    case Op::neg:
      return -x;
    case Op::abs:
      return std::abs(x);
    case Op::power:
      return std::pow(x, static_cast<long double>(exponent));
    case Op::pow:
      return std::pow(x, y);
    case Op::atan2:
      return std::atan2(x, y);
    case Op::exp:
      return std::exp(x);
    case Op::exp2:
      return std::exp2(x);
    case Op::expm1:
      return std::expm1(x);
    case Op::log:
      return std::log(x);
    case Op::log1p:
      return std::log1p(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::rsqrt:
      return 1 / std::sqrt(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::erf:
      return std::erf(x);
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    default:
      return NAN;
  }
}

/// x rounded by a random word: away from zero where its place between two numbers of the format and word/words are at
/// least 1 together.
inline double stochastic(double x, std::int64_t word, std::int64_t words, const oracle::Format& to) {
  const int exponent = x == 0 ? to.emin : std::max(std::ilogb(x), to.emin);
  const double gaps = std::ldexp(std::abs(x), to.precision - 1 - exponent);
  const double below = std::floor(gaps);
  const bool is_above = gaps - below >= 1 - static_cast<double>(word) / static_cast<double>(words);
  return std::copysign(std::ldexp(below + (is_above ? 1 : 0), exponent + 1 - to.precision), x);
}

/// Random choices.
class Choice {
 public:
  explicit Choice(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  bool coin() { return below(2) == 0; }
  template <class T>
  void shuffle(std::vector<T>& each) {
    std::ranges::shuffle(each, random_);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace assay::formulas
