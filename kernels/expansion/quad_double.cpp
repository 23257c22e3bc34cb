#include "kernels/expansion/quad_double.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<QuadDouble<double>> elementwise(const Executor&, std::span<const QdQd<double>>,
                                                     const QdSloppyAdd<double>&);
template std::vector<QuadDouble<double>> elementwise(const Executor&, std::span<const QdQd<double>>,
                                                     const QdIeeeAdd<double>&);
template std::vector<QuadDouble<double>> elementwise(const Executor&, std::span<const QdQd<double>>,
                                                     const QdSloppyMul<double>&);
template std::vector<QuadDouble<double>> elementwise(const Executor&, std::span<const QdQd<double>>,
                                                     const QdMul<double>&);
template std::vector<QuadDouble<double>> elementwise(const Executor&, std::span<const QdFp<double>>,
                                                     const QdMulFp<double>&);

template std::vector<QuadDouble<float>> elementwise(const Executor&, std::span<const QdQd<float>>,
                                                    const QdSloppyAdd<float>&);
template std::vector<QuadDouble<float>> elementwise(const Executor&, std::span<const QdQd<float>>,
                                                    const QdIeeeAdd<float>&);
template std::vector<QuadDouble<float>> elementwise(const Executor&, std::span<const QdQd<float>>,
                                                    const QdSloppyMul<float>&);
template std::vector<QuadDouble<float>> elementwise(const Executor&, std::span<const QdQd<float>>, const QdMul<float>&);
template std::vector<QuadDouble<float>> elementwise(const Executor&, std::span<const QdFp<float>>,
                                                    const QdMulFp<float>&);

}  // namespace assay
