#include "properties/catalog/gemv/properties.hpp"

#include "kernels/gemv/mp_gemv_decomposed.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemv {

namespace {

Registration decomposed(int n) {
  return Registration(mp_gemv_property(
      "gemv.decomposed", n,
      [](const Executor& on, const MpGemvCase& c, const MpGemvArrays& operands) {
        return mp_gemv_decomposed(on, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n,
                                  operands.alpha, operands.a, c.lda, operands.x, c.incx, operands.beta, operands.y,
                                  c.incy, c.threads);
      },
      within_tree_bound(n)));
}

const LateRegistration products_in_residues{"gemv", [] {
                                              decomposed(8);
                                              decomposed(16);
                                              decomposed(32);
                                              decomposed(64);
                                              decomposed(128);
                                            }};

}  // namespace

}  // namespace assay::gemv
