#pragma once
// The traits of a product of matrices: a fault may need two of their values, for example β = −0 and a NaN in C.

#include "properties/draws/gemm/cases.hpp"

namespace assay::gemm {

/// Sizes, scalars, the kinds of numbers in each matrix, transposes, leading dimensions and strides. The pairs that the
/// domain does not contain are stated. Requires: a domain with layouts (not checked).
Traits<GemmCase> gemm_traits(const GemmDomain& domain);

}  // namespace assay::gemm
