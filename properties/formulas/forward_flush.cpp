// Theorem formula.flush.1: numbers below the normal range that are read or written as 0.

#include "properties/formulas/forward.hpp"

namespace assay::formulas {

bool Forward::moves(std::size_t k) const {
  switch (nodes_[k].op) {
    case Op::neg:
    case Op::gather:
    case Op::pick:
    case Op::spread:
    case Op::stack:
    case Op::where:
    case Op::sign:
    case Op::argmax:
    case Op::logits:
    case Op::norm:
      return !nodes_[k].is_constant;
    default:
      return false;
  }
}

Magnitude Forward::lost_by_flush(std::size_t k, std::size_t i, const Magnitude& error) const {
  const bool is_normal = wide_.flushed <= minus_lower(Magnitude::lower(values_[k][i]), error);
  return is_normal ? Magnitude() : min(wide_.flushed, largest(k, i, error));
}

bool Forward::is_mixed(std::size_t k) const {
  const Op op = nodes_[k].op;
  if (op == Op::logits || op == Op::norm || op == Op::sign || op == Op::argmax) return false;
  for (std::size_t i = 0; i < errors_.total[k].size(); ++i) {
    if (!lost_by_flush(k, i, errors_.total[k][i]).is_zero()) return true;
  }
  return false;
}

void Forward::input(std::size_t k) {
  if (!machine_.flushes) return;
  for (std::size_t i = 0; i < values_[k].size(); ++i) errors_.total[k][i] = lost_by_flush(k, i, {});
  errors_.local[k] = errors_.total[k];
}

}  // namespace assay::formulas
