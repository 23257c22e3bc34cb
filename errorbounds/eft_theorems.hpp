#pragma once
// The numbered theorems of docs/bounds/eft.md that claims cite.

#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto eft_two_sum_1 = theorem({
    .id = "eft.two_sum.1",
    .hypotheses = "a and b finite, |a| < Ω, RN(a + b) finite; s = RN(a + b), a' = s − b, b' = s − a', da = a − "
                  "a', db = b − b', e = da + db, each operation rounded",
    .statement = "s + e = a + b",
    .source = "Møller, BIT 5, 1965; Knuth, TAOCP 2, §4.2.2, Theorem B; near overflow: Boldo, Graillat, Muller, "
              "ACM TOMS 44(1), 2017",
});

inline constexpr auto eft_two_sum_2 = theorem({
    .id = "eft.two_sum.2",
    .hypotheses = "a and b finite, |a| = Ω, RN(a + b) finite",
    .statement = "s + e = a + b for |a| = Ω (false)",
    .source = "Møller, BIT 5, 1965; Knuth, TAOCP 2, §4.2.2, Theorem B; near overflow: Boldo, Graillat, Muller, "
              "ACM TOMS 44(1), 2017",
});

inline constexpr auto eft_fast_two_sum_1 = theorem({
    .id = "eft.fast_two_sum.1",
    .hypotheses = "a and b finite, a = 0 or b = 0 or a a multiple of ulp(b), RN(a + b) finite. Sufficient for the "
                  "second condition: |a| ≥ |b|, or e_a ≥ e_b",
    .statement = "s + e = a + b",
    .source = "Dekker, Numer. Math. 18, 1971",
});

inline constexpr auto eft_fast_two_sum_2 = theorem({
    .id = "eft.fast_two_sum.2",
    .hypotheses = "a and b finite, |a| < |b|, RN(a + b) finite",
    .statement = "s + e = a + b for |a| < |b| (false)",
    .source = "Dekker, Numer. Math. 18, 1971",
});

inline constexpr auto eft_normalized_1 = theorem({
    .id = "eft.normalized.1",
    .hypotheses = "the transform is exact with the first word rounded to nearest: s + e = a + b or p + e = ab",
    .statement = "the first word is RN of the sum of both words",
    .source = "derived",
});

inline constexpr auto eft_two_prod_1 = theorem({
    .id = "eft.two_prod.1",
    .hypotheses = "a and b finite, ab = 0 or e_a + e_b ≥ emin + p − 1, RN(ab) finite. Sufficient: |ab| ≥ 2^(emin "
                  "+ p)",
    .statement = "p + e = ab",
    .source = "Boldo, Daumas, ARITH-16, 2003",
});

inline constexpr auto eft_two_prod_3 = theorem({
    .id = "eft.two_prod.3",
    .hypotheses = "a and b finite, RN(ab) finite, e_a + e_b < emin + p − 1",
    .statement = "p + e = ab for exponents whose sum is below emin + p − 1 (false)",
    .source = "Boldo, Daumas, ARITH-16, 2003",
});

inline constexpr auto eft_veltkamp_split_1 = theorem({
    .id = "eft.veltkamp_split.1",
    .hypotheses = "p ≥ 3, a finite, s = ⌈p/2⌉, (2^s + 1)a rounds to a finite number",
    .statement = "h + l = a",
    .source = "Dekker, Numer. Math. 18, 1971; Boldo, IJCAR 2006",
});

inline constexpr auto eft_veltkamp_split_2 = theorem({
    .id = "eft.veltkamp_split.2",
    .hypotheses = "as eft.veltkamp_split.1",
    .statement = "h has at most p − ⌈p/2⌉ significant bits, l at most ⌈p/2⌉ − 1",
    .source = "Dekker, Numer. Math. 18, 1971; Boldo, IJCAR 2006",
});

inline constexpr auto eft_mask_split_1 = theorem({
    .id = "eft.mask_split.1",
    .hypotheses = "a finite, the c = ⌈p/2⌉ low bits of its significand cleared give h, l = a − h",
    .statement = "h + l = a",
    .source = "derived",
});

inline constexpr auto eft_mask_split_2 = theorem({
    .id = "eft.mask_split.2",
    .hypotheses = "as eft.mask_split.1",
    .statement = "h has at most p − ⌈p/2⌉ significant bits, l at most ⌈p/2⌉",
    .source = "derived",
});

inline constexpr auto eft_dekker_prod_1 = theorem({
    .id = "eft.dekker_prod.1",
    .hypotheses = "a and b finite, ab = 0 or |ab| ≥ 2^(emin + p), |a|, |b| ≤ 2^(emax − ⌈p/2⌉ − 2), e_a + e_b ≤ "
                  "emax − 3. binary64: |ab| ≥ 2⁻⁹⁶⁹, magnitudes ≤ 2⁹⁹⁴",
    .statement = "p + e = ab",
    .source = "Dekker, Numer. Math. 18, 1971; Boldo, IJCAR 2006",
});

inline constexpr auto eft_masked_prod_1 = theorem({
    .id = "eft.masked_prod.1",
    .hypotheses = "p even, the conditions of eft.dekker_prod.1, halves by a mask with c = p/2 bits cleared",
    .statement = "p + e = ab",
    .source = "derived",
});

inline constexpr auto eft_masked_prod_2 = theorem({
    .id = "eft.masked_prod.2",
    .hypotheses = "p odd, the conditions of eft.dekker_prod.1, halves by a mask with c bits cleared",
    .statement = "p + e = ab with an odd precision (false)",
    .source = "derived",
});

inline constexpr auto eft_err_fma_1 = theorem({
    .id = "eft.err_fma.1",
    .hypotheses = "p ≥ 5, a, x, y finite, ax = 0 or e_a + e_x ≥ emin + p − 1, |ax| + |y| ≤ 2^(emax − 1)",
    .statement = "r1 + r2 + r3 = ab + c",
    .source = "Boldo, Muller, Exact and approximated error of the FMA, IEEE TC 60(2), 2011",
});

inline constexpr auto eft_err_fma_2 = theorem({
    .id = "eft.err_fma.2",
    .hypotheses = "as eft.err_fma.1",
    .statement = "r2 = RN(r2 + r3)",
    .source = "Boldo, Muller, Exact and approximated error of the FMA, IEEE TC 60(2), 2011",
});

}  // namespace assay
