#include "properties/catalog/limb/cholesky_properties.hpp"
#include "properties/catalog/limb/lu_properties.hpp"

namespace assay::limb {

namespace {

const LateRegistration factorizations{
    "limb", [] {
      for (const int limbs : {2, 8, 32}) {
        const std::string suffix = std::to_string(limbs);
        Registration{limb_cholesky_property("limb.cholesky" + suffix, limbs, limb_cholesky, limb_cholesky_solve)};
        Registration{limb_lu_property("limb.lu" + suffix, limbs, limb_lu, limb_lu_solve)};
      }
    }};

}  // namespace

}  // namespace assay::limb
