#pragma once
// The numbered theorems of docs/bounds/sum.md that claims cite.

#include "errorbounds/sum.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto sum_exact_grid_1 = theorem({
    .id = "sum.exact_grid.1",
    .hypotheses = "all terms are multiples of g = 2^k ≥ η, and S ≤ 2ᵖg",
    .statement = "ŝ = s where no addition rounds",
    .source = "derived",
});

inline constexpr auto sum_one_term_1 = theorem({
    .id = "sum.one_term.1",
    .hypotheses = "n ≤ 1",
    .statement = "the sum of no term is 0, of one term the term",
    .source = "derived",
});

inline constexpr auto sum_recursive_1 = theorem(
    {
        .id = "sum.recursive.1",
        .hypotheses = "the terms are added in any order or by any binary tree, for every n",
        .statement = "|ŝ − s| ≤ (n − 1)uS",
        .source = "Jeannerod, Rump, Improved error bounds for inner products in floating-point arithmetic, SIMAX "
                  "34(2), 2013",
    },
    recursive_sum_bound);

inline constexpr auto sum_recursive_2 = theorem(
    {
        .id = "sum.recursive.2",
        .hypotheses = "as sum.recursive.1",
        .statement = "|ŝ − s| ≤ u|s| + γ²ₙ₋₁S (false without compensation)",
        .source = "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 4.5",
    },
    sum2_bound);

inline constexpr auto sum_pairwise_1 = theorem(
    {
        .id = "sum.pairwise.1",
        .hypotheses = "a binary tree of height h = ⌈log₂ n⌉, hu < 1",
        .statement = "|ŝ − s| ≤ γ_h S, h = ⌈log₂ n⌉",
        .source = "Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §4.2",
    },
    tree_sum_bound);

inline constexpr auto sum_block_1 = theorem(
    {
        .id = "sum.block.1",
        .hypotheses = "thread t of T adds the terms t, t + T, … to a partial result that starts as +0; then for d = "
                      "T/2, …, 2, 1 each thread t < d combines its partial result with that of thread t + d. m = "
                      "⌈n/T⌉, h = max(m − 1, 0) + log₂ T, hu < 1. The kernels of this page have T = 64",
        .statement = "|ŝ − s| ≤ γ_h S, h = max(⌈n/64⌉ − 1, 0) + 6",
        .source = "Higham 2002, §4.2",
    },
    block_sum_bound);

inline constexpr auto sum_kahan_1 = theorem(
    {
        .id = "sum.kahan.1",
        .hypotheses = "p ≥ 5, 16nu ≤ 1; y = RN(xᵢ − c), ŝᵢ = RN(ŝᵢ₋₁ + y), c = RN(RN(ŝᵢ − ŝᵢ₋₁) − y)",
        .statement = "|ŝ − s| ≤ u|s| + (1 + u)(2u + 13nu²)S",
        .source = "derived",
    },
    kahan_sum_bound);

inline constexpr auto sum_kahan_2 = theorem(
    {
        .id = "sum.kahan.2",
        .hypotheses = "as sum.kahan.1",
        .statement = "|ŝ − s| ≤ 3u|s| (false: 1, 10¹⁰⁰, 1, −10¹⁰⁰ gives 0)",
        .source = "derived",
    },
    [](int p) {
      return RelativeBound{oracle::Dyadic::scaled(3, -p), 1};
    });

inline constexpr auto sum_sum2_1 = theorem(
    {
        .id = "sum.sum2.1",
        .hypotheses = "nu < 1; (ŝᵢ, eᵢ) = TwoSum(ŝᵢ₋₁, xᵢ), c the recursive sum of e₂ … eₙ, the result RN(ŝₙ + c)",
        .statement = "|ŝ − s| ≤ u|s| + γ²ₙ₋₁S",
        .source = "Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54, 1974; "
                  "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 4.5",
    },
    sum2_bound);

inline constexpr auto sum_sum2_2 = theorem({
    .id = "sum.sum2.2",
    .hypotheses = "as sum.sum2.1, n ≤ 4",
    .statement = "ŝ = RN(s) (false: 1, u, u² gives 1)",
    .source = "derived",
});

inline constexpr auto sum_neumaier_1 = theorem({
    .id = "sum.neumaier.1",
    .hypotheses = "Sum2 with FastTwoSum of the larger operand first in the place of TwoSum",
    .statement = "the same bits as Sum2",
    .source = "derived",
});

inline constexpr auto sum_sum_k_1 = theorem(
    {
        .id = "sum.sum_k.1",
        .hypotheses = "K ≥ 3, 4nu ≤ 1; K − 1 times the vector is replaced by the errors of its recursive sum, "
                      "followed by that sum; then the recursive sum of the last vector",
        .statement = "|ŝ − s| ≤ (u + 3γ²ₙ₋₁)|s| + γ₂ₙ₋₂^K·S",
        .source = "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 4.10",
    },
    sum_k_bound);

inline constexpr auto sum_sum_k_2 = theorem({
    .id = "sum.sum_k.2",
    .hypotheses = "as sum.sum_k.1, n ≤ 4",
    .statement = "ŝ = RN(s) (false without a test on the terms: 1, u, u² gives 1)",
    .source = "Kornerup, Lefèvre, Louvet, Muller, On the computation of correctly-rounded sums, ARITH-19, 2009",
});

