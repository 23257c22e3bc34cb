#pragma once
// The numbered theorems of docs/bounds/rns.md that claims cite.

#include "errorbounds/rns.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto rns_residues_1 = theorem({
    .id = "rns.residues.1",
    .hypotheses = "operands with reduced residues",
    .statement = "r_i = f mod m_i, f = X, |x|, X + Y, X − Y, XY or X·2^d",
    .source = "Omondi, Premkumar, Residue Number Systems: Theory and Implementation, 2007",
});

inline constexpr auto rns_residues_2 = theorem({
    .id = "rns.residues.2",
    .hypotheses = "the result of any operation that returns residues",
    .statement = "0 ≤ r_i < m_i",
    .source = "Omondi, Premkumar, Residue Number Systems: Theory and Implementation, 2007",
});

inline constexpr auto rns_extended_1 = theorem({
    .id = "rns.extended.1",
    .hypotheses = "any pair of exponents; z is a + b, a − b, ab or a/b, b ≠ 0 there",
    .statement = "RD ≤ z ≤ RU, z = a + b, a − b, ab or a/b",
    .source = "derived",
});

inline constexpr auto rns_extended_2 = theorem(
    {
        .id = "rns.extended.2",
        .hypotheses = "as rns.extended.1",
        .statement = "|RD − z|, |RU − z| ≤ 2⁻⁵²|z|, z = a + b, a − b, ab or a/b",
        .source = "derived",
    },
    directed_bound);

inline constexpr auto rns_extended_3 = theorem({
    .id = "rns.extended.3",
    .hypotheses = "numbers of the extended range",
    .statement = "the sign of a − b",
    .source = "derived",
});

inline constexpr auto rns_to_limbs_1 = theorem({
    .id = "rns.to_limbs.1",
    .hypotheses = "0 ≤ X < M, mixed-radix digits",
    .statement = "the limbs of X",
    .source = "Garner, The residue number system, 1959",
});

inline constexpr auto rns_to_limbs_2 = theorem({
    .id = "rns.to_limbs.2",
    .hypotheses = "0 ≤ X < M, n ≤ 2³⁰; ρ' = ⌊Σ ⌊2³²sᵢ/mᵢ⌋/2³²⌋",
    .statement = "the limbs of X by the Chinese remainder theorem",
    .source = "derived",
});

inline constexpr auto rns_to_double_1 = theorem({
    .id = "rns.to_double.1",
    .hypotheses = "0 ≤ X < M",
    .statement = "RN(X)",
    .source = "IEEE 754-2019, §4.3.1",
});

inline constexpr auto rns_from_expansion_1 = theorem({
    .id = "rns.from_expansion.1",
    .hypotheses = "finite words whose set bits, and those of their sum, lie in a window of 32⌈27n/32⌉ places",
    .statement = "(−1)^s·X·2^e = Σx with X odd or 0 and X < M, or it does not fit and all is 0",
    .source = "derived",
});

inline constexpr auto rns_to_expansion_1 = theorem(
    {
        .id = "rns.to_expansion.1",
        .hypotheses = "K words of 53 bits each, the first set bit of the rest on",
        .statement = "|Σz − x| ≤ 2^(1 − 53K)·|x|",
        .source = "derived",
    },
    [](int K) {
      return RelativeBound{oracle::Dyadic::scaled(1, 1 - 53L * K), 1};
    });

inline constexpr auto rns_to_expansion_2 = theorem({
    .id = "rns.to_expansion.2",
    .hypotheses = "as rns.to_expansion.1, X < 2^(53K)",
    .statement = "Σz = x",
    .source = "derived",
});

inline constexpr auto rns_to_expansion_3 = theorem({
    .id = "rns.to_expansion.3",
    .hypotheses = "as rns.to_expansion.1",
    .statement = "Shewchuk-nonoverlapping",
    .source = "derived",
});

inline constexpr auto rns_evaluate_1 = theorem({
    .id = "rns.evaluate.1",
    .hypotheses = "n ≤ 128, T = 2·max(2h, h + 2)·n·v·(10⁷ + 2), h = ⌈log₂ n⌉, the threshold of refinement (in the "
                  "form of Isupov 2020 4vn·log₂ n·(1 + ε/2)/ε with ε = 10⁻⁷), so that T > 10⁷ω. For "
                  "`evaluate_fast` X ≤ M(1 − n·2⁻⁴⁰)",
    .statement = "lower ≤ X/M ≤ upper",
    .source = "derived",
});

inline constexpr auto rns_evaluate_2 = theorem(
    {
        .id = "rns.evaluate.2",
        .hypotheses = "as rns.evaluate.1",
        .statement = "upper − lower ≤ ε·X/M, ε = ω/(T − ω) of the set, below 10⁻⁷",
        .source = "derived",
    },
    rns_interval_width);

inline constexpr auto rns_compare_1 = theorem({
    .id = "rns.compare.1",
    .hypotheses = "0 ≤ X, Y < M",
    .statement = "the sign of X − Y",
    .source = "derived",
});

inline constexpr auto rns_sign_1 = theorem({
    .id = "rns.sign.1",
    .hypotheses = "0 ≤ X < M",
    .statement = "0 for X = 0, 1 for X < M/2, −1 for X > M/2",
    .source = "derived",
});

inline constexpr auto rns_overflow_1 = theorem({
    .id = "rns.overflow.1",
    .hypotheses = "0 ≤ X, Y < M",
    .statement = "1 for X + Y ≥ M, else 0",
    .source = "derived",
});

inline constexpr auto rns_scale_1 = theorem({
    .id = "rns.scale.1",
    .hypotheses = "0 ≤ X < M, d ≥ 0",
    .statement = "the residues of ⌊X/2^d⌋",
    .source = "derived",
});

inline constexpr auto rns_divide_1 = theorem({
    .id = "rns.divide.1",
    .hypotheses = "0 ≤ X < M, 0 < Y < M",
    .statement = "the residues of ⌊X/Y⌋ and of X mod Y",
    .source = "derived",
});

}  // namespace assay
