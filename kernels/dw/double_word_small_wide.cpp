#include "kernels/dw/double_word.hpp"

#include "arith/float/small_float.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<dw::DoubleWordOperations, Formats<Toy<5>, binary16>>;
template struct ElementwiseKernels<Operations<dw::DwAccurateAdd, dw::DwMul2, dw::DwMul3, dw::DwDiv2>, Formats<Toy<6>>>;

}  // namespace assay
