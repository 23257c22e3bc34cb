#include "kernels/pair/native_pair.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                     const PairNormalize<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairAdd<double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                     const PairNativeMul<NativeMul::fma, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                     const PairNativeMul<NativeMul::split, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                     const PairNativeMul<NativeMul::mask, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const Pair<double>>,
                                                     const PairNativeMul<NativeMul::wide_mask, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairMul<NativeMul::fma, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairMul<NativeMul::split, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairMul<NativeMul::mask, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairMul<NativeMul::wide_mask, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairGoodMul<NativeMul::fma, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairGoodMul<NativeMul::split, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairGoodMul<NativeMul::mask, double>&);
template std::vector<DoubleWord<double>> elementwise(const Executor&, std::span<const DwDw<double>>,
                                                     const PairGoodMul<NativeMul::wide_mask, double>&);

template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                    const PairNormalize<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const PairAdd<float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                    const PairNativeMul<NativeMul::fma, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                    const PairNativeMul<NativeMul::split, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                    const PairNativeMul<NativeMul::mask, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const PairMul<NativeMul::fma, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const PairMul<NativeMul::split, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const PairMul<NativeMul::mask, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const PairGoodMul<NativeMul::fma, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const PairGoodMul<NativeMul::split, float>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const PairGoodMul<NativeMul::mask, float>&);

template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Single<double>>,
                                                    const PairFromDouble&);
template std::vector<double> elementwise(const Executor&, std::span<const Dw<float>>, const PairToDouble&);

}  // namespace assay
