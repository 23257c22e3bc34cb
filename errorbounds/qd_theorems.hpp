#pragma once
// The numbered theorems of docs/bounds/qd.md that claims cite.

#include "errorbounds/qd.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto qd_structure_1 = theorem({
    .id = "qd.structure.1",
    .hypotheses = "as qd.renormalization.1",
    .statement = "|r_{i+1}| ≤ 3ulp(r_i)",
    .source = "derived",
});

inline constexpr auto qd_structure_2 = theorem({
    .id = "qd.structure.2",
    .hypotheses = "as qd.renormalization.1",
    .statement = "|r_{i+1}| ≤ ulp(r_i)/2 (false: a carry of the last pass is not passed on)",
    .source = "Hida, Li, Bailey 2001, on renormalization",
});

inline constexpr auto qd_sloppy_add_1 = theorem(
    {
        .id = "qd.sloppy_add.1",
        .hypotheses = "p ≥ 16, sloppy_add",
        .statement = "|r − (x + y)| ≤ 10u⁴(|x| + |y|)",
        .source = "derived",
    },
    quad_sloppy_add_bound);

inline constexpr auto qd_sloppy_add_2 = theorem(
    {
        .id = "qd.sloppy_add.2",
        .hypotheses = "p ≥ 16, sloppy_add, x and y of the same sign",
        .statement = "|r − (x + y)| ≤ 10u⁴|x + y|",
        .source = "derived",
    },
    quad_sloppy_add_same_sign_bound);

inline constexpr auto qd_sloppy_add_3 = theorem(
    {
        .id = "qd.sloppy_add.3",
        .hypotheses = "p ≥ 16, sloppy_add, any signs",
        .statement = "|r − (x + y)| ≤ 8u⁴|x + y| (false: the relative error can be 1)",
        .source = "Hida, Li, Bailey 2001, QD 2.3",
    },
    quad_ieee_style_bound);

inline constexpr auto qd_ieee_add_1 = theorem(
    {
        .id = "qd.ieee_add.1",
        .hypotheses = "p ≥ 16, ieee_add",
        .statement = "|r − (x + y)| ≤ 4u²(|x| + |y|)",
        .source = "derived",
    },
    quad_ieee_add_bound);

inline constexpr auto qd_ieee_add_2 = theorem(
    {
        .id = "qd.ieee_add.2",
        .hypotheses = "p ≥ 16, ieee_add",
        .statement = "|r − (x + y)| ≤ 10u⁴(|x| + |y|) (false: see the derivation)",
        .source = "derived",
    },
    quad_sloppy_add_bound);

inline constexpr auto qd_ieee_add_3 = theorem(
    {
        .id = "qd.ieee_add.3",
        .hypotheses = "p ≥ 16, ieee_add",
        .statement = "|r − (x + y)| ≤ 8u⁴|x + y| (false: words of O(u³)|x| may be left out)",
        .source = "Hida, Li, Bailey 2001, QD 2.3: the error bound of its headers",
    },
    quad_ieee_style_bound);

inline constexpr auto qd_mul_1 = theorem(
    {
        .id = "qd.mul.1",
        .hypotheses = "p ≥ 16, mul",
        .statement = "|r − xy| ≤ 45u⁴|xy|",
        .source = "derived",
    },
    quad_mul_bound);

inline constexpr auto qd_sloppy_mul_1 = theorem(
    {
        .id = "qd.sloppy_mul.1",
        .hypotheses = "p ≥ 16, sloppy_mul",
        .statement = "|r − xy| ≤ 150u⁴|xy|",
        .source = "derived",
    },
    quad_sloppy_mul_bound);

inline constexpr auto qd_mul_fp_1 = theorem(
    {
        .id = "qd.mul_fp.1",
        .hypotheses = "p ≥ 16, mul_fp, y a number",
        .statement = "|r − xy| ≤ 12u⁴|xy|",
        .source = "derived",
    },
    quad_mul_fp_bound);

}  // namespace assay
