#include "errorbounds/screen.hpp"

#include <algorithm>
#include <variant>

#include "errorbounds/nearest_numbers.hpp"
#include "errorbounds/noted_bounds.hpp"
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

}  // namespace

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

bool stays_worst(const Judgement& worst, const Magnitude& error, const Magnitude& floor) {
  if (NotedBounds::current() != nullptr || oracle::watch::is_on) return false;
  const double most = worst.verdict == Verdict::holds ? std::min(worst.tightness, 1.0) : 1.0;
  return error <= times_lower(floor, Magnitude::lower(most * (1 - 0x1p-20)));
}

}  // namespace assay
