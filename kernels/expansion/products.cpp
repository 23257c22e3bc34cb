#include "kernels/expansion/detail/launch.hpp"

namespace assay::expansion::detail {

template <class T>
std::vector<T> expansion_product(const Executor& on, ExpansionOp op, int k, std::span<const T> x,
                                 std::span<const T> y) {
  constexpr int most = longest_product<T>;
  if (op == ExpansionOp::certified_mul) {
    return binary_op<most>(on, "certified_mul", k, x, y,
                           [](auto n) { return ExpansionFunction<expansion::certified_mul<n(), T, n(), n()>>{}; });
  }
  if (op == ExpansionOp::truncated_mul) {
    return binary_op<most>(on, "truncated_mul", k, x, y,
                           [](auto n) { return ExpansionFunction<expansion::truncated_mul<n(), T, n(), n()>>{}; });
  }
  return binary_op<most>(on, "quick_mul", k, x, y,
                         [](auto n) { return ExpansionFunction<expansion::quick_mul<n(), T, n(), n()>>{}; });
}

template std::vector<double> expansion_product(const Executor&, ExpansionOp, int, std::span<const double>,
                                               std::span<const double>);
template std::vector<float> expansion_product(const Executor&, ExpansionOp, int, std::span<const float>,
                                              std::span<const float>);

}  // namespace assay::expansion::detail
