#include "kernels/dw/double_word.hpp"

#include "arith/float/small_float.hpp"
#include "exec/launch.hpp"

namespace assay {

template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwFp<Toy<5>>>,
                                                     const DwAddFp<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwSloppyAdd<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwAccurateAdd<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwFp<Toy<5>>>,
                                                     const DwMulFp1<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwFp<Toy<5>>>,
                                                     const DwMulFp2<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwFp<Toy<5>>>,
                                                     const DwMulFp3<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwMul1<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwMul2<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwMul3<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwFp<Toy<5>>>,
                                                     const DwDivFp1<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwFp<Toy<5>>>,
                                                     const DwDivFp2<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwFp<Toy<5>>>,
                                                     const DwDivFp3<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwDiv1<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwDiv2<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const DwDw<Toy<5>>>,
                                                     const DwDiv3<Toy<5>>&);
template std::vector<DoubleWord<Toy<5>>> elementwise(const Executor&, std::span<const Dw<Toy<5>>>,
                                                     const DwSqrt<Toy<5>>&);

template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwFp<binary16>>,
                                                       const DwAddFp<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwSloppyAdd<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwAccurateAdd<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwFp<binary16>>,
                                                       const DwMulFp1<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwFp<binary16>>,
                                                       const DwMulFp2<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwFp<binary16>>,
                                                       const DwMulFp3<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwMul1<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwMul2<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwMul3<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwFp<binary16>>,
                                                       const DwDivFp1<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwFp<binary16>>,
                                                       const DwDivFp2<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwFp<binary16>>,
                                                       const DwDivFp3<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwDiv1<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwDiv2<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const DwDw<binary16>>,
                                                       const DwDiv3<binary16>&);
template std::vector<DoubleWord<binary16>> elementwise(const Executor&, std::span<const Dw<binary16>>,
                                                       const DwSqrt<binary16>&);

}  // namespace assay
