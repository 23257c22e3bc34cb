#pragma once
// Errors from above and bounds from below, to 30 bits: they show that most components of a result need no judgement of
// their own, because they come less near to their bounds than one that was judged.

#include <cstddef>
#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/judgement.hpp"
#include "oracle/exact.hpp"
#include "oracle/format.hpp"
#include "oracle/magnitude.hpp"

namespace assay {

/// At least the error that judge_within() judges of the number of that pattern. ∞ where the pattern has none, and where
/// an enclosure of the truth by 128 bits leaves more of the error open than a relative 2⁻⁵⁰.
oracle::Magnitude error_above(std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format);
/// The same of judge_stored(): 0 where a number that the pattern is nearest to is the truth.
oracle::Magnitude stored_error_above(std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format);

/// A number that the bound does not fall below.
oracle::Magnitude floor_of(const Bound& bound);

/// Whether `worst` stays as it is when it takes the judgement of a component by judge_within() or judge_stored():
/// `error` is error_above() or stored_error_above(), `floor` is at most the bound, which has no named terms. A proof:
/// error ≤ floor·t(1 − 2⁻²⁰) with t ≤ 1 says that the judgement holds with a tightness of at most t(1 − 2⁻²⁰)(1 +
/// 2⁻⁴⁰), as oracle::check_error() rounds it, and so below t. Where `worst` holds, t is at most its tightness, which
/// then is not exceeded; where it does not, no judgement that holds is worse. False where bounds are noted and where
/// the oracle is watched: there every component is judged.
bool stays_worst(const Judgement& worst, const oracle::Magnitude& error, const oracle::Magnitude& floor);

}  // namespace assay
