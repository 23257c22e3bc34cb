#include "errorbounds/judge.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <type_traits>
#include <utility>

#include "errorbounds/magnitude.hpp"
#include "errorbounds/nearest_numbers.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "errorbounds/verdicts_alone.hpp"
#include "oracle/ball.hpp"
#include "oracle/decode.hpp"

namespace assay {

double at_most(const RelativeBound& bound) {
  // Divided by a power of two near the denominator: both may be too large for binary64.
  const long places = -bound.denominator.exponent();
  oracle::Dyadic numerator = bound.numerator;
  oracle::Dyadic denominator = bound.denominator;
  double factor = numerator.mul_2exp(places).to_double_nearest() / denominator.mul_2exp(places).to_double_nearest();
  while (oracle::exact(factor) * bound.denominator > bound.numerator) factor = std::nextafter(factor, 0.0);
  return factor;
}

namespace {

using oracle::Answer;
using oracle::Dyadic;
using oracle::ErrorCheck;
using oracle::Exact;
using oracle::Format;
using oracle::Rounding;

Judgement judgement_of(const ErrorCheck& check, std::size_t at) {
  const Verdict verdict = check.within == Answer::yes  ? Verdict::holds
                          : check.within == Answer::no ? Verdict::violated
                                                       : Verdict::undecided;
  return {verdict, check.ratio, at};
}

/// The fraction, rounded up to binary64.
double fraction_up(const Dyadic& numerator, const Dyadic& denominator) {
  constexpr long bits = 64;
  return denominator == Dyadic(1)
             ? numerator.to_double_up()
             : div(oracle::Ball(numerator), oracle::Ball(denominator), bits).upper().to_double_up();
}

/// The largest distance from the truth that the bound allows, rounded up.
template <class Truth>
double distance_up(const Truth& /*truth*/, const Bound& bound) {
  return fraction_up(bound.numerator, bound.denominator);
}
template <class Truth>
double distance_up(const Truth& truth, const RelativeBound& bound) {
  return fraction_up(bound.numerator * magnitude_above(truth), bound.denominator);
}

template <class Truth, class B>
void note_bound(const Truth& truth, const B& bound, std::size_t at) {
  if (NotedBounds* const noted = NotedBounds::current()) noted->note(at, distance_up(truth, bound));
}
/// The same for a number that is stored in the format: half a place more.
template <class B>
void note_stored_bound(const Exact& truth, const B& bound, const Format& format, std::size_t at) {
  NotedBounds* const noted = NotedBounds::current();
  if (noted == nullptr) return;
  const double before = distance_up(truth, bound);
  if (!std::isfinite(before)) return;
  Dyadic place = oracle::ulp(magnitude_above(truth) + oracle::exact(before), format);
  noted->note(at, (oracle::exact(before) + place.mul_2exp(-1)).to_double_up());
}

/// (error − (bound − term)) / term of every named term. 0 if the other terms explain the error, if the bound is 0, and
/// for a term so small that the rounding of the ratio would decide.
void set_terms(Judgement& judgement, const Bound& bound) {
  for (std::size_t i = 0; i < bound.terms.size(); ++i) {
    const BoundTerm& term = bound.terms[i];
    const Dyadic part = term.numerator * bound.denominator;
    const Dyadic whole = bound.numerator * term.denominator;
    const double share =
        part.is_zero() ? 0 : std::min(oracle::check_error(part, Dyadic(), whole, Dyadic(1)).ratio, 1.0);
    const double rest = judgement.tightness - (1 - share);
    judgement.terms[i] = {term.name.text, share < 0x1p-20 || rest < 0 ? 0 : rest / share};
  }
}

template <class Truth>
Judgement within(const Dyadic& got, const Truth& truth, const Bound& bound, std::size_t at) {
  note_bound(truth, bound, at);
  Judgement judgement = judgement_of(oracle::check_error(got, truth, bound.numerator, bound.denominator), at);
  if (!bound.terms.empty()) set_terms(judgement, bound);
  return judgement;
}

/// The error in ulps of the truth: the tightness of a faithful rounding that is right; at most 1, also if a directed
/// rounding stays at the largest finite number and the truth is far beyond.
Judgement holds_with_error(std::uint64_t got, const Exact& truth, const Format& format, std::size_t at) {
  if (!oracle::is_finite(format, got) || VerdictsAlone::is_on()) {
    return {Verdict::holds, 0, at};  // the right infinity or NaN has no error to measure
  }
  const ErrorCheck check =
      oracle::check_error(oracle::decode_finite(format, got), truth, oracle::ulp(truth, format), Dyadic(1));
  return {Verdict::holds, std::min(check.ratio, 1.0), at};
}

Exact as_exact(const Dyadic& truth) { return truth; }
const Exact& as_exact(const Exact& truth) { return truth; }

/// ⌊log₂ x⌋ of a positive double.
long floor_log2(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return exponent - 1;
}

/// ⌊log₂(|point − truth|/unit)⌋ for a power of two `unit`; exact for dyadic and rational truths. no_boundary if the
/// truth is the point.
long distance_log2(const Dyadic& point, const Exact& truth, const Dyadic& unit) {
  if (const auto* dyadic = std::get_if<Dyadic>(&truth)) {
    const Dyadic distance = point - *dyadic;
    return distance.is_zero() ? no_boundary : distance.exponent() - unit.exponent();
  }
  if (const auto* rational = std::get_if<oracle::Rational>(&truth)) {
    const oracle::Rational distance = oracle::Rational(point) - *rational;
    return distance.is_zero() ? no_boundary : distance.exponent() - unit.exponent();
  }
  const double ratio = oracle::error_ratio(point, truth, unit, Dyadic(1));
  return ratio == 0 ? no_boundary : floor_log2(ratio);
}

/// Judgement::boundary of a truth that was rounded to `got`; `ratio` is |got − truth| over `unit`, which is half an ulp
/// for rounding to nearest and an ulp for a directed rounding. Far from a boundary the ratio determines the distance.
/// Near a boundary the distance is computed anew, because 1 − ratio would lose all digits.
template <class Truth>
long boundary_log2(const Dyadic& got, const Truth& truth, const Dyadic& unit, bool nearest, double ratio) {
  constexpr double far = 1 - 0x1p-8;
  if (ratio > 1) return no_boundary;
  const double beyond = 1 - ratio;
  const long halved = nearest ? 1 : 0;
  if (ratio < far && (nearest || ratio > 1 - far)) {
    return floor_log2(nearest ? beyond : std::min(beyond, ratio)) - halved;
  }
  if (ratio < far) return distance_log2(got, as_exact(truth), unit);
  const std::partial_ordering side = oracle::compare(as_exact(truth), got);
  if (side == std::partial_ordering::unordered) return no_boundary;
  const long log2 = distance_log2(side > 0 ? got + unit : got - unit, as_exact(truth), unit);
  return log2 == no_boundary ? log2 : log2 - halved;
}

template <class Truth>
Judgement rounded(std::uint64_t got, const Truth& truth, const Format& format, Rounding direction,
                  const oracle::RoundingPolicy& policy, std::size_t at) {
  const std::uint64_t want = oracle::round(truth, format, direction, policy);
  const auto unit_of_error = [&] {
    Dyadic unit = oracle::ulp(truth, format);
    if (direction == Rounding::nearest) unit.mul_2exp(-1);
    return unit;
  };
  if (NotedBounds::current() != nullptr) note_bound(truth, Bound{unit_of_error()}, at);
  if (got != want && !(oracle::is_nan(format, got) && oracle::is_nan(format, want))) {
    return Judgement::fail(at);
  }
  if (!oracle::is_finite(format, got) || VerdictsAlone::is_on()) return {Verdict::holds, 0, at};
  const Dyadic unit = unit_of_error();
  const Dyadic value = oracle::decode_finite(format, got);
  const double ratio = oracle::check_error(value, truth, unit, Dyadic(1)).ratio;
  Judgement judgement{Verdict::holds, std::min(ratio, 1.0), at};
  judgement.boundary = boundary_log2(value, truth, unit, direction == Rounding::nearest, ratio);
  return judgement;
}

template <class B>
Judgement stored(std::uint64_t got, const Exact& truth, const B& bound, const Format& format, std::size_t at) {
  if (oracle::is_nan(format, got)) return Judgement::fail(at);
  const auto inside = [&] {
    Judgement judgement{Verdict::holds, 0, at};
    if constexpr (std::is_same_v<B, Bound>) set_terms(judgement, bound);
    return judgement;
  };
  // Most results are the rounded truth, and two patterns are compared faster than the truth with two midpoints.
  const auto* const dyadic = std::get_if<Dyadic>(&truth);
  if (dyadic != nullptr && oracle::round(*dyadic, format, Rounding::nearest) == got) return inside();
  const NearestNumbers nearest = nearest_numbers(got, format);
  for (const auto& [end, beyond] :
       {std::pair(nearest.low, std::partial_ordering::less), std::pair(nearest.high, std::partial_ordering::greater)}) {
    if (!end) continue;
    const std::partial_ordering side = oracle::compare(truth, *end);
    if (side == std::partial_ordering::unordered) return {Verdict::undecided, 0, at};
    if (side == beyond) return judge_within(*end, truth, bound, at);
  }
  return inside();
}

}  // namespace

Judgement judge_stored(std::uint64_t got, const Exact& truth, const Bound& bound, const Format& format,
                       std::size_t at) {
  const Judgement judgement = stored(got, truth, bound, format, at);
  note_stored_bound(truth, bound, format, at);
  return judgement;
}
Judgement judge_stored(std::uint64_t got, const Exact& truth, const RelativeBound& bound, const Format& format,
                       std::size_t at) {
  const Judgement judgement = stored(got, truth, bound, format, at);
  note_stored_bound(truth, bound, format, at);
  return judgement;
}

Judgement judge_within(const Dyadic& got, const Dyadic& truth, const Bound& bound, std::size_t at) {
  return within(got, truth, bound, at);
}
Judgement judge_within(const Dyadic& got, const Exact& truth, const Bound& bound, std::size_t at) {
  return within(got, truth, bound, at);
}
Judgement judge_within(const Dyadic& got, const Dyadic& truth, const RelativeBound& bound, std::size_t at) {
  note_bound(truth, bound, at);
  return judgement_of(oracle::check_relative_error(got, truth, bound.numerator, bound.denominator), at);
}
Judgement judge_within(const Dyadic& got, const Exact& truth, const RelativeBound& bound, std::size_t at) {
  note_bound(truth, bound, at);
  return judgement_of(oracle::check_relative_error(got, truth, bound.numerator, bound.denominator), at);
}

Judgement judge_exact(const Dyadic& got, const Dyadic& truth, std::size_t at) {
  return Judgement::of(got == truth, at);
}
Judgement judge_exact(const Dyadic& got, const Exact& truth, std::size_t at) {
  const std::partial_ordering order = oracle::compare(truth, got);
  if (order == std::partial_ordering::unordered) {
    return {Verdict::undecided, 0, at};
  }
  return Judgement::of(order == std::partial_ordering::equivalent, at);
}

Judgement judge_rounded(std::uint64_t got, const Exact& truth, const Format& format, Rounding direction,
                        const oracle::RoundingPolicy& policy, std::size_t at) {
  return rounded(got, truth, format, direction, policy, at);
}
Judgement judge_rounded(std::uint64_t got, const Dyadic& truth, const Format& format, Rounding direction,
                        const oracle::RoundingPolicy& policy, std::size_t at) {
  return rounded(got, truth, format, direction, policy, at);
}

Judgement judge_faithful(std::uint64_t got, const Exact& truth, const Format& format, std::size_t at) {
  if (NotedBounds::current() != nullptr) note_bound(truth, Bound{oracle::ulp(truth, format)}, at);
  if (oracle::is_nan(format, got)) {
    return Judgement::fail(at);
  }
  const auto is_rounded = [&](Rounding direction) {
    const std::uint64_t neighbor = oracle::round(truth, format, direction);
    return got == neighbor || ((got | neighbor) & ~format.sign_mask()) == 0;
  };
  if (!is_rounded(Rounding::down) && !is_rounded(Rounding::up)) {
    return Judgement::fail(at);
  }
  return holds_with_error(got, truth, format, at);
}

Judgement judge_within_ulps(std::uint64_t got, const Exact& truth, const Format& format, const Dyadic& k,
                            std::size_t at) {
  if (!oracle::is_finite(format, got)) {
    return Judgement::fail(at);
  }
  return judge_within(oracle::decode_finite(format, got), truth, Bound{k * oracle::ulp(truth, format), 1}, at);
}

}  // namespace assay
