#include "probes/pair/pair.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

using pair::NativeMul;

template struct JudgesCells<pair::Sums, Formats<double, float>>;
template struct JudgesCells<pair::ProductsBy<NativeMul::fma>::All, Formats<double, float>>;
template struct JudgesCells<pair::ProductsBy<NativeMul::split>::All, Formats<double, float>>;
template struct JudgesCells<pair::ProductsBy<NativeMul::mask>::All, Formats<double, float>>;
template struct JudgesCells<pair::ProductsBy<NativeMul::wide_mask>::All, Formats<double>>;

}  // namespace assay::probes
