#include "probes/expansion/expansion.hpp"
#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<expansion::OfWords<2>::Sums, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<3>::Sums, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<4>::Sums, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<5>::Sums, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<6>::Sums, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<7>::Sums, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<8>::Sums, Formats<double, float>>;

}  // namespace assay::probes
