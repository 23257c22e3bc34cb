#pragma once
// A formula: definitions of tensors over the real numbers, as a directed acyclic graph with named axes. Nothing in it
// is rounded. docs/formula.md describes the language.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/format.hpp"
#include "oracle/rational.hpp"

namespace assay::formulas {

/// Σ factors·indices + Σ factors·lengths + constant over the axes of a formula; in masks also + Σ factors·integers.
struct Affine {
  struct Term {
    std::size_t axis;
    std::int64_t factor;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> indices = {};
  std::vector<Term> lengths = {};
  std::int64_t constant = 0;
  struct Integer {
    std::size_t parameter;
    std::int64_t factor;
    bool operator==(const Integer&) const = default;
  };
  std::vector<Integer> integers = {};  ///< those that an integer input has at the indices
  bool operator==(const Affine&) const = default;
};

/// An axis. A length in the file is a number or depends on other axes; without one, every case has its own length.
struct Axis {
  std::string name;
  std::optional<Affine> length = std::nullopt;
};

enum class Compare { less, less_equal, equal };

/// The entries that take part: a relation of indices.
struct Mask {
  std::string name;
  Affine left;
  Compare compare;
  Affine right;
};

enum class Op {
  input,
  constant,
  add,
  sub,
  mul,
  div,
  neg,
  abs,
  relu,
  sign,
  maximum,
  minimum,
  power,  ///< by an integer ≥ 2
  pow,    ///< of two tensors: aᵇ
  atan2,
  fmod,       ///< a − b·trunc(a/b)
  remainder,  ///< a − b·(the integer nearest to a/b, of two the even one)
  exp,
  exp2,
  expm1,
  log,
  log1p,
  sqrt,
  rsqrt,
  tanh,
  erf,
  sigmoid,
  sin,
  cos,
  sum,      ///< over axes
  dot,      ///< Σ ab over axes
  cumsum,   ///< along an axis
  prod,     ///< over axes
  cumprod,  ///< along an axis
  sort,     ///< the numbers along an axis in ascending order
  maximum_over,
  argmax,      ///< along an axis the place of the first largest number
  gather,      ///< entries at affine indices: slices, transposes, windows
  pick,        ///< along one axis (or none) the entry that an integer input names, 0 if it names no place
  spread,      ///< along a new axis 0, but at the place that an integer input names
  stochastic,  ///< rounded to a format by a random word, which is an integer input
  stack,       ///< two tensors along a new axis of length 2
  where,       ///< by a mask
  logits,      ///< the log-weights of softmax and logsumexp: its argument
  norm,        ///< the factor of a row for the sum of its weights: 1
  softmax,     ///< of logits, times the factor
  logsumexp,   ///< of logits
  variance     ///< the mean of the squared distances to the mean, along an axis
};
/// "add", "sub", …
const char* name_of(Op op);

struct Node {
  Op op;
  std::vector<std::size_t> arguments = {};
  std::vector<std::size_t> axes = {};     ///< axes of its entries, the one with the closest neighbors last
  std::vector<std::size_t> over = {};     ///< the axes along which a sum, a maximum or a row runs
  std::optional<std::size_t> mask = {};   ///< of rows and of where
  std::vector<Affine> index = {};         ///< of gather: one for each axis of the argument
  unsigned long exponent = 0;             ///< of power
  oracle::Rational value = 0;             ///< of constant, if it is rational
  bool is_pi = false;                     ///< of constant
  std::optional<Affine> length = {};      ///< of constant: a number of entries
  std::size_t parameter = 0;              ///< of input, pick, spread and stochastic
  std::optional<oracle::Format> to = {};  ///< of stochastic
  bool is_constant = false;               ///< made of constants alone
  bool is_recomputed = false;             ///< a kernel may compute it anew in each place
  unsigned extra = 0;                     ///< of sum and dot: roundings of a factor that may be moved into it
  std::vector<std::size_t> factors = {};  ///< of sum and dot: these factors, for each use
  std::string name = {};
  bool operator==(const Node&) const = default;
};

struct Parameter {
  std::string name;
  std::vector<std::size_t> axes = {};
  std::string format = {};                   ///< empty: the judge's format
  std::optional<std::size_t> index_of = {};  ///< integers below the length of this axis
  std::optional<std::int64_t> ignored = {};  ///< an integer that names no place
  std::optional<oracle::Rational> low = {};  ///< of its range
  std::optional<oracle::Rational> high = {};
  bool is_one_hot = false;  ///< its rows, along the last axis, have a 1 at one place and are 0 elsewhere
};

/// How the numbers of a parameter are drawn. The words of `class` lines, in this order, are `drawings`.
enum class Drawing {
  one_sign,
  exact,
  few_large,
  normal,
  offset,
  spread,
  ones,
  integers,
  sparse,
  ties,
  pairs,
  specials,
  extreme,
  masked,
  any,
  scaled
};
inline constexpr std::array<std::string_view, 16> drawings{
    "one_sign", "exact", "few_large", "normal",   "offset",  "spread", "ones", "integers",
    "sparse",   "ties",  "pairs",     "specials", "extreme", "masked", "any",  "scaled"};

/// A class of inputs of the formula's author: for each parameter a drawing or a range; without either, the parameter is
/// drawn as in the class of nearly normal numbers.
struct OwnClass {
  struct Setting {
    std::optional<Drawing> drawing = {};
    oracle::Rational low = 0;
    oracle::Rational high = 0;
  };
  std::string name;
  std::vector<std::optional<Setting>> settings;  ///< by parameter
};

/// `machine` of a file: settings as words, read by machine.hpp.
struct MachineText {
  struct Setting {
    std::string name;
    std::vector<std::string> words;
    std::size_t line;
  };
  std::string name;
  std::vector<Setting> settings;
};

struct Formula {
  std::string name;
  std::string computes = {};  ///< in words
  std::string text = {};      ///< the file
  std::vector<Axis> axes = {};
  std::vector<Parameter> parameters = {};
  std::vector<Mask> masks = {};
  std::vector<Node> nodes = {};  ///< arguments before their nodes; all nodes contribute to the result
  std::string result_name = {};
  std::size_t result = 0;
  std::vector<OwnClass> classes = {};
  std::vector<MachineText> machines = {};
  /// The same result with other definitions of one node, each with its name.
  std::vector<std::pair<std::string, Formula>> ways = {};

