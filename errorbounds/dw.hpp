#pragma once

#include <algorithm>

#include "errorbounds/bound.hpp"
#include "oracle/format.hpp"

/// Relative errors of the double-word algorithms at precision p, u = 2⁻ᵖ: |z − exact| ≤ bound·|exact|.
/// Every function requires its theorem's condition on p and throws std::domain_error if it is not met; operands are
/// double-words (h = RN(h + l)) or words, rounding is to nearest, and the theorems assume an unbounded exponent range:
/// in the boxes below a format's range suffices. JMP: Joldes, Muller, Popescu, Tight and rigorous error bounds for
/// basic building blocks of double-word arithmetic, ACM TOMS 44(2), 2017. MR: Muller, Rideau, Formalization of
/// double-word arithmetic, and comments on "Tight and rigorous error bounds for basic building blocks of double-word
/// arithmetic", ACM TOMS 48(1), 2022, and the names of its Coq statements. Algorithm numbers are those of JMP.
namespace assay {

/// Double-word + word (Algorithm 4): 2u². Requires: p ≥ 3. JMP, Theorem 2.2; machine-checked as
/// DWPlusFP_correct. Attained up to O(u³).
RelativeBound add_word_bound(int p);

/// Double-word + double-word, accurate (Algorithm 6): 3u²/(1 − 4u). Requires: p ≥ 3.
/// JMP, the theorem on Algorithm 6; p = 3 included: MR, DWPlusDW_relerr_bound; asymptotically optimal: MR,
/// Property 2.1.
RelativeBound accurate_add_bound(int p);

/// Double-word + double-word, sloppy (Algorithm 5), for leading words of the same sign: 3u². Requires: p ≥ 5.
/// Derived in docs/bounds/dw.md. With opposite signs no relative bound exists: the error can be 1.
RelativeBound sloppy_add_same_sign_bound(int p);
/// The same algorithm for any signs, absolutely: 3u²(|x| + |y|). Requires: p ≥ 3; `magnitudes` = |x| + |y| ≥ 0 (not
/// checked). Derived in docs/bounds/dw.md.
Bound sloppy_add_absolute_bound(int p, const oracle::Dyadic& magnitudes);

/// Double-word × word. Algorithm 7: (3/2)u² + 4u³. Requires: p ≥ 4. JMP, the theorem on it; MR,
/// DWTimesFP_correct.
RelativeBound mul_word1_bound(int p);
/// Algorithm 8: 3u². Requires: p ≥ 3. JMP, the theorem on it; MR, DWTimesFP8_correct.
RelativeBound mul_word2_bound(int p);
/// Algorithm 9, with FMA: 2u². Requires: p ≥ 3. JMP, the theorem on it; MR, DWTimesFP9_correct.
RelativeBound mul_word3_bound(int p);

/// Double-word × double-word. Algorithm 10: 5u²/(1 + u)². Requires: p ≥ 6, ties to even. MR, Theorem 2.6.
RelativeBound mul1_bound(int p);
/// Algorithm 10 with any tie rule: (11/2)u². Requires: p ≥ 6. MR, Theorem 2.7.
RelativeBound mul1_any_tie_bound(int p);
/// Algorithm 11, with FMA: 5u². Requires: p ≥ 5. MR, DWTimesDW11_correct (JMP: 6u²).
RelativeBound mul2_bound(int p);
/// Algorithm 12, with FMA: 4u². Requires: p ≥ 5. MR, DWTimesDW12_correct (JMP: 5u²).
RelativeBound mul3_bound(int p);

/// Double-word ÷ word. Algorithms 13 and 14 (the same results): (7/2)u². Requires: p ≥ 4. JMP, the theorem on
/// Algorithm 14; MR, DWDFP_correct.
RelativeBound div_word2_bound(int p);
/// The same algorithms: 3u². Requires: p ≥ 3. docs/bounds/dw.md, dw.div_fp2.2.
RelativeBound div_word2_sharp_bound(int p);
/// Algorithm 15: 3u². Requires: p ≥ 4. JMP, the theorem on it; MR, DWDFP3_correct.
RelativeBound div_word3_bound(int p);

/// Double-word ÷ double-word. Algorithms 16 and 17 (the same results): 15u² + 56u³. Requires: p ≥ 7. JMP,
/// the theorem on Algorithm 17; MR, DWDDW_correct.
RelativeBound div2_bound(int p);
/// The same algorithms, ties to even: (17/2)u² + 16u³. Requires: p ≥ 5. docs/bounds/dw.md, dw.div2.2.
RelativeBound div2_sharp_bound(int p);
/// Algorithm 18, with FMA: (49/5)u². Requires: p ≥ 14. JMP, the theorem on it; MR, DWDDW3_correct.
RelativeBound div3_bound(int p);
/// The same algorithm: (27/4)u² + 32u³. Requires: p ≥ 14. docs/bounds/dw.md, dw.div3.2.
RelativeBound div3_sharp_bound(int p);

/// Square root of a double-word x ≥ 0 (one square root, one division, one FMA): (25/8)u². Requires: p ≥ 5.
/// Lefèvre, Louvet, Muller, Picot, Rideau, Accurate calculation of Euclidean norms using double-word arithmetic, ACM
/// TOMS 49(1), 2023, Algorithm 8. Derived in docs/bounds/dw.md. Attained up to O(u³).
RelativeBound sqrt_bound(int p);

/// Outside the ranges of the theorems above, if the high word of the result is finite; η is the format's smallest
/// subnormal. Require: p ≥ 10; magnitudes of exact values; x > 0 and y > 0 if they are divisors (not checked). Derived
/// in docs/bounds/dw.md. Products with a word: 4u²|xy| + (9/8)η.
Bound outside_product_word_bound(const oracle::Format& format, const oracle::Dyadic& product);
/// Products of double words: 9u²|xy| + (17/8)η.
Bound outside_product_bound(const oracle::Format& format, const oracle::Dyadic& product);
/// Quotients by a word: 9u²|x/y| + (9/16)(η + η/|y|).
Bound outside_quotient_word_bound(const oracle::Format& format, const oracle::Dyadic& x, const oracle::Dyadic& y);
/// Quotients of double words, except Algorithm 18: 20u²|x/y| + (9/16)η + (9/8)η/|y|.
Bound outside_quotient_bound(const oracle::Format& format, const oracle::Dyadic& x, const oracle::Dyadic& y);
/// Quotients by Algorithm 18: 17u²|x/y| + (6/5)η|x| + (17/8)η.
Bound outside_div3_bound(const oracle::Format& format, const oracle::Dyadic& x, const oracle::Dyadic& y);
/// The square root: (9/2)u²√x + (3/10)η/√x, relative to √x; 0 for x = 0.
RelativeBound outside_root_bound(const oracle::Format& format, const oracle::Dyadic& x);

/// Magnitudes by their leading exponents low … high, both included: 2^low ≤ |w| < 2^(high + 1).
struct Box {
  int low;
  int high;
  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// Sums: every non-zero word in the box, subnormals included; gradual underflow is harmless, no intermediate overflows.
/// binary64: [η, 2^1017), with a word as second operand 2^1019. Derived in docs/bounds/dw.md.
constexpr Box add_box(const oracle::Format& format) { return {format.emin - format.precision + 1, format.emax - 7}; }
constexpr Box add_word_box(const oracle::Format& format) {
  return {format.emin - format.precision + 1, format.emax - 5};
}

/// Products: every non-zero word in the box, so that |xₕyₕ| ≥ 2^(emin + p), every cross product is normal, and nothing
/// overflows. binary64: [2^-484, 2^485); binary32: [2^-51, 2^52). Derived in docs/bounds/dw.md.
constexpr Box product_box(const oracle::Format& format) {
  const int low = -((-(format.emin + format.precision)) / 2);
  return {low, std::min(-low, (format.emax - 3) / 2)};
}

/// Quotients: every non-zero word in the box. binary64: [2^-229, 2^230); binary32: [2^-19, 2^20).
/// Derived in docs/bounds/dw.md.
constexpr Box quotient_box(const oracle::Format& format) {
  const int side = (-format.emin - 2 * format.precision) / 4;
  return {-side, std::min(side, (format.emax - 3) / 2)};
}

/// Quotients by Algorithm 18, whose refined reciprocal has smaller words: binary64 [2^-216, 2^217), binary32
/// [2^-13, 2^14). Derived in docs/bounds/dw.md.
constexpr Box reciprocal_quotient_box(const oracle::Format& format) {
  const int side = (-format.emin - 3 * format.precision + 1) / 4;
  return {-side, std::min(side, (format.emax - 3) / 2)};
}

/// Square roots: a leading word that is not zero in the box; the other word is free. binary64: [2^-968, 2^1023).
/// Derived in docs/bounds/dw.md.
constexpr Box sqrt_box(const oracle::Format& format) { return {format.emin + format.precision + 1, format.emax - 1}; }

}  // namespace assay
