#include "kernels/limb/blas.hpp"

#include <string>

#include "properties/catalog/limb/blas_properties.hpp"

namespace assay::limb {

namespace {

const LateRegistration blas_functions{"limb", [] {
                                        for (const int limbs : {2, 8, 32}) {
                                          const std::string suffix = std::to_string(limbs);
                                          Registration{limb_axpy_property("limb.axpy" + suffix, limbs, limb_axpy)};
                                          Registration{limb_dot_property("limb.dot" + suffix, limbs, limb_dot)};
                                          Registration{limb_gemv_property("limb.gemv" + suffix, limbs, limb_gemv)};
                                        }
                                      }};

}  // namespace

}  // namespace assay::limb
