#pragma once
// Sums of numbers and products without an error, rounded once: Shewchuk's expansions in the arithmetic of long double,
// whose range holds all products of two numbers of binary64.

#include "numbers.hpp"

namespace outside {

/// x, or the next number of its type in the direction of `rest`, so that the last bit is 1 if x + rest is not a number
/// of the type: a second rounding, to at least two bits fewer, then gives the same as a single one.
template <class C>
C to_odd(C x, int sign_of_rest) {
  int exponent = 0;
  const C digits = std::ldexp(std::frexp(x, &exponent), std::numeric_limits<C>::digits);
  const bool is_odd = std::fmod(digits, C(2)) != 0;
  if (sign_of_rest == 0 || is_odd) return x;
  return std::nextafter(x, std::copysign(std::numeric_limits<C>::infinity(), static_cast<C>(sign_of_rest)));
}

/// A number of long double, whose last bit stands for the part that it lacks, as a double that rounds to the format of
/// the results in the same way.
inline double for_format(long double x, const Form& form) {
  if (!std::isfinite(x) || x == 0) return static_cast<double>(x);
  double result = static_cast<double>(x);
  if (form.result == Format::f64 && !form.has(Fault::truncates)) return result;
  if (std::fabs(static_cast<long double>(result)) > std::fabs(x)) result = std::nextafter(result, 0.0);
  if (form.result == Format::f64) return result;
  const long double rest = x - static_cast<long double>(result);
  return to_odd(result, rest > 0 ? 1 : rest < 0 ? -1 : 0);
}

class ExactSum {
 public:
  void add(long double x) {
    plain_ += x;
    if (!std::isfinite(x)) is_finite_ = false;
    size_ += std::fabs(x);
    place(x, 0);
    grow(x);
  }
  void add_product(long double x, long double y, long double z) {
    const long double product = x * y;
    add_product(product, z);
    const long double rest = std::isfinite(product) && std::isfinite(z) ? std::fma(x, y, -product) : 0;
    if (rest != 0) add_product(rest, z);
  }
  void add_product(long double x, long double y) {
    const long double product = x * y;
    plain_ += product;
    if (!std::isfinite(product)) is_finite_ = false;
    size_ += std::fabs(product);
    if (product != 0) place(x, last_bit(y));
    grow(product);
    if (std::isfinite(product)) grow(std::fma(x, y, -product));
  }
  /// Adds error/1024·count·2^−at of the size, which is the sum of the magnitudes if none is given; empty if all terms
  /// are on a grid of `at` bits.
  void add_error(const Form& form, Size count) { add_error(form, count, size_); }
  void add_error(const Form& form, Size count, long double size) {
    if (form.error == 0 || size_ == 0 || !std::isfinite(size_)) return;
    if (std::ldexp(size_, -lowest_) <= std::ldexp(1.0L, static_cast<int>(form.at))) return;
    const long double part = static_cast<long double>(form.error) / 1024 * static_cast<long double>(count);
    grow(std::ldexp(part * size, static_cast<int>(-form.at)));
  }
  /// Whether the sum is so small that its own rounding is negligible compared with n roundings of its terms.
  [[nodiscard]] bool is_cancelled(Size n) const {
    return std::fabs(odd()) * 4096 < size_ * static_cast<long double>(n);
  }
  /// The sum, or the neighboring number with an odd last bit.
  [[nodiscard]] long double odd() const {
    if (!is_finite_) return plain_;
    if (parts_.empty()) return 0;
    Size n = parts_.size();
    long double high = parts_[--n];
    long double low = 0;
    while (n > 0 && low == 0) {
      const long double x = high;
      const long double y = parts_[--n];
      high = x + y;
      low = y - (high - x);
    }
    return high == 0 ? high : to_odd(high, low > 0 ? 1 : low < 0 ? -1 : 0);
  }

 private:
  static int last_bit(long double x) {
    if (!std::isfinite(x) || x == 0) return 0;
    int exponent = 0;
    long double digits = std::ldexp(std::frexp(x, &exponent), 64);
    exponent -= 64;
    for (; std::fmod(digits, 2.0L) == 0; digits /= 2) ++exponent;
    return exponent;
  }
  void place(long double x, int other) {
    if (x != 0) lowest_ = std::min(lowest_, last_bit(x) + other);
  }
  void grow(long double x) {
    if (!is_finite_) return;
    Size kept = 0;
    for (long double y : parts_) {
      if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
      const long double high = x + y;
      const long double low = y - (high - x);
      if (low != 0) parts_[kept++] = low;
      x = high;
    }
    parts_.resize(kept);
    if (x != 0) parts_.push_back(x);
  }

  std::vector<long double> parts_;  // in order of increasing magnitude, without common bits
  long double plain_ = 0;
  long double size_ = 0;
  int lowest_ = std::numeric_limits<int>::max() / 2;
  bool is_finite_ = true;
};

}  // namespace outside
