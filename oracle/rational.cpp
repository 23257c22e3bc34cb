#include "oracle/rational.hpp"

#include <stdexcept>

#include "oracle/gmp_value.hpp"

namespace assay::oracle {

Rational::Rational(const Dyadic& value) : Rational() { arf_get_fmpq(x_, value.arf()); }

Rational::Rational(const Dyadic& numerator, const Dyadic& denominator) : Rational(numerator) {
  *this /= Rational(denominator);
  if (watch::is_on) watch::quotient(numerator, denominator, *this);
}

Rational& Rational::operator/=(const Rational& y) {
  if (y.is_zero()) throw std::domain_error("division of an exact rational by zero");
  return apply('/', fmpq_div, y);
}

Rational& Rational::apply(char operation, void (*function)(fmpq_t, const fmpq_t, const fmpq_t), const Rational& y) {
  if (!watch::is_on) {
    function(x_, x_, y.x_);
    return *this;
  }
  const Rational left = *this;
  const Rational right = y;
  function(x_, x_, y.x_);
  watch::rational(operation, left, right, *this);
  return *this;
}

Dyadic Rational::numerator() const {
  Dyadic result;
  arf_set_fmpz(result.arf(), fmpq_numref(x_));
  return result;
}

Dyadic Rational::denominator() const {
  Dyadic result;
  arf_set_fmpz(result.arf(), fmpq_denref(x_));
  return result;
}

bool Rational::is_dyadic() const { return fmpz_val2(fmpq_denref(x_)) + 1 == fmpz_bits(fmpq_denref(x_)); }

long Rational::exponent() const {
  const long guess = static_cast<long>(fmpz_bits(fmpq_numref(x_))) - static_cast<long>(fmpz_bits(fmpq_denref(x_)));
  // 2^(guess−1) < |x| < 2^(guess+1): one comparison of |numerator| with denominator·2^guess is left.
  return compare_abs(numerator(), denominator().mul_2exp(guess)) < 0 ? guess - 1 : guess;
}

std::string to_string(const Rational& x) {
  Integer part;
  fmpz_get_mpz(part.z, fmpq_numref(x.get()));
  std::string text = digits_of(part);
  if (fmpz_is_one(fmpq_denref(x.get()))) return text;
  fmpz_get_mpz(part.z, fmpq_denref(x.get()));
  return text + "/" + digits_of(part);
}

}  // namespace assay::oracle
