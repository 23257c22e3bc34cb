#pragma once
// Inputs for which single entries of a definition come near a number at which kernels go wrong. One number of a
// parameter is changed for each such entry; it is found by the secant method on the exact values of the graph.

#include "properties/formulas/graph.hpp"
#include "properties/framework/draw.hpp"

namespace assay::formulas {

struct Typed;
struct Case;

enum class Aim {
  cancellation,  ///< a sum, a dot product or a difference is 0, or small against its terms
  pole,          ///< a divisor, or an argument of log, log1p, sqrt, rsqrt or pow, is small against its terms
  saturation     ///< the argument of a function is where it overflows, underflows or becomes flat
};

/// Whether a formula has a definition that an aim can change: one of its kind that depends on numbers of parameters.
bool has_aim(const Formula& formula, Aim aim);

/// Changes up to 4 numbers of a case for one random definition. Numbers of a parameter with a range stay in it. If a
/// pole is out of reach by single numbers, as for a variance or a norm, or once in 3 cases, all numbers of a parameter
/// become nearly equal or tiny instead. Leaves the case as it is if nothing is found. Requires: finite numbers (not
/// checked). Cost: at most 15 evaluations of the part of the graph before the definition, in most cases 3.
void change(const Typed& typed, Case& c, Aim aim, Draw& draw);

}  // namespace assay::formulas
