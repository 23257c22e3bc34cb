#pragma once
// The numbered theorems of docs/bounds/triple.md that claims cite.

#include "errorbounds/theorem.hpp"
#include "errorbounds/triple.hpp"

namespace assay {

inline constexpr auto triple_structure_1 = theorem({
    .id = "triple.structure.1",
    .hypotheses = "the result of an algorithm of this page, under its hypotheses",
    .statement = "|r1| < ulp(r0), |r2| < ulp(r1), zeros last",
    .source = "Fabiano, Muller, Picot 2019, Definition 1",
});

inline constexpr auto triple_from_three_1 = theorem({
    .id = "triple.from_three.1",
    .hypotheses = "a, b, c numbers, FMP, Algorithm 6",
    .statement = "r0 + r1 + r2 = a + b + c",
    .source = "Fabiano, Muller, Picot 2019, Algorithm 6, Theorem 4",
});

inline constexpr auto triple_add_1 = theorem(
    {
        .id = "triple.add.1",
        .hypotheses = "p ≥ 6, x and y triple words, FMP, Algorithm 8",
        .statement = "|r − (x + y)| ≤ (2u³ + (21/5)u⁴)|x + y|",
        .source = "Fabiano, Muller, Picot 2019, Algorithm 8, Theorems 3 and 6; Théry 2026, TWSum_error",
    },
    triple_add_bound);

inline constexpr auto triple_compare_1 = theorem({
    .id = "triple.compare.1",
    .hypotheses = "p ≥ 6, x and y triple words",
    .statement = "r = sign(x − y)",
    .source = "derived",
});

inline constexpr auto triple_round_1 = theorem({
    .id = "triple.round.1",
    .hypotheses = "x a triple word, the corrected form of FMP, Algorithm 7",
    .statement = "r = RN(x0 + x1 + x2)",
    .source = "Fabiano, Muller, Picot 2019, Theorem 5; Théry 2026, RoundTW_correct",
});

inline constexpr auto triple_round_2 = theorem({
    .id = "triple.round.2",
    .hypotheses = "x a triple word, FMP, Algorithm 7 as printed",
    .statement = "r = RN(x0 + x1 + x2) (false: x2 is ignored where x0 + x1 is halfway)",
    .source = "Fabiano, Muller, Picot 2019, Algorithm 7 as printed",
});

inline constexpr auto triple_round_3 = theorem({
    .id = "triple.round.3",
    .hypotheses = "as triple.round.2",
    .statement = "r is one of the two numbers around x0 + x1 + x2",
    .source = "derived",
});

inline constexpr auto triple_mul_accurate_1 = theorem(
    {
        .id = "triple.mul_accurate.1",
        .hypotheses = "p ≥ 6, x and y triple words, FMP, Algorithm 9",
        .statement = "|r − xy| ≤ (28u³ + 107u⁴)|xy|",
        .source = "Fabiano, Muller, Picot 2019, Theorem 7; Théry 2026, ThreeProd_error",
    },
    triple_mul_accurate_bound);

inline constexpr auto triple_mul_fast_1 = theorem(
    {
        .id = "triple.mul_fast.1",
        .hypotheses = "p ≥ 6, x and y triple words, FMP, Algorithm 10",
        .statement = "|r − xy| ≤ (44u³ + 176u⁴)|xy|",
        .source = "Fabiano, Muller, Picot 2019, Algorithm 10; Théry 2026, ThreeProdFast_error",
    },
    triple_mul_fast_bound);

inline constexpr auto triple_mul_dw_accurate_1 = theorem(
    {
        .id = "triple.mul_dw_accurate.1",
        .hypotheses = "p ≥ 6, x a double word, y a triple word, FMP, Algorithm 11",
        .statement = "|r − xy| ≤ ((21/2)u³ + 39u⁴)|xy|",
        .source = "Fabiano, Muller, Picot 2019, Theorem 8; Théry 2026, ThreeProdDW_error",
    },
    triple_mul_double_word_accurate_bound);

inline constexpr auto triple_mul_dw_fast_1 = theorem(
    {
        .id = "triple.mul_dw_fast.1",
        .hypotheses = "p ≥ 6, x a double word, y a triple word, FMP, Algorithm 12",
        .statement = "|r − xy| ≤ (18u³ + 75u⁴)|xy|",
        .source = "Fabiano, Muller, Picot 2019, Algorithm 12; Théry 2026, ThreeProdDWFast_error",
    },
    triple_mul_double_word_fast_bound);

inline constexpr auto triple_mul_near_one_1 = theorem(
    {
        .id = "triple.mul_near_one.1",
        .hypotheses = "p ≥ 6, x a double word, y = (1, y₁, y₂) a triple word with |y − 1| ≤ 40u², FMP, Algorithm 18 "
                      "with sorted FastTwoSums",
        .statement = "|r − xy| ≤ (u³ + 620u⁴)|xy|",
        .source = "Théry 2026, ThreeProdOne_error",
    },
    triple_mul_near_one_bound);

inline constexpr auto triple_mul_near_one_2 = theorem(
    {
        .id = "triple.mul_near_one.2",
        .hypotheses = "as triple.mul_near_one.1, but Algorithm 18 as printed (FMP, supplement)",
        .statement = "|r − xy| ≤ (u³ + 260u⁴)|xy| (false: the error can be 32u³)",
        .source = "Fabiano, Muller, Picot 2019, supplement, Algorithm 18 as printed",
    },
    triple_mul_near_one_printed_bound);

inline constexpr auto triple_reciprocal_accurate_1 = theorem(
    {
        .id = "triple.reciprocal_accurate.1",
        .hypotheses = "p ≥ 10, x ≠ 0 a triple word, FMP, Algorithm 13, accurate, with sorted FastTwoSums",
        .statement = "|r − 1/x| ≤ ((23/2)u³ + 1830u⁴)|1/x|",
        .source = "Théry 2026, ThreeReci_error, on Fabiano, Muller, Picot 2019, Algorithm 13",
    },
    triple_reciprocal_accurate_bound);

inline constexpr auto triple_reciprocal_fast_1 = theorem(
    {
        .id = "triple.reciprocal_fast.1",
        .hypotheses = "p ≥ 10, x ≠ 0 a triple word, FMP, Algorithm 13, fast, with sorted FastTwoSums",
        .statement = "|r − 1/x| ≤ (19u³ + 1870u⁴)|1/x|",
        .source = "Théry 2026, ThreeReciFast_error, on Fabiano, Muller, Picot 2019, Algorithm 13",
    },
    triple_reciprocal_fast_bound);

inline constexpr auto triple_div_accurate_1 = theorem(
    {
        .id = "triple.div_accurate.1",
        .hypotheses = "p ≥ 10, x and y ≠ 0 triple words, FMP, Algorithm 14, accurate, with sorted FastTwoSums",
        .statement = "|r − x/y| ≤ (27u³ + 2500u⁴)|x/y|",
        .source = "Théry 2026, ThreeDiv_error, on Fabiano, Muller, Picot 2019, Algorithm 14",
    },
    triple_div_accurate_bound);

inline constexpr auto triple_div_fast_1 = theorem(
    {
        .id = "triple.div_fast.1",
        .hypotheses = "p ≥ 10, x and y ≠ 0 triple words, FMP, Algorithm 14, fast, with sorted FastTwoSums",
        .statement = "|r − x/y| ≤ (42u³ + 2575u⁴)|x/y|",
        .source = "Théry 2026, ThreeDivFast_error, on Fabiano, Muller, Picot 2019, Algorithm 14",
    },
    triple_div_fast_bound);

inline constexpr auto triple_sqrt_accurate_1 = theorem(
    {
        .id = "triple.sqrt_accurate.1",
        .hypotheses = "p ≥ 11, x > 0 a triple word, FMP, Algorithm 15, accurate, with sorted FastTwoSums",
        .statement = "|r − √x| ≤ (24u³ + 10260u⁴)√x",
        .source = "Fabiano, Muller, Picot 2019, Theorem 11; Théry 2026, ThreeSqRt_error",
    },
    triple_sqrt_accurate_bound);

inline constexpr auto triple_sqrt_fast_1 = theorem(
    {
        .id = "triple.sqrt_fast.1",
        .hypotheses = "p ≥ 11, x > 0 a triple word, FMP, Algorithm 15, fast, with sorted FastTwoSums",
        .statement = "|r − √x| ≤ (39u³ + 10333u⁴)√x",
        .source = "Fabiano, Muller, Picot 2019, Theorem 11; Théry 2026, ThreeSqRtFast_error",
    },
    triple_sqrt_fast_bound);

}  // namespace assay
