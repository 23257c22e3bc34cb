#include "kernels/rns/extended_range.hpp"

#include "exec/launch.hpp"

namespace assay::rns {

template struct InstantiateElementwise<rns::ExtendedAdd, rns::ExtendedSub, rns::ExtendedMul, rns::ExtendedDiv,
                                       rns::ExtendedCompare>;

}  // namespace assay::rns
