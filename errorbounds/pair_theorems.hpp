#pragma once
// The numbered theorems of docs/bounds/pair.md that claims cite.

#include "errorbounds/dw.hpp"
#include "errorbounds/pair.hpp"
#include "errorbounds/pair_product.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto pair_normalize_1 = theorem({
    .id = "pair.normalize.1",
    .hypotheses = "finite hi, lo with hi = 0, lo = 0 or hi a multiple of ulp(lo) (|hi| ≥ |lo| is enough), RN(hi + "
                  "lo) finite",
    .statement = "h + l = a + b",
    .source = "derived",
});

inline constexpr auto pair_add_1 = theorem(
    {
        .id = "pair.add.1",
        .hypotheses = "normalized pairs x, y, p ≥ 5, words up to 2^(emax − 7), subnormal words included",
        .statement = "|z − (x + y)| ≤ 3u²(|x| + |y|)",
        .source = "derived",
    },
    sloppy_add_absolute_bound);

inline constexpr auto pair_add_2 = theorem(
    {
        .id = "pair.add.2",
        .hypotheses = "as pair.add.1, xₕ and yₕ of the same sign",
        .statement = "|z − (x + y)| ≤ 3u²|x + y|",
        .source = "derived",
    },
    sloppy_add_same_sign_bound);

inline constexpr auto pair_add_3 = theorem(
    {
        .id = "pair.add.3",
        .hypotheses = "as pair.add.1, any signs",
        .statement = "|z − (x + y)| ≤ 3u²|x + y| (false: the relative error can be 1)",
        .source = "derived",
    },
    sloppy_add_same_sign_bound);

inline constexpr auto pair_normalized_1 = theorem({
    .id = "pair.normalized.1",
    .hypotheses = "the result z of add, mul or good_mul of normalized pairs, in the ranges of pair.range.*",
    .statement = "zh = RN(zh + zl)",
    .source = "derived",
});

inline constexpr auto pair_native_mul_fma_1 = theorem({
    .id = "pair.native_mul_fma.1",
    .hypotheses = "by FMA; e_a + e_b ≥ emin + p − 1 or ab = 0, RN(ab) finite",
    .statement = "h + l = ab",
    .source = "derived",
});

inline constexpr auto pair_native_mul_split_1 = theorem({
    .id = "pair.native_mul_split.1",
    .hypotheses = "p ≥ 4, by Veltkamp's split; the conditions of eft.dekker_prod.1",
    .statement = "h + l = ab by split",
    .source = "derived",
});

inline constexpr auto pair_native_mul_split_2 = theorem({
    .id = "pair.native_mul_split.2",
    .hypotheses = "as pair.native_mul_split.1",
    .statement = "|l| ≤ ulp(h) for even p, 2|l| ≤ 3ulp(h) for odd p",
    .source = "derived",
});

inline constexpr auto pair_native_mul_split_3 = theorem({
    .id = "pair.native_mul_split.3",
    .hypotheses = "as pair.native_mul_split.1",
    .statement = "h = RN(ab) (false: the low product is added after the normalisation)",
    .source = "derived",
});

inline constexpr auto pair_native_mul_split_4 = theorem({
    .id = "pair.native_mul_split.4",
    .hypotheses = "|a| ≥ 2^(emax − ⌈p/2⌉ + 1), although ab is in range",
    .statement = "h + l = ab where the split overflows (false: NaN)",
    .source = "derived",
});

inline constexpr auto pair_native_mul_mask_1 = theorem(
    {
        .id = "pair.native_mul_mask.1",
        .hypotheses = "p ≥ 8 even, c = p/2 bits cleared; normal operands or 0, ab = 0 or |ab| ≥ 2^(emin + p)",
        .statement = "|h + l − ab| ≤ (2^(p/2) + 1)·4u²|ab|",
        .source = "derived",
    },
    native_mul_mask_bound);

inline constexpr auto pair_native_mul_mask_2 = theorem(
    {
        .id = "pair.native_mul_mask.2",
        .hypotheses = "p ≥ 8 odd, c = (p + 1)/2 bits cleared (`wide_mask`); operands as pair.native_mul_mask.1",
        .statement = "|h + l − ab| ≤ (2^((p + 1)/2) + 3)·4u²|ab|",
        .source = "derived",
    },
    native_mul_mask_bound);

inline constexpr auto pair_native_mul_mask_3 = theorem(
    {
        .id = "pair.native_mul_mask.3",
        .hypotheses = "p ≥ 8 odd, c = (p − 1)/2 bits cleared (`mask`, what the source's macro says for 53 bits); "
                      "operands as pair.native_mul_mask.1",
        .statement = "|h + l − ab| ≤ (1 + 2^((1 − p)/2))u|ab|",
        .source = "derived",
    },
    native_mul_mask_bound);

