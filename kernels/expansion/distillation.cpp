#include "kernels/expansion/detail/distill.hpp"

namespace assay::expansion {

template std::vector<double> distill(const Executor&, Distillation, int, int, std::span<const double>);
template std::vector<float> distill(const Executor&, Distillation, int, int, std::span<const float>);

}  // namespace assay::expansion
