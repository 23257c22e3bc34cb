#include "probes/eft/eft.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<eft::Probes, Formats<double, float, binary16>>;
template struct JudgesCells<eft::EvenProbes, Formats<float>>;

}  // namespace assay::probes
