#include "tests/mutants/device/bulk_mutants.hpp"

#include "probes/judge.hpp"

namespace assay::probes {

template struct JudgesCells<mutants::LostLowWord>;
template struct JudgesCells<mutants::TurnedLowWord>;
template struct JudgesCells<mutants::LeftOutLowWord>;
template struct JudgesCells<mutants::ShortenedError>;
template struct JudgesCells<mutants::EnlargedProduct>;
template struct JudgesCells<mutants::LostThirdWord>;

}  // namespace assay::probes