  const std::vector<std::size_t>& result_axes() const { return nodes[result].axes; }
};

/// The text is not a formula: "attention.formula:3:12: expected a number, found ]".
class FormulaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a formula. `source`: its name in messages. Errors: FormulaError.
Formula parse(const std::string& text, const std::string& source);
/// The formula of a file. Errors: FormulaError.
Formula read(const std::string& path);
/// The graph as JSON; its ways are separate graphs, and not part of it.
std::string to_json(const Formula& formula);

/// The lengths of all axes. `free`: the lengths of axes without a given length, in their order. Errors: FormulaError
/// for a length below 1.
std::vector<std::int64_t> lengths_of_axes(const Formula& formula, std::span<const std::int64_t> free);

/// A formula with a length for each axis: where entries lie.
class Shaped {
 public:
  /// Keeps the formula by reference. `free`: lengths of the axes without a given length, in their order. `integers`: of
  /// the inputs, by parameter; without them, no entry is in a mask that needs them. Errors: FormulaError for a length
  /// below 1, and an index that leaves its axis.
  Shaped(const Formula& formula, std::span<const std::int64_t> free,
         std::vector<std::vector<std::int64_t>> integers = {});

  const Formula& formula() const { return formula_; }
  const std::vector<std::int64_t>& lengths() const { return lengths_; }
  std::size_t size(std::size_t node) const { return size_of(formula_.nodes[node].axes); }
  std::size_t size_of(std::span<const std::size_t> axes) const;
  /// By entry of the node: the place in argument a; for sums and rows, of its first entry.
  const std::vector<std::size_t>& places(std::size_t node, std::size_t a) const { return places_[node][a]; }
  /// By place of the axes that the node runs along: the distance in argument a.
  const std::vector<std::size_t>& steps(std::size_t node, std::size_t a) const { return steps_[node][a]; }
  /// For a node with rows, along `over` in the node itself: the place of the first entry of each row, and the distances
  /// of its entries from there.
  struct Rows {
    std::vector<std::size_t> first;
    std::vector<std::size_t> steps;
  };
  const Rows& rows(std::size_t node) const { return rows_[node]; }
  /// The places in the argument of the factors of an entry. Requires: a node of Op::prod or Op::cumprod (not checked).
  std::vector<std::size_t> factors(std::size_t node, std::size_t entry) const;
  /// Whether an entry of a node takes part. Requires: the node has a mask (not checked).
  bool is_in_mask(std::size_t node, std::size_t entry) const { return in_mask_[node][entry]; }
  /// Leaves an entry, which is -inf in every program, out: of its row for Op::logits, of the numbers of the argument
  /// for Op::maximum_over. For Op::exp and Op::exp2 it is the entry of the result that is 0. Requires: such a node (not
  /// checked).
  void exclude(std::size_t node, std::size_t entry) {
    const bool is_of_argument = formula_.nodes[node].op == Op::maximum_over;
    excluded_[node].resize(size(is_of_argument ? formula_.nodes[node].arguments[0] : node));
    excluded_[node][entry] = true;
  }
  bool has_excluded() const {
    return std::ranges::any_of(excluded_, [](const std::vector<bool>& each) { return !each.empty(); });
  }
  bool is_excluded(std::size_t node, std::size_t entry) const {
    return !excluded_[node].empty() && excluded_[node][entry];
  }
  /// Whether an entry of a node of Op::logits counts in its row: neither a mask nor exclude() leaves it out.
  bool counts(std::size_t node, std::size_t entry) const {
    return !is_excluded(node, entry) && (!formula_.nodes[node].mask || in_mask_[node][entry]);
  }
  /// The integer of the input of a node of Op::stochastic for an entry.
  std::int64_t word(std::size_t node, std::size_t entry) const {
    return integers_[formula_.nodes[node].parameter][places_[node][1][entry]];
  }
  /// How many words the input of such a node may have.
  std::int64_t words(std::size_t node) const {
    return lengths_[*formula_.parameters[formula_.nodes[node].parameter].index_of];
  }
  /// The value of an expression without indices.
  std::int64_t value(const Affine& expression) const;

 private:
  std::vector<std::size_t> offsets(std::span<const std::size_t> axes, std::span<const std::size_t> of) const;
  bool holds(const Mask& mask, std::span<const std::int64_t> indices) const;
  void place(std::size_t node);

  const Formula& formula_;
  std::vector<std::int64_t> lengths_;
  std::vector<std::vector<std::int64_t>> integers_;
  std::vector<std::vector<std::vector<std::size_t>>> places_;
  std::vector<std::vector<std::vector<std::size_t>>> steps_;
  std::vector<Rows> rows_;
  std::vector<std::vector<bool>> in_mask_;
  std::vector<std::vector<bool>> excluded_;
};

}  // namespace assay::formulas
