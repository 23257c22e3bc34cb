#pragma once

#include <utility>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/flint.hpp"

namespace assay::oracle {

/// A number x ≥ 0 that bounds others from above, or infinity. Every operation rounds upward to 30 bits, so a result is
/// at least the exact one, and at most 2⁻²⁸ of it larger for each operation. Functions whose names end with lower
/// return a number that is at most the exact result. 0·∞ is ∞: nothing is known about a product with an unknown factor.
/// Threads: like any value type. Cost: about 5 ns for each addition or multiplication.
class Magnitude {
 public:
  Magnitude() noexcept { mag_init(x_); }
  Magnitude(const Magnitude& other) : Magnitude() { mag_set(x_, other.x_); }
  Magnitude(Magnitude&& other) noexcept : Magnitude() { mag_swap(x_, other.x_); }
  Magnitude& operator=(const Magnitude& other) {
    mag_set(x_, other.x_);
    return *this;
  }
  Magnitude& operator=(Magnitude&& other) noexcept {
    mag_swap(x_, other.x_);
    return *this;
  }
  ~Magnitude() { mag_clear(x_); }
  /// At least |value|.
  Magnitude(const Dyadic& value) : Magnitude() { arf_get_mag(x_, value.arf()); }
  /// At least |x| for every x in the ball.
  explicit Magnitude(const Ball& ball) : Magnitude() { arb_get_mag(x_, ball.get()); }
  Magnitude(unsigned long value) : Magnitude() { mag_set_ui(x_, value); }
  friend void swap(Magnitude& a, Magnitude& b) noexcept { mag_swap(a.x_, b.x_); }

  /// 2^e.
  static Magnitude power_of_two(long e) {
    Magnitude result(1UL);
    mag_mul_2exp_si(result.x_, result.x_, e);
    return result;
  }
  static Magnitude infinity() {
    Magnitude result;
    mag_inf(result.x_);
    return result;
  }
  /// At least ln n. Requires: n > 0 (not checked).
  static Magnitude log_of(unsigned long n) {
    Magnitude result;
    mag_log_ui(result.x_, n);
    return result;
  }
  /// At most |x| for every x in the ball.
  static Magnitude lower(const Ball& ball) {
    Magnitude result;
    arb_get_mag_lower(result.x_, ball.get());
    return result;
  }
  /// At most |value|.
  static Magnitude lower(const Dyadic& value) {
    Magnitude result;
    arf_get_mag_lower(result.x_, value.arf());
    return result;
  }
  /// At most x. Requires: x ≥ 0 (not checked).
  static Magnitude lower(double x) {
    Magnitude result;
    mag_set_d_lower(result.x_, x);
    return result;
  }
  /// At least x. Requires: x ≥ 0, and no NaN (not checked).
  static Magnitude upper(double x) {
    Magnitude result;
    mag_set_d(result.x_, x);
    return result;
  }
  /// At least the radius of the ball.
  static Magnitude radius(const Ball& ball) {
    Magnitude result;
    mag_set(result.x_, arb_radref(ball.get()));
    return result;
  }

  bool is_zero() const { return mag_is_zero(x_) != 0; }
  bool is_finite() const { return mag_is_inf(x_) == 0; }

