#include "properties/catalog/limb/cholesky_properties.hpp"

namespace assay::limb {

namespace {

const LateRegistration families{"limb", [] {
                                  for (const int limbs : {2, 8, 32}) {
                                    Registration{limb_cholesky_property("limb.cholesky" + std::to_string(limbs), limbs,
                                                                        limb_cholesky, limb_cholesky_solve)};
                                  }
                                }};

}  // namespace

}  // namespace assay::limb
