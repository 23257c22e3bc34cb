#pragma once
// The numbered theorems of docs/bounds/gemm.md that claims cite.

#include "errorbounds/fraction.hpp"
#include "errorbounds/gemm.hpp"
#include "errorbounds/gemm_ozaki.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto gemm_rounded_1 = theorem({
    .id = "gemm.rounded.1",
    .hypotheses = "an entry whose operands are finite; any engine",
    .statement = "Ĉ = RN(αAB + βC) bit for bit",
    .source = "derived",
});

inline constexpr auto gemm_rounded_2 = theorem({
    .id = "gemm.rounded.2",
    .hypotheses = "as gemm.rounded.1, two engines",
    .statement = "the same bits by slices",
    .source = "derived",
});

inline constexpr auto gemm_faithful_1 = theorem({
    .id = "gemm.faithful.1",
    .hypotheses = "as gemm.rounded.1",
    .statement = "ĉ is c or one of its neighbours",
    .source = "derived",
});

inline constexpr auto gemm_bounded_1 = theorem(
    {
        .id = "gemm.bounded.1",
        .hypotheses = "as gemm.rounded.1, e ≥ u, c does not overflow",
        .statement = "|ĉ − c| ≤ e·(|α||A||B| + |βC|) + 2^−1075",
        .source = "derived",
    },
    [](const RelativeBound& e, const oracle::Dyadic& magnitude, const oracle::Dyadic& floor) {
      return e * magnitude + Bound{floor, 1};
    });

inline constexpr auto gemm_exceptional_1 = theorem({
    .id = "gemm.exceptional.1",
    .hypotheses = "a number that is read is infinite or NaN",
    .statement = "terms with an infinity or a NaN give what IEEE arithmetic does",
    .source = "derived",
});

inline constexpr auto gemm_structure_1 = theorem({
    .id = "gemm.structure.1",
    .hypotheses = "any leading dimensions and strides",
    .statement = "gaps between columns and products keep their bits",
    .source = "derived",
});

inline constexpr auto gemm_structure_2 = theorem({
    .id = "gemm.structure.2",
    .hypotheses = "α = 0 or β = 0",
    .statement = "with α = 0 nothing of A and B, with β = 0 nothing of C comes through",
    .source = "derived",
});

inline constexpr auto gemm_grade_a_1 = theorem(
    {
        .id = "gemm.grade_a.1",
        .hypotheses = "the products a_l·b_l are added in some order, each operation rounded to nearest once, or fused "
                      "with the next one; (k + 2)u < 1",
        .statement = "|Ĉ − C| ≤ g(k)(|α||A||B| + |βC|) by entry, g(k) = ku for α = ±1, β = 0, else γ_{k+2}",
        .source = "derived",
    },
    gemm_growth_bound);

inline constexpr auto gemm_grade_a_2 = theorem(
    {
        .id = "gemm.grade_a.2",
        .hypotheses = "slices with few levels (gemm.ozaki.6)",
        .statement = "|Ĉ − C| ≤ g(k)(|α||A||B| + |βC|) by entry, g(k) = ku for α = ±1, β = 0, else γ_{k+2} (false for "
                     "slices)",
        .source = "derived",
    },
    gemm_growth_bound);

inline constexpr auto gemm_grade_b_1 = theorem(
    {
        .id = "gemm.grade_b.1",
        .hypotheses = "as gemm.grade_a.1, or slices scaled by rows and columns",
        .statement = "|Ĉ − C| ≤ g(k)(|α|k·max|a_i|·max|b_j| + |βC|) by entry, g(k) = ku for α = ±1, β = 0, else "
                     "γ_{k+2}",
        .source = "derived",
    },
    gemm_growth_bound);

inline constexpr auto gemm_grade_c_1 = theorem(
    {
        .id = "gemm.grade_c.1",
        .hypotheses = "as gemm.grade_b.1, or a fast algorithm of Strassen's kind",
        .statement = "|Ĉ − C| ≤ g(k)(|α|k·max|A|·max|B| + max|βC|) by entry, g(k) = ku for α = ±1, β = 0, else "
                     "γ_{k+2}",
        .source = "derived",
    },
    gemm_growth_bound);

inline constexpr auto gemm_zeros_1 = theorem({
    .id = "gemm.zeros.1",
    .hypotheses = "grade A",
    .statement = "an entry all of whose terms are 0 is 0",
    .source = "derived",
});

inline constexpr auto gemm_one_sign_1 = theorem(
    {
        .id = "gemm.one_sign.1",
        .hypotheses = "grade A, k ≥ 1, (k + 2)u ≤ 1/10, |c| = T",
        .statement = "|ĉ − c| ≤ 10ku|c| in the entries whose terms have one sign",
        .source = "derived",
    },
    [](std::int64_t k) {
      return RelativeBound{oracle::Dyadic(10 * k).mul_2exp(-53), 1};
    });

inline constexpr auto gemm_scaling_1 = theorem({
    .id = "gemm.scaling.1",
    .hypotheses = "D₁, D₂, D₃ diagonal powers of two; ordinary or correctly rounded arithmetic; neither side "
                  "leaves the normal range",
    .statement = "(D₁AD₂⁻¹)(D₂BD₃) with D₁CD₃ gives D₁ĈD₃ bit for bit, D of powers of two",
    .source = "derived",
});

inline constexpr auto gemm_crt_3 = theorem({
    .id = "gemm.crt.3",
    .hypotheses = "A and B are read; P is the product of N pairwise coprime moduli",
    .statement = "2Σ|a′||b′| < P, moduli coprime in pairs",
    .source = "derived",
});

inline constexpr auto gemm_ozaki_2 = theorem({
    .id = "gemm.ozaki.2",
    .hypotheses = "s = ⌊(τ − λ)/w⌋ + 1 slices of every line",
    .statement = "the slices sum to the matrix, |digits| ≤ 2^q",
    .source = "Ozaki, Ogita, Oishi, Rump, Numer. Algorithms 59, 2012",
});

inline constexpr auto gemm_ozaki_3 = theorem({
    .id = "gemm.ozaki.3",
    .hypotheses = "slices of q bits, k terms",
    .statement = "every A_p·B_r is exact, Σ|a||b| ≤ 2⁵³ in units",
    .source = "Ozaki, Ogita, Oishi, Rump, Numer. Algorithms 59, 2012",
});

inline constexpr auto gemm_ozaki_6 = theorem(
    {
        .id = "gemm.ozaki.6",
        .hypotheses = "only products with p + r < L are formed, L = `levels` ≥ 1; N the number of products below with "
                      "a rest and a slice that are not empty (p < s, L − p < t, and one more if s > L), N ≤ L + 1; "
                      "nothing overflows",
        .statement = "|ĉ − c| ≤ |α|E + max(u(|c| + |α|E), η/2), E = N·k·2^(τ_a + τ_b − Lw)",
        .source = "Ozaki, Ogita, Oishi, Rump, Numer. Algorithms 59, 2012",
    },
    ozaki_bound);

}  // namespace assay
