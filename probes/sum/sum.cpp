#include "probes/sum/sum.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<sum::Probes, Formats<double, float>>;

}  // namespace assay::probes
