#pragma once

#include <cstdint>
#include <optional>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

/// Errors of layer_norm and rms_norm of a row x₁ … xₙ in rounding to nearest, u = 2⁻ᵖ, η the smallest subnormal number.
/// The reciprocal root is at most 2 numbers off its rounded value, or a relative 5u. Derived in
/// docs/bounds/normalization.md.
namespace assay {

/// What is known of a row. V = v + ε for layer_norm, V = q + ε for rms_norm.
struct NormRow {
  std::uint64_t n = 1;
  oracle::Dyadic mean;            ///< at least |μ|, μ = Σxᵢ/n
  oracle::Dyadic mean_magnitude;  ///< at least Σ|xᵢ|/n
  oracle::Dyadic mean_square;     ///< at least q = Σxᵢ²/n
  oracle::Dyadic variance;        ///< at least v = Σ(xᵢ − μ)²/n
  oracle::Dyadic inverse;         ///< at least 1/V
};

/// What is known of a number of the row, y = t + b: t = (x − μ)w/√V, or xw/√V for rms_norm.
struct NormNumber {
  oracle::Dyadic product;    ///< at least |t|
  oracle::Dyadic result;     ///< at least |y|
  oracle::Dyadic scale;      ///< at least |w|/√V
  oracle::Dyadic magnitude;  ///< |w|
};

/// u|y| + (1 + u)(r|t| + e|w|/√V + (1 + |w|)η). r and e belong to a row; e = 0 where nothing is subtracted.
struct NormFactors {
  oracle::Dyadic relative;   ///< r
  oracle::Dyadic deviation;  ///< e
};
Bound norm_error(const NormFactors& factors, const NormNumber& number, const oracle::Format& format);

/// Of layer_norm with the variance from a second pass. Requires: 4nu ≤ 1; throws std::domain_error that says so.
NormFactors layer_norm_factors(const NormRow& row, const oracle::Format& format);

/// Of layer_norm with the variance as the mean square less the square of the mean; nothing where that may be off by
/// half of V. Requires: 4nu ≤ 1; throws std::domain_error that says so.
std::optional<NormFactors> layer_norm_one_pass_factors(const NormRow& row, const oracle::Format& format);

/// Of rms_norm. Requires: 4nu ≤ 1; throws std::domain_error that says so.
NormFactors rms_norm_factors(const NormRow& row, const oracle::Format& format);

}  // namespace assay
