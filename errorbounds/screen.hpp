#pragma once
// Upper bounds of errors and lower bounds of bounds, to 30 bits: they show that most components of a result need no
// judgment of their own, because they are farther from their bounds than a component that was judged.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "errorbounds/bound.hpp"
#include "errorbounds/judgement.hpp"
#include "oracle/decode.hpp"
#include "oracle/exact.hpp"
#include "oracle/format.hpp"
#include "oracle/magnitude.hpp"

namespace assay {

/// At least the error that judge_within() computes for the number of that pattern. ∞ if the pattern has none, or if an
/// enclosure of the truth by 128 bits leaves the error uncertain by more than a relative 2⁻⁵⁰.
oracle::Magnitude error_above(std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format);
/// The same for judge_stored(): 0 if a number to which the pattern is nearest is the truth.
oracle::Magnitude stored_error_above(std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format);

/// A number x in two words of binary64: |x − (high + low)| ≤ radius. Nothing is known where the radius is ∞.
struct Near {
  double high = 0;
  double low = 0;
  double radius = std::numeric_limits<double>::infinity();
};
/// Of an enclosure of the truth by 128 bits.
Near near_of(const oracle::Exact& truth);
/// At least |got − x|; ∞ where nothing is known of x, or got is no number.
oracle::Magnitude distance_at_most(double got, const Near& x);
/// Of a number, and `high`, the number rounded to nearest in binary64: so near that numbers of the format can be
/// compared with it.
inline Near near_of(const oracle::Dyadic& x, double high, const oracle::Format& format) {
  constexpr double smallest = 0x1p-900;
  if (!(std::abs(high) >= smallest) || std::isinf(high)) return {};
  if (format.precision <= 32) return {high, 0, std::abs(high) * 0x1p-53};
  const double low = (x - oracle::exact(high)).to_double_nearest();
  return {high, low, std::abs(low) * 0x1p-52 + 0x1p-1000};  // low may be subnormal
}

/// Whether `got` is the truth rounded to nearest, not to 0, and `worst` stays unchanged when it is combined with the
/// judgment by judge_rounded() of that number. A proof: arithmetic in binary64 shows that the truth lies in one binade,
/// that got is on the grid of that binade, and that |got − truth| ≤ s/2 ulp, s < 1. So got is nearest to the truth, the
/// tightness is at most s(1 + 2⁻³⁹) and the distance to the midpoint at least (1 − s)(1 − 2⁻²⁰)/2 ulp; neither is worse
/// than what `worst` has. False where all bounds are wanted or the oracle is watched. `at`: the place of the number.
bool stays_worst_rounded(const Judgement& worst, double got, const Near& truth, const oracle::Format& format,
                         std::size_t at);
/// The same for one of the two neighbors of the truth, and judge_faithful(): |got − truth| ≤ s ulp, s < 1.
bool stays_worst_faithful(const Judgement& worst, double got, const Near& truth, const oracle::Format& format,
                          std::size_t at);
/// Whether `got` is the truth rounded to nearest, not to 0, so that stored_error_above() is 0. False where arithmetic
/// in binary64 does not show it, or the oracle is watched.
bool is_surely_rounded(double got, const Near& truth, const oracle::Format& format);

/// A lower bound of the bound.
oracle::Magnitude floor_of(const Bound& bound);

/// Whether `worst` stays unchanged when it is combined with the judgment of a component by judge_within() or
/// judge_stored():
/// `error` is error_above() or stored_error_above(), `floor` is at most the bound, which has no named terms. A proof:
/// error ≤ floor·t(1 − 2⁻²⁰) with t ≤ 1 says that the judgment holds with a tightness of at most t(1 − 2⁻²⁰)(1 + 2⁻⁴⁰),
/// as oracle::check_error() rounds it, and so below t. If `worst` holds, t is at most its tightness, which then is not
/// exceeded; if it does not, or verdicts alone count, no judgment that holds is worse. False where all bounds are
/// wanted or the oracle is watched: then every component is judged. `at`: the place of the component.
bool stays_worst(const Judgement& worst, const oracle::Magnitude& error, const oracle::Magnitude& floor,
                 std::size_t at);
/// The same for a floor that is computed where the error is not 0: floor_of() gives it.
bool stays_worst(const Judgement& worst, const oracle::Magnitude& error, const std::invocable auto& floor_of,
                 std::size_t at) {
  return stays_worst(worst, error, error.is_zero() ? oracle::Magnitude() : oracle::Magnitude(floor_of()), at);
}

}  // namespace assay
