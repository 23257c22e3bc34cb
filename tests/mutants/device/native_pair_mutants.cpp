#include "tests/mutants/device/native_pair_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                    const mutants::PairSplitOneBitShort&);
template std::vector<Product<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                 const mutants::PairMaskOf<11>&);
template std::vector<Product<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                 const mutants::PairMaskOf<13>&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const mutants::PairDroppedLowProduct&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const DwDw<float>>,
                                                    const mutants::PairContractedProduct&);
template std::vector<DoubleWord<float>> elementwise(const Executor&, std::span<const Pair<float>>,
                                                    const mutants::PairContractedSplit&);

}  // namespace assay
