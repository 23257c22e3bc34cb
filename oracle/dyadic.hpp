#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "oracle/flint.hpp"
#include "oracle/flint_value.hpp"
#include "oracle/watch.hpp"

namespace assay::oracle {

/// An exact dyadic number m·2^e with integers m and e; finite always. Every operation is exact.
/// A significand of at most 128 bits lives inside the object; longer ones are allocated, and in-place operations reuse
/// that memory. Requires: exponents within ±2^60 (not checked); no product or sum of formats' numbers comes near.
/// Threads: distinct objects may be used at the same time, one object like any value type. Cost: 5 to 10 ns an addition
/// or multiplication up to 128 bits; more under a Watch.
class Dyadic : FlintValue<arf_t> {
 public:
  Dyadic() noexcept = default;
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Dyadic(T value) : Dyadic() {
    if constexpr (std::signed_integral<T>) {
      arf_set_si(x_, static_cast<slong>(value));
    } else {
      arf_set_ui(x_, static_cast<ulong>(value));
    }
  }
  friend void swap(Dyadic& a, Dyadic& b) noexcept { arf_swap(a.x_, b.x_); }

  /// m·2^e.
  static Dyadic scaled(std::int64_t m, long e) {
    Dyadic result(m);
    arf_mul_2exp_si(result.x_, result.x_, e);
    return result;
  }
  /// (−1)^negative · m·2^e, into an existing object.
  void assign(bool negative, std::uint64_t m, long e) {
    arf_set_ui(x_, m);
    arf_mul_2exp_si(x_, x_, e);
    if (negative) arf_neg(x_, x_);
  }

  Dyadic& operator+=(const Dyadic& y) {
    set_sum(*this, y);
    return *this;
  }
  Dyadic& operator-=(const Dyadic& y) {
    set_difference(*this, y);
    return *this;
  }
  Dyadic& operator*=(const Dyadic& y) {
    set_product(*this, y);
    return *this;
  }
  /// *this + a·b, in place.
  Dyadic& add_mul(const Dyadic& a, const Dyadic& b) {
    if (watch::is_on) [[unlikely]] {
      watch::add_mul(*this, a, b);
    } else {
      arf_addmul(x_, a.x_, b.x_, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    return *this;
  }
  /// *this · 2^e, in place.
  Dyadic& mul_2exp(long e) {
    arf_mul_2exp_si(x_, x_, e);
    return *this;
  }
  Dyadic& negate() noexcept {
    arf_neg(x_, x_);
    return *this;
  }
  /// *this = a + b, a − b, a·b, without a temporary.
  void set_sum(const Dyadic& a, const Dyadic& b) {
    if (watch::is_on) [[unlikely]] {
      watch::sum(*this, a, b);
    } else {
      arf_add(x_, a.x_, b.x_, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
  }
  void set_difference(const Dyadic& a, const Dyadic& b) {
    if (watch::is_on) [[unlikely]] {
      watch::difference(*this, a, b);
    } else {
      arf_sub(x_, a.x_, b.x_, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
  }
  void set_product(const Dyadic& a, const Dyadic& b) {
    if (watch::is_on) [[unlikely]] {
      watch::product(*this, a, b);
    } else {
      arf_mul(x_, a.x_, b.x_, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
  }

  friend Dyadic operator+(const Dyadic& a, const Dyadic& b) {
    Dyadic result;
    result.set_sum(a, b);
    return result;
  }
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) {
    Dyadic result;
    result.set_difference(a, b);
    return result;
  }
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    Dyadic result;
    result.set_product(a, b);
    return result;
  }
  friend Dyadic operator-(Dyadic a) { return std::move(a.negate()); }
  friend Dyadic abs(Dyadic a) {
    arf_abs(a.x_, a.x_);
    return a;
  }

  /// −1, 0 or 1.
  int sign() const { return arf_sgn(x_); }
  bool is_zero() const { return arf_is_zero(x_) != 0; }
  friend bool operator==(const Dyadic& a, const Dyadic& b) {
    return watch::is_on ? (a <=> b) == 0 : arf_equal(a.x_, b.x_) != 0;
  }
  friend std::strong_ordering operator<=>(const Dyadic& a, const Dyadic& b) {
    return ordered(a, b, arf_cmp(a.x_, b.x_), false);
  }
  /// |a| against |b|.
  friend std::strong_ordering compare_abs(const Dyadic& a, const Dyadic& b) {
    return ordered(a, b, arf_cmpabs(a.x_, b.x_), true);
  }

  /// ⌊log₂|x|⌋. Requires: x ≠ 0 (not checked).
  long exponent() const { return ARF_EXP(x_) - 1; }
  /// The exponent of the lowest set bit: x is an odd multiple of 2^(lowest_exponent). Requires: x ≠ 0 (not checked).
  long lowest_exponent() const { return ARF_EXP(x_) - bit_length(); }
  /// Bits of the odd significand; 0 for zero.
  long bit_length() const { return arf_bits(x_); }
  bool is_integer() const { return arf_is_int(x_) != 0; }

  /// The nearest double and the smallest double that is not below; only for display, no verdict depends on them.
  double to_double_nearest() const { return arf_get_d(x_, ARF_RND_NEAR); }
  double to_double_up() const { return arf_get_d(x_, ARF_RND_CEIL); }

  /// The underlying number, for the other files of this folder.
  const arf_struct* arf() const { return x_; }
  arf_struct* arf() { return x_; }

 private:
  static std::strong_ordering ordered(const Dyadic& a, const Dyadic& b, int order, bool magnitudes) {
    if (watch::is_on) [[unlikely]]
      watch::order(a, b, (order > 0) - (order < 0), magnitudes);
    return order <=> 0;
  }
};

/// The exact decimal expansion, without exponent: "-0.15625", "3", "0".
std::string to_string(const Dyadic& x);

}  // namespace assay::oracle
