#pragma once
// The promises of the multiple-precision GEMV, for the mutants that break them.

#include <utility>

#include "properties/catalog/gemv/properties.hpp"
#include "tests/mutants/device/gemv_mutants.hpp"

namespace assay::mutants {

/// The promise of the multiple-precision GEMV over 8 moduli.
inline auto gemv_promise(GemvMistake mistake) {
  gemv::MpGemvProperty property = gemv::mp_gemv_property(
      "mutants.gemv", 8,
      [mistake](const Executor& on, const gemv::MpGemvCase& c, const gemv::MpGemvArrays& operands) {
        return gemv_with(mistake, on, {c.trans != 0, c.m, c.n, c.lda, c.incx, c.incy, c.threads}, operands.alpha,
                         operands.a, operands.x, operands.beta, operands.y);
      },
      gemv::within_tree_bound(8));
  return TypedModel(std::move(property));
}

}  // namespace assay::mutants
