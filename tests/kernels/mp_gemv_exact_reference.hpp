#pragma once
// The exact-accumulating GEMV with integers of GMP: numbers, their residues, and the correctly rounded result.

#include <gmp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/gemv/mp_gemv_exact.hpp"

namespace assay::gemv {

/// An integer of GMP with the lifetime of a value.
class Integer {
 public:
  Integer(long x = 0) { mpz_init_set_si(value_, x); }  // NOLINT(google-explicit-constructor)
  Integer(const Integer& x) { mpz_init_set(value_, x.value_); }
  Integer& operator=(const Integer& x) {
    mpz_set(value_, x.value_);
    return *this;
  }
  ~Integer() { mpz_clear(value_); }
  mpz_ptr get() { return value_; }
  mpz_srcptr get() const { return value_; }

  friend Integer operator+(const Integer& x, const Integer& y) {
    Integer z;
    mpz_add(z.get(), x.get(), y.get());
    return z;
  }
  friend Integer operator-(const Integer& x, const Integer& y) {
    Integer z;
    mpz_sub(z.get(), x.get(), y.get());
    return z;
  }
  friend Integer operator*(const Integer& x, const Integer& y) {
    Integer z;
    mpz_mul(z.get(), x.get(), y.get());
    return z;
  }
  friend Integer operator<<(const Integer& x, long bits) {
    Integer z;
    mpz_mul_2exp(z.get(), x.get(), static_cast<mp_bitcnt_t>(bits));
    return z;
  }
  friend bool operator==(const Integer& x, const Integer& y) { return mpz_cmp(x.get(), y.get()) == 0; }
  [[nodiscard]] int sign() const { return mpz_sgn(value_); }
  [[nodiscard]] long bits() const { return sign() == 0 ? 0 : static_cast<long>(mpz_sizeinbase(value_, 2)); }

 private:
  mpz_t value_;
};

/// significand·2^exponent.
struct Number {
  Integer significand;
  long exponent = 0;
};
using Numbers = std::vector<Number>;

inline bool operator==(const Number& x, const Number& y) {
  const long least = std::min(x.exponent, y.exponent);
  return x.significand << (x.exponent - least) == y.significand << (y.exponent - least);
}

inline Number operator+(const Number& x, const Number& y) {
  if (x.significand.sign() == 0) return y;
  if (y.significand.sign() == 0) return x;
  const long least = std::min(x.exponent, y.exponent);
  return {(x.significand << (x.exponent - least)) + (y.significand << (y.exponent - least)), least};
}

inline Number operator*(const Number& x, const Number& y) {
  return {x.significand * y.significand, x.exponent + y.exponent};
}

inline std::uint32_t modulus(int n, int i) { return i < n ? rns::Standard<128>::modulus(i) : 0x7FFFFFFFu; }

inline Integer product_of_moduli(int n) {
  Integer product(1);
  for (int i = 0; i < n; ++i) mpz_mul_ui(product.get(), product.get(), modulus(n, i));
  return product;
}

/// P = ⌊log₂ √M⌋.
inline int precision(int n) { return static_cast<int>(product_of_moduli(n).bits() - 1) / 2; }

/// RN(x) to P bits, ties to even.
inline Number rounded(const Number& x, int bits) {
  const long cut = x.significand.bits() - bits;
  if (cut <= 0) return x;
  const Integer half = Integer(1) << (cut - 1);
  Integer magnitude;
  mpz_abs(magnitude.get(), x.significand.get());
  Integer quotient;
  mpz_fdiv_q_2exp(quotient.get(), (magnitude + half).get(), static_cast<mp_bitcnt_t>(cut));
  const bool tie = mpz_scan1(magnitude.get(), 0) == static_cast<mp_bitcnt_t>(cut - 1);
  if (tie && mpz_odd_p(quotient.get())) quotient = quotient - 1;
  if (x.significand.sign() < 0) quotient = Integer(0) - quotient;
  return {quotient, x.exponent + cut};
}

/// Residues by GMP. Enclosures are wide: (0, 1/2] for every number that is not 0.
inline mp::MpArray array_of(int n, const Numbers& numbers, bool planes = true) {
  mp::MpArray x = mp::mp_zeros(n, numbers.size(), true);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k].significand.sign() == 0) continue;
    Integer magnitude;
    mpz_abs(magnitude.get(), numbers[k].significand.get());
    for (int i = 0; i <= n; ++i) {
      x.digits[static_cast<std::size_t>(i) * x.length + k] =
          static_cast<std::uint32_t>(mpz_fdiv_ui(magnitude.get(), modulus(n, i)));
    }
    x.sign[k] = numbers[k].significand.sign() < 0 ? 1 : 0;
    x.exponent[k] = static_cast<std::int32_t>(numbers[k].exponent);
    x.upper[k] = {1.0, -1};
  }
  return mp::with_layout(x, planes);
}

