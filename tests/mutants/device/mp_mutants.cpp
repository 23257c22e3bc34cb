#include "tests/mutants/device/mp_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

using namespace mutants;

template struct InstantiateElementwise<MpSum, MpProducts, MpProduct>;

}  // namespace assay
