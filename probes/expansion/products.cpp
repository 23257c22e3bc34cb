#include "probes/expansion/expansion.hpp"
#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<expansion::OfWords<2>::Products, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<3>::Products, Formats<double, float>>;
template struct JudgesCells<expansion::OfWords<4>::Products, Formats<double, float>>;

}  // namespace assay::probes
