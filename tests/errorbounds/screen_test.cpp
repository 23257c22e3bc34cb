// Screens of components: the components that they exclude change no judgment, and floors of bounds are below the
// bounds.
#include "errorbounds/screen.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "errorbounds/fraction.hpp"
#include "errorbounds/judge.hpp"
#include "errorbounds/normalization.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "errorbounds/softmax.hpp"
#include "oracle/decode.hpp"

namespace assay {
namespace {

using oracle::Ball;
using oracle::binary16;
using oracle::binary32;
using oracle::binary64;
using oracle::Dyadic;
using oracle::Exact;
using oracle::Format;
using oracle::Magnitude;

class Source {
 public:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool coin() { return below(2) == 1; }
  /// A number of 40 bits with an exponent between the two.
  Dyadic positive(long low, long high) {
    const auto exponent = low + static_cast<long>(below(static_cast<std::uint64_t>(high - low + 1)));
    return Dyadic::scaled(static_cast<std::int64_t>((std::uint64_t{1} << 39) + below(std::uint64_t{1} << 39)),
                          exponent - 39);
  }

 private:
  bits::SplitMix64 random_{1};
};

/// A truth near 1 of each kind, apart from it by about so much.
Exact truth_near_one(Source& draw, const Dyadic& apart) {
  switch (draw.below(4)) {
    case 0:
      return Dyadic(1) + apart;
    case 1:
      return oracle::Rational(Dyadic(3) + Dyadic(3) * apart, Dyadic(3));
    case 2:
      return oracle::square_root(Dyadic(1) + apart + apart);
    default:
      return oracle::Enclosure{
          [apart](long bits) { return add(Ball(Dyadic(1)), sqrt(Ball(apart * apart), bits), bits); }};
  }
}

struct Component {
  std::uint64_t got;
  Exact truth;
  Bound bound;
};
/// Components, some of which come equally near to their bounds, reach them or exceed them.
std::vector<Component> drawn_components(Source& draw, const Format& format, std::uint64_t one) {
  const bool has_violated = draw.coin();
  const Dyadic common = draw.positive(-20, -8);
  std::vector<Component> all;
  for (std::uint64_t n = 1 + draw.below(40); n != 0; --n) {
    const Dyadic apart = draw.coin() ? common : draw.positive(-20, -8);
    const Dyadic times = draw.below(3) == 0 ? Dyadic(4) : draw.positive(1, 3);
    const bool is_violated = has_violated && draw.below(20) == 0;
    const Dyadic share = draw.below(10) == 0 ? Dyadic(0) : Dyadic::scaled(is_violated ? 1 : 8, -1) * times;
    all.push_back({one + draw.below(3) - 1, truth_near_one(draw, apart), {apart * share}});
    if (draw.below(20) == 0) all.back().got = format.nan();
  }
  return all;
}

/// The judgments of all components equal the judgments of only those that the screen keeps.
template <class Judge, class Above>
void expect_same_worst(const Format& format, std::uint64_t one, const Judge& judge, const Above& above) {
  Source draw;
  std::size_t left_out = 0;
  for (int k = 0; k < 400; ++k) {
    Judgement all;
    Judgement screened;
    std::size_t at = 0;
    for (const Component& each : drawn_components(draw, format, one)) {
      const Judgement judgement = judge(each, at);
      all.worsen(judgement);
      if (stays_worst(screened, above(each.got, each.truth, format), floor_of(each.bound), at)) {
        ++left_out;
      } else {
        screened.worsen(judgement);
      }
      ++at;
    }
    ASSERT_EQ(screened.verdict, all.verdict) << k;
    ASSERT_EQ(screened.tightness, all.tightness) << k;
    ASSERT_EQ(screened.component, all.component) << k;
    ASSERT_EQ(screened.further, all.further) << k;
  }
  EXPECT_GT(left_out, 1000U);
}

TEST(StaysWorst, LeavesOutNoNumberThatChangesTheJudgement) {
  expect_same_worst(
      binary64, 0x3ff0000000000000,
      [](const Component& c, std::size_t at) {
        if (!oracle::is_finite(binary64, c.got)) return Judgement::fail(at);
        return judge_within(oracle::decode_finite(binary64, c.got), c.truth, c.bound, at);
      },
      error_above);
}

TEST(StaysWorst, LeavesOutNoStoredNumberThatChangesTheJudgement) {
  expect_same_worst(
      binary16, 0x3c00,
      [](const Component& c, std::size_t at) { return judge_stored(c.got, c.truth, c.bound, binary16, at); },
      stored_error_above);
}

/// A truth beside a number of the format, a midpoint or a power of two, by 2^-90 … 2^-10 ulp or by 2^-9 … 2^-3, and a
/// pattern beside it.
Component drawn_rounding(Source& draw, const Format& format, bool is_near) {
  const std::uint64_t one = format.infinity() / 2;  // about 1
  const std::uint64_t magnitude = draw.below(8) == 0   ? 1 + draw.below(16)
                                  : draw.below(4) == 0 ? (one >> format.fraction_bits() << format.fraction_bits())
                                                       : one - draw.below(std::uint64_t{1} << format.fraction_bits());
  const Dyadic number = oracle::decode_finite(format, magnitude);
  const Dyadic gap = oracle::decode_finite(format, magnitude + 1) - number;
  const Dyadic apart = (is_near ? draw.positive(-90, -10) : draw.positive(-9, -3)) * gap;
  Dyadic truth = number + gap * Dyadic::scaled(static_cast<std::int64_t>(draw.below(5)) - 2, -1);
  truth += draw.coin() ? apart : -apart;
  const std::uint64_t sign = draw.coin() ? format.sign_mask() : 0;
  const std::uint64_t got = (draw.below(6) == 0 ? magnitude + draw.below(3) - 1
                                                : oracle::round(abs(truth), format, oracle::Rounding::nearest)) |
                            sign;
  if (sign != 0) truth.negate();
  if (draw.coin()) return {got, truth, {}};
  return {got, oracle::Enclosure{[truth](long bits) { return add(Ball(truth), Ball(), bits); }}, {}};
}

/// What is known of a truth: of a number, from its rounding to binary64.
Near known_of(const Exact& truth, const Format& format) {
  const auto* const number = std::get_if<Dyadic>(&truth);
  return number == nullptr ? near_of(truth) : near_of(*number, number->to_double_nearest(), format);
}

/// The judgments of all numbers equal the judgments of only those that the screen keeps.
template <class Judge, class Stays>
void expect_same_rounding(const Format& format, const Judge& judge, const Stays& stays) {
  Source draw;
  std::size_t left_out = 0;
  for (int k = 0; k < 400; ++k) {
    Judgement all;
    Judgement screened;
    const bool are_right = draw.coin();
    const bool are_near = draw.coin();
    for (std::size_t at = 0; at < 20; ++at) {
      Component each = drawn_rounding(draw, format, are_near);
      if (are_right) each.got = oracle::round(each.truth, format, oracle::Rounding::nearest);
      const Judgement judgement = judge(each, at);
      all.worsen(judgement);
      const double got = oracle::is_finite(format, each.got)
                             ? oracle::decode_finite(format, each.got).to_double_nearest()
                             : std::numeric_limits<double>::infinity();
      if (stays(screened, got, known_of(each.truth, format), format, at)) {
        ++left_out;
        ASSERT_EQ(judgement.verdict, Verdict::holds) << k;
      } else {
        screened.worsen(judgement);
      }
    }
    ASSERT_EQ(screened.verdict, all.verdict) << k;
    ASSERT_EQ(screened.tightness, all.tightness) << k;
    ASSERT_EQ(screened.boundary, all.boundary) << k;
    ASSERT_EQ(screened.component, all.component) << k;
    ASSERT_EQ(screened.further, all.further) << k;
  }
  EXPECT_GT(left_out, 1000U);
}

TEST(StaysWorst, LeavesOutNoRoundedNumberThatChangesTheJudgement) {
  for (const Format& format : {binary16, binary32, binary64}) {
    expect_same_rounding(
        format,
        [&](const Component& c, std::size_t at) {
          return judge_rounded(c.got, c.truth, format, oracle::Rounding::nearest, {}, at);
        },
        stays_worst_rounded);
  }
}

TEST(StaysWorst, LeavesOutNoFaithfulNumberThatChangesTheJudgement) {
  for (const Format& format : {binary16, binary32, binary64}) {
    expect_same_rounding(
        format, [&](const Component& c, std::size_t at) { return judge_faithful(c.got, c.truth, format, at); },
        stays_worst_faithful);
  }
}

TEST(IsSurelyRounded, SaysSoOfNumbersThatAreTheRoundedTruthAlone) {
  Source draw;
  std::size_t shown = 0;
  for (int k = 0; k < 20000; ++k) {
    const Component each = drawn_rounding(draw, binary32, draw.coin());
    const double got = oracle::decode_finite(binary32, each.got).to_double_nearest();
    if (!is_surely_rounded(got, near_of(each.truth), binary32)) continue;
    ++shown;
    ASSERT_EQ(oracle::round(each.truth, binary32, oracle::Rounding::nearest), each.got) << k;
  }
  EXPECT_GT(shown, 5000U);
}

TEST(DistanceAtMost, IsNoLessThanTheDistanceAndNotMuchMore) {
  Source draw;
  for (int k = 0; k < 20000; ++k) {
    const Component each = drawn_rounding(draw, binary32, draw.coin());
    const Dyadic got = oracle::decode_finite(binary32, each.got);
    const Near near = near_of(each.truth);
    const Magnitude most = distance_at_most(got.to_double_nearest(), near);
    const Magnitude exact = error_above(each.got, each.truth, binary32);
    if (!exact.is_finite() || !std::isfinite(near.radius)) continue;
    const Dyadic share_of_radius = oracle::exact(2 * near.radius);
    ASSERT_GE(most.value() * (Dyadic(1) + Dyadic::scaled(1, -20)) + Dyadic::scaled(1, -1074), exact.value()) << k;
    ASSERT_LE(most.value(), exact.value() * (Dyadic(1) + Dyadic::scaled(1, -20)) + share_of_radius) << k;
  }
  EXPECT_FALSE(distance_at_most(1, Near{}).is_finite());
  EXPECT_FALSE(distance_at_most(std::numeric_limits<double>::infinity(), Near{1, 0, 0}).is_finite());
}

// ----------------------------------------------------------------------------------------------- recorded bounds

/// Judges three numbers: the second and the third have the smallest errors.
Judgement judged_three(NotedBounds& noted) {
  Judgement worst;
  const Bound bound{Dyadic(1)};
  for (std::size_t at = 0; at < 3; ++at) {
    const Exact truth = Dyadic::scaled(at == 0 ? 3 : 1, -2);
    if (stays_worst(worst, error_above(0, truth, binary64), floor_of(bound), at)) continue;
    worst.worsen(judge_within(Dyadic(), truth, bound, at));
    EXPECT_FALSE(std::isnan(noted.all()[at]));
  }
  return worst;
}

TEST(NotedBounds, OfAVerdictLeaveOutTheNumbersThatChangeNothing) {
  NotedBounds noted(3);
  EXPECT_EQ(judged_three(noted).component, 0u);
  EXPECT_EQ(noted.all()[0], 1);
  EXPECT_TRUE(std::isnan(noted.all()[1]) && std::isnan(noted.all()[2]));
  EXPECT_TRUE(noted.has_all());
}

TEST(NotedBounds, OfAllNumbersAreRecordedWhereTheyAreWanted) {
  NotedBounds noted(3, true);
  judged_three(noted);
  EXPECT_EQ(noted.all(), std::vector<double>(3, 1));
}

TEST(NotedBounds, KnowOfANumberThatNoBoundReached) {
  NotedBounds noted(4);
  judged_three(noted);
  EXPECT_FALSE(noted.has_all());
}

TEST(ErrorAbove, KnowsNothingOfAnErrorThatAnEnclosureLeavesOpen) {
  const Exact one = oracle::Enclosure{[](long bits) { return Ball(Dyadic(1), Dyadic::scaled(1, -bits)); }};
  EXPECT_FALSE(error_above(0x3ff0000000000000, one, binary64).is_finite());
  EXPECT_TRUE(error_above(0x3ff0000000000001, one, binary64).is_finite());
}

// ------------------------------------------------------------------------------------------------------- floors

/// At most the bound, and no less than it by more than a relative 2^-loose.
void expect_floor(const Magnitude& floor, const Bound& bound, long loose) {
  EXPECT_LE(Bound{floor.value()}, bound);
  EXPECT_LE(bound, Bound{floor.value()} * (Dyadic(1) + Dyadic::scaled(1, -loose)));
}

SoftmaxForm drawn_form(Source& draw) {
  SoftmaxForm form{.ulps = draw.coin() ? 1 : 3};
  form.by_exp2 = draw.coin();
  form.scales = form.by_exp2 && draw.coin();
  form.flushes = draw.coin();
  return form;
}

TEST(SoftmaxFloor, IsBelowTheBoundsAndNearThem) {
  Source draw;
  for (int k = 0; k < 2000; ++k) {
    const Format& format = draw.coin() ? binary64 : binary32;
    const SoftmaxForm form = drawn_form(draw);
    const Dyadic distance = draw.below(5) == 0 ? Dyadic(0) : draw.positive(-20, 9);
    const Dyadic probability = draw.positive(-100, -1);
    const SoftmaxRow row{1 + draw.below(draw.coin() ? 10 : 8192), distance + draw.positive(-3, 8),
                         draw.positive(-20, 3), draw.positive(-10, 10), draw.coin()};
    const RelativeBound beta = softmax_sum_bound(form, row, format);
    const Magnitude at = Magnitude::lower(distance);
    const Magnitude p = Magnitude::lower(probability);
    const SoftmaxFloor floor = softmax_floor(form, row, format);
    expect_floor(floor.at(at, p), softmax_bound(form, row, beta, distance, probability, format), 6);
    EXPECT_LE(Bound{floor.lost.value()}, softmax_far_bound(form, beta, format));
    expect_floor(softmax_of_log_sum_floor(form, row, format).at(at, p),
                 softmax_of_log_sum_bound(form, row, beta, distance, probability, format), 6);
    expect_floor(log_softmax_floor(form, row, format).at(at, 1UL), log_softmax_bound(form, row, beta, distance, format),
                 6);
    if (!form.by_exp2) {
      expect_floor(log_softmax_of_others_floor(form, row, format).at(at, 1UL),
                   log_softmax_of_others_bound(form, row, softmax_others_bound(form, row, format), distance, format),
                   6);
    }
    expect_floor(log_softmax_of_sum_floor(form, row, format).at(at, 1UL),
                 log_softmax_of_sum_bound(form, row, beta, distance, format), 6);
    expect_floor(log_softmax_unshifted_floor(form, row, format).at(at, 1UL),
                 log_softmax_unshifted_bound(form, row, beta, distance, format), 6);
  }
}

NormForm drawn_norm_form(Source& draw) {
  using Variance = NormForm::Variance;
  NormForm form;
  const bool is_one_pass = draw.coin();
  const bool has_mean = is_one_pass || draw.coin();
  form.variance = is_one_pass ? (draw.coin() ? Variance::of_squares : Variance::of_updates)
                  : has_mean  ? Variance::of_deviations
                              : Variance::none;
  form.shifts = has_mean && form.variance != Variance::of_updates && draw.coin();
  form.any_range = !is_one_pass && !form.shifts && draw.coin();
  form.flushes = !form.any_range && draw.coin();
  return form;
}

bool is_one_pass(const NormForm& form) {
  return form.variance == NormForm::Variance::of_squares || form.variance == NormForm::Variance::of_updates;
}

TEST(NormFloor, IsBelowTheBoundsAndNearThem) {
  Source draw;
  int judged = 0;
  for (int k = 0; k < 2000; ++k) {
    const Format& format = draw.coin() ? binary64 : binary32;
    const NormForm form = drawn_norm_form(draw);
    const Dyadic mean = draw.positive(-4, 3);
    const std::uint64_t n = 1 + draw.below(draw.coin() ? 10 : 8192);
    const NormRow row{n,
                      mean,
                      mean * Dyadic(2),
                      draw.positive(-2, 2),
                      draw.positive(-4, 2),
                      draw.positive(-4, 1),
                      draw.positive(-2, 2)};
    const NormNumber number{draw.positive(-4, 4), draw.positive(-4, 4), draw.positive(-4, 4), draw.positive(-4, 4),
                            draw.positive(-4, 4)};
    const auto factors = norm_factors(form, row, format);
    if (!factors && is_one_pass(form)) continue;
    ++judged;
    ASSERT_TRUE(factors);
    const Bound bound = norm_error(*factors, number, format);
    expect_floor(NormFloor(*factors, format).at(floor_of(number)), bound, 20);
    // A variance in one pass may be off by nearly half of V: there the floor is less near.
    expect_floor(NormFloor(norm_factors_below(form, row, format), format).at(floor_of(number)), bound,
                 is_one_pass(form) ? 0 : 1);
  }
  EXPECT_GT(judged, 1500);
}

TEST(NormFloor, IsBelowTheLimitWhereTheVarianceMayBeOffByHalf) {
  using Variance = NormForm::Variance;
  Source draw;
  int limited = 0;
  for (int k = 0; k < 500; ++k) {
    const Format& format = draw.coin() ? binary64 : binary32;
    const NormForm form{.variance = draw.coin() ? Variance::of_squares : Variance::of_updates, .flushes = draw.coin()};
    const Dyadic mean = draw.positive(20, 40);
    const Dyadic inverse_root = draw.positive(-10, 10);  // of a row of numbers near their mean
    const NormRow row{1 + draw.below(8192),        mean,        mean, mean * mean, draw.positive(-30, -20),
                      inverse_root * inverse_root, inverse_root};
    if (norm_factors(form, row, format)) continue;
    ++limited;
    const Dyadic size = draw.positive(-4, 40);
    const Dyadic weight = draw.positive(-8, 8);
    const Dyadic product = (size + mean) * weight * inverse_root;
    const Dyadic bias = draw.positive(-8, 8);
    const NormNumber number{product, draw.positive(-8, 8), weight * inverse_root, weight, bias};
    const Dyadic limit = number.result + norm_limit(form, row, number, size, inverse_root, format);
    EXPECT_LE(NormFloor(norm_factors_below(form, row, format), format).at(floor_of(number)).value(), limit);
  }
  EXPECT_GT(limited, 100);
}

}  // namespace
}  // namespace assay
