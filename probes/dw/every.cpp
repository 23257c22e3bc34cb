#include "probes/dw/every.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<dw::ProbesOfAll, Formats<Toy<5>, Toy<6>>>;

}  // namespace assay::probes
