#pragma once

#include <gmp.h>
#include <mpfr.h>

#include <string>

#include "oracle/dyadic.hpp"
#include "oracle/flint.hpp"
#include "oracle/format.hpp"

/// Owners of GMP, MPFR and FLINT values inside this room.
namespace assay::oracle {

template <class Value, auto init, auto clear>
struct Owned {
  Value z;
  Owned() { init(z); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { clear(z); }
};
/// An integer of GMP, and one of FLINT.
using Integer = Owned<mpz_t, mpz_init, mpz_clear>;
using FlintInteger = Owned<fmpz_t, fmpz_init, fmpz_clear>;

/// x = m·2^e with m odd, or 0 and 0.
inline void significand(const Dyadic& x, Integer& m, long& e) {
  fmpz_t man;
  fmpz_t exp;
  fmpz_init(man);
  fmpz_init(exp);
  arf_get_fmpz_2exp(man, exp, x.arf());
  fmpz_get_mpz(m.z, man);
  e = fmpz_get_si(exp);
  fmpz_clear(man);
  fmpz_clear(exp);
}

struct Float {
  mpfr_t f;
  explicit Float(long precision) { mpfr_init2(f, precision); }
  Float(const Float&) = delete;
  Float& operator=(const Float&) = delete;
  ~Float() { mpfr_clear(f); }
};

/// MPFR's name of a direction.
inline mpfr_rnd_t mpfr_direction(Rounding direction) {
  switch (direction) {
    case Rounding::up:
      return MPFR_RNDU;
    case Rounding::down:
      return MPFR_RNDD;
    case Rounding::zero:
      return MPFR_RNDZ;
    case Rounding::nearest:
      break;
  }
  return MPFR_RNDN;
}

/// Sets MPFR's widest exponent range, and restores the caller's at the end. The range is per thread.
class ExponentRange {
 public:
  ExponentRange() : emin_(mpfr_get_emin()), emax_(mpfr_get_emax()) {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  ExponentRange(const ExponentRange&) = delete;
  ExponentRange& operator=(const ExponentRange&) = delete;
  ~ExponentRange() {
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
  }

 private:
  mpfr_exp_t emin_;
  mpfr_exp_t emax_;
};

/// Decimal digits of an integer.
inline std::string digits_of(const Integer& m) {
  std::string text(mpz_sizeinbase(m.z, 10) + 2, '\0');
  mpz_get_str(text.data(), 10, m.z);
  text.resize(text.find('\0'));
  return text;
}

}  // namespace assay::oracle
