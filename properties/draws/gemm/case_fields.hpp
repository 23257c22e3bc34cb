#pragma once
// The fields that all kinds of cases of C ← α·op(A)·op(B) + β·C share.

#include <tuple>

#include "arith/fields.hpp"

namespace assay::gemm {

/// The dimensions of a product and the leading dimensions of its arrays.
template <class C>
constexpr auto shape_fields() {
  return std::tuple{field("m", &C::m),     field("n", &C::n),     field("k", &C::k),
                    field("lda", &C::lda), field("ldb", &C::ldb), field("ldc", &C::ldc)};
}

/// The scalars and the arrays.
template <class C>
constexpr auto array_fields() {
  return std::tuple{field("alpha", &C::alpha), field("a", &C::a), field("b", &C::b), field("beta", &C::beta),
                    field("c", &C::c)};
}

}  // namespace assay::gemm
