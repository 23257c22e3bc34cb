#pragma once
// The sum of products of up to three numbers of binary64 by MPFR, with infinities and NaNs, rounded once.

#include <mpfr.h>

#include <cmath>
#include <limits>

#include "../arith/binary64_range.hpp"
#include "arith/bits/traits.hpp"

namespace assay::reference {

inline mpfr_rnd_t mpfr_direction(Rounding to) {
  return to == Rounding::rn ? MPFR_RNDN : to == Rounding::ru ? MPFR_RNDU : to == Rounding::rd ? MPFR_RNDD : MPFR_RNDZ;
}

/// Exact in 8000 bits: terms are multiples of 2⁻³²²² below 2³⁰⁷². A term is not finite if one of its factors is not: it
/// is a NaN or 0·∞, or an infinity.
class ExactTerms {
 public:
  ExactTerms() {
    mpfr_init2(sum_, 8000);
    mpfr_init2(term_, 159);
    clear();
  }
  ExactTerms(const ExactTerms&) = delete;
  ExactTerms& operator=(const ExactTerms&) = delete;
  ~ExactTerms() { mpfr_clears(sum_, term_, nullptr); }

  void clear() {
    mpfr_set_zero(sum_, 1);
    special_ = 0;
    count_ = minus_zeros_ = 0;
  }
  void add(double a, double b = 1, double c = 1) {
    const bool minus = std::signbit(a) != (std::signbit(b) != std::signbit(c));
    ++count_;
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) {
      const bool invalid = std::isnan(a) || std::isnan(b) || std::isnan(c) || a == 0 || b == 0 || c == 0;
      special_ += invalid ? std::numeric_limits<double>::quiet_NaN()
                          : std::copysign(std::numeric_limits<double>::infinity(), minus ? -1.0 : 1.0);
      return;
    }
    minus_zeros_ += minus && (a == 0 || b == 0 || c == 0) ? 1 : 0;
    mpfr_set_d(term_, a, MPFR_RNDN);
    mpfr_mul_d(term_, term_, b, MPFR_RNDN);
    mpfr_mul_d(term_, term_, c, MPFR_RNDN);
    mpfr_add(sum_, sum_, term_, MPFR_RNDN);
  }

  [[nodiscard]] bool is_finite() const { return special_ == 0; }
  [[nodiscard]] bool only_minus_zeros() const { return count_ > 0 && minus_zeros_ == count_; }

  /// The sum, or its quotient by the divisor, rounded once; an exact 0 is +0, or −0 if requested. Requires: a finite
  /// divisor that is not 0 (not checked).
  [[nodiscard]] double rounded(Rounding to, double divisor = 1, double zero = 0) const {
    if (!is_finite()) return special_ / divisor;
    if (mpfr_zero_p(sum_) != 0) return zero / divisor;
    mpfr_t result;
    mpfr_init2(result, 53);
    const mpfr_rnd_t mode = mpfr_direction(to);
    const int ternary = mpfr_div_d(result, sum_, divisor, mode);
    const double number = in_binary64(result, ternary, mode);
    mpfr_clear(result);
    return number;
  }
  /// √Σ of a sum that is not negative, rounded once to nearest.
  [[nodiscard]] double root() const {
    if (!is_finite()) return special_;
    mpfr_t result;
    mpfr_init2(result, 53);
    const int ternary = mpfr_sqrt(result, sum_, MPFR_RNDN);
    const double number = in_binary64(result, ternary, MPFR_RNDN);
    mpfr_clear(result);
    return number;
  }

 private:
  mpfr_t sum_, term_;
  double special_ = 0;
  int count_ = 0;
  int minus_zeros_ = 0;
};

}  // namespace assay::reference
