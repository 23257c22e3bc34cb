#include "oracle/mpfr_value.hpp"

#include <stdexcept>
#include <string>

#include "oracle/gmp_value.hpp"

namespace assay::oracle {

Dyadic value_of(mpfr_srcptr f) {
  if (mpfr_number_p(f) == 0) throw std::domain_error("an infinity or a NaN has no value");
  if (mpfr_zero_p(f) != 0) return 0;
  Integer m;
  const mpfr_exp_t e = mpfr_get_z_2exp(m.z, f);
  FlintInteger man;
  fmpz_set_mpz(man.z, m.z);
  Dyadic x;
  arf_set_fmpz(x.arf(), man.z);
  return x.mul_2exp(e);
}

int set_mpfr(mpfr_ptr f, const Dyadic& x, Rounding direction) {
  Integer m;
  long e = 0;
  significand(x, m, e);
  return mpfr_set_z_2exp(f, m.z, e, mpfr_direction(direction));
}

Dyadic truncated_decimal(std::string_view text, long bits) {
  const std::string copy(text);
  const ExponentRange restored_at_the_end;
  Float f(bits);
  char* end = nullptr;
  const bool has_form = !copy.empty() && copy.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (has_form) mpfr_strtofr(f.f, copy.c_str(), &end, 10, MPFR_RNDZ);
  if (!has_form || end != copy.c_str() + copy.size()) {
    throw std::invalid_argument("not a decimal number: \"" + copy + "\"");
  }
  const bool is_zero = copy.substr(0, copy.find_first_of("eE")).find_first_of("123456789") == std::string::npos;
  if (mpfr_zero_p(f.f) != 0 && !is_zero) return Dyadic::scaled(copy[0] == '-' ? -1 : 1, mpfr_get_emin());
  return value_of(f.f);
}

}  // namespace assay::oracle
