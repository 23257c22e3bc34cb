#include "probes/dot/dot.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<dot::Probes, Formats<double, float>>;
template struct JudgesCells<dot::Widened>;

}  // namespace assay::probes
