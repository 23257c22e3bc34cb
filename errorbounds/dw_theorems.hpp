#pragma once
// The numbered theorems of docs/bounds/dw.md that claims cite.

#include "errorbounds/dw.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto dw_normalized_1 = theorem({
    .id = "dw.normalized.1",
    .hypotheses = "p ≥ 3, z the result of an algorithm of this page, operands and p as its theorem asks (p ≥ 3 "
                  "for the sloppy sum)",
    .statement = "zh = RN(zh + zl)",
    .source = "derived",
});

inline constexpr auto dw_add_fp_1 = theorem(
    {
        .id = "dw.add_fp.1",
        .hypotheses = "p ≥ 3, x a double word, y a word, Algorithm 4",
        .statement = "|z − (x + y)| ≤ 2u²|x + y|",
        .source = "Joldes, Muller, Popescu 2017, Theorem 2.2",
    },
    add_word_bound);

inline constexpr auto dw_accurate_add_1 = theorem(
    {
        .id = "dw.accurate_add.1",
        .hypotheses = "p ≥ 3, x and y double words, Algorithm 6",
        .statement = "|z − (x + y)| ≤ 3u²/(1 − 4u)·|x + y|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 6; Muller, Rideau 2022, DWPlusDW_relerr_bound",
    },
    accurate_add_bound);

inline constexpr auto dw_sloppy_add_1 = theorem(
    {
        .id = "dw.sloppy_add.1",
        .hypotheses = "p ≥ 5, x and y double words, Algorithm 5: (s, e) = TwoSum(xₕ, yₕ), f = RN(xₗ + yₗ), w = RN(e + "
                      "f), z = FastTwoSum(s, w)",
        .statement = "|z − (x + y)| ≤ 3u²(|x| + |y|)",
        .source = "derived",
    },
    sloppy_add_absolute_bound);

inline constexpr auto dw_sloppy_add_2 = theorem(
    {
        .id = "dw.sloppy_add.2",
        .hypotheses = "p ≥ 5, x and y double words, xₕ and yₕ of the same sign, Algorithm 5",
        .statement = "|z − (x + y)| ≤ 3u²|x + y|",
        .source = "derived",
    },
    sloppy_add_same_sign_bound);

inline constexpr auto dw_sloppy_add_3 = theorem({
    .id = "dw.sloppy_add.3",
    .hypotheses = "as dw.sloppy_add.1, any signs",
    .statement = "|z − (x + y)| ≤ 3u²/(1 − 4u)·|x + y| (false: the relative error can be 1)",
    .source = "Joldes, Muller, Popescu 2017, §3, on Algorithm 5",
});

inline constexpr auto dw_mul_fp1_1 = theorem(
    {
        .id = "dw.mul_fp1.1",
        .hypotheses = "p ≥ 4, x a double word, y a word, Algorithm 7",
        .statement = "|z − xy| ≤ ((3/2)u² + 4u³)|xy|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 7; Muller, Rideau 2022, DWTimesFP_correct",
    },
    mul_word1_bound);

inline constexpr auto dw_mul_fp2_1 = theorem(
    {
        .id = "dw.mul_fp2.1",
        .hypotheses = "p ≥ 3, x a double word, y a word, Algorithm 8",
        .statement = "|z − xy| ≤ 3u²|xy|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 8; Muller, Rideau 2022, DWTimesFP8_correct",
    },
    mul_word2_bound);

inline constexpr auto dw_mul_fp3_1 = theorem(
    {
        .id = "dw.mul_fp3.1",
        .hypotheses = "p ≥ 3, x a double word, y a word, Algorithm 9 (with FMA)",
        .statement = "|z − xy| ≤ 2u²|xy|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 9; Muller, Rideau 2022, DWTimesFP9_correct",
    },
    mul_word3_bound);

