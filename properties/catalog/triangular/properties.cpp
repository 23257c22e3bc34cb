// Triangular systems in binary64 with exact dot products: the substitution, and the certified solution.

#include "properties/catalog/triangular/properties.hpp"

namespace assay::triangular {
namespace {

Values run_rounded(const Executor& on, const StridedSystem& c) {
  return rounded_trsv(on, triangle(c), transpose(c), diagonal_kind(c), c.n, c.a, c.lda, c.x, c.incx);
}

Values run_certified(const Executor& on, const StridedSystem& c) {
  return with_status(certified_trsv(on, triangle(c), transpose(c), diagonal_kind(c), c.n, c.a, c.lda, c.x, c.incx));
}

const LateRegistration all{"triangular", [] {
                             Registration(rounded_property("triangular.rounded_trsv", run_rounded));
                             Registration(certified_property("triangular.certified_trsv", run_certified));
                           }};

}  // namespace
}  // namespace assay::triangular
