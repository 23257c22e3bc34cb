#include "tests/mutants/device/rns_mutants.hpp"

#include "exec/launch.hpp"

namespace assay {

using namespace mutants;

template struct InstantiateElementwise<
    ResidueProduct<FloatingReduction<false>>, ResidueProduct<FloatingReduction<true>>,
    ResidueProduct<BarrettReduction<0>>, ResidueProduct<BarrettReduction<1>>, Evaluation<Right>,
    Evaluation<NearestUpperSum>, Evaluation<NearestUpper>, Evaluation<NeverAmbiguous>, Evaluation<NeverRefines>,
    Evaluation<ExponentOffByOne>, Evaluation<Right, ManyModuli>, Evaluation<NearestUpperProducts, ManyModuli>,
    Comparison<Right>, Comparison<OverlappingAreEqual>>;

}  // namespace assay
