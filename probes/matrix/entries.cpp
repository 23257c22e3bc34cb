#include "probes/matrix/entries.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<matrix::Rounded>;
template struct JudgesCells<matrix::Within>;

}  // namespace assay::probes
