#include "kernels/eft/error_free.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<eft::ErrorFreeTransforms, Formats<double, float>>;

}  // namespace assay
