#pragma once
// The numbered theorems of docs/bounds/mp.md that claims cite.

#include "errorbounds/fraction.hpp"
#include "errorbounds/mp.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

/// Of the theorems that hold with the unit derived here and with the published one.
inline constexpr const char* mp_units_source =
    "derived; the published unit: Isupov, Knyazkov, Multiple-precision matrix-vector multiplication on graphics "
    "processing units, 2020, (6); Isupov, Knyazkov, Kuvaev, Design and implementation of multiple-precision BLAS Level "
    "1 functions for graphics processing units, 2020";

inline constexpr auto mp_structure_1 = theorem({
    .id = "mp.structure.1",
    .hypotheses = "the result of any operation of this page",
    .statement = "0 ≤ rᵢ < mᵢ, the guard residue is X mod g, s is 0 or 1; zero has all members zero",
    .source = "derived",
});

inline constexpr auto mp_structure_2 = theorem({
    .id = "mp.structure.2",
    .hypotheses = "the result of any operation of this page",
    .statement = "L ≤ X/M ≤ U",
    .source = "derived",
});

inline constexpr auto mp_structure_3 = theorem({
    .id = "mp.structure.3",
    .hypotheses = "the result of any operation of this page",
    .statement = "U − L ≤ 2⁻¹⁹U",
    .source = "derived",
});

inline constexpr auto mp_structure_4 = theorem({
    .id = "mp.structure.4",
    .hypotheses = "the result of any operation of this page",
    .statement = "X < √M and U < 2^(−h)",
    .source = "derived",
});

inline constexpr auto mp_operation_1 = theorem(
    {
        .id = "mp.operation.1",
        .hypotheses = "h ≥ 24; x and y rounded; ∘ is +, −, × or a conversion or rounding of x alone",
        .statement = "|z − (x ∘ y)| ≤ u|x ∘ y|, and z = 0 where x ∘ y = 0",
        .source = mp_units_source,
    },
    [](const RelativeBound& u) { return u; });

inline constexpr auto mp_compare_1 = theorem({
    .id = "mp.compare.1",
    .hypotheses = "x and y rounded",
    .statement = "z = sign(x − y)",
    .source = "derived",
});

inline constexpr auto mp_difference_product_1 = theorem(
    {
        .id = "mp.difference_product.1",
        .hypotheses = "2u < 1",
        .statement = "|z − (x − y)w| ≤ γ_2|(x − y)w|",
        .source = mp_units_source,
    },
    [](const RelativeBound& u) { return mp_gamma(2, u); });

inline constexpr auto mp_scal_1 = theorem(
    {
        .id = "mp.scal.1",
        .hypotheses = "strides that are not 0",
        .statement = "|zᵢ − αxᵢ| ≤ γ_1|αxᵢ|; entries between the strides as they were",
        .source = mp_units_source,
    },
    [](const RelativeBound& u, const oracle::Dyadic& product) { return mp_gamma(1, u) * product; });

inline constexpr auto mp_axpy_1 = theorem(
    {
        .id = "mp.axpy.1",
        .hypotheses = "2u < 1",
        .statement = "|zᵢ − (αxᵢ + yᵢ)| ≤ γ_2|αxᵢ| + γ_1|yᵢ|; entries between the strides as they were",
        .source = mp_units_source,
    },
    [](const RelativeBound& u, const oracle::Dyadic& product, const oracle::Dyadic& start) {
      return mp_gamma(2, u) * product + mp_gamma(1, u) * start;
    });

inline constexpr auto mp_axpy_scal_1 = theorem(
    {
        .id = "mp.axpy_scal.1",
        .hypotheses = "3u < 1",
        .statement = "|zᵢ − β(αxᵢ + yᵢ)| ≤ γ_3|βαxᵢ| + γ_2|βyᵢ|; entries between the strides as they were",
        .source = mp_units_source,
    },
    [](const RelativeBound& u, const oracle::Dyadic& product, const oracle::Dyadic& start) {
      return mp_gamma(3, u) * product + mp_gamma(2, u) * start;
    });

inline constexpr auto mp_waxpby_1 = theorem(
    {
        .id = "mp.waxpby.1",
        .hypotheses = "2u < 1",
        .statement = "|zᵢ − (αxᵢ + βyᵢ)| ≤ γ_2(|αxᵢ| + |βyᵢ|); entries between the strides as they were",
        .source = mp_units_source,
    },
    [](const RelativeBound& u, const oracle::Dyadic& magnitude) { return mp_gamma(2, u) * magnitude; });

inline constexpr auto mp_asum_1 = theorem(
    {
        .id = "mp.asum.1",
        .hypotheses = "du < 1, d of mp.sum_depth.1",
        .statement = "|z − Σ|xᵢ|| ≤ γ_d·Σ|xᵢ|, d of mp_sum_depth",
        .source = mp_units_source,
    },
    [](const RelativeBound& u, long depth, const oracle::Dyadic& magnitude) { return mp_gamma(depth, u) * magnitude; });

inline constexpr auto mp_sum_of_squares_1 = theorem(
    {
        .id = "mp.sum_of_squares.1",
        .hypotheses = "(d + 1)u < 1",
        .statement = "|z − Σxᵢ²| ≤ γ_(d+1)·Σxᵢ², d of mp_sum_depth",
        .source = mp_units_source,
    },
    [](const RelativeBound& u, long depth, const oracle::Dyadic& magnitude) {
      return mp_gamma(depth + 1, u) * magnitude;
    });

inline constexpr auto mp_dot_1 = theorem(
    {
        .id = "mp.dot.1",
        .hypotheses = "(d + 1)u < 1",
        .statement = "|z − Σxᵢyᵢ| ≤ γ_(d+1)·Σ|xᵢyᵢ|, d of mp_sum_depth",
        .source = mp_units_source,
    },
    [](const RelativeBound& u, long depth, const oracle::Dyadic& magnitude) {
      return mp_gamma(depth + 1, u) * magnitude;
    });

inline constexpr auto mp_norm_inf_1 = theorem({
    .id = "mp.norm_inf.1",
    .hypotheses = "x rounded",
    .statement = "z = max |xᵢ|",
    .source = mp_units_source,
});

inline constexpr auto mp_from_limbs_1 = theorem(
    {
        .id = "mp.from_limbs.1",
        .hypotheses = "X of b bits; it is cut to its h leading bits if b > h, and where U reaches 2^H then, truncated "
                      "by one bit more",
        .statement = "|z − x| ≤ u|x|",
        .source = mp_units_source,
    },
    [](const RelativeBound& u) { return u; });

inline constexpr auto mp_from_limbs_2 = theorem({
    .id = "mp.from_limbs.2",
    .hypotheses = "X ≤ M·2^(−h)(1 − 2⁻⁴⁸), or a number of binary64 (53 ≤ h bits)",
    .statement = "z = x",
    .source = "derived",
});

inline constexpr auto mp_from_limbs_3 = theorem({
    .id = "mp.from_limbs.3",
    .hypotheses = "as mp.from_limbs.1",
    .statement = "|z| ≤ |x|",
    .source = "derived",
});

inline constexpr auto mp_to_double_1 = theorem({
    .id = "mp.to_double.1",
    .hypotheses = "x rounded and in range",
    .statement = "z = RN(x)",
    .source = "derived",
});

}  // namespace assay
