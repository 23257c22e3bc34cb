#pragma once
// Bounds of the error of every output of a machine: theorems formula.forward.1 and formula.mean.1 of
// docs/bounds/formula.md, with its local rules.

#include <string>
#include <vector>

#include "oracle/format.hpp"
#include "oracle/magnitude.hpp"
#include "properties/formulas/machine.hpp"
#include "properties/formulas/values.hpp"

namespace assay::formulas {

/// By node and entry.
using Magnitudes = std::vector<std::vector<oracle::Magnitude>>;

struct Errors {
  Magnitudes total;  ///< E: of the node
  Magnitudes local;  ///< λ: made at the node itself
};

/// E of every entry of every node; infinite where the machine says nothing. `parameters`: the formats of the inputs.
/// `values`: of evaluate() with so many bits, not less than twice the precision of the machine.
Errors forward(const Shaped& shaped, const Balls& values, const Machine& machine,
               const std::vector<oracle::Format>& parameters, long bits);

/// What a node adds to the error of one entry of the result.
struct Share {
  std::size_t node;
  oracle::Magnitude error;    ///< Σ sup|A|·λ
  oracle::Magnitude adjoint;  ///< the largest sup|A|
  std::size_t entry;          ///< the one that adds most
};

/// A bound of the error of one entry of the result by reverse accumulation, at most as far from the first order as the
/// boxes are wide. `shares`: nodes that add something, from the result backward. `adjoints`: by node and entry, empty
/// where a node is not reached. Infinite where FORWARD is.
oracle::Magnitude mean(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors,
                       std::size_t entry, std::vector<Share>* shares = nullptr, Balls* adjoints = nullptr);

/// The theorem that gives the local error of a node: "formula.round.1".
std::string rule_of(const Node& node);

}  // namespace assay::formulas
