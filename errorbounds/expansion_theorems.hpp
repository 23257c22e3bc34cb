#pragma once
// The numbered theorems of docs/bounds/expansion.md that claims cite.

#include "errorbounds/expansion.hpp"
#include "errorbounds/expansion_blas.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto expansion_vec_sum_1 = theorem({
    .id = "expansion.vec_sum.1",
    .hypotheses = "any words, no overflow",
    .statement = "Σ eᵢ = Σ xᵢ",
    .source = "derived",
});

inline constexpr auto expansion_vec_sum_3 = theorem({
    .id = "expansion.vec_sum.3",
    .hypotheses = "the terms that are not zero have gaps eᵢ − eᵢ₊₁ of 1 or more (overlap by at most p − 1 "
                  "digits), or xᵢ is a multiple of 2^(kᵢ−p+1), |xᵢ| ≤ (2 − 2u)2^kᵢ, kᵢ₊₁ ≤ kᵢ − 1",
    .statement = "|eⱼ| ≤ uls(eᵢ)/2 for i < j, zeros anywhere",
    .source = "derived",
});

inline constexpr auto expansion_vec_sum_4 = theorem({
    .id = "expansion.vec_sum.4",
    .hypotheses = "condition C: gaps of 0 or more; before a gap of 0 lies one of 2 or more (or none), after it "
                  "one of 1 or more (or none). It contains the third condition of the slides, read as: gaps of 2 "
                  "or more but for single ones of 0 or 1 with 2 or more on either side",
    .statement = "|eⱼ| ≤ uls(eᵢ) for neighbours, ≤ uls(eᵢ)/2 for others",
    .source = "derived",
});

inline constexpr auto expansion_vec_sum_5 = theorem({
    .id = "expansion.vec_sum.5",
    .hypotheses = "as expansion.vec_sum.3",
    .statement = "|eⱼ| < uls(eᵢ) for i < j, zeros anywhere",
    .source = "Popescu, Joldes, Muller, CAMPARY, March 2015, slide 25",
});

inline constexpr auto expansion_vec_sum_6 = theorem({
    .id = "expansion.vec_sum.6",
    .hypotheses = "condition C",
    .statement = "|eⱼ| < uls(eᵢ) for i < j (false for single differences 0)",
    .source = "derived",
});

inline constexpr auto expansion_vec_sum_7 = theorem({
    .id = "expansion.vec_sum.7",
    .hypotheses = "condition C, n ≥ 4",
    .statement = "|eⱼ| < uls(eᵢ) for i < j, neighbours that are equal powers of two excepted (false: a zero "
                 "between)",
    .source = "Popescu, Joldes, Muller, CAMPARY, March 2015, slide 30",
});

inline constexpr auto expansion_branch_1 = theorem({
    .id = "expansion.branch.1",
    .hypotheses = "no word is cut off",
    .statement = "Σ fᵢ = Σ eᵢ",
    .source = "derived",
});

inline constexpr auto expansion_branch_2 = theorem({
    .id = "expansion.branch.2",
    .hypotheses = "e Shewchuk-nonoverlapping with zeros anywhere (as expansion.vec_sum.3 gives it)",
    .statement = "|fᵢ₊₁| ≤ ulp(fᵢ)",
    .source = "derived",
});

inline constexpr auto expansion_zeros_last_1 = theorem({
    .id = "expansion.zeros_last.1",
    .hypotheses = "the words come from VecSumErrBranch, VecSumErr after it, or a conversion that fills up with "
                  "zeros",
    .statement = "no word that is not zero comes after a zero",
    .source = "derived",
});

inline constexpr auto expansion_vec_sum_err_1 = theorem({
    .id = "expansion.vec_sum_err.1",
    .hypotheses = "any words, no overflow",
    .statement = "Σ gᵢ = Σ fᵢ",
    .source = "derived",
});

inline constexpr auto expansion_vec_sum_err_2 = theorem({
    .id = "expansion.vec_sum_err.2",
    .hypotheses = "f ulp-nonoverlapping",
    .statement = "|g₁| ≤ (1/2 + 2^(−p+2))·ulp(g₀)",
    .source = "Popescu, Joldes, Muller, CAMPARY, March 2015, slide 32",
});

