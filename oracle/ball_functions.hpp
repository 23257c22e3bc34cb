#pragma once

#include <optional>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/elementary.hpp"
#include "oracle/exact.hpp"

namespace assay::oracle {

/// Elementary functions of balls, by Arb: the result contains the value for every number of the operand. `bits`: the
/// precision of the midpoint. The oracle has no second path that checks them.

Ball exp(const Ball& x, long bits);
/// ln(1 + x), with a small relative error also for small x. Not finite if x contains −1 or less.
Ball log1p(const Ball& x, long bits);

/// f of every number of the operand, for the functions exp, exp2, expm1, log, log1p, sin, cos, tanh, sqrt, rsqrt and
/// erf. Not finite if f is not defined on the whole ball. Errors: std::invalid_argument for another function.
Ball elementary_of(Elementary f, const Ball& x, long bits);
/// π.
Ball pi(long bits);

/// A ball around an exact value: a point for a dyadic number, else of a precision of `bits`.
Ball enclosed(const Exact& x, long bits);

/// √square, if that is a dyadic number. If there is none, the root is irrational. Requires: square ≥ 0 (not checked).
std::optional<Dyadic> exact_root(const Dyadic& square);

}  // namespace assay::oracle
