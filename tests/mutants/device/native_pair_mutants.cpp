#include "tests/mutants/device/native_pair_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

using namespace mutants;

template struct InstantiateElementwise<PairSplitOneBitShort, PairMaskOf<11>, PairMaskOf<13>, PairDroppedLowProduct,
                                       PairContractedProduct, PairContractedSplit>;

}  // namespace assay
