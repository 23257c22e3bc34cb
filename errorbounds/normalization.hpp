#pragma once

#include <cstdint>
#include <optional>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"
#include "oracle/magnitude.hpp"

/// Errors of layer_norm and rms_norm of a row x₁ … xₙ in rounding to nearest, u = 2⁻ᵖ, η the smallest subnormal number.
/// The reciprocal root is at most 2 numbers off its rounded value, or a relative 5u. Derived in
/// docs/bounds/normalization.md.
namespace assay {

/// The known data of a row. V = v + ε for layer_norm, V = q + ε for rms_norm.
struct NormRow {
  std::uint64_t n = 1;
  oracle::Dyadic mean;            ///< at least |μ|, μ = Σxᵢ/n
  oracle::Dyadic mean_magnitude;  ///< at least Σ|xᵢ|/n
  oracle::Dyadic mean_square;     ///< at least q = Σxᵢ²/n
  oracle::Dyadic variance;        ///< at least v = Σ(xᵢ − μ)²/n
  oracle::Dyadic inverse;         ///< at least 1/V
  oracle::Dyadic inverse_root;    ///< at least 1/√V
};

/// The known data of a number of the row, y = t + b: t = (x − μ)w/√V, or xw/√V for rms_norm.
struct NormNumber {
  oracle::Dyadic product;    ///< at least |t|
  oracle::Dyadic result;     ///< at least |y|
  oracle::Dyadic scale;      ///< at least |w|/√V
  oracle::Dyadic magnitude;  ///< |w|
  oracle::Dyadic bias;       ///< |b|
};

/// u|y| + (1 + u)(r|t| + e|w|/√V + s|b| + λ + κ|w|). The numbers belong to a row and to a form.
struct NormFactors {
  oracle::Dyadic relative;         ///< r
  oracle::Dyadic deviation;        ///< e
  oracle::Dyadic bias;             ///< s
  oracle::Dyadic lost;             ///< λ
  oracle::Dyadic lost_per_weight;  ///< κ
};
Bound norm_error(const NormFactors& factors, const NormNumber& number, const oracle::Format& format);

/// Lower bounds of the numbers of a NormNumber, to 30 bits.
struct NormNumberFloor {
  oracle::Magnitude product;
  oracle::Magnitude result;
  oracle::Magnitude scale;
  oracle::Magnitude magnitude;
  oracle::Magnitude bias;
};
NormNumberFloor floor_of(const NormNumber& number);

/// A lower bound of norm_error() for the numbers of a row: u|y| + r|t| + e|w|/√V + s|b| + λ + κ|w|, each operation
/// rounded down to 30 bits.
class NormFloor {
 public:
  NormFloor(const NormFactors& factors, const oracle::Format& format);
  [[nodiscard]] oracle::Magnitude at(const NormNumberFloor& number) const;

 private:
  oracle::Magnitude unit_;
  oracle::Magnitude relative_;
  oracle::Magnitude deviation_;
  oracle::Magnitude bias_;
  oracle::Magnitude lost_;
  oracle::Magnitude lost_per_weight_;
};

/// How a kernel computes.
struct NormForm {
  enum class Variance {
    of_deviations,  ///< Σ(xᵢ − μ̂)²/n, in two passes
    of_updates,     ///< by Welford's recursion, in one pass
    of_squares,     ///< Σxᵢ²/n − μ̂², in one pass, at least 0
    none            ///< rms_norm: Σxᵢ²/n
  };
  Variance variance = Variance::of_deviations;
  bool shifts = false;     ///< x·a + (b − μa) with a = w/√V, or (x/√V − μ/√V)·w + b
  bool flushes = false;    ///< subnormal inputs and results of operations become 0
  bool any_range = false;  ///< the row is scaled, or a format with larger exponents is used
};

/// The factors of a form; empty for a variance in one pass that may be off by half of V. Requires: 4nu ≤ 1; throws
/// std::domain_error that says so.
std::optional<NormFactors> norm_factors(const NormForm& form, const NormRow& row, const oracle::Format& format);

/// Lower bounds of these factors: in each product of factors 1 + x, x ≥ 0, the terms beyond 1 + Σx are omitted, and (2
/// − x)/(2 − 2x) is replaced by 1 + x/2; (1 + u)³ − 1 + u of Welford's mean is replaced by 4u. They exist for a
/// variance in one pass that may be off by half of V, too: their bound is then at most |y| + norm_limit(), whose factor
/// 4 is more than the factors of its terms here: at most 1 + 9u for (|x| + |μ|)|w|/√ε, which |t| does not exceed, and
/// for E|w|/√ε, at most u for |b|, and at most 3 for the losses. Throws like norm_factors() for such a variance.
NormFactors norm_factors_below(const NormForm& form, const NormRow& row, const oracle::Format& format);

/// For layer_norm with the variance from a second pass. Requires: 4nu ≤ 1; throws std::domain_error that says so.
NormFactors layer_norm_factors(const NormRow& row, const oracle::Format& format);

/// For layer_norm with the variance as the mean square minus the square of the mean; empty if that may be off by half
/// of V. Requires: 4nu ≤ 1; throws std::domain_error that says so.
std::optional<NormFactors> layer_norm_one_pass_factors(const NormRow& row, const oracle::Format& format);

/// For layer_norm with mean and variance by Welford's recursion; empty if the variance may be off by half of V.
/// Requires: 4nu ≤ 1; throws std::domain_error that says so.
std::optional<NormFactors> layer_norm_welford_factors(const NormRow& row, const oracle::Format& format);

/// Like layer_norm_factors(), if x is scaled and then shifted.
NormFactors layer_norm_shifted_factors(const NormRow& row, const oracle::Format& format);

/// Like layer_norm_one_pass_factors(), if x is scaled and then shifted.
std::optional<NormFactors> layer_norm_one_pass_shifted_factors(const NormRow& row, const oracle::Format& format);

/// Like layer_norm_factors(), for rows whose squares over- or underflow.
NormFactors layer_norm_any_range_factors(const NormRow& row, const oracle::Format& format);

/// Of rms_norm. Requires: 4nu ≤ 1; throws std::domain_error that says so.
NormFactors rms_norm_factors(const NormRow& row, const oracle::Format& format);

/// Like rms_norm_factors(), for rows whose squares over- or underflow.
NormFactors rms_norm_any_range_factors(const NormRow& row, const oracle::Format& format);

/// For rms_norm in `format`, if x/√V is rounded to the format `stored` before it is multiplied by w. The factors are
/// those of rms_norm. number.product is |xw|/√V, and number.result too.
Bound rms_norm_stored_twice_bound(const NormFactors& factors, const NormNumber& number, const oracle::Format& stored,
                                  const oracle::Format& format);

/// An upper bound of |ŷ| if a variance in one pass may be off by half of V, but is not negative: 4((|x| + |μ| +
/// E)|w|/√ε + |b| + (2 + |w| + 1/√ε)η). `size`: at least |x|, `inverse_root`: at least 1/√ε.
oracle::Dyadic norm_limit(const NormForm& form, const NormRow& row, const NormNumber& number,
                          const oracle::Dyadic& size, const oracle::Dyadic& inverse_root, const oracle::Format& format);

}  // namespace assay
