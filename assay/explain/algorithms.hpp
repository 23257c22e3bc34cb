#pragma once
// The obvious algorithms of operations: terms in the order of their places, one rounding per step.

#include <cstddef>
#include <optional>
#include <string>

#include "assay/explain/tape.hpp"
#include "properties/framework/record.hpp"

namespace assay::explain {

/// The most steps of one entry, inputs included. An entry with more of them is shown without steps.
inline constexpr std::size_t most_nodes = 4096;

/// The steps that give entry `entry` of the result, computed in the format `of`. softmax subtracts the largest number
/// of its row. layer_norm has two passes. nrm2 does not scale. Products of matrices add the products one by one. Empty
/// for an operation without steps, an entry that the result does not have, or more than most_nodes steps.
/// Requires: the record is a case of the operation (not checked).
std::optional<Tape> steps_of(const std::string& operation, const oracle::Format& of, const Record& record,
                             std::size_t entry);

/// Whether an operation has steps.
bool has_steps(const std::string& operation);

}  // namespace assay::explain
