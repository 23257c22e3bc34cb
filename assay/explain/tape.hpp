#pragma once
// An algorithm as the list of its steps. Each step is computed three times: rounded to the format, exactly from the
// rounded numbers before it, and exactly from the inputs.

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

/// An elementary function under its name in C, and the function of C, which is asked about NaN and infinities alone.
struct Function {
  std::string_view name;
  oracle::Elementary function;
  double (*in_c)(double);
};
/// The function of that name, or nullptr.
const Function* function_named(std::string_view name);

enum class Operator { input, add, subtract, multiply, divide, function };

/// An input, or a step of two earlier nodes; of one where it is a function.
struct Node {
  Operator op = Operator::input;
  std::size_t a = 0, b = 0;
  const Function* function = nullptr;
  std::string name = {};     ///< "s[2]"
  std::string formula = {};  ///< "s[1] + x[2]"; empty for an input
  oracle::Format format = oracle::binary64;
  std::uint64_t bits = 0;  ///< an input; or the step rounded to nearest, from rounded operands
  /// What `bits` is the rounding of; nothing where there is no real value, or an operand is none.
  std::optional<oracle::Exact> unrounded = std::nullopt;
  /// The value without any rounding; nothing where there is no real value.
  std::optional<oracle::Ball> exact = std::nullopt;

  [[nodiscard]] bool is_input() const { return op == Operator::input; }
  [[nodiscard]] bool is_binary() const { return !is_input() && op != Operator::function; }
  [[nodiscard]] bool is_finite() const;
  /// The number of `bits`. Requires: is_finite() (not checked).
  [[nodiscard]] oracle::Dyadic value() const;
  /// Whether rounding changed the step.
  [[nodiscard]] bool is_rounded() const;
};

/// The largest magnitude of an exponent that is shown. The oracle gives another number for a value far beyond it.
inline constexpr long farthest = 100000;
/// The midpoint of a ball, and of a ball around an exact value. For display: ±2^±(2·farthest) stands for a number whose
/// exponent is beyond ±farthest, whose differences to others would fill the memory.
oracle::Dyadic midpoint(const oracle::Ball& ball);
oracle::Dyadic midpoint(const oracle::Exact& value);

class Tape {
 public:
  explicit Tape(const oracle::Format& format) : format_(format) {}

  /// Each returns the place of the new node. Functions are rounded correctly.
  std::size_t input(std::string name, const oracle::Format& format, std::uint64_t bits);
  std::size_t step(std::string name, Operator op, std::size_t a, std::size_t b);
  std::size_t step(std::string name, const Function& function, std::size_t a);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// The last node. Requires: there is one (not checked).
  [[nodiscard]] const Node& result() const { return nodes_.back(); }
  [[nodiscard]] const oracle::Format& format() const { return format_; }
  /// For each node, whether it is `from` or computed from it.
  [[nodiscard]] std::vector<bool> computed_from(std::size_t from) const;

  /// For each node, by how much its rounding moves the result: from the result with the nodes before it rounded and it
  /// and all others exact, to the result with it rounded, too. Their sum is the error of the result. Empty where a
  /// number on the way is not finite. Cost: a pass over the later nodes for each node that rounds.
  [[nodiscard]] std::vector<oracle::Dyadic> shares() const;
  /// By how much the result moves if this node has its rounded value, and all others are exact; 0 likewise.
  [[nodiscard]] oracle::Dyadic effect(std::size_t place) const;

 private:
  std::size_t push(Node node);
  /// Computes the node from its operands.
  std::size_t finished(Node node);
  /// Nothing where a number is not finite.
  [[nodiscard]] std::optional<std::vector<oracle::Ball>> exact_values() const;
  /// Puts the rounded value of a node in place of its own and computes all that follows. Returns how far that moves the
  /// result. A step that has no value then keeps the one before.
  oracle::Dyadic moved(std::vector<oracle::Ball>& values, std::size_t place) const;

  oracle::Format format_;
  std::vector<Node> nodes_;
};

}  // namespace assay::explain
