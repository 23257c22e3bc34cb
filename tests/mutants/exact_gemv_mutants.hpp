#pragma once
// The multiple-precision GEMV that rounds once, with the mistakes of the mutant catalog.

#include "properties/catalog/gemv/properties.hpp"

namespace assay::mutants {

enum class ExactGemvMistake {
  none,
  drops_far_products,  ///< products more than D places below the largest one are left out
  head_too_early,      ///< leading bits are split off at a place that the remaining products still reach
  rest_left_out        ///< the sign of the rest below the leading bits is not considered
};

/// y afterwards, on the host.
mp::MpArray exact_gemv_with(ExactGemvMistake mistake, const gemv::MpGemvCase& c, const gemv::MpGemvArrays& operands);

}  // namespace assay::mutants
