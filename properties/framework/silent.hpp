#pragma once
// Claims that say nothing about a case although it meets their preconditions: the result 0 keeps their bound in any
// case.

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "errorbounds/judgement.hpp"

namespace assay {

/// The judgment of a claim that says nothing about the case. The case counts as rejected for the claim.
constexpr Judgement says_nothing() {
  Judgement judgement;
  judgement.judged = 0;
  judgement.component = std::numeric_limits<std::size_t>::max();
  return judgement;
}

/// Leaves a note why a claim of this thread says nothing of a case, for a person.
inline thread_local std::string why_silent;
inline Judgement says_nothing(std::string why) {
  why_silent = std::move(why);
  return says_nothing();
}

/// What a contract asks that every result of the inputs would keep.
inline constexpr const char* breakable = "some result of these inputs breaks it";

/// Whether it is says_nothing().
constexpr bool is_silent(const Judgement& judgement) {
  return judgement.verdict == Verdict::holds && judgement.judged == 0 &&
         judgement.component == std::numeric_limits<std::size_t>::max();
}

}  // namespace assay