inline constexpr auto pair_native_mul_mask_4 = theorem({
    .id = "pair.native_mul_mask.4",
    .hypotheses = "p ≥ 8, by masks; operands as pair.native_mul_mask.1",
    .statement = "h + l = ab (false: the cross products need p + 1 bits)",
    .source = "derived",
});

inline constexpr auto pair_mul_fma_1 = theorem(
    {
        .id = "pair.mul_fma.1",
        .hypotheses = "p ≥ 6, ties to even, by FMA, words in the box of pair.range.2",
        .statement = "|z − xy| ≤ 5u²/(1 + u)²·|xy|",
        .source = "Muller, Rideau 2022, Theorem 2.6",
    },
    mul1_bound);

inline constexpr auto pair_mul_split_1 = theorem(
    {
        .id = "pair.mul_split.1",
        .hypotheses = "p ≥ 8, by split, words in the box of pair.range.2",
        .statement = "|z − xy| ≤ 9u²/(1 − u)²·|xy|",
        .source = "derived",
    },
    pair_mul_split_bound);

inline constexpr auto pair_mul_split_2 = theorem(
    {
        .id = "pair.mul_split.2",
        .hypotheses = "as pair.mul_split.1",
        .statement = "|z − xy| ≤ 5u²/(1 + u)²·|xy|, as by FMA (false)",
        .source = "derived",
    },
    mul1_bound);

inline constexpr auto pair_mul_mask_1 = theorem(
    {
        .id = "pair.mul_mask.1",
        .hypotheses = "p ≥ 8, by masks, words in the box of pair.range.2, ν the bound of native_mul by that mask",
        .statement = "|z − xy| ≤ (13u² + the bound of native_mul)/(1 − u)²·|xy|",
        .source = "derived",
    },
    pair_mul_mask_bound);

inline constexpr auto pair_mul_mask_2 = theorem(
    {
        .id = "pair.mul_mask.2",
        .hypotheses = "as pair.mul_mask.1",
        .statement = "|z − xy| ≤ 9u²/(1 − u)²·|xy|, as by split (false: the cross products are rounded)",
        .source = "derived",
    },
    pair_mul_split_bound);

inline constexpr auto pair_good_mul_1 = theorem(
    {
        .id = "pair.good_mul.1",
        .hypotheses = "p ≥ 8, every native_mul exact (by FMA or split), words in the box of pair.range.2",
        .statement = "|z − xy| ≤ ((3/2)u² + 13u³)|xy|",
        .source = "derived",
    },
    pair_good_mul_bound);

inline constexpr auto pair_good_mul_2 = theorem({
    .id = "pair.good_mul.2",
    .hypotheses = "as pair.good_mul.1, by split",
    .statement = "the value of good_mul by FMA",
    .source = "derived",
});

inline constexpr auto pair_good_mul_mask_1 = theorem(
    {
        .id = "pair.good_mul_mask.1",
        .hypotheses = "p ≥ 12, by masks, words in the box of pair.range.2, ν the bound of native_mul by that mask",
        .statement = "|z − xy| ≤ (9u² + the bound of native_mul)|xy|",
        .source = "derived",
    },
    pair_good_mul_mask_bound);

inline constexpr auto pair_good_mul_mask_2 = theorem(
    {
        .id = "pair.good_mul_mask.2",
        .hypotheses = "as pair.good_mul_mask.1",
        .statement = "|z − xy| ≤ ((3/2)u² + 13u³)|xy| (false: the cross products are rounded)",
        .source = "derived",
    },
    pair_good_mul_bound);

inline constexpr auto pair_from_double_1 = theorem(
    {
        .id = "pair.from_double.1",
        .hypotheses = "d of binary64, h = RN(d) finite in binary32, l = RN(d − h)",
        .statement = "|h + l − d| ≤ max(u²/2·|d|, η/2)",
        .source = "derived",
    },
    pair_conversion_bound);

inline constexpr auto pair_from_double_2 = theorem({
    .id = "pair.from_double.2",
    .hypotheses = "as pair.from_double.1, d of at most 2p + 1 = 49 bits and a multiple of η",
    .statement = "h + l = d",
    .source = "derived",
});

inline constexpr auto pair_from_double_3 = theorem({
    .id = "pair.from_double.3",
    .hypotheses = "as pair.from_double.1",
    .statement = "h + l = d (false: d has up to 53 bits)",
    .source = "derived",
});

