// The promises of certified solutions, for the mutants that break them: copies of the kernels' headers with one mistake
// each.

#include <string>

#include "mutated/X1/kernels/refine/detail/solve_call.hpp"
#include "mutated/X10/kernels/refine/detail/solve_call.hpp"
#include "mutated/X11/kernels/refine/detail/solve_call.hpp"
#include "mutated/X2/kernels/refine/detail/solve_call.hpp"
#include "mutated/X3/kernels/refine/detail/solve_call.hpp"
#include "mutated/X4/kernels/refine/detail/solve_call.hpp"
#include "mutated/X5/kernels/refine/detail/solve_call.hpp"
#include "mutated/X6/kernels/refine/detail/solve_call.hpp"
#include "mutated/X7/kernels/refine/detail/solve_call.hpp"
#include "mutated/X8/kernels/refine/detail/solve_call.hpp"
#include "mutated/X9/kernels/refine/detail/solve_call.hpp"
#include "properties/catalog/refine/properties.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

/// solve(on, n, a, b) is a certified solution.
template <class Solve>
auto solve_promise(Solve solve) {
  return TypedModel(
      refine::certified_solve_property("mutants.certified_solve", [solve](const Executor& on, const refine::System& c) {
        return refine::in_a_row(solve(on, refine::order(c), c.a, c.b));
      }));
}

}  // namespace

Rows refine_rows() {
  const RightKernel right([] { return solve_promise([](const auto&... a) { return refine::certified_solve(a...); }); });
  const auto row = [&](const Planted& planted, auto kernel) {
    return kernel_row(planted, solve_promise(kernel), right);
  };
#define ASSAY_MUTANT(id) [](const auto&... a) { return refine::detail::id::solve_call(a...); }
  return {
      row({"X1", "the certificate leaves out the norm of the inverse", 106}, ASSAY_MUTANT(x1)),
      row({"X2", "the bound of the residual's part is rounded to nearest", 106}, ASSAY_MUTANT(x2)),
      row({"X3", "the residual is that of the first word", 106}, ASSAY_MUTANT(x3)),
      row({"X4", "neighbors are not compared with the bound", 106}, ASSAY_MUTANT(x4)),
      row({"X5", "products that underflow count as exact", 106}, ASSAY_MUTANT(x5)),
      row({"X6", "the inverse is transposed in the bound", 106}, ASSAY_MUTANT(x6)),
      row({"X7", "the neighbor below is not compared with the bound", 106}, ASSAY_MUTANT(x7)),
      row({"X8", "RA - I is left out of the bound", 106}, ASSAY_MUTANT(x8)),
      row({"X9", "magnitudes of exact sums are rounded toward 0", 106}, ASSAY_MUTANT(x9)),
      row({"X10", "bits below the correction are forgotten", 106}, ASSAY_MUTANT(x10)),
      row({"X11", "an inverse is taken that certifies nothing", 106}, ASSAY_MUTANT(x11)),
  };
#undef ASSAY_MUTANT
}

}  // namespace assay::mutants