/// Number k by the Chinese remainder theorem, with the guard's residue, the enclosure of X/M and X ≤ 2^P asserted.
inline Number number_of(const mp::MpArray& array, std::size_t k) {
  const mp::MpArray x = mp::with_layout(array, true);
  const int n = x.n;
  Integer value;
  Integer product(1);
  for (int i = 0; i < n; ++i) {
    const unsigned long m = modulus(n, i);
    Integer inverse;
    Integer m_integer(static_cast<long>(m));
    mpz_invert(inverse.get(), product.get(), m_integer.get());
    const Integer residue(x.digits[static_cast<std::size_t>(i) * x.length + k]);
    Integer step;
    mpz_fdiv_r(step.get(), ((residue - value) * inverse).get(), m_integer.get());
    value = value + step * product;
    product = product * m_integer;
  }
  EXPECT_EQ(mpz_fdiv_ui(value.get(), modulus(n, n)), x.digits[static_cast<std::size_t>(n) * x.length + k]);
  EXPECT_LE(mpz_cmp(value.get(), (Integer(1) << precision(n)).get()), 0);
  const auto times_product = [&](const Extended& bound) {  // bound·M·2^4000 as an integer
    const auto fraction = static_cast<long>(bound.fraction * 0x1p52);
    return (Integer(fraction) * product) << static_cast<long>(bound.exponent - 52 + 4000);
  };
  EXPECT_LE(mpz_cmp(times_product(x.lower[k]).get(), (value << 4000).get()), 0);
  EXPECT_GE(mpz_cmp(times_product(x.upper[k]).get(), (value << 4000).get()), 0);
  return {x.sign[k] != 0 ? Integer(0) - value : value, x.exponent[k]};
}

/// Numbers of up to P bits, a part of them zero or short, exponents in [−spread, spread].
class Draw {
 public:
  Draw(int n, std::uint32_t seed) : bits_(precision(n)), random_(seed) {}

  Number number(int spread) {
    if (random_() % 12 == 0) return {};
    const bool full = random_() % 2 == 0;
    return number_of_bits(full ? bits_ : 1 + static_cast<int>(random_() % static_cast<std::uint32_t>(bits_)), spread);
  }

  Number number_of_bits(int bits, int spread) {
    Integer x;
    for (int i = 0; i < bits; i += 32) x = (x << 32) + Integer(static_cast<long>(random_()));
    mpz_fdiv_r_2exp(x.get(), x.get(), static_cast<mp_bitcnt_t>(bits));
    mpz_setbit(x.get(), static_cast<mp_bitcnt_t>(bits - 1));
    const long exponent = static_cast<long>(random_() % static_cast<std::uint32_t>(2 * spread + 1)) - spread;
    return {random_() % 2 == 0 ? x : Integer(0) - x, exponent};
  }

  Numbers numbers(std::size_t count, int spread) {
    Numbers x(count);
    for (Number& each : x) each = number(spread);
    return x;
  }

 private:
  int bits_;
  std::mt19937 random_;
};

struct Gemv {
  blas::Transpose trans = blas::Transpose::no;
  std::int64_t m = 1, n = 1, lda = 1, incx = 1, incy = 1;
  Number alpha{1, 0}, beta{0, 0};
  Numbers a, x, y;
};

inline mp::MpArray run(int n, const Gemv& g, bool planes = true, const Executor& on = Executor::host()) {
  return mp_gemv_exact(on, g.trans, g.m, g.n, array_of(n, {g.alpha}), array_of(n, g.a, planes), g.lda,
                       array_of(n, g.x, planes), g.incx, array_of(n, {g.beta}), array_of(n, g.y, planes), g.incy);
}

inline std::int64_t place(std::int64_t i, std::int64_t length, std::int64_t stride) {
  return stride > 0 ? i * stride : (i - length + 1) * stride;
}

