#include "oracle/limb_float.hpp"

#include <array>
#include <stdexcept>

#include "oracle/gmp_value.hpp"
#include "oracle/residues.hpp"

namespace assay::oracle {
namespace {

constexpr long limb_bits = 32;
constexpr long default_emax = (1L << 30) - 1;

/// Sets MPFR's initial range, and restores the caller's at the end.
class DefaultRange : ExponentRange {
 public:
  DefaultRange() {
    mpfr_set_emin(-default_emax);
    mpfr_set_emax(default_emax);
  }
};

void assign(mpfr_ptr f, const LimbFloat& x, std::size_t limbs) {
  const int sign = x.negative ? -1 : 1;
  switch (x.kind) {
    case LimbFloat::Kind::zero:
      mpfr_set_zero(f, sign);
      return;
    case LimbFloat::Kind::infinite:
      mpfr_set_inf(f, sign);
      return;
    case LimbFloat::Kind::nan:
      mpfr_set_nan(f);
      return;
    case LimbFloat::Kind::regular:
      break;
  }
  if (x.word.size() != limbs || x.word.back() >> (limb_bits - 1) == 0 || x.exponent > default_emax ||
      x.exponent < -default_emax) {
    throw std::invalid_argument("no number of " + std::to_string(limbs) + " limbs");
  }
  Integer m;
  mpz_import(m.z, limbs, -1, sizeof(std::uint32_t), 0, 0, x.word.data());
  if (x.negative) mpz_neg(m.z, m.z);
  mpfr_set_z_2exp(f, m.z, x.exponent - limb_bits * static_cast<long>(limbs), MPFR_RNDN);
}

LimbFloat read(mpfr_srcptr f, std::size_t limbs) {
  LimbFloat x;
  x.negative = mpfr_signbit(f) != 0;
  x.kind = mpfr_nan_p(f) != 0    ? LimbFloat::Kind::nan
           : mpfr_inf_p(f) != 0  ? LimbFloat::Kind::infinite
           : mpfr_zero_p(f) != 0 ? LimbFloat::Kind::zero
                                 : LimbFloat::Kind::regular;
  if (x.kind != LimbFloat::Kind::regular) return x;
  x.exponent = mpfr_get_exp(f);
  x.word.resize(limbs);
  Integer m;
  mpfr_get_z_2exp(m.z, f);
  mpz_abs(m.z, m.z);
  mpz_export(x.word.data(), nullptr, -1, sizeof(std::uint32_t), 0, 0, m.z);
  return x;
}

/// ∘(√x) of a positive x = 0.W·2^e, by an integer and its remainder. mpfr_sqrt would suffice if mpn_sqrtrem were right;
/// the version without a remainder in GMP 6.2.1, which MPFR 4.2.0 calls, gives ⌊√N⌋ − 1 for N = (2^1023 + 2^769 +
/// 2^4)·2^1023.
void round_root(mpfr_ptr result, const LimbFloat& x, mpfr_rnd_t rounding) {
  const auto bits = limb_bits * static_cast<long>(x.word.size());
  const bool odd = (x.exponent & 1) != 0;
  Integer n;
  mpz_import(n.z, x.word.size(), -1, sizeof(std::uint32_t), 0, 0, x.word.data());
  mpz_mul_2exp(n.z, n.z, static_cast<mp_bitcnt_t>(bits + 4 - (odd ? 1 : 0)));
  Integer root;
  Integer rest;
  mpz_sqrtrem(root.z, rest.z, n.z);
  Integer back;  // S² + R = N and R ≤ 2S, or no root is right
  mpz_mul(back.z, root.z, root.z);
  mpz_add(back.z, back.z, rest.z);
  const bool sums_up = mpz_cmp(back.z, n.z) == 0;
  const bool inexact = mpz_sgn(rest.z) != 0;
  mpz_mul_2exp(root.z, root.z, 1);
  if (!sums_up || mpz_sgn(rest.z) < 0 || mpz_cmp(rest.z, root.z) > 0) throw std::logic_error("a wrong root of GMP");
  if (inexact) mpz_setbit(root.z, 0);
  mpfr_set_z_2exp(result, root.z, (x.exponent + (odd ? 1 : 0)) / 2 - bits - 3, rounding);
}

}  // namespace

LimbFloat limb_operation(LimbOperation operation, std::span<const LimbFloat> operands, std::size_t limbs,
                         Rounding direction) {
  const std::size_t count = operation == LimbOperation::sqrt ? 1 : operation == LimbOperation::fma ? 3 : 2;
  if (operands.size() != count) throw std::invalid_argument("an operation with another number of operands");
  const DefaultRange restored_at_the_end;
  const long precision = limb_bits * static_cast<long>(limbs);
  Float x(precision);
  Float y(precision);
  Float z(precision);
  Float result(precision);
  assign(x.f, operands[0], limbs);
  if (count > 1) assign(y.f, operands[1], limbs);
  if (count > 2) assign(z.f, operands[2], limbs);
  const mpfr_rnd_t rounding = mpfr_direction(direction);
  switch (operation) {
    case LimbOperation::add:
      mpfr_add(result.f, x.f, y.f, rounding);
      break;
    case LimbOperation::sub:
      mpfr_sub(result.f, x.f, y.f, rounding);
      break;
    case LimbOperation::mul:
      mpfr_mul(result.f, x.f, y.f, rounding);
      break;
    case LimbOperation::div:
      mpfr_div(result.f, x.f, y.f, rounding);
      break;
    case LimbOperation::sqrt:
      if (operands[0].kind == LimbFloat::Kind::regular && !operands[0].negative) {
        round_root(result.f, operands[0], rounding);
      } else {
        mpfr_sqrt(result.f, x.f, rounding);
      }
      break;
    case LimbOperation::fma:
      mpfr_fma(result.f, x.f, y.f, z.f, rounding);
      break;
  }
  return read(result.f, limbs);
}

LimbFloat limb_rounded(const Dyadic& x, std::size_t limbs, Rounding direction) {
  const DefaultRange restored_at_the_end;
  Integer m;
  long e = 0;
  significand(x, m, e);
  Float result(limb_bits * static_cast<long>(limbs));
  mpfr_set_z_2exp(result.f, m.z, e, mpfr_direction(direction));
  return read(result.f, limbs);
}

Dyadic value_of(const LimbFloat& x) {
  if (x.kind == LimbFloat::Kind::zero) return {};
  if (x.kind != LimbFloat::Kind::regular) throw std::domain_error("no finite number");
  Dyadic value = integer_of_limbs(x.word);
  value.mul_2exp(x.exponent - limb_bits * static_cast<long>(x.word.size()));
  return x.negative ? value.negate() : value;
}

std::string to_string(const LimbFloat& x) {
  const std::string sign = x.negative ? "-" : "";
  switch (x.kind) {
    case LimbFloat::Kind::zero:
      return sign + "0";
    case LimbFloat::Kind::infinite:
      return sign + "inf";
    case LimbFloat::Kind::nan:
      return "nan";
    case LimbFloat::Kind::regular:
      break;
  }
  const DefaultRange restored_at_the_end;
  Float f(limb_bits * static_cast<long>(x.word.size()));
  assign(f.f, x, x.word.size());
  std::array<char, 128> text{};
  mpfr_snprintf(text.data(), text.size(), "%.40Re", f.f);
  return text.data();
}

}  // namespace assay::oracle
