#include "kernels/op/operations.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const Add<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const Sub<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const Mul<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const Div<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Single<double>>, const Sqrt<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Triple<double>>, const Fma<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const AddRu<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const SubRu<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const MulRu<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const DivRu<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Single<double>>, const SqrtRu<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const AddRd<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const SubRd<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const MulRd<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const DivRd<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Single<double>>, const SqrtRd<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const AddRz<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const SubRz<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const MulRz<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const DivRz<double>&);
template std::vector<double> elementwise(const Executor&, std::span<const Single<double>>, const SqrtRz<double>&);

template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const Add<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const Sub<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const Mul<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const Div<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Single<float>>, const Sqrt<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Triple<float>>, const Fma<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const AddRu<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const SubRu<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const MulRu<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const DivRu<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Single<float>>, const SqrtRu<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const AddRd<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const SubRd<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const MulRd<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const DivRd<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Single<float>>, const SqrtRd<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const AddRz<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const SubRz<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const MulRz<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Pair<float>>, const DivRz<float>&);
template std::vector<float> elementwise(const Executor&, std::span<const Single<float>>, const SqrtRz<float>&);

}  // namespace assay
