#pragma once
// How the words of an expansion may overlap, decided on exact numbers. p is the precision of the words. For x ≠ 0
//   ulp(x) = 2^(e − p + 1), e = ⌊log₂|x|⌋, without a lower end of the exponents;   uls(x): the weight of the last
//   set bit;   ulp(0) = 0.
// Sums of numbers of a format are those of unbounded exponents, so the definitions hold for subnormal words too.

#include <span>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/round.hpp"
#include "properties/framework/codec.hpp"

namespace assay {

/// Words as exact numbers, the leading one first.
using ExactWords = std::vector<oracle::Dyadic>;

/// The words of a list, written to `out`; false if one is infinite or NaN.
template <FloatingPoint T>
bool exact_words(std::span<const T> x, ExactWords& out) {
  out.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!oracle::is_finite(format_of<T>(), bits_of(x[i]))) return false;
    oracle::decode_finite(format_of<T>(), bits_of(x[i]), out[i]);
  }
  return true;
}

/// Σ xᵢ exactly. Requires: finite words (not checked).
template <FloatingPoint T>
oracle::Dyadic sum_of_words(std::span<const T> x) {
  oracle::Dyadic sum;
  for (const T& each : x) {
    sum += value_of(each);
  }
  return sum;
}

/// No word that is not zero comes after a zero.
bool zeros_last(std::span<const oracle::Dyadic> x);

// Neighboring words. The tightness is the largest quotient of |xᵢ₊₁| and its bound.

/// |xᵢ₊₁| ≤ ulp(xᵢ) for every i; a zero word is followed only by zeros.
Judgement judge_ulp_nonoverlapping(std::span<const oracle::Dyadic> x, int p);
/// |xᵢ₊₁| < ulp(xᵢ), or both zero: P-nonoverlapping. Priest, Algorithms for arbitrary precision floating point
/// arithmetic, ARITH-10, 1991.
Judgement judge_priest_nonoverlapping(std::span<const oracle::Dyadic> x, int p);
/// |xᵢ₊₁| ≤ ulp(xᵢ)/2: B-nonoverlapping, as in Bailey's arithmetic of double and quad doubles.
Judgement judge_bailey_nonoverlapping(std::span<const oracle::Dyadic> x, int p);
/// |xᵢ₊₁| ≤ (1/2 + 2^(−p+2) + 2^(−p))·ulp(xᵢ): guaranteed by the renormalization.
Judgement judge_renormalized(std::span<const oracle::Dyadic> x, int p);
/// |second| ≤ (1/2 + 2^(−p+2))·ulp(first): guaranteed by one pass of VecSumErr for its first two words.
Judgement judge_first_pair(const oracle::Dyadic& first, const oracle::Dyadic& second, int p);

// For every two words that are not zero, even with zeros between them: |xⱼ| for j > i against uls(xᵢ).

/// |xⱼ| < uls(xᵢ): S-nonoverlapping with interleaved zeros. Shewchuk, Adaptive precision floating-point arithmetic and
/// fast robust geometric predicates, DCG 18, 1997.
Judgement judge_shewchuk_nonoverlapping(std::span<const oracle::Dyadic> x);
/// |xⱼ| ≤ uls(xᵢ)/2: F-nonoverlapping with interleaved zeros. Fabiano, Muller, Picot, Algorithms for triple-word
/// arithmetic, IEEE TC 68(11), 2019.
Judgement judge_half_uls_nonoverlapping(std::span<const oracle::Dyadic> x);
/// |xⱼ| < uls(xᵢ), but neighbors may be the same power of two up to the sign.
Judgement judge_shewchuk_or_equal_powers(std::span<const oracle::Dyadic> x);
/// |xⱼ| ≤ uls(xᵢ), and ≤ uls(xᵢ)/2 if another word that is not zero lies between them.
Judgement judge_uls_nonoverlapping(std::span<const oracle::Dyadic> x);

// The possible forms of a list of terms. Zeros may lie anywhere and are skipped: neighbors are the terms that are not
// zero, with exponents e₀ ≥ e₁ ≥ … .

/// The form that renormalization requires of its input.
enum class Overlap {
  p_minus_1,  ///< eᵢ − eᵢ₊₁ ≥ 1: overlap by at most p − 1 digits
  p_minus_2,  ///< eᵢ − eᵢ₊₁ ≥ 2: by at most p − 2
  in_pairs,   ///< eᵢ − eᵢ₊₁ ≥ 2, except single differences of 0 or 1, with 2 or more on either side
  merged  ///< eᵢ − eᵢ₊₁ ≥ 0, before a difference 0 one of 2 or more, after it 1 or more: all of the above
};
bool overlaps(std::span<const oracle::Dyadic> x, Overlap condition);

/// The leading word is the nearest number of the format to the sum of the words, ties to even.
template <FloatingPoint T>
bool leads_with_rounded_sum(std::span<const T> words) {
  oracle::Dyadic sum;
  for (const T& each : words) {
    if (!oracle::is_finite(format_of<T>(), bits_of(each))) return false;
    sum += value_of(each);
  }
  const std::uint64_t first = bits_of(words[0]);
  return oracle::round(sum, format_of<T>(), oracle::Rounding::nearest,
                       {.negative_zero = oracle::is_negative(format_of<T>(), first)}) == first;
}

}  // namespace assay
