#pragma once
// Formulas for a judge on a device: those of elementwise operations, and of these and reductions of rows.

#include <optional>
#include <vector>

#include "enclosures/elementwise.hpp"
#include "properties/formulas/door/case.hpp"

namespace assay::formulas {

/// How the axes of a formula split: reductions run along all of `columns`, and no number depends on two rows.
struct RowAxes {
  std::vector<std::size_t> rows, columns;
  bool is_flat = false;            ///< all arrays with axes have those of the result, and nothing is reduced
  bool has_result_of_row = false;  ///< the result has one number for each row
};
/// Nothing for a formula of another shape.
std::optional<RowAxes> row_axes_of(const Formula& formula);

/// What kernels on a device compute of a formula and, for a machine that admits them, of its ways, as far as these have
/// the operations of a device. `machine`: null where no bound is asked. `scalars`: the numbers of the parameters
/// without axes, in their order. `lengths`: of all axes. Nothing for a formula of another shape than row_axes_of()
/// has, with another operation than the theorems of docs/bounds/elementwise.md have, and for a machine that flushes to
/// zero or computes in binary64.
std::optional<enclosures::ElementwiseFormula> elementwise_formula(const Typed& typed, const Machine* machine,
                                                                  const std::vector<double>& scalars,
                                                                  const std::vector<std::int64_t>& lengths);

}  // namespace assay::formulas
