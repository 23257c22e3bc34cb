#pragma once
// Bounds of the error of every output of a machine: theorems formula.forward.1 and formula.mean.1 of
// docs/bounds/formula.md, with its local rules.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "oracle/format.hpp"
#include "oracle/magnitude.hpp"
#include "properties/formulas/machine.hpp"
#include "properties/formulas/values.hpp"

namespace assay::formulas {

/// A set of kinds of numbers.
using Kinds = unsigned;
inline constexpr Kinds zero = 1, positive = 2, negative = 4, plus_infinity = 8, minus_infinity = 16, not_a_number = 32;
inline constexpr Kinds finite = zero | positive | negative;
inline constexpr Kinds infinite = plus_infinity | minus_infinity;
inline constexpr Kinds every_kind = 63;
inline constexpr Kinds no_number = 64;  ///< beside infinities and NaN: nothing else is possible

/// By node and entry.
using Magnitudes = std::vector<Column<oracle::Magnitude>>;

struct Errors {
  Magnitudes total;  ///< E: the error of the node
  Magnitudes local;  ///< λ: the error made at the node itself
  /// E⁻ and E⁺ of formula.sides.1 for nodes whose numbers err less to one side; empty for a node where both are E.
  Magnitudes below = {};
  Magnitudes above = {};
  std::vector<bool> mixed = {};  ///< nodes whose numbers a flush to zero may change in some of their uses; empty: none
  /// S of formula.overflow.1 by node and entry: the infinities and NaN that an entry may be; with no_number, E means
  /// nothing. Empty where overflows are not followed.
  std::vector<std::vector<Kinds>> beyond = {};
};

/// What is said of an entry that may overflow: nothing, and neither of all that depends on it; or formula.overflow.1.
enum class Overflow : std::uint8_t { unsaid, followed };

/// E of every entry of every node; infinite if the machine gives no bound. `parameters`: the formats of the inputs.
/// `values`: the result of evaluate() with this many bits, at least twice the precision of the machine.
Errors forward(const Shaped& shaped, const Balls& values, const Machine& machine,
               const std::vector<oracle::Format>& parameters, long bits, Overflow overflow = Overflow::unsaid);

/// Why nothing is said of an entry of the result, in words. `errors`: of forward() that follows overflows.
std::string why_unsaid(const Shaped& shaped, const Machine& machine, const Errors& errors, std::size_t entry);

/// max(1, 3|c|, 3/|c|) of the factors that may be moved into the terms of a node: formula.factor.1
oracle::Magnitude moved_factor(const Node& node, const Balls& values);

/// The share of a node in the error of one entry of the result.
struct Share {
  std::size_t node;
  oracle::Magnitude error;    ///< Σ sup|A|·λ
  oracle::Magnitude adjoint;  ///< the largest sup|A|
  std::size_t entry;          ///< the entry of the node with the largest share
};

/// Bounds of the errors of entries of the result, one after another, by formula.mean.1. Keeps its arguments by
/// reference.
class Mean {
 public:
  Mean(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors);
  ~Mean();
  Mean(const Mean&) = delete;
  Mean& operator=(const Mean&) = delete;

  /// mean() of an entry.
  oracle::Magnitude of(std::size_t entry, std::vector<Share>* shares = nullptr);
  /// The adjoints of the last entry.
  Balls adjoints() const;
  /// How many numbers all passes have visited.
  std::size_t steps() const;

 private:
  class Reverse;
  const Column<oracle::Magnitude>& forward_;
  std::unique_ptr<Reverse> reverse_;
};

/// A bound of the error of one entry of the result by reverse accumulation; its distance from the first-order error is
/// at most the width of the boxes. `shares`: nodes with a share, from the result backward. `adjoints`: by node and
/// entry, empty if a node is not reached. Infinite if the bound of FORWARD is.
oracle::Magnitude mean(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors,
                       std::size_t entry, std::vector<Share>* shares = nullptr, Balls* adjoints = nullptr);

/// The theorem that gives the local error of a node: "formula.round.1".
std::string rule_of(const Node& node);

}  // namespace assay::formulas
