#pragma once
// The numbered theorems of docs/bounds/dot.md that claims cite.

#include "errorbounds/sum.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto dot_recursive_1 = theorem(
    {
        .id = "dot.recursive.1",
        .hypotheses = "products rounded, then added in any order or by any binary tree, for every n",
        .statement = "|d̂ − d| ≤ u(n + 2(n − 1)u)/(1 + u)·Σ|xy| + (1 + (n − 1)u)nη/2",
        .source = "Jeannerod, Rump 2013",
    },
    recursive_dot_bound);

inline constexpr auto dot_recursive_2 = theorem(
    {
        .id = "dot.recursive.2",
        .hypotheses = "as dot.recursive.1",
        .statement = "|d̂ − d| ≤ u|d| + γₙ²Σ|xy| + 5nη (false without compensation)",
        .source = "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 5.5",
    },
    dot2_bound);

inline constexpr auto dot_recursive_3 = theorem(
    {
        .id = "dot.recursive.3",
        .hypotheses = "binary32 data, products and additions in binary64, u = 2⁻⁵³, in any order",
        .statement = "|d̂ − d| ≤ (n − 1)u·Σ|xy|, u = 2⁻⁵³: products are exact",
        .source = "Jeannerod, Rump 2013",
    },
    recursive_sum_bound);

inline constexpr auto dot_tree_1 = theorem(
    {
        .id = "dot.tree.1",
        .hypotheses = "products rounded, then added by a tree of height h, (h + 1)u < 1",
        .statement = "|d̂ − d| ≤ γ_{h+1}Σ|xy| + (1 + γ_h)nη/2",
        .source = "Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §3.1",
    },
    tree_dot_bound);

inline constexpr auto dot_block_1 = theorem(
    {
        .id = "dot.block.1",
        .hypotheses = "the order of sum.block.1, (h + 1)u < 1",
        .statement = "|d̂ − d| ≤ γ_{h+1}Σ|xy| + (1 + γ_h)nη/2, h = max(⌈n/64⌉ − 1, 0) + 6",
        .source = "derived",
    },
    block_dot_bound);

inline constexpr auto dot_block_2 = theorem(
    {
        .id = "dot.block.2",
        .hypotheses = "binary32 data, products and additions in binary64, the order of sum.block.1, hu < 1",
        .statement = "|d̂ − d| ≤ γ_h Σ|xy|, h = max(⌈n/64⌉ − 1, 0) + 6, u = 2⁻⁵³: products are exact",
        .source = "derived",
    },
    block_sum_bound);

inline constexpr auto dot_exact_grid_1 = theorem({
    .id = "dot.exact_grid.1",
    .hypotheses = "all products are multiples of g = 2^k ≥ η with T ≤ 2ᵖg",
    .statement = "d̂ = d where no product and no addition rounds",
    .source = "derived",
});

inline constexpr auto dot_dot2_1 = theorem(
    {
        .id = "dot.dot2.1",
        .hypotheses = "2nu ≤ 1; (pᵢ, rᵢ) = TwoProd(xᵢ, yᵢ), (ŝᵢ, eᵢ) = TwoSum(ŝᵢ₋₁, pᵢ), c = c + (eᵢ + rᵢ), the "
                      "result RN(ŝₙ + c)",
        .statement = "|d̂ − d| ≤ u|d| + γₙ²Σ|xy| + 5nη",
        .source = "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 5.5",
    },
    dot2_bound);

inline constexpr auto dot_dot2_2 = theorem({
    .id = "dot.dot2.2",
    .hypotheses = "as dot.dot2.1, n ≤ 4",
    .statement = "d̂ = RN(d) (false: (1, u, u²)·(1, 1, 1) gives 1)",
    .source = "derived",
});

inline constexpr auto dot_dot_k_1 = theorem(
    {
        .id = "dot.dot_k.1",
        .hypotheses = "K is 3 or 4, 8nu ≤ 1; the 2n numbers r₁, (rᵢ, eᵢ), and last ŝₙ go to SumK with K − 1 levels",
        .statement = "|d̂ − d| ≤ (u + 2γ²₄ₙ₋₂)|d| + γ₄ₙ₋₂^K·Σ|xy| + 5nη",
        .source = "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 5.11",
    },
    dot_k_bound);

inline constexpr auto dot_block_dot2_1 = theorem(
    {
        .id = "dot.block_dot2.1",
        .hypotheses = "the order of sum.block.1, 2(c + 1)u ≤ 1, p ≥ 2",
        .statement = "|d̂ − d| ≤ u|d| + γ_{c+1}γ_{h+1}Σ|xy| + 5nη, c = ⌈n/64⌉ + 12",
        .source = "derived",
    },
    block_dot2_bound);

inline constexpr auto dot_exact_1 = theorem({
    .id = "dot.exact.1",
    .hypotheses = "finite terms, any n for which the superaccumulator of sum.superaccumulator.1 has room",
    .statement = "d̂ = ∘(d), ∘ one of RN, RU, RD, RZ",
    .source = "derived",
});

inline constexpr auto dot_exact_2 = theorem({
    .id = "dot.exact.2",
    .hypotheses = "as dot.exact.1",
    .statement = "the same bits for the terms in another order",
    .source = "derived",
});

}  // namespace assay
