#include "probes/pair/pair.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<pair::Probes, Formats<double, float>>;
template struct JudgesCells<pair::OddProbes, Formats<double, float>>;

}  // namespace assay::probes
