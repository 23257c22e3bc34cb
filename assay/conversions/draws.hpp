#pragma once
// Tests of a conversion that draws its own random words.

#include "assay/conversions/stochastic.hpp"

namespace assay::conversions {

/// draws·KL(far/draws ‖ probability) in nats: the exponent of Chernoff's bound. Infinite if the result is impossible.
/// Error below 2^-40·draws.
double evidence_against(double probability, std::uint64_t far, std::uint64_t draws);

/// Tests the frequencies, and the agreement of neighbors and of two calls.
Drawn drawn_by(const StochasticQuestion& question, const StochasticConversion& conversion);

}  // namespace assay::conversions
