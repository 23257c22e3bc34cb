#pragma once

#include <gmp.h>

#include <cstdint>
#include <optional>
#include <span>

#include "oracle/format.hpp"

/// The second path to the truth: fractions of GMP integers, with a decoder and a rounding of its own. It shares no code
/// with Dyadic, decode, exact and round; the plain numbers of Format and the names of the roundings are all it takes.
/// Slow and simple on purpose. Tests and every run hold the first path against it.
namespace assay::oracle::rational_path {

/// A rational number in lowest terms. Threads: as any value type.
class Fraction {
 public:
  Fraction() { mpq_init(q_); }
  explicit Fraction(long value) : Fraction() { mpq_set_si(q_, value, 1); }
  Fraction(const Fraction& other) : Fraction() { mpq_set(q_, other.q_); }
  Fraction(Fraction&& other) noexcept : Fraction() { mpq_swap(q_, other.q_); }
  Fraction& operator=(Fraction other) noexcept {
    mpq_swap(q_, other.q_);
    return *this;
  }
  ~Fraction() { mpq_clear(q_); }

  friend Fraction operator+(const Fraction& a, const Fraction& b);
  friend Fraction operator-(const Fraction& a, const Fraction& b);
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  /// Requires: b ≠ 0 (GMP ends the program otherwise).
  friend Fraction operator/(const Fraction& a, const Fraction& b);
  friend Fraction abs(const Fraction& a);
  friend bool operator==(const Fraction& a, const Fraction& b) { return mpq_equal(a.q_, b.q_) != 0; }
  /// −1, 0 or 1.
  int sign() const { return mpq_sgn(q_); }

  mpq_srcptr get() const { return q_; }
  mpq_ptr get() { return q_; }

 private:
  mpq_t q_;
};

/// m·2^e.
Fraction scaled(long m, long e);

/// The number with the encoding in the low bits of `bits`; nothing for an infinity or a NaN.
std::optional<Fraction> decode(const Format& format, std::uint64_t bits);

/// Σ xⱼ and Σ xⱼyⱼ. Requires: equal lengths (not checked).
Fraction sum(std::span<const Fraction> x);
Fraction dot(std::span<const Fraction> x, std::span<const Fraction> y);

/// The pattern of the truth rounded to the format, by integer division with remainder on the format's grid.
/// Overflow and zeros as oracle::round() has them: `negative_zero` signs an exact zero, `saturate` keeps overflow
/// finite.
std::uint64_t round(const Fraction& truth, const Format& format, Rounding direction, bool negative_zero = false,
                    bool saturate = false);

/// The pattern of √square rounded to the format, by an integer square root with remainder. Requires: square ≥ 0 (not
/// checked).
std::uint64_t round_sqrt(const Fraction& square, const Format& format, Rounding direction, bool negative_zero = false);

/// 2^(max(e, emin) − p + 1) with e = ⌊log₂|truth|⌋; the smallest subnormal for 0.
Fraction ulp(const Fraction& truth, const Format& format);

/// |got − truth| ≤ bound.
bool error_at_most(const Fraction& got, const Fraction& truth, const Fraction& bound);
/// |got − truth| ≤ bound·|truth|.
bool relative_error_at_most(const Fraction& got, const Fraction& truth, const Fraction& bound);
/// |got − √square| ≤ bound, and ≤ bound·√square. Requires: square, bound ≥ 0 (not checked).
bool root_error_at_most(const Fraction& got, const Fraction& square, const Fraction& bound);
bool relative_root_error_at_most(const Fraction& got, const Fraction& square, const Fraction& bound);

}  // namespace assay::oracle::rational_path
