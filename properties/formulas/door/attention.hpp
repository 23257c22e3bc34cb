#pragma once
// The formulas of attention, for a judge on a device.

#include <cstdint>
#include <optional>
#include <string>

#include "enclosures/ceiling_entries.cuh"
#include "properties/formulas/machine.hpp"

namespace assay::formulas {

/// Whether a formula is a shipped one of attention whose queries, keys and columns are its axes n, m and e (a decoding
/// has no n), and its mask causal; nothing for another formula.
std::optional<bool> is_causal_attention(const Formula& formula);

/// The text of such a formula for a query that sees so many keys. Its bounds are those of the query's row.
std::string attention_of_query(const Formula& formula, std::int64_t seen);

/// The floor of the bounds of a machine for a row of attention over so many keys: theorem attention.enclosure.2.
/// Nothing for a machine that does not compute in binary32. `inputs`: the format of Q, K and V.
std::optional<enclosures::AttentionFloor> attention_floor(const Machine& machine, const oracle::Format& inputs,
                                                          std::int64_t keys);

/// Whose gradient a shipped formula of the backward pass is; nothing for another formula.
std::optional<enclosures::Gradient> gradient_of_attention(const Formula& formula);

/// The floor of the bounds of a machine for such a gradient, of so many queries, keys and columns of V: theorem
/// attention.gradient.2. Nothing for a machine that does not compute in binary32.
std::optional<enclosures::GradientFloor> gradient_floor(const Machine& machine, enclosures::Gradient gradient,
                                                        const oracle::Format& inputs, std::int64_t queries,
                                                        std::int64_t keys, std::int64_t columns);
/// The ceiling of the bounds of a machine for which there is a floor: theorem attention.gradient.3.
enclosures::GradientCeiling gradient_ceiling(const Machine& machine);

}  // namespace assay::formulas
