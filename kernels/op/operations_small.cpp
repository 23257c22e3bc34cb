#include "kernels/op/operations.hpp"

#include "arith/float/small_float.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<op::NearestOperations, Formats<binary16, bfloat16, e4m3, e5m2>>;
template struct ElementwiseKernels<op::DirectedOperations, Formats<binary16>>;

}  // namespace assay
