#include "oracle/ball_functions.hpp"

#include <stdexcept>
#include <type_traits>
#include <variant>

#include "oracle/flint_functions.hpp"

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

Ball elementary_of(Elementary f, const Ball& x, long bits) {
  Ball result;
  switch (f) {
    case Elementary::exp:
      arb_exp(result.get(), x.get(), bits);
      return result;
    case Elementary::exp2:
      arb_const_log2(result.get(), bits + 8);
      arb_mul(result.get(), result.get(), x.get(), bits + 8);
      if (arb_is_exact(x.get()) != 0 && arb_is_int(x.get()) != 0 && arf_cmpabs_2exp_si(arb_midref(x.get()), 60) < 0) {
        arb_one(result.get());
        arb_mul_2exp_si(result.get(), result.get(), arf_get_si(arb_midref(x.get()), ARF_RND_NEAR));
      } else {
        arb_exp(result.get(), result.get(), bits);
      }
      return result;
    case Elementary::expm1:
      arb_expm1(result.get(), x.get(), bits);
      return result;
    case Elementary::log:
      arb_log(result.get(), x.get(), bits);
      return result;
    case Elementary::log1p:
      arb_log1p(result.get(), x.get(), bits);
      return result;
    case Elementary::sin:
      arb_sin(result.get(), x.get(), bits);
      return result;
    case Elementary::cos:
      arb_cos(result.get(), x.get(), bits);
      return result;
    case Elementary::tanh:
      arb_tanh(result.get(), x.get(), bits);
      return result;
    case Elementary::sqrt:
      arb_sqrt(result.get(), x.get(), bits);
      return result;
    case Elementary::rsqrt:
      arb_rsqrt(result.get(), x.get(), bits);
      return result;
    case Elementary::erf:
      arb_hypgeom_erf(result.get(), x.get(), bits);
      return result;
    default:
      throw std::invalid_argument("no function of balls");
  }
}

Ball pi(long bits) {
  Ball result;
  arb_const_pi(result.get(), bits);
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

Ball enclosed(const Exact& x, long bits) {
  return std::visit(
      [bits](const auto& exact) -> Ball {
        using Kind = std::decay_t<decltype(exact)>;
        if constexpr (std::is_same_v<Kind, Dyadic>) {
          return exact;
        } else if constexpr (std::is_same_v<Kind, Rational>) {
          return {exact, bits};
        } else if constexpr (std::is_same_v<Kind, SquareRoot>) {
          return sqrt(Ball(exact.square, bits), bits);
        } else {
          return exact.at(bits);
        }
      },
      x);
}

}  // namespace assay::oracle
