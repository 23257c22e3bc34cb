#pragma once
// An algorithm as a list of steps. Each step is computed three times: rounded to the format, exactly from the rounded
// results of earlier steps, and exactly from the inputs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/ball.hpp"
#include "oracle/elementary.hpp"
#include "oracle/exact.hpp"
#include "oracle/format.hpp"

namespace assay::explain {

/// An elementary function with its name in C. `in_c` is called only for NaN and infinities.
struct Function {
  std::string_view name;
  oracle::Elementary function;
  double (*in_c)(double);
};
/// The function of that name, or nullptr.
const Function* function_named(std::string_view name);

enum class Operator { input, add, subtract, multiply, divide, function };

/// An input, or a step with two earlier nodes as operands. A function has one operand.
struct Node {
  Operator op = Operator::input;
  std::size_t a = 0, b = 0;
  const Function* function = nullptr;
  std::string name = {};     ///< "s[2]"
  std::string formula = {};  ///< "s[1] + x[2]"; empty for an input
  oracle::Format format = oracle::binary64;
  std::uint64_t bits = 0;  ///< the input, or the step rounded to nearest, from rounded operands
  /// The value before rounding to `bits`. Empty if the step or an operand has no real value.
  std::optional<oracle::Exact> unrounded = std::nullopt;
  /// The value without any rounding. Empty if there is no real value.
  std::optional<oracle::Ball> exact = std::nullopt;

  [[nodiscard]] bool is_input() const { return op == Operator::input; }
  [[nodiscard]] bool is_binary() const { return !is_input() && op != Operator::function; }
  [[nodiscard]] bool is_finite() const;
  /// The number with the pattern `bits`. Requires: is_finite() (not checked).
  [[nodiscard]] oracle::Dyadic value() const;
  /// Whether rounding changed the step.
  [[nodiscard]] bool is_rounded() const;
};

/// The largest magnitude of an exponent that is shown. For values far beyond it the oracle gives substitutes.
inline constexpr long farthest = 100000;
/// The midpoint of a ball, and of a ball around an exact value, for display. If the exponent is beyond ±farthest, the
/// result is ±2^±(2·farthest): differences between such numbers and others would fill the memory.
oracle::Dyadic midpoint(const oracle::Ball& ball);
oracle::Dyadic midpoint(const oracle::Exact& value);

class Tape {
 public:
  explicit Tape(const oracle::Format& format) : format_(format) {}

  /// Each of these returns the place of the new node. Functions are rounded correctly.
  std::size_t input(std::string name, const oracle::Format& format, std::uint64_t bits);
  std::size_t step(std::string name, Operator op, std::size_t a, std::size_t b);
  std::size_t step(std::string name, const Function& function, std::size_t a);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// The last node. Requires: there is one (not checked).
  [[nodiscard]] const Node& result() const { return nodes_.back(); }
  [[nodiscard]] const oracle::Format& format() const { return format_; }
  /// For each node, whether it is `from` or computed from it.
  [[nodiscard]] std::vector<bool> computed_from(std::size_t from) const;

  /// For each node, by how much its rounding moves the result if earlier nodes are rounded and later nodes are exact.
  /// The sum of the shares is the error of the result. Empty if a number on the way is not finite. Cost: a pass over
  /// the later nodes for each node that rounds.
  [[nodiscard]] std::vector<oracle::Dyadic> shares() const;
  /// By how much the result moves if this node has its rounded value and all other nodes are exact. 0 if a number on
  /// the way is not finite.
  [[nodiscard]] oracle::Dyadic effect(std::size_t place) const;

 private:
  std::size_t push(Node node);
  /// Computes the node from its operands.
  std::size_t finished(Node node);
  /// Empty if a number is not finite.
  [[nodiscard]] std::optional<std::vector<oracle::Ball>> exact_values() const;
  /// Replaces the value of a node by its rounded value, and computes all later nodes. Returns how far this moves the
  /// result. A step that has no value afterwards keeps its former value.
  oracle::Dyadic moved(std::vector<oracle::Ball>& values, std::size_t place) const;

  oracle::Format format_;
  std::vector<Node> nodes_;
};

}  // namespace assay::explain
