#include "kernels/op/operations.hpp"

#include "arith/float/small_float.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<op::NearestOperations, Formats<Toy<3>, Toy<4>, Toy<5>, Toy<6>, Toy<7>, Toy<8>>>;

}  // namespace assay
