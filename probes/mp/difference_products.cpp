#include "probes/mp/mp.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<mp::DifferenceProduct<8>>;
template struct JudgesCells<mp::DifferenceProduct<16>>;
template struct JudgesCells<mp::DifferenceProduct<32>>;
template struct JudgesCells<mp::DifferenceProduct<64>>;
template struct JudgesCells<mp::DifferenceProduct<128>>;

}  // namespace assay::probes
