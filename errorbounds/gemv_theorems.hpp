#pragma once
// The numbered theorems of docs/bounds/gemv.md that claims cite.

#include "errorbounds/gemv.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto gemv_structure_1 = theorem({
    .id = "gemv.structure.1",
    .hypotheses = "any shapes, strides and early returns",
    .statement = "gaps, and what an early return leaves, keep their bits",
    .source = "derived",
});

inline constexpr auto gemv_structure_2 = theorem({
    .id = "gemv.structure.2",
    .hypotheses = "β = 0",
    .statement = "with β = 0 nothing that is not a number comes from y",
    .source = "derived",
});

inline constexpr auto gemv_structure_3 = theorem({
    .id = "gemv.structure.3",
    .hypotheses = "α = 0",
    .statement = "with α = 0 nothing that is not a number comes from A or x",
    .source = "derived",
});

inline constexpr auto gemv_correctly_rounded_1 = theorem({
    .id = "gemv.correctly_rounded.1",
    .hypotheses = "finite data in binary64",
    .statement = "ŷ = RN(y), RU(y), RD(y), RZ(y) in every entry, y = α·op(A)·x + β·y with one rounding",
    .source = "derived",
});

inline constexpr auto gemv_structure_4 = theorem({
    .id = "gemv.structure.4",
    .hypotheses = "an entry that is written by a multiple-precision GEMV",
    .statement = "every entry that is written has its guard, an enclosure of X/M of relative width 2⁻¹⁹, and X < "
                 "√M",
    .source = "derived",
});

inline constexpr auto gemv_published_1 = theorem(
    {
        .id = "gemv.published.1",
        .hypotheses = "one operation gives fl(a ∘ b) = (a ∘ b)(1 + δ), |δ| < u, u < 4/√M; (N + 2)u < 1; any order of "
                      "summation",
        .statement = "|ŷ − y| ≤ (N + 2)u/(1 − (N + 2)u)·(Σ|αax| + |βy|) in every entry, u = 4/√M",
        .source = "Isupov, Knyazkov, Multiple-precision matrix-vector multiplication on graphics processing units, "
                  "2020, (15), (18)",
    },
    [](std::uint64_t inner, const RelativeBound& unit, const MpGemvWeights& entry) {
      return mp_gemv_published_bound(inner, unit, entry);
    });

inline constexpr auto gemv_published_2 = theorem(
    {
        .id = "gemv.published.2",
        .hypotheses = "as gemv.published.1",
        .statement = "‖ŷ − y‖ ≤ (N + 2)u/(1 − (N + 2)u)·‖|αA||x| + |βy|‖ in the l₁ norm, u = 4/√M",
        .source = "Isupov, Knyazkov, Multiple-precision matrix-vector multiplication on graphics processing units, "
                  "2020, (15), (18)",
    },
    [](std::uint64_t inner, const RelativeBound& unit, std::span<const MpGemvWeights> entries) {
      return mp_gemv_published_bound(inner, unit, entries);
    });

inline constexpr auto gemv_decomposed_1 = theorem(
    {
        .id = "gemv.decomposed.1",
        .hypotheses = "T threads sum one entry: thread t its products number t, t + T, … in ascending order, starting "
                      "with the first of them; then for d = T/2, …, 2, 1 thread t < d takes in thread t + d; then βy "
                      "is added. L = min(T, N), k = ⌈N/L⌉ + ⌈log₂ L⌉ + 2, 1 less where α = ±2ᵉ, 1 less where β = 0; "
                      "k₀ = 2, 1 where β = ±2ᵉ, 0 where β = 0; u of gemv.unit.1",
        .statement = "|ŷ − y| ≤ k·u·Σ|αax| + k₀·u·|βy| in every entry, k = ⌈N/T⌉ + ⌈log₂ T⌉ + 2 or less",
        .source = "derived",
    },
    mp_gemv_tree_bound);

inline constexpr auto gemv_exact_1 = theorem(
    {
        .id = "gemv.exact.1",
        .hypotheses = "operands of any exponents; RN_P is the rounding to P bits, ties to even, of the exact value of "
                      "its argument; numbers of at most P bits are kept",
        .statement = "ŷ = RN_P(y*), y* = α·s + β·y, so that |ŷ − y*| ≤ 2⁻ᴾ|y*|, in every entry, P = ⌊log₂ √M⌋",
        .source = "derived",
    },
    mp_gemv_exact_bound);

inline constexpr auto gemv_exact_7 = theorem({
    .id = "gemv.exact.7",
    .hypotheses = "as gemv.exact.1",
    .statement = "the same bits for the terms in reverse order",
    .source = "derived",
});

}  // namespace assay
