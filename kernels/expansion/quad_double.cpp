#include "kernels/expansion/quad_double.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<expansion::QuadDoubleOperations, Formats<double, float>>;

}  // namespace assay
