#pragma once
// The interval evaluation over the sets of arith/residues/small_sets.hpp. They are only used by the properties of the
// evaluation; no other kernel has them.

#include <cstdint>
#include <span>
#include <vector>

#include "arith/float/extended_range.hpp"
#include "arith/residues/small_sets.hpp"
#include "exec/executor.hpp"
#include "kernels/rns/rns.hpp"

namespace assay::rns {

enum class RnsSmallSet {
  one_of_31_bits,
  three_of_16_bits,
  five_of_30_bits,
  seven_of_any_length,
  thirty_three_of_16_bits,
  five_tiny
};

/// The moduli of a set, the guard last.
std::vector<std::uint32_t> rns_moduli(RnsSmallSet set);

/// I(X/M) over the set: `rns::evaluate` and its other forms. Residues n + 1 words an element. Errors: as rns_evaluate.
std::vector<Interval> rns_evaluate(const Executor& on, RnsEvaluation form, RnsSmallSet set,
                                   std::span<const std::uint32_t> x);

}  // namespace assay::rns
