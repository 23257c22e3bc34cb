#pragma once
// What the multiple-precision GEMV promises, for the mutants that break it.

#include <utility>
#include <vector>

#include "properties/catalog/gemv/properties.hpp"
#include "properties/catalog/gemv/wide_cases.hpp"
#include "tests/mutants/device/gemv_mutants.hpp"
#include "tests/mutants/exact_gemv_mutants.hpp"

namespace assay::mutants {

/// What the multiple-precision GEMV over 8 moduli promises.
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

/// What the GEMV over 8 moduli that rounds once promises for few-bit numbers with exponents that are far apart.
inline auto exact_gemv_promise(ExactGemvMistake mistake) {
  gemv::MpGemvProperty property = gemv::mp_gemv_property(
      "mutants.exact_gemv", 8,
      [mistake](const Executor&, const gemv::MpGemvCase& c, const gemv::MpGemvArrays& operands) {
        return exact_gemv_with(mistake, c, operands);
      },
      gemv::rounded_once(8));
  property.domain = gemv::mp_gemv_wide_domain(gemv::mp_format(8));
  std::erase_if(property.domain.classes, [](const auto& each) {
    return each.name != "products far below decide a tie" && each.name != "products cancel level by level";
  });
  return TypedModel(std::move(property));
}

}  // namespace assay::mutants
