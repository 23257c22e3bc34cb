#pragma once

#include <optional>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/elementary.hpp"
#include "oracle/exact.hpp"

namespace assay::oracle {

/// Elementary functions of balls, by Arb: the result contains the value for every number of the operand. `bits`: the
/// precision of the midpoint. No second path of the oracle checks them.

Ball exp(const Ball& x, long bits);
/// ln(1 + x), of a small relative error for small x, too. Not finite where x contains −1 or less.
Ball log1p(const Ball& x, long bits);

/// f of every number of the operand, for the functions exp, exp2, expm1, log, log1p, sin, cos, tanh, sqrt, rsqrt and
/// erf. Not finite where f is not defined on the whole ball. Errors: std::invalid_argument for another function.
Ball elementary_of(Elementary f, const Ball& x, long bits);
/// π.
Ball pi(long bits);

/// A ball around an exact value: a point for a dyadic number, else of a precision of `bits`.
Ball enclosed(const Exact& x, long bits);

/// √square, where that is a dyadic number. Without one it is irrational. Requires: square ≥ 0 (not checked).
std::optional<Dyadic> exact_root(const Dyadic& square);

}  // namespace assay::oracle
