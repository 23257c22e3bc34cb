#include "properties/framework/climb.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <set>
#include <string>

#include "properties/framework/generators.hpp"
#include "properties/framework/neighbour.hpp"
#include "properties/framework/property.hpp"

namespace assay {
namespace {

using Model = TypedModel<Pair<double>, double, oracle::Dyadic>;

constexpr auto copy_1 = theorem({"test.climb.1", "a copy", "|y − x| ≤ 2⁻⁵³|x|", "an example"}, [](int p) {
  return RelativeBound{oracle::Dyadic::scaled(1, -p), 1};
});

int trailing_zeros(double x) { return std::countr_zero(bits_of(x) | std::uint64_t{1} << 52); }

constexpr Box box{-20, 20};

/// A copy of a with an artificial error: k/64 of the bound for a with k trailing zero bits. The second class, far from
/// every case of the first, has only 1.0, the worst case.
Model hill() {
  std::vector<InputClass<Pair<double>>> classes = {{"any", 3, drawn<Pair<double>>([](Draw& draw) {
                                                      const auto any = [&] {
                                                        return draw_number<double>(draw, Significand::dense,
                                                                                   draw.between(box.low, box.high));
                                                      };
                                                      return Pair<double>{any(), any()};
                                                    })},
                                                   {"the worst", 1, drawn<Pair<double>>([](Draw&) {
                                                      return Pair<double>{1, 1};
                                                    }),
                                                    true}};
  return Model({.name = "climb_test.hill",
                .domain = {.classes = std::move(classes),
                           .contains = [](const Pair<double>& c) { return in_box(c.a, box) && in_box(c.b, box); }},
                .subject = [](const Executor&, const Pair<double>& c) { return c.a; },
                .reference =
                    [](const Pair<double>& c) {
                      const oracle::Dyadic a = value_of(c.a);
                      return a + oracle::Dyadic::scaled(trailing_zeros(c.a), -59) * abs(a);
                    },
                .claims = {within("error", copy_1, 53)}});
}

ClimbState climbed(const Model& model, std::uint64_t until, bool blind = true, std::uint64_t steps = 1) {
  ClimbState state;
  for (std::uint64_t i = 1; i <= steps; ++i) {
    climb(model, Executor::host(), {0, "", blind}, 1, until * i / steps, {}, state);
  }
  return state;
}

TEST(Climb, FindsWhatSamplingDoesNot) {
  const Model model = hill();
  const ClimbState state = climbed(model, 20000);
  double sampled = 0;
  for (std::uint64_t number = 0; number < 20000; ++number) {
    if (model.class_of(number) != 0) continue;
    const Record record = *model.make(1, number);
    sampled = std::max(sampled, model.judge_claim(Executor::host(), std::span(&record, 1), 0)[0]->tightness);
  }
  EXPECT_LT(sampled, 0.4);
  ASSERT_TRUE(state.best);
  EXPECT_GT(state.best->height.ratio, 0.8);
  EXPECT_TRUE(model.contains(state.best->at));
}

TEST(Climb, EndsAtTheSameStateHoweverItIsCut) {
  const Model model = hill();
  const ClimbState whole = climbed(model, 6000);
  const ClimbState parts = climbed(model, 6000, true, 17);
  EXPECT_EQ(whole.random, parts.random);
  EXPECT_EQ(whole.evaluations, parts.evaluations);
  EXPECT_EQ(whole.best->at, parts.best->at);
}

TEST(Climb, StartsFromConstructedClassesUnlessItIsBlind) {
  const Model model = hill();
  EXPECT_LT(climbed(model, 1).best->height.ratio, 0.5);
  EXPECT_GT(climbed(model, 1, false).best->height.ratio, 0.8);
}

TEST(Climb, StartsFromTheGivenCases) {
  const Model model = hill();
  ClimbState state;
  state.starts = {*model.make(1, 3)};
  ASSERT_EQ(model.class_of(3), 1U);
  climb(model, Executor::host(), {0, "", true}, 1, 1, {}, state);
  EXPECT_GT(state.best->height.ratio, 0.8);
}

TEST(HeightOf, ATermIsItsOwn) {
  Judgement judgement;
  judgement.tightness = 0.5;
  judgement.terms[0] = {"u|s|", 0.25};
  EXPECT_EQ(height_of(judgement, "").ratio, 0.5);
  EXPECT_EQ(height_of(judgement, "u|s|").ratio, 0.25);
  EXPECT_EQ(height_of(judgement, "other").ratio, 0);
  EXPECT_EQ(height_of(std::nullopt, "").ratio, -1);
}

TEST(HeightOf, TheNearerBoundaryOfRoundingIsWorse) {
  Judgement near;
  near.boundary = -40;
  Judgement far;
  far.boundary = -3;
  EXPECT_LT(height_of(far, ""), height_of(near, ""));
  EXPECT_LT(height_of(Judgement{}, ""), height_of(far, ""));
}

Record list_of(std::size_t n) {
  Record record{{{"n", static_cast<std::int64_t>(n)}, {"x", Words{oracle::binary64, Words::Shape::list, {}}}}};
  std::get<Words>(record.fields[1].value).bits.assign(n, bits_of(1.5));
  return record;
}

TEST(Neighbour, IsTheSameForTheSameRandomWords) {
  bits::SplitMix64 one{7};
  bits::SplitMix64 two{7};
  EXPECT_EQ(neighbour(list_of(5), list_of(3), one), neighbour(list_of(5), list_of(3), two));
  EXPECT_EQ(one.state, two.state);
}

TEST(Neighbour, ChangesLengthsTogetherWithTheIntegerThatHoldsThem) {
  bits::SplitMix64 random{1};
  std::set<std::size_t> lengths;
  for (int i = 0; i < 2000; ++i) {
    const Record next = neighbour(list_of(5), list_of(5), random);
    const auto n = std::get<std::int64_t>(next.fields[0].value);
    const std::size_t length = std::get<Words>(next.fields[1].value).bits.size();
    if (length != 5 && n == static_cast<std::int64_t>(length)) lengths.insert(length);
  }
  EXPECT_TRUE(lengths.contains(4));
  EXPECT_TRUE(lengths.contains(6));
}

TEST(Neighbour, GivesPatternsOfTheFormat) {
  bits::SplitMix64 random{1};
  Record record{{{"x", Words{oracle::e4m3, Words::Shape::fixed, {0, 0x7e}}}}};
  for (int i = 0; i < 10000; ++i) {
    record = neighbour(record, record, random);
    for (const std::uint64_t bits : std::get<Words>(record.fields[0].value).bits) ASSERT_LT(bits, 256U);
  }
}

}  // namespace
}  // namespace assay
