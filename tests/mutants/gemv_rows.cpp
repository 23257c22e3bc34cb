// The promises of the multiple-precision GEMV, for the mutants that break them.

#include <iterator>
#include <utility>
#include <vector>

#include "properties/catalog/gemv/properties.hpp"
#include "properties/catalog/gemv/wide_cases.hpp"
#include "tests/mutants/exact_gemv_mutants.hpp"
#include "tests/mutants/gemv_promises.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

/// The promise of the GEMV over 8 moduli that rounds once, for few-bit numbers with exponents that are far apart.
auto exact_gemv_promise(ExactGemvMistake mistake) {
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

}  // namespace

Rows gemv_rows() {
  Rows rows = rows_of<GemvMistake>(
      {
          {{"V1", "the leading dimension of A is m", 16}, GemvMistake::leading_dimension_m},
          {{"V2", "beta is applied twice", 16}, GemvMistake::beta_twice},
          {{"V3", "with beta = 0, y is multiplied by it", 16}, GemvMistake::multiplies_by_zero},
          {{"V5", "x is read from its first place for incx < 0", 16}, GemvMistake::incx_from_zero},
          {{"V6", "for incy < 0 and a transpose, y has m entries", 16}, GemvMistake::incy_over_m},
          {{"V8", "the terms behind a multiple of 32 are left out", 16}, GemvMistake::tail_dropped},
          {{"V9", "alpha x is not rounded", 100}, GemvMistake::unrounded_scaled_x},
          {{"V9 sum", "a (alpha x) is not rounded before it is added", 100}, GemvMistake::unrounded_products},
          {{"V12", "gaps of y are written", 16}, GemvMistake::gaps_written},
          {{"V14", "partial sums are rounded to double", 130}, GemvMistake::partial_sums_in_double},
          {{"V15", "an addition drops an operand one exponent too early", 500}, GemvMistake::drops_too_early},
      },
      gemv_promise);
  Rows exact = rows_of<ExactGemvMistake>(
      {
          {{"V16", "products far below the largest one are dropped", 48}, ExactGemvMistake::drops_far_products},
          {{"V17", "leading bits are split off too early", 48}, ExactGemvMistake::head_too_early},
          {{"V18", "the rest beside the leading bits is left out", 48}, ExactGemvMistake::rest_left_out},
      },
      exact_gemv_promise);
  std::move(exact.begin(), exact.end(), std::back_inserter(rows));
  return rows;
}

}  // namespace assay::mutants
