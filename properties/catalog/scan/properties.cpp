// Exact scans.

#include "properties/catalog/scan/properties.hpp"

#include "kernels/scan/scan.hpp"

namespace assay::scan {
namespace {

const LateRegistration all{
    "scan", [] {
      Registration(property("scan.inclusive_sum", false,
                            [](const Executor& on, const Values& x) { return inclusive_sum(on, x); }));
      Registration(property("scan.exclusive_sum", true,
                            [](const Executor& on, const Values& x) { return exclusive_sum(on, x); }));
    }};

}  // namespace
}  // namespace assay::scan
