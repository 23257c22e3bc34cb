#pragma once
// Claims that contracts of several operations share.

#include <string>
#include <utility>

#include "oracle/decode.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay::contracts {

/// The result has the bits of the truth rounded to nearest; an exact zero may have either sign.
template <class T>
auto nearest_with_any_zero(std::string id, const AnyTheorem auto& theorem) {
  return claim_spec(std::move(id), theorem, [](const auto&, const auto& truth, const T& result) {
    return judge_rounded(bits_of(result), truth, format_of<T>(), oracle::Rounding::nearest,
                         {.negative_zero = oracle::is_negative(format_of<T>(), bits_of(result))}, 0);
  });
}

/// The claim, undecided where an Enclosure stays too wide for its question.
template <class Case, class Result, class Truth>
Claim<Case, Result, Truth> or_undecided(Claim<Case, Result, Truth> claim) {
  claim.judge = [judge = claim.judge](const Case& c, const Truth& truth, const Result& result) -> Judgement {
    try {
      return judge(c, truth, result);
    } catch (const oracle::Undecided&) {
      return {Verdict::undecided};
    }
  };
  return claim;
}

}  // namespace assay::contracts
