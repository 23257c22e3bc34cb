#include "kernels/dw/double_word.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwFp<double>>,
                                                     const DwAddFp<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwSloppyAdd<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwAccurateAdd<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwFp<double>>,
                                                     const DwMulFp1<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwFp<double>>,
                                                     const DwMulFp2<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwFp<double>>,
                                                     const DwMulFp3<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwMul1<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwMul2<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwMul3<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwFp<double>>,
                                                     const DwDivFp1<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwFp<double>>,
                                                     const DwDivFp2<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwFp<double>>,
                                                     const DwDivFp3<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwDiv1<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwDiv2<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const DwDiv3<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const Dw<double>>,
                                                     const DwSqrt<double>&);

template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwFp<float>>,
                                                    const DwAddFp<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwSloppyAdd<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwAccurateAdd<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwFp<float>>,
                                                    const DwMulFp1<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwFp<float>>,
                                                    const DwMulFp2<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwFp<float>>,
                                                    const DwMulFp3<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwMul1<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwMul2<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwMul3<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwFp<float>>,
                                                    const DwDivFp1<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwFp<float>>,
                                                    const DwDivFp2<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwFp<float>>,
                                                    const DwDivFp3<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwDiv1<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwDiv2<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const DwDiv3<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Dw<float>>, const DwSqrt<float>&);

}  // namespace assay
