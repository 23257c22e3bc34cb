#include "oracle/ball_functions.hpp"

namespace assay::oracle {

Ball exp(const Ball& x, long bits) {
  Ball result;
  arb_exp(result.get(), x.get(), bits);
  return result;
}

Ball log1p(const Ball& x, long bits) {
  Ball result;
  arb_log1p(result.get(), x.get(), bits);
  return result;
}

std::optional<Dyadic> exact_root(const Dyadic& square) {
  fmpz_t significand;
  fmpz_t exponent;
  fmpz_init(significand);
  fmpz_init(exponent);
  arf_get_fmpz_2exp(significand, exponent, square.arf());
  std::optional<Dyadic> root;
  if (fmpz_is_even(exponent) != 0 && fmpz_is_square(significand) != 0) {
    fmpz_sqrt(significand, significand);
    fmpz_fdiv_q_2exp(exponent, exponent, 1);
    root.emplace();
    arf_set_fmpz_2exp(root->arf(), significand, exponent);
  }
  fmpz_clear(significand);
  fmpz_clear(exponent);
  return root;
}

}  // namespace assay::oracle