inline constexpr auto dw_mul1_1 = theorem(
    {
        .id = "dw.mul1.1",
        .hypotheses = "p ≥ 6, x and y double words, ties to even, Algorithm 10",
        .statement = "|z − xy| ≤ 5u²/(1 + u)²·|xy|",
        .source = "Muller, Rideau 2022, Theorem 2.6",
    },
    mul1_bound);

inline constexpr auto dw_mul2_1 = theorem(
    {
        .id = "dw.mul2.1",
        .hypotheses = "p ≥ 5, x and y double words, Algorithm 11 (with FMA)",
        .statement = "|z − xy| ≤ 5u²|xy|",
        .source = "Muller, Rideau 2022, DWTimesDW11_correct",
    },
    mul2_bound);

inline constexpr auto dw_mul3_1 = theorem(
    {
        .id = "dw.mul3.1",
        .hypotheses = "p ≥ 5, x and y double words, Algorithm 12 (with FMA)",
        .statement = "|z − xy| ≤ 4u²|xy|",
        .source = "Muller, Rideau 2022, DWTimesDW12_correct",
    },
    mul3_bound);

inline constexpr auto dw_div_fp2_1 = theorem(
    {
        .id = "dw.div_fp2.1",
        .hypotheses = "p ≥ 4, x a double word, y ≠ 0 a word, Algorithm 13 or 14",
        .statement = "|z − x/y| ≤ (7/2)u²|x/y|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 14; Muller, Rideau 2022, DWDFP_correct",
    },
    div_word2_bound);

inline constexpr auto dw_div_fp1_1 = theorem({
    .id = "dw.div_fp1.1",
    .hypotheses = "as dw.div_fp2.1",
    .statement = "the same results as Algorithm 14",
    .source = "Joldes, Muller, Popescu 2017, on Algorithms 14 and 17",
});

inline constexpr auto dw_div_fp3_1 = theorem(
    {
        .id = "dw.div_fp3.1",
        .hypotheses = "p ≥ 4, x a double word, y ≠ 0 a word, Algorithm 15",
        .statement = "|z − x/y| ≤ 3u²|x/y|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 15; Muller, Rideau 2022, DWDFP3_correct",
    },
    div_word3_bound);

inline constexpr auto dw_div2_1 = theorem(
    {
        .id = "dw.div2.1",
        .hypotheses = "p ≥ 7, x and y ≠ 0 double words, Algorithm 16 or 17",
        .statement = "|z − x/y| ≤ (15u² + 56u³)|x/y|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 17; Muller, Rideau 2022, DWDDW_correct",
    },
    div2_bound);

inline constexpr auto dw_div1_1 = theorem({
    .id = "dw.div1.1",
    .hypotheses = "as dw.div2.1",
    .statement = "the same results as Algorithm 17",
    .source = "Joldes, Muller, Popescu 2017, on Algorithms 14 and 17",
});

inline constexpr auto dw_div3_1 = theorem(
    {
        .id = "dw.div3.1",
        .hypotheses = "p ≥ 14, x and y ≠ 0 double words, Algorithm 18 (with FMA)",
        .statement = "|z − x/y| ≤ (49/5)u²|x/y|",
        .source = "Joldes, Muller, Popescu 2017, on Algorithm 18; Muller, Rideau 2022, DWDDW3_correct",
    },
    div3_bound);

inline constexpr auto dw_sqrt_1 = theorem(
    {
        .id = "dw.sqrt.1",
        .hypotheses = "p ≥ 5, x ≥ 0 a double word, LLMPR, Algorithm 8: s = RN(√xₕ), r₁ = fma(−s, s, xₕ), r₂ = RN(xₗ + "
                      "r₁), d = RN(r₂/(2s)), z = FastTwoSum(s, d)",
        .statement = "|z − √x| ≤ (25/8)u²·√x",
        .source = "Lefèvre, Louvet, Muller, Picot, Rideau 2023, Algorithm 8",
    },
    sqrt_bound);

}  // namespace assay
