#include "oracle/dyadic.hpp"

#include "oracle/gmp_value.hpp"

namespace assay::oracle {

std::string to_string(const Dyadic& x) {
  Integer m;
  long e = 0;
  significand(x, m, e);
  if (e >= 0) {
    mpz_mul_2exp(m.z, m.z, static_cast<mp_bitcnt_t>(e));
    return digits_of(m);
  }
  // m·2^e = m·5^k·10^(−k), k = −e, and no trailing zero arises because m is odd.
  const auto k = static_cast<std::size_t>(-e);
  const bool negative = mpz_sgn(m.z) < 0;
  mpz_abs(m.z, m.z);
  Integer power;
  mpz_ui_pow_ui(power.z, 5, k);
  mpz_mul(m.z, m.z, power.z);
  std::string text = digits_of(m);
  if (text.size() <= k) text.insert(0, k + 1 - text.size(), '0');
  text.insert(text.size() - k, 1, '.');
  return negative ? "-" + text : text;
}

}  // namespace assay::oracle
