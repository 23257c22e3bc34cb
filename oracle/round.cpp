#include "oracle/round.hpp"

#include <algorithm>
#include <type_traits>

#include "oracle/gmp_value.hpp"

namespace assay::oracle {
namespace {

std::uint64_t signed_pattern(const Format& format, bool negative, std::uint64_t magnitude) {
  return negative ? magnitude | format.sign_mask() : magnitude;
}

std::uint64_t overflow(const Format& format, Rounding direction, bool negative, const RoundingPolicy& policy) {
  const bool outward = direction == Rounding::nearest || direction == (negative ? Rounding::down : Rounding::up);
  const std::uint64_t special = format.has_infinity() ? format.infinity() : format.nan();
  return signed_pattern(format, negative, outward && !policy.saturate ? special : format.largest_finite());
}

/// Rounds once: `set(f, rounding)` puts the truth, rounded to the precision of f with unbounded exponent, into f and
/// returns the ternary value. Requires: the truth is not 0.
template <class Set>
std::uint64_t through_mpfr(const Format& format, Rounding direction, const RoundingPolicy& policy, const Set& set) {
  const ExponentRange restored_at_the_end;
  const mpfr_rnd_t rounding = mpfr_direction(direction);
  Float f(format.precision);
  int ternary = set(f.f, rounding);
  // MPFR's significands lie in [1/2, 1): its exponents are one larger.
  mpfr_set_emin(format.emin - format.precision + 2);
  mpfr_set_emax(format.emax + 1);
  ternary = mpfr_check_range(f.f, ternary, rounding);
  mpfr_subnormalize(f.f, ternary, rounding);
  const bool negative = mpfr_signbit(f.f) != 0;
  if (mpfr_zero_p(f.f)) return signed_pattern(format, negative, 0);
  if (mpfr_inf_p(f.f)) return overflow(format, direction, negative, policy);
  Integer m;
  const long e = mpfr_get_z_2exp(m.z, f.f);
  const long exponent = mpfr_get_exp(f.f) - 1;
  const std::uint64_t significand = mpz_getlimbn(m.z, 0);
  const std::uint64_t magnitude =
      exponent < format.emin
          ? significand >> (format.emin - format.precision + 1 - e)
          : (static_cast<std::uint64_t>(exponent - format.emin) << format.fraction_bits()) + significand;
  if (magnitude > format.largest_finite()) return overflow(format, direction, negative, policy);
  return signed_pattern(format, negative, magnitude);
}

/// A dyadic number that rounds as √(p/q) does in every direction at every precision up to 63: the root's leading 66
/// bits or more, and below them one bit that is set if anything is cut off (rounding to odd).
Dyadic root_to_odd(const Rational& square) {
  const long shift = 70 - (square.exponent() >> 1);
  Integer p;
  Integer q;
  fmpz_get_mpz(p.z, fmpq_numref(square.get()));
  fmpz_get_mpz(q.z, fmpq_denref(square.get()));
  if (shift >= 0) {
    mpz_mul_2exp(p.z, p.z, static_cast<mp_bitcnt_t>(2 * shift));
  } else {
    mpz_mul_2exp(q.z, q.z, static_cast<mp_bitcnt_t>(-2 * shift));
  }
  Integer s;
  mpz_fdiv_q(s.z, p.z, q.z);
  mpz_sqrt(s.z, s.z);
  Integer back;
  mpz_mul(back.z, s.z, s.z);
  mpz_mul(back.z, back.z, q.z);
  const bool inexact = mpz_cmp(back.z, p.z) != 0;
  mpz_mul_2exp(s.z, s.z, 1);
  if (inexact) mpz_setbit(s.z, 0);
  Dyadic result;
  arf_set_mpz(result.arf(), s.z);
  return result.mul_2exp(-shift - 1);
}

}  // namespace

std::uint64_t round_by_mpfr(const Dyadic& truth, const Format& format, Rounding direction,
                            const RoundingPolicy& policy) {
  if (truth.is_zero()) return signed_pattern(format, policy.negative_zero, 0);
  Integer m;
  long e = 0;
  significand(truth, m, e);
  return through_mpfr(format, direction, policy,
                      [&](mpfr_ptr f, mpfr_rnd_t rounding) { return mpfr_set_z_2exp(f, m.z, e, rounding); });
}

namespace {

std::uint64_t round_dyadic(const Dyadic& truth, const Format& format, Rounding direction,
                           const RoundingPolicy& policy) {
  if (truth.is_zero()) return signed_pattern(format, policy.negative_zero, 0);
  const bool negative = truth.sign() < 0;
  const long exponent = truth.exponent();
  if (exponent > format.emax) return overflow(format, direction, negative, policy);
  // The truth is 0.1bb…b · 2^(exponent + 1) with the b's in limbs from the top; `kept` of them stand on the format's
  // grid.
  const long grid = std::max<long>(exponent, format.emin) - format.precision + 1;
  const long kept = exponent - grid + 1;
  std::uint64_t top = 0;
  ARF_GET_TOP_LIMB(top, truth.arf());
  const bool more = ARF_SIZE(truth.arf()) > 1;
  std::uint64_t significand = 0;
  bool half = false;
  bool rest = true;
  if (kept > 0) {
    significand = top >> (64 - kept);
    const std::uint64_t below = top << kept;
    half = (below >> 63) != 0;
    rest = (below << 1) != 0 || more;
  } else if (kept == 0) {
    half = true;
    rest = (top << 1) != 0 || more;
  }
  bool away = false;
  switch (direction) {
    case Rounding::nearest:
      away = half && (rest || (significand & 1) != 0);
      break;
    case Rounding::up:
      away = !negative && (half || rest);
      break;
    case Rounding::down:
      away = negative && (half || rest);
      break;
    case Rounding::zero:
      break;
  }
  std::uint64_t magnitude = significand + (away ? 1 : 0);
  if (exponent >= format.emin) {
    magnitude += static_cast<std::uint64_t>(exponent - format.emin) << format.fraction_bits();
  }
  if (magnitude > format.largest_finite()) return overflow(format, direction, negative, policy);
  return signed_pattern(format, negative, magnitude);
}

std::uint64_t round_rational(const Rational& truth, const Format& format, Rounding direction,
                             const RoundingPolicy& policy) {
  if (truth.is_zero()) return signed_pattern(format, policy.negative_zero, 0);
  mpq_t q;
  mpq_init(q);
  fmpq_get_mpq(q, truth.get());
  const std::uint64_t bits = through_mpfr(format, direction, policy,
                                          [&](mpfr_ptr f, mpfr_rnd_t rounding) { return mpfr_set_q(f, q, rounding); });
  mpq_clear(q);
  return bits;
}

std::uint64_t round_root(const SquareRoot& truth, const Format& format, Rounding direction,
                         const RoundingPolicy& policy) {
  const Rational& square = truth.square;
  if (square.is_zero()) return signed_pattern(format, policy.negative_zero, 0);
  if (!square.is_dyadic()) return round_by_mpfr(root_to_odd(square), format, direction, policy);
  Integer m;
  long e = 0;
  Dyadic dyadic = square.numerator();
  dyadic.mul_2exp(1 - static_cast<long>(fmpz_bits(fmpq_denref(square.get()))));
  significand(dyadic, m, e);
  return through_mpfr(format, direction, policy, [&](mpfr_ptr f, mpfr_rnd_t rounding) {
    Float x(std::max(2L, dyadic.bit_length()));
    mpfr_set_z_2exp(x.f, m.z, e, MPFR_RNDN);
    return mpfr_sqrt(f, x.f, rounding);
  });
}

}  // namespace

std::uint64_t round(const Dyadic& truth, const Format& format, Rounding direction, const RoundingPolicy& policy) {
  const std::uint64_t bits = round_dyadic(truth, format, direction, policy);
  if (watch::is_on) [[unlikely]] {
    watch::rounded(truth, format, direction, policy.negative_zero, policy.saturate, bits);
  }
  return bits;
}

std::uint64_t round(const Rational& truth, const Format& format, Rounding direction, const RoundingPolicy& policy) {
  const std::uint64_t bits = round_rational(truth, format, direction, policy);
  if (watch::is_on) watch::rounded(truth, format, direction, policy.negative_zero, policy.saturate, bits);
  return bits;
}

std::uint64_t round(const SquareRoot& truth, const Format& format, Rounding direction, const RoundingPolicy& policy) {
  const std::uint64_t bits = round_root(truth, format, direction, policy);
  if (watch::is_on) watch::rounded(truth, format, direction, policy.negative_zero, bits);
  return bits;
}

std::uint64_t round(const Exact& truth, const Format& format, Rounding direction, const RoundingPolicy& policy,
                    const Ziv& ziv) {
  return std::visit(
      [&](const auto& t) -> std::uint64_t {
        using T = std::decay_t<decltype(t)>;
        if constexpr (std::is_same_v<T, Enclosure>) {
          for (long bits = ziv.first; bits <= ziv.last; bits *= 2) {
            const Ball b = t.at(bits);
            if (!b.is_finite()) continue;
            const std::uint64_t low = round(b.lower(), format, direction, policy);
            if (low == round(b.upper(), format, direction, policy)) return low;
          }
          throw Undecided("the rounding of an enclosed number stays open");
        } else {
          return round(t, format, direction, policy);
        }
      },
      truth);
}

}  // namespace assay::oracle
