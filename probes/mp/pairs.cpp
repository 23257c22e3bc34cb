#include "probes/mp/mp.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<mp::Pair<8>>;
template struct JudgesCells<mp::Pair<16>>;
template struct JudgesCells<mp::Pair<32>>;
template struct JudgesCells<mp::Pair<64>>;
template struct JudgesCells<mp::Pair<128>>;

}  // namespace assay::probes