inline constexpr auto pair_from_double_4 = theorem(
    {
        .id = "pair.from_double.4",
        .hypotheses = "as pair.from_double.1",
        .statement = "|h + l − d| ≤ u²/2·|d| (false: the low word underflows)",
        .source = "derived",
    },
    [](int p) {
      return RelativeBound{oracle::Dyadic::scaled(1, -2 * p), 2};
    });

inline constexpr auto pair_from_double_5 = theorem({
    .id = "pair.from_double.5",
    .hypotheses = "as pair.from_double.1",
    .statement = "2|l| ≤ ulp(h)",
    .source = "derived",
});

inline constexpr auto pair_from_double_6 = theorem({
    .id = "pair.from_double.6",
    .hypotheses = "as pair.from_double.1",
    .statement = "h = RN(h + l) (false: l may round to half an ulp of an odd h)",
    .source = "derived",
});

inline constexpr auto pair_to_double_1 = theorem({
    .id = "pair.to_double.1",
    .hypotheses = "a normalized pair of binary32",
    .statement = "RN(h + l) in binary64",
    .source = "IEEE 754-2019, §4.3.1, §6.3",
});

inline constexpr auto pair_to_double_2 = theorem({
    .id = "pair.to_double.2",
    .hypotheses = "as pair.to_double.1",
    .statement = "h + l (false: the low word may lie far below)",
    .source = "derived",
});

inline constexpr auto pair_mul_underflow_1 = theorem(
    {
        .id = "pair.mul_underflow.1",
        .hypotheses = "p ≥ 8, by FMA, every range, no overflow",
        .statement = "|z − xy| ≤ 9u²|xy| + 2η",
        .source = "derived",
    },
    pair_mul_underflow_bound);

inline constexpr auto pair_mul_underflow_2 = theorem(
    {
        .id = "pair.mul_underflow.2",
        .hypotheses = "as pair.mul_underflow.1, |xy| ≥ 2^emin",
        .statement = "|z − xy| ≤ 5u²/(1 + u)²·|xy| (false: the low word underflows)",
        .source = "derived",
    },
    mul1_bound);

inline constexpr auto pair_product_double_1 = theorem(
    {
        .id = "pair.product_double.1",
        .hypotheses = "ĉ_l = fma(a_l, b_l, ĉ_{l−1}), ĉ₀ = +0, in binary64, ku < 1",
        .statement = "|Ĉ − C| ≤ γ_k|A||B| + (1 + γ_k)kη/2, u = 2^−53",
        .source = "Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §3.1",
    },
    product_double_bound);

inline constexpr auto pair_product_single_1 = theorem(
    {
        .id = "pair.product_single.1",
        .hypotheses = "ĉ_l = fma(RN(a_l), RN(b_l), ĉ_{l−1}) in binary32, (k + 2)u < 1",
        .statement = "|Ĉ − C| ≤ γ_{k+2}|A||B| + (1 + γ_{k+2})kη/2, u = 2^−24",
        .source = "derived",
    },
    product_single_bound);

inline constexpr auto pair_product_single_2 = theorem(
    {
        .id = "pair.product_single.2",
        .hypotheses = "as pair.product_single.1",
        .statement = "|Ĉ − C| ≤ Nu²/(1 − Nu²)|A||B| + 3kη, as in pairs (false)",
        .source = "derived",
    },
    product_pair_bound);

inline constexpr auto pair_product_pair_1 = theorem(
    {
        .id = "pair.product_pair.1",
        .hypotheses = "c = add(c, mul(a, b)) in pairs of binary32, mul by FMA, Nu² ≤ 1/8",
        .statement = "|Ĉ − C| ≤ Nu²/(1 − Nu²)|A||B| + 3kη, N = 3k + 8, u = 2^−24",
        .source = "derived",
    },
    product_pair_bound);

inline constexpr auto pair_product_pair_2 = theorem(
    {
        .id = "pair.product_pair.2",
        .hypotheses = "as pair.product_pair.1",
        .statement = "|Ĉ − C| ≤ γ_k|A||B|, u = 2^−53, as in binary64 (false)",
        .source = "Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §3.1",
    },
    product_double_bound);

inline constexpr auto pair_product_pair_3 = theorem({
    .id = "pair.product_pair.3",
    .hypotheses = "the same data in planes and interleaved",
    .statement = "the same bits in both layouts",
    .source = "derived",
});

inline constexpr auto pair_product_exact_1 = theorem({
    .id = "pair.product_exact.1",
    .hypotheses = "the entries are numbers of p bits, and all products of one case multiples of g = 2^e ≥ η with "
                  "T ≤ 2ᵖg",
    .statement = "ĉ = c where no operation rounds",
    .source = "derived",
});

}  // namespace assay
