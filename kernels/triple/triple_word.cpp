#include "kernels/triple/triple_word.hpp"

#include "arith/float/small_float.hpp"
#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<triple::TripleWordOperations, Formats<double, float>>;
template struct ElementwiseKernels<triple::QuotientOperations, Formats<double>>;
template struct ElementwiseKernels<triple::SumAndProducts, Formats<Toy<3>, Toy<4>>>;

}  // namespace assay