inline constexpr auto expansion_vec_sum_err_3 = theorem({
    .id = "expansion.vec_sum_err.3",
    .hypotheses = "f ulp-nonoverlapping, n ≥ 4",
    .statement = "|gᵢ₊₁| ≤ ulp(gᵢ) for i > 0 (false: all ones that cancel)",
    .source = "Popescu, Joldes, Muller, CAMPARY, March 2015, slide 32",
});

inline constexpr auto expansion_renormalize_1 = theorem({
    .id = "expansion.renormalize.1",
    .hypotheses = "the terms fulfil one of the three input conditions of the slides (overlap by at most p − 1 "
                  "digits, by at most p − 2 digits, in pairs), or are a sum or product of this page",
    .statement = "|zᵢ₊₁| ≤ (1/2 + 2^(−p+2) + 2^(−p))·ulp(zᵢ) and zeros last",
    .source = "Joldes, Marty, Muller, Popescu, Arithmetic algorithms for extended precision using floating-point "
              "expansions, IEEE TC 65(4), 2016, Algorithm 5 and Theorem 4; Boldo, Joldes, Muller, Popescu, ITP "
              "2017",
});

inline constexpr auto expansion_renormalize_2 = theorem({
    .id = "expansion.renormalize.2",
    .hypotheses = "the lists of small_formats.expansions.1 or the pairs of small_formats.expansions.2",
    .statement = "|zᵢ₊₁| ≤ (1/2 + 2^(−p))·ulp(zᵢ) and zeros last",
    .source = "derived",
});

inline constexpr auto expansion_renormalize_3 = theorem({
    .id = "expansion.renormalize.3",
    .hypotheses = "as expansion.renormalize.1",
    .statement = "|zᵢ₊₁| < ulp(zᵢ)",
    .source = "Joldes, Marty, Muller, Popescu, Arithmetic algorithms for extended precision using floating-point "
              "expansions, IEEE TC 65(4), 2016, Algorithm 5 and Theorem 4; Boldo, Joldes, Muller, Popescu, ITP "
              "2017; Priest, Algorithms for arbitrary precision floating point arithmetic, ARITH-10, 1991",
});

inline constexpr auto expansion_renormalize_4 = theorem({
    .id = "expansion.renormalize.4",
    .hypotheses = "as expansion.renormalize.1, m ≥ 2",
    .statement = "|zᵢ₊₁| ≤ ulp(zᵢ)/2 (false: a tie that later words push on)",
    .source = "derived",
});

inline constexpr auto expansion_renormalize_5 = theorem({
    .id = "expansion.renormalize.5",
    .hypotheses = "as expansion.renormalize.1, n ≥ 4, m ≥ 2",
    .statement = "z₀ = RN(Σ xᵢ) (false: a tie that later words break)",
    .source = "derived",
});

inline constexpr auto expansion_renormalize_6 = theorem({
    .id = "expansion.renormalize.6",
    .hypotheses = "n ≤ m: no word is cut off",
    .statement = "Σ zᵢ = Σ xᵢ",
    .source = "derived",
});

inline constexpr auto expansion_renormalize_7 = theorem(
    {
        .id = "expansion.renormalize.7",
        .hypotheses = "p ≥ 5, m ≥ 1, any list that VecSum makes nonoverlapping (expansion.vec_sum.3 or .4)",
        .statement = "|z − x| ≤ (u^m(1 + 10u)^(m−1) + (4u)^(m+1))/(1 − 4u)·|x|",
        .source = "derived",
    },
    renormalization_bound);

inline constexpr auto expansion_renormalize_8 = theorem(
    {
        .id = "expansion.renormalize.8",
        .hypotheses = "the lists of small_formats.expansions.1",
        .statement = "|z − x| ≤ 3u|x| for m = 1, (5/4)u^m|x| for 1 < m < n, 0 for m = n",
        .source = "derived",
    },
    [](int n, int m, int p) {
      const oracle::Dyadic factor = m == n ? oracle::Dyadic() : oracle::Dyadic(m == 1 ? 12 : 5);
      return RelativeBound{factor * oracle::Dyadic::scaled(1, -p * m), 4};
    });

