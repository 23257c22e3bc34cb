// Certified solutions of systems of equations.

#include "properties/catalog/refine/properties.hpp"

namespace assay::refine {
namespace {

const LateRegistration all{
    "refine", [] {
      Registration(certified_solve_property("refine.certified_solve", [](const Executor& on, const System& c) {
        return in_a_row(certified_solve(on, order(c), c.a, c.b));
      }));
    }};

}  // namespace
}  // namespace assay::refine
