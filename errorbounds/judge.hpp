#pragma once

#include <cstddef>

#include "errorbounds/bound.hpp"
#include "errorbounds/judgement.hpp"
#include "oracle/exact.hpp"
#include "oracle/format.hpp"
#include "oracle/round.hpp"

namespace assay {

/// |got − truth| ≤ bound. `at` is the component that the judgment names. For a bound with named terms, the judgment
/// says how much of each term the error needs: 0 for a term below 2⁻²⁰ of its bound.
Judgement judge_within(const oracle::Dyadic& got, const oracle::Dyadic& truth, const Bound& bound, std::size_t at = 0);
Judgement judge_within(const oracle::Dyadic& got, const oracle::Exact& truth, const Bound& bound, std::size_t at = 0);

/// |got − truth| ≤ bound·|truth|.
Judgement judge_within(const oracle::Dyadic& got, const oracle::Dyadic& truth, const RelativeBound& bound,
                       std::size_t at = 0);
Judgement judge_within(const oracle::Dyadic& got, const oracle::Exact& truth, const RelativeBound& bound,
                       std::size_t at = 0);

/// |t − truth| ≤ bound for a number t to which the pattern `got` is nearest: the kernel computes t and stores t rounded
/// to the format. An infinity is nearest to numbers from 2^(emax + 1)·(1 − u/2) on. Ties are rounded either way.
/// Tightness: |t − truth| over the bound for the t that is nearest to the truth; 0 if the truth itself rounds to `got`.
/// Requires: a format with infinities (not checked).
Judgement judge_stored(std::uint64_t got, const oracle::Exact& truth, const Bound& bound, const oracle::Format& format,
                       std::size_t at = 0);
Judgement judge_stored(std::uint64_t got, const oracle::Exact& truth, const RelativeBound& bound,
                       const oracle::Format& format, std::size_t at = 0);

/// got = truth.
Judgement judge_exact(const oracle::Dyadic& got, const oracle::Dyadic& truth, std::size_t at = 0);
Judgement judge_exact(const oracle::Dyadic& got, const oracle::Exact& truth, std::size_t at = 0);

/// The pattern `got` is the truth rounded to the format in the direction: the same bits, the sign of zero by `policy`.
/// Tightness: |got − truth| over half an ulp (RN) or one ulp (directed) of the truth; infinite if violated. The
/// judgment also has the distance of the truth to the boundary of rounding.
Judgement judge_rounded(std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format,
                        oracle::Rounding direction, const oracle::RoundingPolicy& policy = {}, std::size_t at = 0);
Judgement judge_rounded(std::uint64_t got, const oracle::Dyadic& truth, const oracle::Format& format,
                        oracle::Rounding direction, const oracle::RoundingPolicy& policy = {}, std::size_t at = 0);

/// The pattern `got` is one of the truth's two neighbors RD(truth), RU(truth); the truth itself if representable.
/// The sign of a zero is free. Tightness: |got − truth| over one ulp of the truth.
Judgement judge_faithful(std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format,
                         std::size_t at = 0);

/// |got − truth| ≤ k·ulp(truth), ulp as oracle::ulp() defines it (Goldberg's, of the truth).
Judgement judge_within_ulps(std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format,
                            const oracle::Dyadic& k, std::size_t at = 0);

}  // namespace assay
