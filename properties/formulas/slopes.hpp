#pragma once
// Derivatives of functions of one argument over a box: for formula.mean.1.

#include "oracle/ball_functions.hpp"
#include "properties/formulas/values.hpp"

namespace assay::formulas {

inline constexpr long bits_of_adjoints = 64;

/// The hull of two balls.
oracle::Ball united(const oracle::Ball& a, const oracle::Ball& b);
/// The hull of 0 and 1.
oracle::Ball zero_to_one();
/// f′ over a box.
oracle::Ball slope_of(const Node& node, const oracle::Ball& x);

}  // namespace assay::formulas
