#pragma once

#include <compare>
#include <string>

#include "oracle/dyadic.hpp"
#include "oracle/flint.hpp"
#include "oracle/flint_value.hpp"

namespace assay::oracle {

/// An exact rational number in lowest terms, denominator positive. Every operation is exact.
/// Threads: as any value type. Cost: a greatest common divisor each operation.
class Rational : FlintValue<fmpq_t> {
 public:
  Rational() = default;
  Rational(const Dyadic& value);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Rational(T value) : Rational(Dyadic(value)) {}
  /// numerator / denominator. Throws std::domain_error for denominator 0.
  Rational(const Dyadic& numerator, const Dyadic& denominator);
  friend void swap(Rational& a, Rational& b) noexcept { fmpq_swap(a.x_, b.x_); }

  Rational& operator+=(const Rational& y) { return apply('+', fmpq_add, y); }
  Rational& operator-=(const Rational& y) { return apply('-', fmpq_sub, y); }
  Rational& operator*=(const Rational& y) { return apply('*', fmpq_mul, y); }
  /// Throws std::domain_error for y = 0.
  Rational& operator/=(const Rational& y);
  friend Rational operator+(Rational a, const Rational& b) { return std::move(a += b); }
  friend Rational operator-(Rational a, const Rational& b) { return std::move(a -= b); }
  friend Rational operator*(Rational a, const Rational& b) { return std::move(a *= b); }
  friend Rational operator/(Rational a, const Rational& b) { return std::move(a /= b); }
  friend Rational operator-(Rational a) {
    fmpq_neg(a.x_, a.x_);
    return a;
  }
  friend Rational abs(Rational a) {
    fmpq_abs(a.x_, a.x_);
    return a;
  }

  int sign() const { return fmpq_sgn(x_); }
  bool is_zero() const { return fmpq_is_zero(x_) != 0; }
  friend bool operator==(const Rational& a, const Rational& b) { return fmpq_equal(a.x_, b.x_) != 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    const int order = fmpq_cmp(a.x_, b.x_);
    if (watch::is_on) [[unlikely]]
      watch::order(a, b, (order > 0) - (order < 0));
    return order <=> 0;
  }

  /// Both as integers, in lowest terms; the denominator is positive.
  Dyadic numerator() const;
  Dyadic denominator() const;
  /// Is the denominator a power of two?
  bool is_dyadic() const;
  /// ⌊log₂|x|⌋. Requires: x ≠ 0 (not checked).
  long exponent() const;

  const fmpq* get() const { return x_; }
  fmpq* get() { return x_; }

 private:
  /// *this = *this ∘ y by FLINT's function.
  Rational& apply(char operation, void (*function)(fmpq_t, const fmpq_t, const fmpq_t), const Rational& y);
};

/// "-5/3", "7".
std::string to_string(const Rational& x);

}  // namespace assay::oracle
