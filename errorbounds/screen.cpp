#include "errorbounds/screen.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "errorbounds/nearest_numbers.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "errorbounds/verdicts_alone.hpp"
#include "oracle/ball.hpp"
#include "oracle/ball_functions.hpp"
#include "oracle/decode.hpp"
#include "oracle/watch.hpp"

namespace assay {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Exact;
using oracle::Format;
using oracle::Magnitude;

constexpr long bits = 128;

/// At least |x − truth|; ∞ for a ball that is not narrow compared with it.
Magnitude distance_above(const Dyadic& x, const Ball& truth) {
  const Ball distance = sub(Ball(x), truth, bits);
  const bool is_sharp = distance.is_finite() && arb_rel_accuracy_bits(distance.get()) >= 50;
  return is_sharp ? Magnitude(distance) : Magnitude::infinity();
}

/// At least |got − x| in ulps of x, for all x that `truth` may be; ∞ where they are of several binades, or got is 0 or
/// on the finer grid of a binade below.
double share_of_ulp(double got, const Near& truth, const Format& format) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  constexpr double up = 1 + 0x1p-50;  // above the rounding errors of the line that it stands in
  if (!std::isfinite(truth.radius) || !std::isfinite(got) || got == 0 || truth.high == 0) return unknown;
  const double magnitude = std::abs(truth.high);
  const int exponent = std::ilogb(magnitude);
  const double power = std::ldexp(1.0, exponent);
  // The differences from both ends of the binade are exact (Sterbenz).
  const double room = std::min(magnitude - power, 2 * power - magnitude);
  if (!((std::abs(truth.low) + truth.radius) * up < room)) return unknown;
  if (exponent >= format.emin && std::abs(got) < power) return unknown;
  const double from_high = got - truth.high;
  const double distance =
      (std::abs(from_high - truth.low) + std::abs(from_high) * 0x1p-52 + truth.radius) * up + 0x1p-1074;
  return distance / std::ldexp(1.0, std::max(exponent, format.emin) - format.precision + 1);
}

bool must_judge() { return NotedBounds::must_judge() || oracle::watch::is_on; }

/// True; a recorder of bounds is told.
bool passed_over(std::size_t at) {
  NotedBounds::pass_over(at);
  return true;
}

}  // namespace

Near near_of(const Exact& truth) {
  const Ball ball = enclosed(truth, bits);
  if (!ball.is_finite()) return {};
  constexpr double smallest = 0x1p-900;  // below it the low word may be subnormal
  const double high = arf_get_d(arb_midref(ball.get()), ARF_RND_NEAR);
  if (!std::isfinite(high) || std::abs(high) < smallest) return {};
  Dyadic rest;
  arf_set_d(rest.arf(), -high);
  arf_add(rest.arf(), rest.arf(), arb_midref(ball.get()), ARF_PREC_EXACT, ARF_RND_DOWN);
  const double low = rest.to_double_nearest();
  return {high, low, (mag_get_d(arb_radref(ball.get())) + std::abs(low) * 0x1p-52) * (1 + 0x1p-50)};
}

Magnitude distance_at_most(double got, const Near& x) {
  const double from_high = got - x.high;  // rounded once, and once more with the low word
  const double distance = (std::abs(from_high - x.low) + std::abs(from_high) * 0x1p-52 + x.radius) * (1 + 0x1p-50);
  if (!std::isfinite(distance)) return Magnitude::infinity();
  return Magnitude::upper(distance + 0x1p-1074);
}

bool stays_worst_rounded(const Judgement& worst, double got, const Near& truth, const Format& format, std::size_t at) {
  const double share = 2 * share_of_ulp(got, truth, format);
  if (!(share <= 1 - 0x1p-10) || must_judge()) return false;
  if (VerdictsAlone::is_on()) return passed_over(at);
  if (worst.verdict == Verdict::holds && share > worst.tightness * (1 - 0x1p-20)) return false;
  const int boundary = std::ilogb((1 - share) * (1 - 0x1p-20)) - 1;
  return boundary >= worst.boundary && passed_over(at);
}

bool stays_worst_faithful(const Judgement& worst, double got, const Near& truth, const Format& format, std::size_t at) {
  const double share = share_of_ulp(got, truth, format);
  if (!(share < 1) || must_judge()) return false;
  const bool counts = worst.verdict == Verdict::holds && !VerdictsAlone::is_on();
  return (!counts || share <= worst.tightness * (1 - 0x1p-20)) && passed_over(at);
}

bool is_surely_rounded(double got, const Near& truth, const Format& format) {
  return 2 * share_of_ulp(got, truth, format) < 1 && !oracle::watch::is_on;
}

Magnitude error_above(std::uint64_t got, const Exact& truth, const Format& format) {
  if (!oracle::is_finite(format, got)) return Magnitude::infinity();
  const Dyadic value = oracle::decode_finite(format, got);
  if (const auto* dyadic = std::get_if<Dyadic>(&truth)) return Magnitude(value - *dyadic);
  return distance_above(value, enclosed(truth, bits));
}

Magnitude stored_error_above(std::uint64_t got, const Exact& truth, const Format& format) {
  if (oracle::is_nan(format, got)) return Magnitude::infinity();
  const NearestNumbers nearest = nearest_numbers(got, format);
  const Ball ball = enclosed(truth, bits);
  if (!ball.is_finite()) return Magnitude::infinity();
  const Dyadic low = ball.lower();
  const Dyadic high = ball.upper();
  if (nearest.low && high < *nearest.low) return distance_above(*nearest.low, ball);
  if (nearest.high && low > *nearest.high) return distance_above(*nearest.high, ball);
  const bool is_inside = (!nearest.low || low >= *nearest.low) && (!nearest.high || high <= *nearest.high);
  return is_inside ? Magnitude() : Magnitude::infinity();
}

Magnitude floor_of(const Bound& bound) {
  return divided_lower(Magnitude::lower(bound.numerator), Magnitude(bound.denominator));
}

bool stays_worst(const Judgement& worst, const Magnitude& error, const Magnitude& floor, std::size_t at) {
  if (must_judge()) return false;
  const bool counts = worst.verdict == Verdict::holds && !VerdictsAlone::is_on();
  const double most = counts ? std::min(worst.tightness, 1.0) : 1.0;
  return error <= times_lower(floor, Magnitude::lower(most * (1 - 0x1p-20))) && passed_over(at);
}

}  // namespace assay
