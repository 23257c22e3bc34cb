#include "probes/triple/every.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<triple::ProbesOfAll, Formats<Toy<3>, Toy<4>>>;

}  // namespace assay::probes
