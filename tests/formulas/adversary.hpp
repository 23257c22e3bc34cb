#pragma once
// The adversary of formula.sharp.1: local errors of the size λ, each with the sign of its adjoint.

#include <optional>
#include <utility>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "properties/formulas/errors.hpp"

namespace assay::formulas {

/// Whether formula.copies.1 gives each use of the node a number of its own.
inline bool has_copies(const Node& node) {
  switch (node.op) {
    case Op::mul:
    case Op::power:
    case Op::prod:
    case Op::cumprod:
    case Op::neg:
    case Op::gather:
    case Op::spread:
    case Op::stack:
    case Op::where:
    case Op::softmax:
      return !node.is_constant;
    default:
      return node.is_recomputed || node.extra != 0;
  }
}

/// A formula with a node for each node that uses one with copies, and by node the one that it is a copy of.
class Unfolded {
 public:
  explicit Unfolded(const Formula& formula) : formula_(formula), original_(formula), known_(formula.nodes.size()) {
    formula_.nodes.clear();
    for (std::size_t k = 0; k < original_.parameters.size(); ++k) copy(k);  // parameters are the first nodes
    formula_.result = node(original_.result);
  }
  const Formula& formula() const { return formula_; }
  std::size_t origin(std::size_t k) const { return origins_[k]; }

 private:
  std::size_t node(std::size_t k) {
    if (known_[k] && !has_copies(original_.nodes[k])) return *known_[k];
    Node copied = original_.nodes[k];
    const bool has_integers = copied.op == Op::pick || copied.op == Op::spread || copied.op == Op::stochastic;
    for (std::size_t a = 0; a < copied.arguments.size(); ++a) {
      const bool is_shared = a > 0 && original_.nodes[k].arguments[a] == original_.nodes[k].arguments[0];
      if (has_integers && a == 1) continue;
      copied.arguments[a] = is_shared ? copied.arguments[0] : node(copied.arguments[a]);
    }
    formula_.nodes.push_back(std::move(copied));
    origins_.push_back(k);
    known_[k] = formula_.nodes.size() - 1;
    return *known_[k];
  }
  void copy(std::size_t k) {
    formula_.nodes.push_back(original_.nodes[k]);
    origins_.push_back(k);
    known_[k] = k;
  }

  Formula formula_;
  const Formula& original_;
  std::vector<std::optional<std::size_t>> known_;
  std::vector<std::size_t> origins_;
};

/// Its number for an entry of the result, with an error for each copy; none where MEAN has no bound. `errors`: of
/// forward().
inline std::optional<oracle::Ball> perturbed(const Shaped& shaped, const Inputs& inputs, const Errors& errors,
                                             std::size_t entry, long bits) {
  const Unfolded unfolded(shaped.formula());
  std::vector<std::int64_t> lengths;
  for (std::size_t a = 0; a < shaped.lengths().size(); ++a) {
    if (!shaped.formula().axes[a].length) lengths.push_back(shaped.lengths()[a]);
  }
  const Shaped of_copies(unfolded.formula(), lengths, inputs.integers);
  const std::size_t count = unfolded.formula().nodes.size();
  const Balls exact = evaluate(of_copies, inputs, bits);
  Errors copied{Magnitudes(count), Magnitudes(count), Magnitudes(count), Magnitudes(count)};
  for (std::size_t k = 0; k < count; ++k) {
    copied.total[k] = errors.total[unfolded.origin(k)];
    copied.local[k] = errors.local[unfolded.origin(k)];
    copied.below[k] = errors.below[unfolded.origin(k)];
    copied.above[k] = errors.above[unfolded.origin(k)];
  }
  Balls adjoints;
  if (!mean(of_copies, inputs, exact, copied, entry, nullptr, &adjoints).is_finite()) return std::nullopt;
  Balls deltas(count);
  for (std::size_t k = 0; k < count; ++k) {
    deltas[k].resize(exact[k].size());
    if (adjoints[k].empty()) continue;
    for (std::size_t i = 0; i < deltas[k].size(); ++i) {
      if (!copied.local[k][i].is_finite()) continue;  // of an entry that does not reach the result
      const oracle::Dyadic size = copied.local[k][i].value();
      deltas[k][i] = less(adjoints[k][i], oracle::Ball()) == oracle::Answer::yes ? -size : size;
    }
  }
  return evaluate(of_copies, inputs, bits, &deltas)[unfolded.formula().result][entry];
}

/// Its error over the bound of MEAN for an entry of the result: −1 where there is no bound, 1 where the bound is 0.
inline double reached(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors,
                      std::size_t entry, long bits) {
  const oracle::Magnitude bound = mean(shaped, inputs, values, errors, entry);
  if (!bound.is_finite()) return -1;
  if (bound.is_zero()) return 1;  // nothing to reach
  const std::optional<oracle::Ball> number = perturbed(shaped, inputs, errors, entry, bits);
  if (!number) return -1;
  const oracle::Ball error = abs(sub(*number, values[shaped.formula().result][entry], bits));
  return oracle::Magnitude(error).to_double() / bound.to_double();
}

}  // namespace assay::formulas
