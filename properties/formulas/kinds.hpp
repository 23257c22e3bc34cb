#pragma once
// Infinities and NaN in formulas: which kinds of numbers an evaluation by IEEE 754 may give. Theorem
// formula.exceptional.1.

#include <cstdint>
#include <utility>
#include <vector>

#include "properties/formulas/errors.hpp"

namespace assay::formulas {

struct EntryKinds {
  Kinds kinds = finite;
  bool is_special = false;  ///< an infinity or a NaN may reach the entry
};

/// By parameter and entry: the kind of an input that is not a number, 0 for a number.
using SpecialInputs = std::vector<std::vector<Kinds>>;

/// Where infinities and NaN come from: the inputs alone, or also from entries that are not defined over the reals for
/// every implementation, such as 0/0 and ln 0.
enum class Sources : std::uint8_t { inputs, undefined_entries_too };

/// The kinds of all entries of all nodes. `values`: with 0 in place of special inputs. `errors`: of a
/// machine.
std::vector<std::vector<EntryKinds>> kinds_of(const Shaped& shaped, const Inputs& inputs, const SpecialInputs& special,
                                              const Balls& values, const Errors& errors, const Machine& machine,
                                              Sources sources);

/// Leaves what is −∞ in every program out of rows of logits and of maxima, as a mask does, where all others of the row
/// are numbers in every program and there is one; and makes its exponentials 0. Theorem formula.minus_infinity.1. Gives
/// the nodes and entries of Shaped::exclude(). `kinds`: of all nodes.
std::vector<std::pair<std::size_t, std::size_t>> exclude_minus_infinities(
    Shaped& shaped, const std::vector<std::vector<EntryKinds>>& kinds);

/// "finite or +inf or NaN", "0 or positive".
std::string describe_kinds(Kinds kinds);

}  // namespace assay::formulas