inline constexpr auto sum_block_sum2_1 = theorem(
    {
        .id = "sum.block_sum2.1",
        .hypotheses = "the order of sum.block.1 with TwoSum and a correction c; (c + 1)u < 1 and hu < 1",
        .statement = "|ŝ − s| ≤ u|s| + γ_{c+1}γ_h S, c = max(⌈n/64⌉ − 2, 0) + 12",
        .source = "derived",
    },
    block_sum2_bound);

inline constexpr auto sum_acc_sum_1 = theorem({
    .id = "sum.acc_sum.1",
    .hypotheses = "Φ = 2^(2M)u ≤ 1, that is n ≤ 2^⌊p/2⌋ − 2 (67 108 862 in binary64, 4094 in binary32, 30 in "
                  "binary16); r = RN(t₁ + RN(t₂ + P̂)), P̂ the recursive sum of the pᵢ′; ρ = 0",
    .statement = "ŝ is RD(s) or RU(s), and s if s is a number",
    .source = "Rump, Ogita, Oishi, Accurate floating-point summation part I, SISC 31(1), 2008",
});

inline constexpr auto sum_acc_sum_2 = theorem({
    .id = "sum.acc_sum.2",
    .hypotheses = "as sum.acc_sum.1 or sum.fast_acc_sum.1, n ≤ 4",
    .statement = "ŝ = RN(s) (false: beside a tie the other neighbour may come)",
    .source = "derived",
});

inline constexpr auto sum_acc_sum_k_1 = theorem({
    .id = "sum.acc_sum_k.1",
    .hypotheses = "as sum.acc_sum.1; r the result for ρ, R = RN(t₂ − RN(r − t₁)) the ρ of the next transform",
    .statement = "r_i is one of the two neighbours of s − r₁ − … − r_(i−1), that itself if it is a number: 4 "
                 "words",
    .source = "Rump, Ogita, Oishi, Accurate floating-point summation part II, SISC 31(2), 2008",
});

inline constexpr auto sum_acc_sum_k_2 = theorem({
    .id = "sum.acc_sum_k.2",
    .hypotheses = "as sum.acc_sum_k.1",
    .statement = "|r_(i+1)| < ulp(r_i), or both are 0",
    .source = "Rump, Ogita, Oishi, Accurate floating-point summation part II, SISC 31(2), 2008",
});

inline constexpr auto sum_near_sum_1 = theorem({
    .id = "sum.near_sum.1",
    .hypotheses = "n as in sum.acc_sum.1; r faithful for s, d faithful for s − r",
    .statement = "ŝ = RN(s), +0 for 0",
    .source = "Rump, Ogita, Oishi, Accurate floating-point summation part II, SISC 31(2), 2008",
});

inline constexpr auto sum_acc_sign_1 = theorem({
    .id = "sum.acc_sign.1",
    .hypotheses = "Φ = 2^M·u, M ≤ p − 1, that is n ≤ 2^(p − 1) − 2",
    .statement = "the sign of s",
    .source = "Rump, Ogita, Oishi, Accurate floating-point summation part II, SISC 31(2), 2008",
});

inline constexpr auto sum_fast_acc_sum_1 = theorem({
    .id = "sum.fast_acc_sum.1",
    .hypotheses = "2(n + 2)²u ≤ 1 (n ≤ 67 108 862 in binary64, 2894 in binary32)",
    .statement = "ŝ is RD(s) or RU(s), and s if s is a number",
    .source = "Rump, Ultimately fast accurate summation, SISC 31(5), 2009",
});

inline constexpr auto sum_prec_sum_1 = theorem(
    {
        .id = "sum.prec_sum.1",
        .hypotheses = "AccSum with at most L extractions, L − 1 ≥ ((k − 2)p + 3M + 2)/(p − M)",
        .statement = "ŝ is RD(s) or RU(s), or |ŝ − s| ≤ u^k·S: k = 1, 2, 3, 4",
        .source = "Rump, Ogita, Oishi, Fast high precision summation, NOLTA 1(1), 2010",
    },
    [](int k, const oracle::Dyadic& S, int p) {
      return Bound{S * oracle::Dyadic::scaled(1, -p * k), 1};
    });

inline constexpr auto sum_prec_sum_2 = theorem({
    .id = "sum.prec_sum.2",
    .hypotheses = "as sum.prec_sum.1",
    .statement = "ŝ is RD(s) or RU(s) for every k (false where s cancels)",
    .source = "derived",
});

inline constexpr auto sum_order_free_1 = theorem({
    .id = "sum.order_free.1",
    .hypotheses = "the algorithm returns a function of s alone: RN(s), or the rounding of s in a direction",
    .statement = "the same bits for the terms in another order",
    .source = "derived",
});

inline constexpr auto sum_superaccumulator_2 = theorem({
    .id = "sum.superaccumulator.2",
    .hypotheses = "finite terms, as sum.superaccumulator.1",
    .statement = "ŝ = ∘(s), ∘ one of RN, RU, RD, RZ",
    .source = "derived",
});

inline constexpr auto sum_expansions_1 = theorem({
    .id = "sum.expansions.1",
    .hypotheses = "words of an expansion in front of the superaccumulator take in numbers |x| < 2⁹⁷⁰, fewer than "
                  "2⁴⁰ of them, and products with 2⁻⁹⁶⁸ ≤ |RN(ab)| < 2⁹⁷⁰; everything else goes to the "
                  "superaccumulator as it is, products as integer products; so does what is left behind the last "
                  "word",
    .statement = "the same bits behind expansions of 3, 4, 6 and 8 words as without one",
    .source = "derived",
});

}  // namespace assay
