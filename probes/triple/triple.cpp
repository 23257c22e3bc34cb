#include "probes/triple/triple.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<triple::Probes, Formats<double, float>>;
template struct JudgesCells<triple::Quotients, Formats<double>>;

}  // namespace assay::probes
