#include "properties/formulas/forward.hpp"

namespace assay::formulas {

std::optional<long> Forward::grid(std::size_t k) const {
  const Node& node = nodes_[k];
  const auto of = [&](std::size_t a) { return grids_[argument(k, a)]; };
  const auto least = [&]() -> std::optional<long> {
    std::optional<long> smallest = whole_grid;
    for (std::size_t a = 0; a < node.arguments.size(); ++a) {
      if ((node.op == Op::pick || node.op == Op::spread) && a == 1) continue;
      smallest = of(a) && smallest ? std::optional(std::min(*smallest, *of(a))) : std::nullopt;
    }
    return smallest;
  };
  switch (node.op) {
    case Op::input:
    case Op::constant:
    case Op::argmax:
    case Op::fmod:
    case Op::remainder:
      return grid_of_values(k);
    case Op::mul:
    case Op::dot:
      return of(0) && of(1) ? std::optional(*of(0) + *of(1)) : std::nullopt;
    case Op::power:
      return of(0) ? std::optional(*of(0) * static_cast<long>(node.exponent)) : std::nullopt;
    case Op::div: {
      const std::optional<long> shift = power_of_two(argument(k, 1));
      return of(0) && shift ? std::optional(*of(0) - *shift) : std::nullopt;
    }
    case Op::sign:
      return 0;
    case Op::prod:
    case Op::cumprod: {  // of one factor up to all of them
      const auto most = static_cast<long>(shaped_.steps(k, 0).size());
      return of(0) ? std::optional(std::min(*of(0), most * *of(0))) : std::nullopt;
    }
    case Op::add:
    case Op::sub:
    case Op::neg:
    case Op::abs:
    case Op::relu:
    case Op::maximum:
    case Op::minimum:
    case Op::sum:
    case Op::cumsum:
    case Op::maximum_over:
    case Op::gather:
    case Op::pick:
    case Op::sort:
    case Op::spread:
    case Op::stack:
    case Op::where:
      return least();
    default:
      return std::nullopt;
  }
}

std::optional<long> Forward::grid_of_values(std::size_t k) const {
  long grid = whole_grid;
  for (const Ball& each : values_[k]) {
    if (!Magnitude::radius(each).is_zero() || !each.is_finite()) return std::nullopt;
    const Dyadic x = each.lower();
    if (!x.is_zero()) grid = std::min(grid, x.lowest_exponent());
  }
  return grid;
}

std::optional<long> Forward::power_of_two(std::size_t k) const {
  if (!nodes_[k].is_constant || values_[k].size() != 1 || !Magnitude::radius(values_[k][0]).is_zero()) {
    return std::nullopt;
  }
  const Dyadic x = values_[k][0].lower();
  return x.bit_length() == 1 ? std::optional(x.exponent()) : std::nullopt;
}

bool Forward::moves_exactly(std::size_t k) const {
  const bool is_dot = nodes_[k].op == Op::dot;
  std::optional<long> least = grids_[k];
  for (std::size_t a = 0; a < nodes_[k].arguments.size(); ++a) {
    const std::optional<long> of = grids_[argument(k, a)];
    least = of && least ? std::optional(std::min(*least, *of)) : std::nullopt;
  }
  if (!least) return false;
  for (const std::size_t factor : nodes_[k].factors) {
    for (const Ball& each : values_[factor]) {
      const Dyadic c = each.lower();
      if (!Magnitude::radius(each).is_zero() || c.bit_length() != 1) return false;
      // √c, which may occur on both sides of a product, is a power of two if the exponent is even.
      if (is_dot && c.exponent() % 2 != 0) return false;
      if (*least - std::labs(c.exponent()) < wide_.least) return false;
      // 1/c may be read as 0.
      if (machine_.flushes && c.exponent() > -machine_.wide.emin) return false;
    }
  }
  return true;
}

}  // namespace assay::formulas
