#include "oracle/rational_path.hpp"

#include <utility>

namespace assay::oracle::rational_path {
namespace {

struct Whole {
  mpz_t z;
  Whole() { mpz_init(z); }
  explicit Whole(mpz_srcptr value) { mpz_init_set(z, value); }
  Whole(const Whole&) = delete;
  Whole& operator=(const Whole&) = delete;
  ~Whole() { mpz_clear(z); }
};

/// n/d · 2^e as a fraction of integers.
void scale(Whole& n, Whole& d, long e) {
  if (e >= 0) {
    mpz_mul_2exp(n.z, n.z, static_cast<mp_bitcnt_t>(e));
  } else {
    mpz_mul_2exp(d.z, d.z, static_cast<mp_bitcnt_t>(-e));
  }
}

/// The largest e with 2^e ≤ n/d, found by trying. Requires: n, d > 0.
long floor_log2(const Whole& n, const Whole& d) {
  long e = static_cast<long>(mpz_sizeinbase(n.z, 2)) - static_cast<long>(mpz_sizeinbase(d.z, 2)) + 1;
  for (;; --e) {
    Whole left(n.z);
    Whole right(d.z);
    scale(left, right, -e);
    if (mpz_cmp(left.z, right.z) >= 0) return e;
  }
}

/// 2^e for e ≥ 0.
std::uint64_t two_to(int e) { return std::uint64_t{1} << e; }

/// The number of bits of the exponent field: enough for a field value of 0, one for each exponent, and, with ieee
/// specials, one more.
int field_bits(const Format& format) {
  const int values = 1 + (format.emax - format.emin + 1) + (format.specials == Specials::ieee ? 1 : 0);
  int bits = 0;
  while ((1L << bits) < values) ++bits;
  return bits;
}

/// The three parts of a pattern.
struct Parts {
  bool negative;
  std::uint64_t field;
  std::uint64_t fraction;
};

std::uint64_t join(const Format& format, const Parts& parts) {
  const std::uint64_t sign = parts.negative ? 1 : 0;
  return (sign * two_to(field_bits(format)) + parts.field) * two_to(format.precision - 1) + parts.fraction;
}

/// Is this field and fraction the NaN of a finite_nan format?
bool is_the_nan(const Format& format, std::uint64_t field, std::uint64_t fraction) {
  return format.specials == Specials::finite_nan && field + 1 == two_to(field_bits(format)) &&
         fraction + 1 == two_to(format.precision - 1);
}

std::uint64_t beyond_range(const Format& format, Rounding direction, bool negative, bool saturate) {
  const bool to_largest = saturate || direction == Rounding::zero || (direction == Rounding::up && negative) ||
                          (direction == Rounding::down && !negative);
  const std::uint64_t all_ones = two_to(format.precision - 1) - 1;
  if (to_largest) {
    const auto field = static_cast<std::uint64_t>(std::int64_t{format.emax} - format.emin + 1);
    return join(format, {negative, field, is_the_nan(format, field, all_ones) ? all_ones - 1 : all_ones});
  }
  return join(format, {negative, two_to(field_bits(format)) - 1, format.specials == Specials::ieee ? 0 : all_ones});
}

/// The number m·2^q plus a part cut off, rounded to the grid 2^q. `cut` says how large the part cut off is: nothing,
/// less than a half, a half, more.
enum class Cut { nothing, low, half, high };

std::uint64_t finish(const Format& format, Rounding direction, bool negative, Whole& m, long q, Cut cut,
                     bool saturate) {
  bool up = false;
  if (direction == Rounding::nearest) {
    up = cut == Cut::high || (cut == Cut::half && mpz_odd_p(m.z));
  } else if (direction != Rounding::zero) {
    up = cut != Cut::nothing && (direction == Rounding::down) == negative;
  }
  if (up) mpz_add_ui(m.z, m.z, 1);
  if (mpz_sizeinbase(m.z, 2) > static_cast<std::size_t>(format.precision)) {
    mpz_divexact_ui(m.z, m.z, 2);
    ++q;
  }
  if (mpz_sgn(m.z) == 0) return join(format, {negative, 0, 0});
  const long e = q + format.precision - 1;
  if (e > format.emax) return beyond_range(format, direction, negative, saturate);
  const std::uint64_t significand = mpz_get_ui(m.z);
  const std::uint64_t leading = two_to(format.precision - 1);
  if (significand < leading) return join(format, {negative, 0, significand});
  const auto field = static_cast<std::uint64_t>(e - format.emin + 1);
  if (is_the_nan(format, field, significand - leading)) return beyond_range(format, direction, negative, saturate);
  return join(format, {negative, field, significand - leading});
}

long grid(const Format& format, long e) { return (e < format.emin ? format.emin : e) - format.precision + 1; }

Cut cut_from(int against_half, bool exact) {
  if (exact) return Cut::nothing;
  return against_half < 0 ? Cut::low : (against_half == 0 ? Cut::half : Cut::high);
}

}  // namespace

Fraction operator+(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_add(result.q_, a.q_, b.q_);
  return result;
}

Fraction operator-(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_sub(result.q_, a.q_, b.q_);
  return result;
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_mul(result.q_, a.q_, b.q_);
  return result;
}

Fraction operator/(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_div(result.q_, a.q_, b.q_);
  return result;
}

Fraction abs(const Fraction& a) {
  Fraction result;
  mpq_abs(result.q_, a.q_);
  return result;
}

Fraction scaled(long m, long e) {
  Fraction result(m);
  if (e >= 0) {
    mpq_mul_2exp(result.get(), result.get(), static_cast<mp_bitcnt_t>(e));
  } else {
    mpq_div_2exp(result.get(), result.get(), static_cast<mp_bitcnt_t>(-e));
  }
  return result;
}

std::optional<Fraction> decode(const Format& format, std::uint64_t bits) {
  const std::uint64_t leading = two_to(format.precision - 1);
  const std::uint64_t fields = two_to(field_bits(format));
  const std::uint64_t fraction = bits % leading;
  const std::uint64_t field = bits / leading % fields;
  const bool negative = bits / leading / fields % 2 != 0;
  const long e = format.emin + (field == 0 ? 0 : static_cast<long>(field) - 1);
  if (e > format.emax || is_the_nan(format, field, fraction)) return std::nullopt;
  const auto m = static_cast<long>(field == 0 ? fraction : fraction + leading);
  return scaled(negative ? -m : m, e - (format.precision - 1));
}

Fraction sum(std::span<const Fraction> x) {
  Fraction result;
  for (const Fraction& term : x) result = result + term;
  return result;
}

Fraction dot(std::span<const Fraction> x, std::span<const Fraction> y) {
  Fraction result;
  for (std::size_t j = 0; j < x.size(); ++j) result = result + x[j] * y[j];
  return result;
}

std::uint64_t round(const Fraction& truth, const Format& format, Rounding direction, bool negative_zero,
                    bool saturate) {
  if (truth.sign() == 0) return join(format, {negative_zero, 0, 0});
  Whole n(mpq_numref(truth.get()));
  Whole d(mpq_denref(truth.get()));
  mpz_abs(n.z, n.z);
  const long q = grid(format, floor_log2(n, d));
  scale(n, d, -q);
  Whole m;
  Whole remainder;
  mpz_tdiv_qr(m.z, remainder.z, n.z, d.z);
  const bool exact = mpz_sgn(remainder.z) == 0;
  mpz_mul_2exp(remainder.z, remainder.z, 1);
  return finish(format, direction, truth.sign() < 0, m, q, cut_from(mpz_cmp(remainder.z, d.z), exact), saturate);
}

std::uint64_t round_sqrt(const Fraction& square, const Format& format, Rounding direction, bool negative_zero) {
  if (square.sign() == 0) return join(format, {negative_zero, 0, 0});
  Whole n(mpq_numref(square.get()));
  Whole d(mpq_denref(square.get()));
  const long e = floor_log2(n, d);
  const long q = grid(format, e >= 0 ? e / 2 : -((1 - e) / 2));
  scale(n, d, -2 * q);
  Whole m;
  mpz_fdiv_q(m.z, n.z, d.z);
  mpz_sqrt(m.z, m.z);
  Whole square_of;
  mpz_mul(square_of.z, m.z, m.z);
  mpz_mul(square_of.z, square_of.z, d.z);
  const bool exact = mpz_cmp(square_of.z, n.z) == 0;
  // √(n/d) against m + 1/2: 4n against (2m + 1)²d.
  mpz_mul_2exp(square_of.z, m.z, 1);
  mpz_add_ui(square_of.z, square_of.z, 1);
  mpz_mul(square_of.z, square_of.z, square_of.z);
  mpz_mul(square_of.z, square_of.z, d.z);
  mpz_mul_2exp(n.z, n.z, 2);
  return finish(format, direction, false, m, q, cut_from(mpz_cmp(n.z, square_of.z), exact), false);
}

Fraction ulp(const Fraction& truth, const Format& format) {
  if (truth.sign() == 0) return scaled(1, format.emin - format.precision + 1);
  Whole n(mpq_numref(truth.get()));
  Whole d(mpq_denref(truth.get()));
  mpz_abs(n.z, n.z);
  return scaled(1, grid(format, floor_log2(n, d)));
}

bool error_at_most(const Fraction& got, const Fraction& truth, const Fraction& bound) {
  return mpq_cmp(abs(got - truth).get(), bound.get()) <= 0;
}

bool relative_error_at_most(const Fraction& got, const Fraction& truth, const Fraction& bound) {
  return error_at_most(got, truth, bound * abs(truth));
}

bool root_error_at_most(const Fraction& got, const Fraction& square, const Fraction& bound) {
  const Fraction low = got - bound;
  const Fraction high = got + bound;
  const bool above_low = low.sign() <= 0 || mpq_cmp((low * low).get(), square.get()) <= 0;
  const bool below_high = high.sign() >= 0 && mpq_cmp(square.get(), (high * high).get()) <= 0;
  return above_low && below_high;
}

bool relative_root_error_at_most(const Fraction& got, const Fraction& square, const Fraction& bound) {
  // (1 − r)√s ≤ got ≤ (1 + r)√s: signs first, then squares.
  const auto at_most_root = [&](const Fraction& x, const Fraction& factor) {
    const Fraction right = factor * factor * square;
    const int order = mpq_cmp((x * x).get(), right.get());
    if (x.sign() < 0) return factor.sign() >= 0 || square.sign() == 0 || order >= 0;
    return factor.sign() < 0 ? x.sign() == 0 && square.sign() == 0 : order <= 0;
  };
  const Fraction one(1);
  const Fraction zero;
  return at_most_root(got, one + bound) && at_most_root(zero - got, bound - one);
}

}  // namespace assay::oracle::rational_path
