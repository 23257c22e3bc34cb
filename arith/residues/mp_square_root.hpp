#pragma once
// Square roots of multiple-precision numbers in residues.

#include <cstdint>

#include "arith/hd.hpp"
#include "arith/limbs/float_arithmetic.hpp"
#include "arith/limbs/float_rounding.hpp"
#include "arith/residues/mp_number.hpp"

namespace assay::mp {

/// 2^shift·√x, truncated once, and exact if it has at most h bits; out of range for x < 0. The significand of an exact
/// root is odd, so that its exponent is in range if the root's is. X in limbs, the root of X or 2X in limbs, truncated,
/// and the root in residues. mp.sqrt.1. Cost: a conversion to mixed radix, n² modular products; h²/2048 products of
/// limbs; a conversion from limbs.
template <class Set>
ASSAY_HD ASSAY_NOINLINE Number<Set> scaled_sqrt(const Number<Set>& x, std::int64_t shift) {
  if (is_out_of_range(x) || is_zero(x)) return x;
  if (x.sign != 0) return out_of_range<Set>();
  constexpr int words = rns::limbs<Set>;
  constexpr int L = (significand_bits<Set> + 31) / 32;
  std::uint32_t X[words];
  rns::to_limbs<Set>(x.digits, X);
  const int odd = x.exponent & 1;
  const limb::Float<L> root =
      limb::sqrt(limb::rounded_float<L>(X, words, 32 * words + odd, false, false, Rounding::rz), Rounding::rz);
  int zeros = 0;
  while (!limb::any_below(root.word, zeros + 1)) ++zeros;
  std::uint32_t kept[L];
  for (int k = 0; k < L; ++k) kept[k] = limb::word_at(root.word, L, zeros + 32 * k);
  return from_limbs<Set>(kept, L, (std::int64_t{x.exponent} - odd) / 2 + root.exponent - 32 * L + zeros + shift, false);
}

}  // namespace assay::mp