  Magnitude& operator+=(const Magnitude& y) {
    mag_add(x_, x_, y.x_);
    return *this;
  }
  Magnitude& operator*=(const Magnitude& y) {
    if (!is_finite() || !y.is_finite()) {
      mag_inf(x_);
    } else {
      mag_mul(x_, x_, y.x_);
    }
    return *this;
  }
  /// *this·2^e, exactly.
  Magnitude& mul_2exp(long e) {
    mag_mul_2exp_si(x_, x_, e);
    return *this;
  }
  /// *this + ab.
  Magnitude& add_mul(const Magnitude& a, const Magnitude& b) {
    if (!a.is_finite() || !b.is_finite()) {
      mag_inf(x_);
    } else {
      mag_addmul(x_, a.x_, b.x_);
    }
    return *this;
  }
  friend Magnitude operator+(Magnitude a, const Magnitude& b) { return std::move(a += b); }
  friend Magnitude operator*(Magnitude a, const Magnitude& b) { return std::move(a *= b); }
  /// a/b for a lower bound b of the divisor; ∞ for b = 0.
  friend Magnitude divided(const Magnitude& a, const Magnitude& b) {
    Magnitude result;
    if (!a.is_finite() || b.is_zero()) return infinity();
    mag_div(result.x_, a.x_, b.x_);
    return result;
  }
  /// At most a − b; 0 if that is negative.
  friend Magnitude minus_lower(const Magnitude& a, const Magnitude& b) {
    Magnitude result;
    if (b.is_finite()) mag_sub_lower(result.x_, a.x_, b.x_);
    return result;
  }
  /// At most a + b.
  friend Magnitude plus_lower(const Magnitude& a, const Magnitude& b) {
    Magnitude result;
    mag_add_lower(result.x_, a.x_, b.x_);
    return result;
  }
  /// At most ab. Requires: both are finite (not checked).
  friend Magnitude times_lower(const Magnitude& a, const Magnitude& b) {
    Magnitude result;
    mag_mul_lower(result.x_, a.x_, b.x_);
    return result;
  }
  /// At most a/b, where b is an upper bound of the divisor. Requires: both are finite, b > 0 (not checked).
  friend Magnitude divided_lower(const Magnitude& a, const Magnitude& b) {
    Magnitude result;
    mag_div_lower(result.x_, a.x_, b.x_);
    return result;
  }
  friend Magnitude sqrt(const Magnitude& a) {
    Magnitude result;
    mag_sqrt(result.x_, a.x_);
    return result;
  }
  friend Magnitude exp(const Magnitude& a) {
    Magnitude result;
    mag_exp(result.x_, a.x_);
    return result;
  }
  /// e^−a. Requires: `a` is a lower bound of the exponent (not checked).
  friend Magnitude exp_of_minus(const Magnitude& a) {
    Magnitude result;
    mag_expinv(result.x_, a.x_);
    return result;
  }
  /// e^a − 1, for a ≤ 1/2 by a + a²/2·(1 + a/2), which is at most a relative a²/6 above it.
  friend Magnitude expm1(const Magnitude& a) {
    Magnitude result;
    if (a <= power_of_two(-1)) {
      Magnitude half = a;
      half.mul_2exp(-1);
      result = a;
      return std::move(result.add_mul(a * half, Magnitude(1UL) + half));
    }
    mag_expm1(result.x_, a.x_);
    return result;
  }
  /// aⁿ.
  friend Magnitude power(const Magnitude& a, unsigned long n) {
    Magnitude result(1UL);
    for (unsigned long k = 0; k < n; ++k) result *= a;
    return result;
  }
  friend bool operator<(const Magnitude& a, const Magnitude& b) { return mag_cmp(a.x_, b.x_) < 0; }
  friend bool operator<=(const Magnitude& a, const Magnitude& b) { return mag_cmp(a.x_, b.x_) <= 0; }
  friend bool operator==(const Magnitude& a, const Magnitude& b) { return mag_equal(a.x_, b.x_) != 0; }
  friend Magnitude max(const Magnitude& a, const Magnitude& b) { return a < b ? b : a; }
  friend Magnitude min(const Magnitude& a, const Magnitude& b) { return b < a ? b : a; }

  /// The number itself. Requires: is_finite() (not checked).
  Dyadic value() const {
    Dyadic result;
    arf_set_mag(result.arf(), x_);
    return result;
  }
  /// The nearest double, for display.
  double to_double() const { return mag_get_d(x_); }
  const mag_struct* get() const { return x_; }

 private:
  mag_t x_;
};

/// The ball with the radius enlarged by `more`. Requires: `more` is finite (not checked).
inline Ball widened(Ball x, const Magnitude& more) {
  mag_add(arb_radref(x.get()), arb_radref(x.get()), more.get());
  return x;
}

}  // namespace assay::oracle
