// Decimal strings that become multiple-precision numbers.

#include "properties/catalog/mp/decimals.hpp"

#include "properties/catalog/mp/conversions.hpp"

namespace assay::mp {

namespace {

const LateRegistration decimals{
    "mp", [] {
      for (const int n : {8, 128}) {
        Registration{decimal_property(named("from_decimal", mp_system(n)), mp_system(n), [n](const std::string& text) {
          return mp_from_decimals(n, std::span(&text, 1));
        })};
      }
    }};

}  // namespace

}  // namespace assay::mp
