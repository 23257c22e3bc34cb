#include "arith/float/small_float.hpp"
#include "kernels/expansion/detail/distill.hpp"

namespace assay::expansion {
namespace {

template <int p>
std::vector<Toy<p>> toy_op(const Executor& on, ExpansionOp op, int k, std::span<const Toy<p>> x,
                           std::span<const Toy<p>> y) {
  if (op != ExpansionOp::certified_add) {
    throw std::invalid_argument("of the operations on expansions a Toy format has certified_add alone");
  }
  return detail::binary_op<4>(on, "certified_add", k, x, y, [](auto n) {
    return detail::ExpansionFunction<expansion::certified_add<n(), Toy<p>, n(), n()>>{};
  });
}

}  // namespace

template <>
std::vector<Toy<3>> expansion_op(const Executor& on, ExpansionOp op, int k, std::span<const Toy<3>> x,
                                 std::span<const Toy<3>> y) {
  return toy_op<3>(on, op, k, x, y);
}
template <>
std::vector<Toy<4>> expansion_op(const Executor& on, ExpansionOp op, int k, std::span<const Toy<4>> x,
                                 std::span<const Toy<4>> y) {
  return toy_op<4>(on, op, k, x, y);
}
template <>
std::vector<Toy<5>> expansion_op(const Executor& on, ExpansionOp op, int k, std::span<const Toy<5>> x,
                                 std::span<const Toy<5>> y) {
  return toy_op<5>(on, op, k, x, y);
}

template std::vector<Toy<3>> distill(const Executor&, Distillation, int, int, std::span<const Toy<3>>);
template std::vector<Toy<4>> distill(const Executor&, Distillation, int, int, std::span<const Toy<4>>);
template std::vector<Toy<5>> distill(const Executor&, Distillation, int, int, std::span<const Toy<5>>);

}  // namespace assay::expansion
