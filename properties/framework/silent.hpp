#pragma once
// Claims that say nothing about a case although it meets their preconditions: the result 0 keeps their bound in any
// case.

#include <cstddef>
#include <limits>

#include "errorbounds/judgement.hpp"

namespace assay {

/// The judgment of a claim that says nothing about the case. The case counts as rejected for the claim.
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
