#include "kernels/triple/triple_word.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<triple::TripleWordOperations, Formats<double, float>>;
template struct ElementwiseKernels<triple::QuotientOperations, Formats<double>>;

}  // namespace assay