inline constexpr auto expansion_certified_add_1 = theorem(
    {
        .id = "expansion.certified_add.1",
        .hypotheses = "p ≥ 5, R ≥ 1, operands ulp-nonoverlapping",
        .statement = "|z − (x + y)| ≤ (u^R(1 + 10u)^(R−1) + (4u)^(R+1))/(1 − 4u)·|x + y|",
        .source = "derived",
    },
    renormalization_bound);

inline constexpr auto expansion_certified_add_2 = theorem(
    {
        .id = "expansion.certified_add.2",
        .hypotheses = "as expansion.certified_add.1",
        .statement = "|z − (x + y)| ≤ (9/2)·2^(−(p−1)R)·|x + y|",
        .source = "CAMPARY, addition.h",
    },
    published_certified_add_bound);

inline constexpr auto expansion_certified_add_3 = theorem(
    {
        .id = "expansion.certified_add.3",
        .hypotheses = "the pairs of small_formats.expansions.2",
        .statement = "|z − (x + y)| ≤ (5/4)u^R·|x + y|",
        .source = "derived",
    },
    [](int R, int p) {
      return RelativeBound{oracle::Dyadic::scaled(5, -p * R), 4};
    });

inline constexpr auto expansion_compare_1 = theorem({
    .id = "expansion.compare.1",
    .hypotheses = "p ≥ 5, operands ulp-nonoverlapping",
    .statement = "the sign of x − y",
    .source = "derived",
});

inline constexpr auto expansion_from_int64_1 = theorem({
    .id = "expansion.from_int64.1",
    .hypotheses = "an integer n of 64 bits, k words",
    .statement = "|zⱼ| < uls(zᵢ) for i < j",
    .source = "derived",
});

inline constexpr auto expansion_from_int64_2 = theorem(
    {
        .id = "expansion.from_int64.2",
        .hypotheses = "as expansion.from_int64.1",
        .statement = "|z − n| ≤ 2^(1 − pk)|n|",
        .source = "derived",
    },
    [](int k, int p) {
      return RelativeBound{oracle::Dyadic::scaled(1, 1 - k * p), 1};
    });

inline constexpr auto expansion_from_int64_3 = theorem({
    .id = "expansion.from_int64.3",
    .hypotheses = "as expansion.from_int64.1, pk ≥ 64",
    .statement = "Σ zᵢ = n",
    .source = "derived",
});

inline constexpr auto expansion_nearest_1 = theorem({
    .id = "expansion.nearest.1",
    .hypotheses = "x ulp-nonoverlapping",
    .statement = "z = RN(x)",
    .source = "derived",
});

inline constexpr auto expansion_to_int64_1 = theorem({
    .id = "expansion.to_int64.1",
    .hypotheses = "x ulp-nonoverlapping",
    .statement = "n = x rounded toward zero, the nearer end of the range beyond it",
    .source = "derived",
});

inline constexpr auto expansion_quick_add_1 = theorem(
    {
        .id = "expansion.quick_add.1",
        .hypotheses = "p ≥ 11, 1 ≤ R ≤ 16, operands of at most R words, ulp-nonoverlapping",
        .statement = "|z − (x + y)| ≤ 8·R!·u^R·(|x₀| + |y₀|)",
        .source = "derived",
    },
    quick_add_bound);

inline constexpr auto expansion_quick_add_2 = theorem(
    {
        .id = "expansion.quick_add.2",
        .hypotheses = "as expansion.quick_add.1",
        .statement = "|z − (x + y)| ≤ (9/2)·2^(−(p−1)R)·|x + y| (false: the leading words may cancel)",
        .source = "derived",
    },
    published_certified_add_bound);

inline constexpr auto expansion_certified_mul_1 = theorem(
    {
        .id = "expansion.certified_mul.1",
        .hypotheses = "p ≥ 24, 1 ≤ R ≤ 16, operands ulp-nonoverlapping",
        .statement = "|z − xy| ≤ (r + e + re)|xy|, r of renormalization, e = u^R(17/64 + 2^R(3R + 6)u)/(1 − 5u)",
        .source = "derived",
    },
    certified_mul_bound);

