#include "probes/dw/dw.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<dw::AccurateAdd, dw::SloppyAdd, dw::Mul1, dw::Mul2, dw::Mul3, dw::Div1, dw::Div2, dw::Div3>;

}  // namespace assay::probes
