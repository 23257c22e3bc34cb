#pragma once
// The traits of the multiple-precision GEMV.

#include "properties/catalog/gemv/problem.hpp"
#include "properties/framework/covering.hpp"

namespace assay::gemv {

/// The traits of a matrix-vector product of entries of the format, and the number of threads.
Traits<MpGemvCase> mp_gemv_traits(const MpFormat& format);

/// The traits of a product of wide range: few values of sizes and scalars, the spread of A's exponents, and whether two
/// products of a row cancel.
Traits<MpGemvCase> mp_gemv_wide_traits(const MpFormat& format);

}  // namespace assay::gemv