inline constexpr auto expansion_certified_mul_2 = theorem(
    {
        .id = "expansion.certified_mul.2",
        .hypotheses = "as expansion.certified_mul.1",
        .statement = "|z − xy| ≤ 2^(−(p−1)R)(1 + (R + 1)2^(−p))|xy|",
        .source = "Joldes, Marty, Muller, Popescu, Arithmetic algorithms for extended precision using floating-point "
                  "expansions, IEEE TC 65(4), 2016; CAMPARY, multiplication.h",
    },
    published_certified_mul_bound);

inline constexpr auto expansion_truncated_mul_1 = theorem(
    {
        .id = "expansion.truncated_mul.1",
        .hypotheses = "p ≥ 24, 1 ≤ R ≤ 16, operands ulp-nonoverlapping",
        .statement = "|z − xy| ≤ 18·R!·(R − 1)!·u^R·|xy|",
        .source = "derived",
    },
    truncated_mul_bound);

inline constexpr auto expansion_truncated_mul_2 = theorem(
    {
        .id = "expansion.truncated_mul.2",
        .hypotheses = "as expansion.truncated_mul.1, R ≥ 3",
        .statement = "|z − xy| ≤ 2^(−(p−1)R)(1 + (R + 1)2^(−p) + 2^(−p+2)(K + L − R − 2))|xy| (false for this "
                     "product)",
        .source = "CAMPARY, multiplication.h",
    },
    published_truncated_mul_bound);

inline constexpr auto expansion_quick_mul_1 = theorem({
    .id = "expansion.quick_mul.1",
    .hypotheses = "one operand is ±2^k",
    .statement = "z = xy",
    .source = "derived",
});

inline constexpr auto expansion_quick_mul_2 = theorem(
    {
        .id = "expansion.quick_mul.2",
        .hypotheses = "as expansion.truncated_mul.1, R ≥ 5",
        .statement = "|z − xy| ≤ 18·R!·(R − 1)!·u^R·|xy| (false: the sweeps lose words)",
        .source = "derived",
    },
    truncated_mul_bound);

inline constexpr auto expansion_reciprocal_1 = theorem(
    {
        .id = "expansion.reciprocal.1",
        .hypotheses = "R ≥ 1, 2R + 6 ≤ p, x ≠ 0 ulp-nonoverlapping; c = 4 for R = 1, 14 for R = 2, 3 for R ≥ 3",
        .statement = "|z − 1/x| ≤ c·u^R·|1/x|",
        .source = "derived",
    },
    reciprocal_bound);

inline constexpr auto expansion_reciprocal_2 = theorem(
    {
        .id = "expansion.reciprocal.2",
        .hypotheses = "as expansion.reciprocal.1; published for R = 2^q and another iteration",
        .statement = "|z − 1/x| ≤ 2^(−(p−3)R−1)·|1/x|",
        .source = "Joldes, Muller, Popescu, On the computation of the reciprocal of floating point expansions using "
                  "an adapted Newton-Raphson iteration, ASAP 2014, for R = 2^q",
    },
    published_newton_bound);

inline constexpr auto expansion_reciprocal_3 = theorem(
    {
        .id = "expansion.reciprocal.3",
        .hypotheses = "as expansion.reciprocal.2",
        .statement = "|z − 1/x| ≤ 2^(−(p−4)R−2)/(1 − 2^(−p+1))·|1/x|",
        .source = "CAMPARY, newton.h, for R = 2^q",
    },
    published_reciprocal_bound);

inline constexpr auto expansion_div_1 = theorem(
    {
        .id = "expansion.div.1",
        .hypotheses = "R ≥ 1, 2R + 6 ≤ p, x and y ≠ 0 ulp-nonoverlapping; c = 6 for R = 1, 19 for R = 2, 3 for R ≥ 3",
        .statement = "|z − x/y| ≤ c·u^R·|x/y|",
        .source = "derived",
    },
    expansion_div_bound);

