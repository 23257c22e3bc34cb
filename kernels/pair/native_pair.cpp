#include "kernels/pair/native_pair.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct ElementwiseKernels<pair::PairSums, Formats<double, float>>;
template struct ElementwiseKernels<pair::ProductsBy<pair::NativeMul::fma>::All, Formats<double, float>>;
template struct ElementwiseKernels<pair::ProductsBy<pair::NativeMul::split>::All, Formats<double, float>>;
template struct ElementwiseKernels<pair::ProductsBy<pair::NativeMul::mask>::All, Formats<double, float>>;
template struct ElementwiseKernels<pair::ProductsBy<pair::NativeMul::wide_mask>::All, Formats<double>>;
template struct InstantiateElementwise<pair::PairFromDouble, pair::PairToDouble>;

}  // namespace assay
