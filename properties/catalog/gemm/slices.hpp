#pragma once
// The slices into which gemm_ozaki splits its factors, and their products.

#include "properties/draws/gemm/claims.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemm {

/// The property gemm.slices.
Property<GemmCase, GemmResult, GemmTruth> slice_structure();

}  // namespace assay::gemm
