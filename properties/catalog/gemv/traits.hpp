#pragma once
// The traits of the multiple-precision GEMV.

#include "properties/catalog/gemv/problem.hpp"
#include "properties/framework/covering.hpp"

namespace assay::gemv {

/// Those of a matrix-vector product of entries of the format, and the number of threads.
Traits<MpGemvCase> mp_gemv_traits(const MpFormat& format);

}  // namespace assay::gemv
