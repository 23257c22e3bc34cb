#include "kernels/dw/double_word.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<dw::DoubleWordOperations, Formats<double, float>>;

}  // namespace assay
