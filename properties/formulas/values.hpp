#pragma once
// The exact values of a formula, enclosed in balls.

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"
#include "properties/formulas/column.hpp"
#include "properties/formulas/graph.hpp"

namespace assay::formulas {

/// The values that a case gives to the parameters of a formula.
struct Inputs {
  std::vector<std::vector<oracle::Dyadic>> numbers;      ///< by parameter; empty for integers
  std::vector<std::vector<std::int64_t>> integers = {};  ///< by parameter; empty for numbers
};

/// By node and entry.
using Balls = std::vector<Column<oracle::Ball>>;

/// Balls that enclose the values of all nodes; their midpoints have this many bits. A masked weight of softmax is 0.
/// Not finite if a function is not defined. Errors: FormulaError for an integer outside of its axis. `deltas`: a value
/// added to every entry of every node, like a local error.
Balls evaluate(const Shaped& shaped, const Inputs& inputs, long bits, const Balls* deltas = nullptr);
/// The values of a way. Nodes that have the value of a node of its formula share the memory of `values`, which
/// evaluate() gave for the formula with the same lengths, inputs and bits.
Balls evaluate_way(const Shaped& shaped, const Inputs& inputs, long bits, const Formula& formula, const Balls& values);

/// Which place of its axis the integer input of a node of Op::pick or Op::spread names for an entry; none if the
/// integer is the one that names no place. Errors: FormulaError.
std::optional<std::size_t> integer_of(const Shaped& shaped, const Inputs& inputs, const Node& node, std::size_t k,
                                      std::size_t entry);

/// Where the entry that a node of Op::pick takes lies behind the first one; none if it takes no entry.
std::optional<std::size_t> step_of_pick(const Shaped& shaped, const Inputs& inputs, const Node& node, std::size_t k,
                                        std::size_t entry);

/// Whether an entry of a node of Op::spread is at the place that its integer names. Errors: FormulaError.
bool is_named(const Shaped& shaped, const Inputs& inputs, const Node& node, std::size_t k, std::size_t entry);

/// xʸ for x ≥ 0, and for integers y. Not finite where it is not defined.
oracle::Ball pow_of(const oracle::Ball& x, const oracle::Ball& y, long bits);

/// The argument of x + iy. Not finite where x ≤ 0 and y may be 0: there it depends on the sign of y.
oracle::Ball atan2_of(const oracle::Ball& y, const oracle::Ball& x, long bits);

/// The rest of a quotient of exact numbers, exactly: of fmod, or of remainder. Not finite where y may be 0, or a number
/// is not exact.
oracle::Ball rest_of(const oracle::Ball& x, const oracle::Ball& y, bool is_nearest);

/// The number x between two neighbors of a format, rounded toward zero after word/words of their distance was added to
/// |x|; a number of the format is kept. Not finite if the result overflows. Requires: 0 ≤ word < words, a power of two
/// (not checked).
oracle::Ball stochastic_of(const oracle::Ball& x, std::int64_t word, std::int64_t words, const oracle::Format& to);

/// For each factor the product of the others.
std::vector<oracle::Ball> products_of_others(const std::vector<oracle::Ball>& factors, long bits);

/// The function of a node of one argument. `x`: the argument, `exponent`: of Op::power.
oracle::Ball function_of(Op op, const oracle::Ball& x, unsigned long exponent, long bits);

}  // namespace assay::formulas
