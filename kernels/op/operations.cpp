#include "kernels/op/operations.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<op::NearestOperations, Formats<double, float>>;
template struct ElementwiseKernels<op::DirectedOperations, Formats<double, float>>;

}  // namespace assay
