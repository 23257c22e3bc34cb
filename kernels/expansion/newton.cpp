#include "kernels/expansion/detail/launch.hpp"

namespace assay::expansion::detail {

template <class T>
std::vector<T> expansion_newton(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y) {
  constexpr int most = longest_product<T>;
  switch (op) {
    case ExpansionOp::div:
      return binary_op<most>(on, "div", k, x, y,
                             [](auto n) { return ExpansionFunction<expansion::div<n(), T, n(), n()>>{}; });
    case ExpansionOp::reciprocal:
      return unary_op<most>(on, "reciprocal", k, x, y,
                            [](auto n) { return ExpansionFunction<expansion::reciprocal<n(), T, n()>>{}; });
    case ExpansionOp::rsqrt:
      return unary_op<most>(on, "rsqrt", k, x, y,
                            [](auto n) { return ExpansionFunction<expansion::rsqrt<n(), T, n()>>{}; });
    default:
      return unary_op<most>(on, "sqrt", k, x, y,
                            [](auto n) { return ExpansionFunction<expansion::sqrt<n(), T, n()>>{}; });
  }
}

template std::vector<double> expansion_newton(const Executor&, ExpansionOp, int, std::span<const double>,
                                              std::span<const double>);
template std::vector<float> expansion_newton(const Executor&, ExpansionOp, int, std::span<const float>,
                                             std::span<const float>);

}  // namespace assay::expansion::detail
