#include <string>

#include "properties/catalog/mp/gemm_properties.hpp"

namespace assay::mp {

namespace {

Registration product(int n) {
  return Registration(mp_gemm_property("mp.gemm" + std::to_string(n), n,
                                       [](const auto&... arguments) { return gemm::mp_gemm(arguments...); }));
}

const LateRegistration all{"mp", [] {
                             product(8);
                             product(16);
                             product(32);
                             product(64);
                             product(128);
                           }};

}  // namespace

}  // namespace assay::mp
