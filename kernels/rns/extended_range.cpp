#include "kernels/rns/extended_range.hpp"

#include "exec/launch.hpp"

namespace assay {

template struct InstantiateElementwise<rns::ExtendedAdd, rns::ExtendedSub, rns::ExtendedMul, rns::ExtendedDiv,
                                       rns::ExtendedCompare>;

}  // namespace assay
