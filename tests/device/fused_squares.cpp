#include "exec/launch.hpp"
#include "tests/device/hostile_kernels.hpp"

namespace assay {

template std::vector<double> elementwise(const Executor&, std::span<const Pair<double>>, const hostile::FusedSquares&);

}  // namespace assay
