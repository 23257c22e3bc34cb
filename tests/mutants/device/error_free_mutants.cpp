#include "tests/mutants/device/error_free_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

using namespace mutants;

template struct InstantiateElementwise<SwapBySignedValue, DroppedLastTerm, ReassociatedTwoSum, ContractedAcrossCall,
                                       ContractedSplit, ProductWithoutFma, SplitOneBitShort, ShortcutForZero,
                                       NegativeZeroError>;

}  // namespace assay
