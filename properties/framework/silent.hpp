#pragma once
// Claims that say nothing of a case although it meets their preconditions: a bound that the result 0 keeps whatever the
// case is.

#include <cstddef>
#include <limits>

#include "errorbounds/judgement.hpp"

namespace assay {

/// The judgement of a claim that says nothing of the case. The case counts as rejected for the claim.
constexpr Judgement says_nothing() {
  Judgement judgement;
  judgement.judged = 0;
  judgement.component = std::numeric_limits<std::size_t>::max();
  return judgement;
}

/// Whether it is says_nothing().
constexpr bool is_silent(const Judgement& judgement) {
  return judgement.verdict == Verdict::holds && judgement.judged == 0 &&
         judgement.component == std::numeric_limits<std::size_t>::max();
}

}  // namespace assay
