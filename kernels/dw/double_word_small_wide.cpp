#include "kernels/dw/double_word.hpp"

#include "arith/float/small_float.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<dw::DoubleWordOperations, Formats<Toy<5>, binary16>>;

}  // namespace assay
