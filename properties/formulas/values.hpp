#pragma once
// The exact values of a formula, enclosed in balls.

#include <cstdint>
#include <vector>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"
#include "properties/formulas/graph.hpp"

namespace assay::formulas {

/// The values that a case gives to the parameters of a formula.
struct Inputs {
  std::vector<std::vector<oracle::Dyadic>> numbers;      ///< by parameter; empty for integers
  std::vector<std::vector<std::int64_t>> integers = {};  ///< by parameter; empty for numbers
};

/// By node and entry.
using Balls = std::vector<std::vector<oracle::Ball>>;

/// Balls that enclose the values of all nodes; their midpoints have this many bits. A masked weight of softmax is 0.
/// Not finite if a function is not defined. Errors: FormulaError for an integer outside of its axis. `deltas`: a value
/// added to every entry of every node, like a local error.
Balls evaluate(const Shaped& shaped, const Inputs& inputs, long bits, const Balls* deltas = nullptr);

/// The place of its axis that the integer input of an Op::pick node names for an entry. Errors: FormulaError.
std::size_t integer_of(const Shaped& shaped, const Inputs& inputs, const Node& node, std::size_t k, std::size_t entry);

/// The function of a node of one argument. `x`: the argument, `exponent`: of Op::power.
oracle::Ball function_of(Op op, const oracle::Ball& x, unsigned long exponent, long bits);

}  // namespace assay::formulas
