#include "tests/mutants/device/expansion_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

using namespace mutants;

template struct InstantiateElementwise<Renormalize, Multiply>;

}  // namespace assay