/// RN(α·s + β·y) with all products in s.
inline Number expected(int n, const Gemv& g, std::int64_t output) {
  const bool transposed = g.trans == blas::Transpose::yes;
  const std::int64_t terms = transposed ? g.m : g.n;
  const std::int64_t outputs = transposed ? g.n : g.m;
  Number sum;
  for (std::int64_t j = 0; j < terms && g.alpha.significand.sign() != 0; ++j) {
    const std::int64_t at = transposed ? output * g.lda + j : output + j * g.lda;
    sum = sum + g.a[static_cast<std::size_t>(at)] * g.x[static_cast<std::size_t>(place(j, terms, g.incx))];
  }
  const Number start = g.y[static_cast<std::size_t>(place(output, outputs, g.incy))];
  return rounded(g.alpha * sum + g.beta * start, precision(n));
}

inline void expect_rounded_once(int n, const Gemv& g, const Executor& on = Executor::host()) {
  const mp::MpArray result = run(n, g, true, on);
  const std::int64_t outputs = g.trans == blas::Transpose::yes ? g.n : g.m;
  for (std::int64_t i = 0; i < outputs; ++i) {
    const auto at = static_cast<std::size_t>(place(i, outputs, g.incy));
    EXPECT_EQ(number_of(result, at), expected(n, g, i)) << n << " moduli, entry " << i;
  }
}

inline Gemv drawn(Draw& draw, blas::Transpose trans, std::int64_t m, std::int64_t n, int spread) {
  Gemv g;
  g.trans = trans;
  g.m = m;
  g.n = n;
  g.lda = m;
  g.a = draw.numbers(static_cast<std::size_t>(m * n), spread);
  g.x = draw.numbers(static_cast<std::size_t>(trans == blas::Transpose::yes ? m : n), spread);
  g.y = draw.numbers(static_cast<std::size_t>(trans == blas::Transpose::yes ? n : m), spread);
  return g;
}

/// The host in two orders, and a device if there is one.
inline std::vector<Executor> executors() {
  std::vector<Executor> all{Executor::host(), Executor::host(Order::shuffled, 5)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

/// The place of term j of an output in A without padding.
inline std::size_t entry(const Gemv& g, std::int64_t output, std::int64_t j) {
  return static_cast<std::size_t>(g.trans == blas::Transpose::yes ? j + output * g.m : output + j * g.m);
}

/// Rows in which the second half of the products cancels the first half except for a rest that depends on the row: 0,
/// the last bit of one product, one product less, and a start that cancels one product more or less.
inline Gemv cancelling(Draw& draw, int n, blas::Transpose trans, std::int64_t terms, int spread) {
  constexpr std::int64_t outputs = 5;
  Gemv g = trans == blas::Transpose::yes ? drawn(draw, trans, terms, outputs, spread)
                                         : drawn(draw, trans, outputs, terms, spread);
  const std::int64_t half = terms / 2;
  const auto at = [&](std::int64_t i, std::int64_t j) -> Number& { return g.a[entry(g, i, j)]; };
  for (std::int64_t j = 0; j < half; ++j) {
    g.x[static_cast<std::size_t>(half + j)] = g.x[static_cast<std::size_t>(j)];
    for (std::int64_t i = 0; i < outputs; ++i) at(i, half + j) = Number{-1, 0} * at(i, j);
  }
  for (std::int64_t i = 0; i < outputs && 2 * half < terms; ++i) at(i, terms - 1) = {};
  at(1, half + 1).significand = at(1, half + 1).significand + Integer(1);
  at(2, half + 1) = {};
  g.beta = {1, 0};
  g.y[0] = {};
  g.y[2] = {1, -3 * spread};
  // Rows 3 and 4: y and the first product cancel, or leave a bit.
  for (const std::int64_t i : {3, 4}) {
    at(i, 0) = draw.number_of_bits(precision(n), spread);
    at(i, half) = {};
    g.y[static_cast<std::size_t>(i)] = Number{-1, i == 3 ? 0 : 1} * at(i, 0);
  }
  g.x[0] = {1, 7};
  g.x[static_cast<std::size_t>(half)] = g.x[0];
  for (const std::int64_t i : {3, 4}) g.y[static_cast<std::size_t>(i)].exponent += 7;
  return g;
}

}  // namespace assay::gemv
