#include "kernels/dw/double_word.hpp"

#include "arith/float/small_float.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<dw::DoubleWordOperations, Formats<Toy<3>, Toy<4>>>;

}  // namespace assay
