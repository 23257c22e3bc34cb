// Theorem formula.sides.1: numbers that err less to one side, which a variance in two passes brings in.

#include "properties/formulas/forward.hpp"

namespace assay::formulas {

bool Forward::may_have_sides(std::size_t k) const {
  const Node& node = nodes_[k];
  if (machine_.stores(node)) return false;
  if (node.op == Op::variance) return !machine_.has_one_pass;
  const bool hands_on = node.op == Op::add || node.op == Op::sqrt || node.op == Op::rsqrt;
  return hands_on && std::ranges::any_of(node.arguments, [&](std::size_t a) { return has_sides(a); });
}

void Forward::set_sides(std::size_t k, std::size_t i, const Magnitude& below, const Magnitude& above) {
  const Magnitude& both = errors_.total[k][i];
  errors_.below[k][i] = both.is_finite() ? min(both, below) : both;
  errors_.above[k][i] = both.is_finite() ? min(both, above) : both;
}

void Forward::sides_of_sum(std::size_t k, std::size_t i) {
  if (!has_sides(k)) return;
  const Magnitude& local = errors_.local[k][i];
  set_sides(k, i, side(k, 0, i, -1) + side(k, 1, i, -1) + local, side(k, 0, i, 1) + side(k, 1, i, 1) + local);
}

void Forward::sides_of_root(std::size_t k, std::size_t i) {
  if (!has_sides(k)) return;
  const auto moved = [&](int sign) {
    const Ball to = sub(function_of(nodes_[k].op, end(k, 0, i, sign), 0, bits_), values_[k][i], bits_);
    return to.is_finite() ? Magnitude(to) + errors_.local[k][i] : Magnitude::infinity();
  };
  const bool grows = nodes_[k].op == Op::sqrt;
  set_sides(k, i, moved(grows ? -1 : 1), moved(grows ? 1 : -1));
}

Magnitude Forward::largest_computed(std::size_t k, std::size_t i) const {
  const Magnitude size(values_[k][i]);
  if (!has_sides(k) || oracle::less_equal(Ball(), values_[k][i]) != oracle::Answer::yes)
    return size + errors_.total[k][i];
  const Magnitude& below = errors_.below[k][i];
  const bool is_positive = below < Magnitude::lower(values_[k][i]);
  const Magnitude lowest = is_positive ? Magnitude() : Magnitude(sub(values_[k][i].lower(), below.value(), bits_));
  return max(size + errors_.above[k][i], lowest);
}

}  // namespace assay::formulas
