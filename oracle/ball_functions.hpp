#pragma once

#include <optional>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"

namespace assay::oracle {

/// Elementary functions of balls, by Arb: the result contains the value for every number of the operand. `bits`: the
/// precision of the midpoint. No second path of the oracle checks them.

Ball exp(const Ball& x, long bits);
/// ln(1 + x), of a small relative error for small x, too. Not finite where x contains −1 or less.
Ball log1p(const Ball& x, long bits);

/// √square, where that is a dyadic number. Without one it is irrational. Requires: square ≥ 0 (not checked).
std::optional<Dyadic> exact_root(const Dyadic& square);

}  // namespace assay::oracle
