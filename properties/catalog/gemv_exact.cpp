#include "kernels/mp_gemv_exact.hpp"

#include "properties/catalog/gemv.hpp"
#include "properties/property.hpp"

namespace assay {

namespace {

/// Run for the terms in the order given and in the reverse one.
Registration exact(int n) {
  const auto run = [](const Executor& on, const MpGemvCase& c, const MpGemvArrays& operands) {
    return mp_gemv_exact(on, c.trans != 0 ? Transpose::yes : Transpose::no, c.m, c.n, operands.alpha, operands.a, c.lda,
                         operands.x, c.incx, operands.beta, operands.y, c.incy);
  };
  MpGemvProperty property = mp_gemv_property("gemv.exact", n, run, within_one_rounding(n));
  property.subject = [run, format = mp_format(n)](const Executor& on, const MpGemvCase& c) {
    MpVector result = mp_vector(run(on, c, mp_gemv_arrays(c, format)));
    const MpGemvCase reversed = with_reversed_terms(c, format.words());
    const MpVector other = mp_vector(run(on, reversed, mp_gemv_arrays(reversed, format)));
    result.order_free = same_bits(result, other);
    return result;
  };
  property.claims.push_back(satisfies("order_free", "the same bits for the terms in reverse order",
                                      "docs/bounds/gemv_exact.md",
                                      [](const MpGemvCase&, const MpVector& result) { return result.order_free; }));
  return Registration(std::move(property));
}

const Registration all[] = {exact(8), exact(16), exact(32), exact(64), exact(128)};

}  // namespace

}  // namespace assay
