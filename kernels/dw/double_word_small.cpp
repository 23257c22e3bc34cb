#include "kernels/dw/double_word.hpp"

#include "arith/float/small_float.hpp"
#include "exec/launch.hpp"

namespace assay {

template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwFp<Toy<3>>>,
                                                     const DwAddFp<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwSloppyAdd<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwAccurateAdd<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwFp<Toy<3>>>,
                                                     const DwMulFp1<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwFp<Toy<3>>>,
                                                     const DwMulFp2<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwFp<Toy<3>>>,
                                                     const DwMulFp3<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwMul1<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwMul2<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwMul3<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwFp<Toy<3>>>,
                                                     const DwDivFp1<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwFp<Toy<3>>>,
                                                     const DwDivFp2<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwFp<Toy<3>>>,
                                                     const DwDivFp3<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwDiv1<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwDiv2<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const DwDw<Toy<3>>>,
                                                     const DwDiv3<Toy<3>>&);
template std::vector<DoubleWord<Toy<3>>> elementwise(const Executor&, std::span<const Dw<Toy<3>>>,
                                                     const DwSqrt<Toy<3>>&);

template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwFp<Toy<4>>>,
                                                     const DwAddFp<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwSloppyAdd<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwAccurateAdd<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwFp<Toy<4>>>,
                                                     const DwMulFp1<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwFp<Toy<4>>>,
                                                     const DwMulFp2<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwFp<Toy<4>>>,
                                                     const DwMulFp3<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwMul1<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwMul2<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwMul3<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwFp<Toy<4>>>,
                                                     const DwDivFp1<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwFp<Toy<4>>>,
                                                     const DwDivFp2<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwFp<Toy<4>>>,
                                                     const DwDivFp3<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwDiv1<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwDiv2<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const DwDw<Toy<4>>>,
                                                     const DwDiv3<Toy<4>>&);
template std::vector<DoubleWord<Toy<4>>> elementwise(const Executor&, std::span<const Dw<Toy<4>>>,
                                                     const DwSqrt<Toy<4>>&);

}  // namespace assay
