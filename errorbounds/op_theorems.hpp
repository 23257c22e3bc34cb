#pragma once
// The numbered theorems of docs/bounds/op.md that claims cite.

#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto op_rounded_1 = theorem({
    .id = "op.rounded.1",
    .hypotheses = "finite operands, no zero divisor, no root of a negative number; f(a, b, c) is one of a + b, a "
                  "− b, ab, a/b, √a, ab + c",
    .statement = "z = ∘(f(a, b, c)), ∘ the rounding direction",
    .source = "IEEE 754-2019, §4.3, §5.4.1, §6.3, §7.4, §7.5",
});

inline constexpr auto op_specials_1 = theorem({
    .id = "op.specials.1",
    .hypotheses = "an infinite or NaN operand, a zero divisor, or a root of a number that is not positive",
    .statement = "NaN, ±∞ and ±0 as the standard rules",
    .source = "IEEE 754-2019, §6.1, §6.2, §6.3, §7.2, §7.3",
});

}  // namespace assay
