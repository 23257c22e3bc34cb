#pragma once
// Exact integers and rational numbers of GMP, for tests of arithmetic on residues.

#include <gmp.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "arith/float/extended_range.hpp"

namespace assay::reference {

/// z = f(x, y), where f is GMP's function of three numbers.
template <class Number, class F>
Number made(F* f, const Number& x, const Number& y) {
  Number z;
  f(z.get(), x.get(), y.get());
  return z;
}

/// The operators of a class of numbers by GMP's functions.
template <class Number, auto add, auto sub, auto mul, auto div>
struct Operators {
  friend Number operator+(const Number& x, const Number& y) { return made<Number>(add, x, y); }
  friend Number operator-(const Number& x, const Number& y) { return made<Number>(sub, x, y); }
  friend Number operator*(const Number& x, const Number& y) { return made<Number>(mul, x, y); }
  friend Number operator/(const Number& x, const Number& y) { return made<Number>(div, x, y); }
};

class Integer : public Operators<Integer, mpz_add, mpz_sub, mpz_mul, mpz_fdiv_q> {
 public:
  Integer(long x = 0) { mpz_init_set_si(z_, x); }
  Integer(const Integer& x) : Operators() { mpz_init_set(z_, x.z_); }
  Integer& operator=(const Integer& x) {
    mpz_set(z_, x.z_);
    return *this;
  }
  ~Integer() { mpz_clear(z_); }

  static Integer of_limbs(const std::uint32_t* words, int count) {
    Integer x;
    mpz_import(x.z_, static_cast<std::size_t>(count), -1, sizeof *words, 0, 0, words);
    return x;
  }
  /// The words of |x|, at least `count` of them.
  [[nodiscard]] std::vector<std::uint32_t> limbs(int count) const {
    std::vector<std::uint32_t> words(std::max(static_cast<std::size_t>(count), mpz_sizeinbase(z_, 2) / 32 + 1));
    mpz_export(words.data(), nullptr, -1, sizeof words[0], 0, 0, z_);
    words.resize(std::max(static_cast<std::size_t>(count), (mpz_sizeinbase(z_, 2) + 31) / 32));
    return words;
  }
  [[nodiscard]] std::uint32_t modulo(std::uint32_t m) const { return static_cast<std::uint32_t>(mpz_fdiv_ui(z_, m)); }
  [[nodiscard]] long bits() const { return *this == 0 ? 0 : static_cast<long>(mpz_sizeinbase(z_, 2)); }
  [[nodiscard]] const mpz_t& get() const { return z_; }
  mpz_t& get() { return z_; }

  friend Integer operator%(const Integer& x, const Integer& y) { return made(mpz_fdiv_r, x, y); }
  friend Integer operator<<(const Integer& x, long k) {
    Integer z;
    mpz_mul_2exp(z.z_, x.z_, static_cast<mp_bitcnt_t>(k));
    return z;
  }
  friend Integer operator>>(const Integer& x, long k) {
    Integer z;
    mpz_fdiv_q_2exp(z.z_, x.z_, static_cast<mp_bitcnt_t>(k));
    return z;
  }
  friend bool operator==(const Integer& x, const Integer& y) { return mpz_cmp(x.z_, y.z_) == 0; }
  friend bool operator<(const Integer& x, const Integer& y) { return mpz_cmp(x.z_, y.z_) < 0; }
  friend bool operator>=(const Integer& x, const Integer& y) { return !(x < y); }
  friend std::ostream& operator<<(std::ostream& out, const Integer& x) {
    std::string digits(mpz_sizeinbase(x.z_, 16) + 2, '\0');
    return out << "0x" << mpz_get_str(digits.data(), 16, x.z_);
  }

 private:
  mpz_t z_;
};

/// The sign of x − y.
inline int compare(const Integer& x, const Integer& y) { return x < y ? -1 : y < x ? 1 : 0; }

class Rational : public Operators<Rational, mpq_add, mpq_sub, mpq_mul, mpq_div> {
 public:
  Rational() { mpq_init(q_); }
  Rational(const Rational& x) : Rational() { mpq_set(q_, x.q_); }
  Rational& operator=(const Rational& x) {
    mpq_set(q_, x.q_);
    return *this;
  }
  ~Rational() { mpq_clear(q_); }

  Rational(const Integer& numerator, const Integer& denominator) : Rational() {
    mpq_set_num(q_, numerator.get());
    mpq_set_den(q_, denominator.get());
    mpq_canonicalize(q_);
  }
  Rational(double x) : Rational() { mpq_set_d(q_, x); }
  Rational(const Extended& x) : Rational(x.fraction) {
    if (x.exponent >= 0) {
      mpq_mul_2exp(q_, q_, static_cast<mp_bitcnt_t>(x.exponent));
    } else {
      mpq_div_2exp(q_, q_, static_cast<mp_bitcnt_t>(-x.exponent));
    }
  }

  [[nodiscard]] const mpq_t& get() const { return q_; }
  mpq_t& get() { return q_; }

  friend bool operator==(const Rational& x, const Rational& y) { return mpq_equal(x.q_, y.q_) != 0; }
  friend bool operator<(const Rational& x, const Rational& y) { return mpq_cmp(x.q_, y.q_) < 0; }
  friend bool operator<=(const Rational& x, const Rational& y) { return mpq_cmp(x.q_, y.q_) <= 0; }
  friend std::ostream& operator<<(std::ostream& out, const Rational& x) { return out << mpq_get_d(x.q_); }

 private:
  mpq_t q_;
};

}  // namespace assay::reference
