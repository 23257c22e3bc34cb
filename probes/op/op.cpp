#include "probes/op/op.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<op::Probes, Formats<binary16, bfloat16, e4m3, e5m2>>;
template struct JudgesCells<op::OfOneOperand, Formats<float>>;

}  // namespace assay::probes