inline constexpr auto expansion_rsqrt_1 = theorem(
    {
        .id = "expansion.rsqrt.1",
        .hypotheses = "R ≥ 1, 2R + 6 ≤ p, x > 0 ulp-nonoverlapping; c = 4 for R = 1, 19 for R = 2, 3 for R ≥ 3",
        .statement = "|z − 1/√x| ≤ c·u^R·|1/√x|",
        .source = "derived",
    },
    rsqrt_bound);

inline constexpr auto expansion_rsqrt_2 = theorem(
    {
        .id = "expansion.rsqrt.2",
        .hypotheses = "as expansion.rsqrt.1; published for R = 2^q and another iteration",
        .statement = "|z − 1/√x| ≤ 2^(−(p−3)R−1)/√x",
        .source = "Joldes, Marty, Muller, Popescu, Arithmetic algorithms for extended precision using floating-point "
                  "expansions, IEEE TC 65(4), 2016, for R = 2^q",
    },
    published_newton_bound);

inline constexpr auto expansion_rsqrt_3 = theorem(
    {
        .id = "expansion.rsqrt.3",
        .hypotheses = "as expansion.rsqrt.2",
        .statement = "|z − 1/√x| ≤ 2^(−(p−4)R−1)/(1 − 2^(−p+1))/√x",
        .source = "CAMPARY, newton.h, for R = 2^q",
    },
    published_rsqrt_bound);

inline constexpr auto expansion_sqrt_1 = theorem(
    {
        .id = "expansion.sqrt.1",
        .hypotheses = "R ≥ 1, 2R + 6 ≤ p, x ≥ 0 ulp-nonoverlapping; c = 3 for R = 1, 28 for R = 2, 3 for R ≥ 3",
        .statement = "|z − √x| ≤ c·u^R·|√x|",
        .source = "derived",
    },
    expansion_sqrt_bound);

inline constexpr auto expansion_sqrt_2 = theorem(
    {
        .id = "expansion.sqrt.2",
        .hypotheses = "as expansion.sqrt.1; published for R = 2^q and another iteration",
        .statement = "|z − √x| ≤ 3·2^(−(p−4)R−2)/(1 − 2^(−p+1))·√x",
        .source = "CAMPARY, newton.h, for R = 2^q",
    },
    published_sqrt_bound);

inline constexpr auto expansion_accumulator_3 = theorem({
    .id = "expansion.accumulator.3",
    .hypotheses = "any s₀ … s_{K−1}",
    .statement = "every entry that is written is ulp-nonoverlapping, zeros last",
    .source = "derived",
});

inline constexpr auto expansion_blas_1 = theorem(
    {
        .id = "expansion.blas.1",
        .hypotheses = "as expansion.accumulator.2; no overflow (it suffices that every word is below 2^((emax − "
                      "40)/3) and n ≤ 2¹⁶); ω = (W/(1 − q)² + E)(1 − q)/(1 − 2q); f and κ_f are e and κ of one lane "
                      "and two products (of one if a summand is missing); underflow = 2κ_f·η (1κ_f·η with one "
                      "summand)",
        .statement = "|ŷ − y| ≤ |α|E + f·(w(α)ω + w(β)w(y)) + underflow in every entry, E = e·Σw(a)w(x)",
        .source = "derived",
    },
    [](const ExpansionSumShape& shape, const oracle::Format& format) { return ExpansionBlasBound(shape, format); });

inline constexpr auto expansion_blas_2 = theorem({
    .id = "expansion.blas.2",
    .hypotheses = "any shapes, strides and early returns",
    .statement = "gaps, rows below the matrix and what an early return leaves keep their bits",
    .source = "derived",
});

inline constexpr auto expansion_blas_3 = theorem({
    .id = "expansion.blas.3",
    .hypotheses = "β = 0",
    .statement = "with β = 0 no NaN comes from the start",
    .source = "derived",
});

inline constexpr auto expansion_blas_4 = theorem({
    .id = "expansion.blas.4",
    .hypotheses = "α = 0",
    .statement = "with α = 0 no NaN comes from the factors",
    .source = "derived",
});

}  // namespace assay
