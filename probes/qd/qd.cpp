#include "probes/qd/qd.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<qd::Probes, Formats<double, float>>;

}  // namespace assay::probes
