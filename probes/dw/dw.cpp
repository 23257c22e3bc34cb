#include "probes/dw/dw.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<dw::Probes, Formats<double, float>>;

}  // namespace assay::probes
