#pragma once
// The traits of a product of matrices: a fault may need two values of them, β = −0 and a NaN in C, say.

#include "properties/draws/gemm/cases.hpp"

namespace assay::gemm {

/// Sizes, scalars, what stands in each matrix, transposes, leading dimensions and strides. The pairs that the domain
/// leaves out are stated. Requires: a domain with layouts (not checked).
Traits<GemmCase> gemm_traits(const GemmDomain& domain);

}  // namespace assay::gemm
