#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"
#include "oracle/magnitude.hpp"

/// Errors of softmax and log_softmax of a row x₁ … xₙ in rounding to nearest, u = 2⁻ᵖ, η the smallest subnormal number.
/// m is the largest xᵢ, Dᵢ = m − xᵢ, Z = Σ exp(−Dᵢ). The exponential and the logarithm err by at most k ulps of the
/// exact value; the sum is in any order. Derived in docs/bounds/softmax.md.
namespace assay {

/// The known data of a row.
struct SoftmaxRow {
  std::uint64_t n = 1;      ///< numbers of the row, except those that are −∞
  oracle::Dyadic widest;    ///< at least the largest Dᵢ
  oracle::Dyadic log_sum;   ///< at least ln Z
  oracle::Dyadic shift;     ///< |m|
  bool has_far = false;     ///< `widest` and `second` exclude numbers whose exponentials are below η/2
  oracle::Dyadic second{};  ///< at least the smallest Dᵢ of all numbers but one that is m
};

/// How a kernel computes.
struct SoftmaxForm {
  int ulps = 1;          ///< k
  bool by_exp2 = false;  ///< exp2 of (x − m)·log₂e; k counts from the exponential of the rounded argument
  bool scales = false;   ///< and of x·log₂e − m·log₂e
  bool flushes = false;  ///< subnormal inputs and results of operations become 0
};

/// β, rounded up to 53 bits: the computed sum of the exponentials is Z(1 + B) with |B| ≤ β. Requires: t ≤ 1 for the
/// widest Dᵢ, β < 1; throws std::domain_error that says so. t = Du, or (3 + 4u)Du by exp2, and 2|m|u(1 + u)² more where
/// that scales.
RelativeBound softmax_sum_bound(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);

/// B, rounded up to 53 bits: the computed sum of all exponentials but one that is exp(0) differs from Z − 1 by at most
/// BZ. With G = 1 + (n − 2)u, y = min(1, ln Z), L ≥ ln n and c = 2/(2 − τ) it is (G(1 + 2ku) − 1)y + G((1 +
/// 2ku)c(u·min(L, y(L + second)) + 8Ny) + (n − 1)(kη + N)), N = 2^emin where subnormal numbers become 0, otherwise 0.
/// Requires: as softmax_sum_bound(), and not by exp2 (not checked).
RelativeBound softmax_others_bound(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);

/// Of exp(−D)/Z: ((1 + 2ku)(2 + t)/(2 − t)·(1 + u)²/(1 − β) − 1)·probability + (k + 1)η(1 + u)²/(1 − β). `distance` is
/// at least D, `probability` at least exp(−D)/Z, `beta` the result of softmax_sum_bound().
Bound softmax_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                    const oracle::Dyadic& distance, const oracle::Dyadic& probability, const oracle::Format& format);

/// For a number whose exponential is below η/2, in the same row: (k + 2)η(1 + u)²/(1 − β).
Bound softmax_far_bound(const SoftmaxForm& form, const RelativeBound& beta, const oracle::Format& format);

/// For exp(−D)/Z as exp(x − (m + ln(sum))): ((1 + 2ku)(2 + B)/(2 − B)·(1 + u)² − 1)·probability + (k + 1)η(1 + u)²/(1 −
/// β), B as log_softmax_of_sum_bound() has it. Requires: B ≤ 1; throws std::domain_error that says so.
Bound softmax_of_log_sum_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                               const oracle::Dyadic& distance, const oracle::Dyadic& probability,
                               const oracle::Format& format);

/// The sum of a row of n results against 1: (1 + u)²/(1 − (n − 1)u) − 1 + nη. Requires: nu < 1; throws
/// std::domain_error that says so.
Bound softmax_row_sum_bound(std::uint64_t n, const oracle::Format& format);

/// The same for results that are rounded to the format when they are stored: R + 2u(1 + R) + nη, R the bound of the sum
/// before.
Bound softmax_stored_row_sum_bound(const Bound& before, std::uint64_t n, const oracle::Format& format);

/// For −D − ln Z, as (x − m) − ln(sum): u(D + ln Z) + (1 + u)(uD + E) with E = β' + 2ku(ln Z + β') + kη and β' = β/(1 −
/// β). By exp2 the logarithm is one to the base 2, and errs by k + 2 ulps. Requires: as softmax_sum_bound().
Bound log_softmax_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                        const oracle::Dyadic& distance, const oracle::Format& format);

/// The same as (x − m) − log1p(the sum of the other exponentials): with B of softmax_others_bound() in place of β.
Bound log_softmax_of_others_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& others,
                                  const oracle::Dyadic& distance, const oracle::Format& format);

/// The same as x − (m + ln(sum)): u(D + ln Z) + (1 + u)(uD + u(|m| + ln Z) + (1 + u)E).
Bound log_softmax_of_sum_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                               const oracle::Dyadic& distance, const oracle::Format& format);

/// The same as x − ln(sum of exp(xᵢ)) without a shift: as log_softmax_of_sum_bound() with E = β' + 2ku(|m| + 2 ln Z +
/// β') + kη.
Bound log_softmax_unshifted_bound(const SoftmaxForm& form, const SoftmaxRow& row, const RelativeBound& beta,
                                  const oracle::Dyadic& distance, const oracle::Format& format);

/// A lower bound of a bound for the numbers of a row: (base + slope·D)·P + lost, each operation rounded down to 30
/// bits. The bounds of softmax are (f·(2 + t)/(2 − t) − 1)·P + c with f = (1 + 2ku)(1 + u)²/(1 − β) and 0 ≤ t < 2.
/// Because (1 + t)(2 − t) ≤ 2 + t, because the product of factors 1 + x, x ≥ 0, is at least 1 + Σx, and because 1/(1 −
/// β) is at least 1 + β, they are at least ((2k + 2)u + β + t)·P + c. In β, c, t and in the bounds of log_softmax,
/// where P is 1, every factor 1 + x is omitted in the same way.
struct SoftmaxFloor {
  oracle::Magnitude base;
  oracle::Magnitude slope;
  oracle::Magnitude lost;
  /// For a D and a P that are at most those of the bound.
  [[nodiscard]] oracle::Magnitude at(const oracle::Magnitude& distance, const oracle::Magnitude& probability) const;
};
SoftmaxFloor softmax_floor(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);
SoftmaxFloor softmax_of_log_sum_floor(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);
SoftmaxFloor log_softmax_floor(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);
SoftmaxFloor log_softmax_of_others_floor(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);
SoftmaxFloor log_softmax_of_sum_floor(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);
SoftmaxFloor log_softmax_unshifted_floor(const SoftmaxForm& form, const SoftmaxRow& row, const oracle::Format& format);

}  // namespace assay
