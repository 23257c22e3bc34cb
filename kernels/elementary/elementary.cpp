#include "kernels/elementary/elementary.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<elementary::WordFunctions, Formats<DoubleWord<double>, QuadDouble<double>>>;

}  // namespace assay
