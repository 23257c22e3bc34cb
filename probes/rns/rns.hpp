#pragma once
// Probes of the interval evaluation of X/M over sets of few moduli: integers in words decide whether the interval holds
// X/M, and rounded operations with known errors bound its width.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/residues/interval.hpp"
#include "arith/residues/small_sets.hpp"
#include "probes/exact.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"
#include "probes/rns/integers.hpp"

namespace assay::probes::rns {

/// Whether x is 0, as {0, 0}, or a positive number of the extended range.
ASSAY_HD constexpr bool is_magnitude(const Extended& x) {
  return x.fraction == 0 ? x.exponent == 0 && !signbit(x.fraction) : x.fraction >= 1 && x.fraction < 2;
}

/// The sign of x − X/M, for a magnitude x ≤ 1: −1, 0 or 1; 2 if x has another exponent. With x = F·2^(e − 52), F an
/// integer, it is that of F·M − X·2^(52 − e).
template <class Set>
ASSAY_HD int compared(const Extended& x, const IntegerOf<Set>& X) {
  constexpr int L = assay::rns::limbs<Set>;
  constexpr int words = L + 2;
  const int of_integer = limb::bit_length(X.word, L);
  if (x.fraction == 0) return of_integer == 0 ? 0 : -1;
  if (of_integer == 0) return 1;
  if (x.exponent > 0 || x.exponent < -64 * L) return 2;
  const int shift = 52 - static_cast<int>(x.exponent);
  const std::uint64_t significand = bits::normal_significand(x.fraction).m;
  const std::uint32_t factor[2] = {bits::low_word(significand), bits::low_word(significand >> 32)};
  const std::uint32_t* const M = assay::rns::tables<Set>().product;
  std::uint32_t product[words] = {};
  for (int i = 0; i < 2; ++i) {
    std::uint64_t carry = 0;
    for (int k = 0; k < L; ++k) {
      carry += std::uint64_t{factor[i]} * M[k] + product[i + k];
      product[i + k] = bits::low_word(carry);
      carry >>= 32;
    }
    product[i + L] = bits::low_word(carry);
  }
  const int of_product = limb::bit_length(product, words);
  if (of_product != of_integer + shift) return of_product < of_integer + shift ? -1 : 1;
  for (int k = words - 1; k >= 0; --k) {
    const std::uint32_t word = limb::left_shifted_word(X.word, L, shift, k);
    if (product[k] != word) return product[k] < word ? -1 : 1;
  }
  return 0;
}

template <class Set>
ASSAY_HD bool encloses(const Interval& z, const IntegerOf<Set>& X) {
  if (!is_magnitude(z.lower) || !is_magnitude(z.upper)) return false;
  const int upper = compared<Set>(z.upper, X);
  return compared<Set>(z.lower, X) <= 0 && (upper == 0 || upper == 1);
}

/// A number that is at most X/M·2^−e and at least 1 − 2⁻⁴⁹ of it. Requires: 0 < X < M, a result in the range of normal
/// numbers (not checked).
template <class Set>
ASSAY_HD double at_most_quotient(const IntegerOf<Set>& X, int e) {
  constexpr int L = assay::rns::limbs<Set>;
  constexpr int kept = 53;
  const int length = limb::bit_length(X.word, L);
  const int of_product = assay::rns::product_exponent<Set> + 1;
  const std::uint64_t top = limb::bits_at(X.word, L, length - kept) & ((std::uint64_t{1} << kept) - 1);
  const std::uint64_t bottom =
      limb::bits_at(assay::rns::tables<Set>().product, L, of_product - kept) & ((std::uint64_t{1} << kept) - 1);
  const double quotient = static_cast<double>(top) / (static_cast<double>(bottom) + 1);
  return quotient * (1 - 0x1p-51) * bits::power_of_two<double>(length - of_product - e);
}

/// upper − lower relative to X/M, for an interval that encloses X/M.
template <class Set>
ASSAY_HD Scaled error_of_interval(const IntegerOf<Set>& X, const Interval& z) {
  if (!encloses<Set>(z, X)) return exact_or_unknown(false);
  if (z.upper.fraction == 0) return exact_or_unknown(true);
  // Both bounds over 2^e, e the exponent of the upper one. The lower bound is 0 there if it is too small.
  const std::int64_t gap = z.upper.exponent - z.lower.exponent;
  const bool is_small = z.lower.fraction == 0 || gap > 1000;
  const double lower = is_small ? 0 : z.lower.fraction * bits::power_of_two<double>(-static_cast<int>(gap));
  const double width = (z.upper.fraction - lower) * (1 + 0x1p-51);
  const int e = static_cast<int>(z.upper.exponent);
  if (limb::bit_length(X.word, assay::rns::limbs<Set>) == 0) return exact_or_unknown(false);
  return {width, at_most_quotient<Set>(X, e)};
}

/// The forms of the evaluation.
enum class Form { general, mixed_radix, fast };

/// I(X/M) over a set. The factor is that of the bound of its width.
template <class OfSet, Form of_form>
struct Evaluation {
  static constexpr Form form = of_form;
  using Set = OfSet;
  using Classes = Draws<Set>;
  using Input = IntegerOf<Set>;
  using Output = Interval;
  static constexpr int classes = Classes::classes;
  static constexpr int L = assay::rns::limbs<Set>;

  ASSAY_HD Input draw(Stream& stream, int input_class) const {
    const Input x = Classes::draw(stream, input_class);
    return form == Form::fast ? below_top(x) : x;
  }
  ASSAY_HD Output run(const Input& X) const {
    const assay::rns::Residues<Set> x = assay::rns::from_limbs<Set>(X.word, L);
    return form == Form::general       ? assay::rns::evaluate(x)
           : form == Form::mixed_radix ? assay::rns::evaluate_mixed_radix(x)
                                       : assay::rns::evaluate_fast(x);
  }
  ASSAY_HD Scaled error(const Input& X, const Output& z) const { return error_of_interval<Set>(X, z); }

 private:
  /// An X above M(1 − n·2⁻⁴⁰) is moved equally near below it: X − g, g = ⌊Mn/2⁴⁰⌋ + 1.
  ASSAY_HD static Input below_top(const Input& x) {
    const std::uint32_t* const M = assay::rns::tables<Set>().product;
    std::uint32_t multiple[L + 1] = {};
    for (int k = 0; k < L; ++k) multiple[k] = M[k];
    limb::multiply_by_word(multiple, L + 1, Set::n);
    Input gap{};
    for (int k = 0; k < L; ++k) gap.word[k] = limb::right_shifted_word(multiple, L + 1, 40, k);
    const Input one{{1}};
    gap = added(gap, one.word);
    const Input limit = subtracted(shifted_down<L>(M, 0), gap.word);
    return compared(x, limit.word) > 0 ? subtracted(x, gap.word) : x;
  }
};

}  // namespace assay::probes::rns
