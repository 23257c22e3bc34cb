#pragma once
// Rounding to nearest where the sign of a zero is left open.

#include <cstddef>
#include <cstdint>

#include "errorbounds/judge.hpp"
#include "oracle/decode.hpp"

namespace assay {

/// Judges `got` as the bits of the truth rounded to nearest; a zero may have either sign. `at`: its place in the
/// result. `truth`: an oracle::Exact or a Dyadic.
Judgement judge_rounded_to_any_zero(std::uint64_t got, const auto& truth, const oracle::Format& format,
                                    std::size_t at) {
  const auto judged = [&](std::uint64_t bits) {
    return judge_rounded(bits, truth, format, oracle::Rounding::nearest,
                         {.negative_zero = oracle::is_negative(format, bits)}, at);
  };
  const Judgement judgement = judged(got);
  const bool is_zero = (got & ~format.sign_mask()) == 0;
  return is_zero && judgement.verdict == Verdict::violated ? judged(got ^ format.sign_mask()) : judgement;
}

}  // namespace assay
