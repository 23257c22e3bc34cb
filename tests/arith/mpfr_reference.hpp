#pragma once

#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <random>
#include <vector>

#include "arith/bits/traits.hpp"

namespace assay::reference {

/// An MPFR number of 4400 bits: every sum, product and product plus number of binary64 numbers is exact in it.
class Exact {
 public:
  Exact() {
    mpfr_init2(value_, 4400);
    mpfr_set_zero(value_, 1);
  }
  Exact(double x) : Exact() { mpfr_set_d(value_, x, MPFR_RNDN); }  // NOLINT: a number is its exact value
  Exact(const Exact& other) : Exact() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Exact& operator=(const Exact& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Exact() { mpfr_clear(value_); }

  friend Exact operator+(const Exact& a, const Exact& b) { return apply(mpfr_add, a, b); }
  friend Exact operator-(const Exact& a, const Exact& b) { return apply(mpfr_sub, a, b); }
  friend Exact operator*(const Exact& a, const Exact& b) { return apply(mpfr_mul, a, b); }
  friend bool operator==(const Exact& a, const Exact& b) { return mpfr_equal_p(a.value_, b.value_) != 0; }
  friend bool operator<(const Exact& a, const Exact& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend bool operator<=(const Exact& a, const Exact& b) { return mpfr_lessequal_p(a.value_, b.value_) != 0; }
  friend Exact abs(const Exact& a) {
    Exact result;
    mpfr_abs(result.value_, a.value_, MPFR_RNDN);
    return result;
  }
  friend std::ostream& operator<<(std::ostream& out, const Exact& a) {
    char text[64];
    mpfr_snprintf(text, sizeof text, "%.20Ra", a.value_);
    return out << text;
  }

 private:
  template <class Function>
  static Exact apply(Function function, const Exact& a, const Exact& b) {
    Exact result;
    function(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

/// 2^k for any k in the range of binary64, including subnormal powers.
inline double power(int k) { return std::ldexp(1.0, k); }

/// The number with a given encoding of format T, decoded from its fields.
template <class T>
double decode(BitsOf<T> bits) {
  using F = FloatTraits<T>;
  const auto word = static_cast<std::uint64_t>(bits);
  const int fraction_bits = F::precision - 1;
  const std::uint64_t fraction = word & ((std::uint64_t{1} << fraction_bits) - 1);
  const std::uint64_t ones = (std::uint64_t{1} << (F::width - F::precision)) - 1;
  const std::uint64_t field = word >> fraction_bits & ones;
  const double sign = (word >> (F::width - 1) & 1) != 0 ? -1.0 : 1.0;
  if (field == ones && F::specials == Specials::ieee) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  if (field == ones && fraction == (std::uint64_t{1} << fraction_bits) - 1) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const int exponent = field == 0 ? F::emin : static_cast<int>(field) - 1 + F::emin;
  const std::uint64_t leading = field == 0 ? 0 : std::uint64_t{1} << fraction_bits;
  return sign * std::ldexp(static_cast<double>(leading | fraction), exponent - fraction_bits);
}

template <class T>
double value(T x) {
  return decode<T>(to_bits(x));
}

template <class T>
Exact exact(T x) {
  return {value(x)};
}

/// Whether two numbers are the same: equal with equal signs, or both NaN.
inline bool same(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::isnan(a) && std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

enum class Operation { add, subtract, multiply, divide, square_root, fused, convert };

inline constexpr Rounding directions[] = {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};

/// The result of an operation on a, b, c correctly rounded to format T: by MPFR at the precision of T in a wide
/// exponent range, then mpfr_check_range and mpfr_subnormalize in that of T. Results that would be infinite in a format
/// without infinities are NaN.
template <class T>
double rounded(Operation operation, double a, double b, double c, Rounding to) {
  using F = FloatTraits<T>;
  struct Numbers {
    mpfr_t a, b, c, result;
    Numbers() {
      mpfr_inits2(53, a, b, c, nullptr);
      mpfr_init2(result, F::precision);
    }
    ~Numbers() { mpfr_clears(a, b, c, result, nullptr); }
  };
  static Numbers x;
  const mpfr_rnd_t mode = to == Rounding::rn   ? MPFR_RNDN
                          : to == Rounding::ru ? MPFR_RNDU
                          : to == Rounding::rd ? MPFR_RNDD
                                               : MPFR_RNDZ;
  mpfr_set_d(x.a, a, MPFR_RNDN);
  mpfr_set_d(x.b, b, MPFR_RNDN);
  mpfr_set_d(x.c, c, MPFR_RNDN);
  int ternary = 0;
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide: {
      static constexpr int (*of_two[])(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) = {mpfr_add, mpfr_sub, mpfr_mul,
                                                                                          mpfr_div};
      ternary = of_two[static_cast<std::size_t>(operation)](x.result, x.a, x.b, mode);
      break;
    }
    case Operation::square_root:
      ternary = mpfr_sqrt(x.result, x.a, mode);
      break;
    case Operation::fused:
      ternary = mpfr_fma(x.result, x.a, x.b, x.c, mode);
      break;
    case Operation::convert:
      ternary = mpfr_set(x.result, x.a, mode);
      break;
  }
  const bool truly_infinite = mpfr_inf_p(x.result) != 0;
  const mpfr_exp_t widest_low = mpfr_get_emin();
  const mpfr_exp_t widest_high = mpfr_get_emax();
  mpfr_set_emin(F::emin - F::precision + 2);
  mpfr_set_emax(F::emax + 1);
  ternary = mpfr_check_range(x.result, ternary, mode);
  mpfr_subnormalize(x.result, ternary, mode);
  mpfr_set_emin(widest_low);
  mpfr_set_emax(widest_high);
  const double result = mpfr_get_d(x.result, MPFR_RNDN);
  if constexpr (F::specials == Specials::finite_nan) {
    const double largest = std::ldexp(2.0 - power(2 - F::precision), F::emax);
    if (std::fabs(result) > largest) {
      const bool outward =
          to == Rounding::rn || (to == Rounding::ru && result > 0) || (to == Rounding::rd && result < 0);
      return truly_infinite || outward ? std::numeric_limits<double>::quiet_NaN() : std::copysign(largest, result);
    }
  }
  return result;
}

/// Numbers of format T at its edges: zeros, subnormals, neighbors of 1, midpoints of ranges, the largest, ±∞.
template <class T>
std::vector<T> edges() {
  using F = FloatTraits<T>;
  const auto one = static_cast<BitsOf<T>>(to_bits(T(1)));
  const auto normal = static_cast<BitsOf<T>>(BitsOf<T>{1} << (F::precision - 1));
  const auto infinite = static_cast<BitsOf<T>>((BitsOf<T>{1} << (F::width - 1)) - normal);
  const auto sign = static_cast<BitsOf<T>>(BitsOf<T>{1} << (F::width - 1));
  std::vector<T> result;
  for (const BitsOf<T> center :
       {BitsOf<T>{2}, normal, one, static_cast<BitsOf<T>>(infinite - 3), static_cast<BitsOf<T>>(one / 2),
        static_cast<BitsOf<T>>(one / 2 * 3), static_cast<BitsOf<T>>(normal * BitsOf<T>{F::precision} + 1)}) {
    for (int offset = -2; offset <= 3; ++offset) {
      const auto bits = static_cast<BitsOf<T>>(center + static_cast<BitsOf<T>>(offset));
      result.push_back(from_bits<T>(bits));
      result.push_back(from_bits<T>(static_cast<BitsOf<T>>(bits | sign)));
    }
  }
  return result;
}

/// Numbers of format T with any bits, and numbers of moderate exponents, from a fixed seed.
template <class T>
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}

  /// A number with random bits below the width.
  T any() { return from_bits<T>(static_cast<BitsOf<T>>(random_() & width_mask)); }
  /// ±1.xxx·2^e with low ≤ e ≤ high.
  T moderate(int low, int high) {
    using F = FloatTraits<T>;
    const std::uint64_t word = random_();
    const auto exponent = static_cast<std::uint64_t>(low - F::emin + 1) + word % static_cast<unsigned>(high - low + 1);
    const std::uint64_t fraction = random_() & ((std::uint64_t{1} << (F::precision - 1)) - 1);
    const std::uint64_t sign = word >> 63 << (F::width - 1);
    return from_bits<T>(static_cast<BitsOf<T>>(sign | exponent << (F::precision - 1) | fraction));
  }
  /// moderate(low, high) with all but about 3 of its fraction bits cleared or set.
  T sparse(int low, int high) {
    using F = FloatTraits<T>;
    const std::uint64_t fraction_mask = (std::uint64_t{1} << (F::precision - 1)) - 1;
    const std::uint64_t kept = random_() & random_() & random_() & random_() & fraction_mask;
    const auto x = static_cast<std::uint64_t>(to_bits(moderate(low, high))) & ~fraction_mask;
    return from_bits<T>(static_cast<BitsOf<T>>(x | ((random_() & 1) != 0 ? kept : kept ^ fraction_mask)));
  }

 private:
  static constexpr std::uint64_t width_mask = ~std::uint64_t{0} >> (64 - FloatTraits<T>::width);
  std::mt19937_64 random_;
};

}  // namespace assay::reference
