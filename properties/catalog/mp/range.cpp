// Results next to the limits of exponents.

#include "properties/catalog/mp/range.hpp"

namespace assay::mp {

namespace {

const LateRegistration range{"mp", [] { Registration{range_property("mp.range", mp_system(8), range_result)}; }};

}  // namespace

}  // namespace assay::mp
