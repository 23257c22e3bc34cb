// Conversions whose random words are an argument: right ones for each draw, and mistakes that an author may overlook.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "assay/conversions/stochastic_document.hpp"
#include "assay/conversions/stochastic_inputs.hpp"
#include "tests/assay/stochastic_kernels.hpp"

namespace assay::conversions {
namespace {

using oracle::Draw;
using oracle::NumberFormat;
using oracle::Overflow;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::array all_draws{Draw::carry, Draw::half_up, Draw::nearest_even, Draw::nearest_odd};

const NumberFormat& format(std::string_view name) { return *oracle::find_number_format(name); }

using One = std::function<std::uint64_t(float, std::uint32_t)>;

StochasticQuestion question_of(const std::string& formats, const std::string& rule, int bits) {
  StochasticQuestion question = stochastic_question_of(formats, rule, bits, false, 1);
  question.random = 16;
  question.whole = 1 << 16;
  return question;
}
StochasticAnswer answer_of(const StochasticQuestion& question, const One& one) {
  return asked(question, [&](std::span<const std::uint64_t> inputs, std::span<const std::uint32_t> words,
                             std::span<std::uint64_t> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = one(single(inputs[i]), words[i]);
  });
}
std::vector<std::string> names(const std::vector<oracle::StochasticRule>& rules) {
  std::vector<std::string> all;
  for (const oracle::StochasticRule& each : rules) all.push_back(name_of(each));
  return all;
}

/// Numbers of binary32 at and next to the numbers of a target and the points in its gaps where results change.
std::vector<float> some_numbers(std::string_view to, int bits) {
  std::vector<float> all;
  for (const std::uint64_t code : stochastic_inputs(format("f32"), format(to), bits, 3, 8)) {
    if (code % 7 == 0) all.push_back(single(code));
  }
  return all;
}

TEST(Chances, AreTheNumbersOfWordsByThePublishedInequalities) {
  for (const char* const to : {"e4m3fn", "e5m2", "e2m1", "f16", "bf16"}) {
    for (const Draw draw : all_draws) {
      for (const int bits : {1, 2, 5, 8}) {
        const Literal literal(to, Overflow::saturate, draw, bits);
        for (const float x : some_numbers(to, bits)) {
          if (std::isnan(x)) continue;
          const oracle::Number number = decode(format("f32"), bits_of(x));
          const oracle::Chances of = chances(number, format(to), {.direction = oracle::Direction::outward}, draw, bits);
          std::uint64_t far = 0;
          for (std::uint32_t word = 0; word < 1U << bits; ++word) {
            const std::uint64_t code = literal(x, word);
            ASSERT_TRUE(code == of.near.code || code == of.far.code) << to << " " << x;
            far += code == of.far.code && of.far != of.near ? 1 : 0;
          }
          ASSERT_EQ(of.words, far) << to << " " << name_of(draw) << " " << bits << " " << x;
        }
      }
    }
  }
}

/// All upper halves of finite numbers, with lower halves that differ among them. The example stochastic_conversions.cu
/// compares formulas on a device with this.
TEST(Chances, OfBfloat16WithWordsOf16BitsAreTheLowerHalf) {
  const oracle::Rule rest{.direction = oracle::Direction::outward,
                          .overflow = Overflow::infinity,
                          .infinite = oracle::OfInfinity::infinity};
  for (std::uint32_t i = 0; i < 2 * 65536; ++i) {
    const std::uint32_t upper = i % 65536;
    if ((upper & 0x7FFF) >= 0x7F80) continue;
    const std::uint32_t lower = (i < 65536 ? 0 : i * 40503) % 65536;
    for (const Draw draw : all_draws) {
      const oracle::Chances of = chances(decode(format("f32"), upper << 16 | lower), format("bf16"), rest, draw, 16);
      ASSERT_EQ(of.words, lower) << upper;
      ASSERT_EQ(of.near.code, upper);
      ASSERT_EQ(of.far.code, lower == 0 ? upper : upper + 1) << lower;
    }
  }
}

/// Theorem convert.stochastic.1.
TEST(Chances, HaveTheirBiasWithinTheTheorem) {
  for (const Draw draw : all_draws) {
    for (const char* const to : {"e4m3fn", "f16", "bf16"}) {
      for (const int bits : {1, 4, 13, 16, 20}) {
        const Literal literal(to, Overflow::saturate, draw, bits);
        const double unit = std::ldexp(1.0, -bits);
        for (const float x : some_numbers(to, bits)) {
          const auto found = oracle::bias(decode(format("f32"), bits_of(x)), format(to), draw, bits);
          if (!found) continue;
          const double bias = std::ldexp(static_cast<double>(found->numerator), -found->exponent);
          const double delta = literal.delta(x);
          const oracle::Chances of = chances(decode(format("f32"), bits_of(x)), format(to),
                                             {.direction = oracle::Direction::outward}, draw, bits);
          ASSERT_EQ(bias, static_cast<double>(of.words) * unit - delta) << to << " " << x;
          if (draw == Draw::carry) {
            ASSERT_TRUE(-unit < bias && bias <= 0) << to << " " << x;
          } else {
            ASSERT_TRUE(std::fabs(bias) <= unit / 2 && (draw != Draw::half_up || bias > -unit / 2)) << to << " " << x;
          }
          ASSERT_TRUE(bias == 0 || std::floor(delta / unit) != delta / unit) << to << " " << x;
        }
      }
    }
  }
}

TEST(Chances, AttainTheBiasOfTheTheorem) {
  const auto bias = [](float x, Draw draw) {
    const auto found = oracle::bias(decode(format("f32"), bits_of(x)), format("e4m3fn"), draw, 8);
    return std::pair{found->numerator, found->exponent};
  };
  const float last = std::nextafterf(1.125F, 0);  // δ = 1 − 2^-20
  EXPECT_EQ(bias(last, Draw::carry), (std::pair{-((std::int64_t{1} << 12) - 1), 20}));
  const float tie = 1 + 0x1p-12F;  // δ = 2^-9
  EXPECT_EQ(bias(tie, Draw::half_up), (std::pair{std::int64_t{1}, 9}));
  EXPECT_EQ(bias(tie, Draw::nearest_even), (std::pair{std::int64_t{-1}, 9}));
}

/// Theorem convert.words.1, for all functions with one change.
TEST(Words, AtTheChangeDecideAllOthers) {
  constexpr int words = 16;
  for (int k = 0; k <= words; ++k) {
    for (const bool is_reversed : {false, true}) {
      const auto rule = [&](int word) { return is_reversed ? word < k : word + k >= words; };
      const std::vector<int> seen =
          is_reversed ? std::vector{0, k - 1, k, words - 1} : std::vector{0, words - k - 1, words - k, words - 1};
      for (int change = 0; change <= words; ++change) {
        for (const bool begins_far : {false, true}) {
          const auto f = [&](int word) { return (word < change) == begins_far; };
          const bool agrees =
              std::ranges::all_of(seen, [&](int word) { return word < 0 || word >= words || f(word) == rule(word); });
          if (!agrees) continue;
          for (int word = 0; word < words; ++word) EXPECT_EQ(f(word), rule(word)) << k << " " << change;
        }
      }
    }
  }
}

TEST(Words, AreThoseOfTheTheoremForEachDraw) {
  for (const int bits : {1, 3, 8, 16}) {
    const std::uint64_t all = std::uint64_t{1} << bits;
    for (const float x : some_numbers("e5m2", bits)) {
      const oracle::Number number = decode(format("f32"), bits_of(x));
      const std::vector<std::uint32_t> words = words_for(number, format("e5m2"), bits, 1);
      for (const Draw draw : all_draws) {
        const std::uint64_t k =
            chances(number, format("e5m2"), {.direction = oracle::Direction::outward}, draw, bits).words;
        for (const std::uint64_t word : {std::uint64_t{0}, all - 1, all - k - 1, all - k, k - 1, k}) {
          ASSERT_TRUE(word >= all || std::ranges::binary_search(words, word)) << x << " " << bits;
        }
      }
    }
  }
}

TEST(RightConversions, AreAcceptedByEachDraw) {
  struct Target {
    const char* name;
    Overflow overflow;
    const char* rest;
  };
  for (const Target& to :
       {Target{"e4m3fn", Overflow::saturate, ".saturate.nan.inf_saturate"},
        Target{"e5m2", Overflow::infinity, ".infinity.nan"}, Target{"e4m3fn", Overflow::nan, ".overflow_nan.nan"},
        Target{"f16", Overflow::infinity, ".infinity.nan"}, Target{"bf16", Overflow::infinity, ".infinity.nan"}}) {
    for (const Draw draw : all_draws) {
      for (const int bits : {5, 16}) {
        const std::string rule = std::string(name_of(draw)) + to.rest;
        const StochasticAnswer answer = answer_of(question_of(std::string("f32:") + to.name, rule, bits),
                                                  Literal(to.name, to.overflow, draw, bits));
        EXPECT_TRUE(answer.holds()) << to.name << " " << rule << " " << bits;
      }
    }
  }
}

TEST(RightConversions, ByAnAdditionToThePatternAreAccepted) {
  const auto convert = [](float x, std::uint32_t word) -> std::uint64_t {
    return std::isnan(x) ? 0x7FC0 : (bits_of(x) + word) >> 16;
  };
  const StochasticAnswer answer = answer_of(question_of("f32:bf16", "carry.infinity.nan", 16), convert);
  EXPECT_TRUE(answer.holds());
  // The words have as many bits as are dropped, 16, so all draws agree.
  EXPECT_THAT(names(answer.follows), ElementsAre("carry.infinity.nan", "half_up.infinity.nan",
                                                 "nearest_even.infinity.nan", "nearest_odd.infinity.nan"));
  EXPECT_EQ(answer.biases.front().bias.numerator, 0);
}

TEST(RightConversions, OfIntegersAreAccepted) {
  const GoesUp up = goes_up(Draw::half_up, 6);
  const auto convert = [&](float x, std::uint32_t word) -> std::uint64_t {
    if (std::isnan(x)) return 0;
    const double below = std::floor(std::min(std::fabs(static_cast<double>(x)), 1000.0));
    const double magnitude = below + (up(std::fabs(static_cast<double>(x)) - below, word) ? 1 : 0);
    const int rounded = static_cast<int>(std::clamp(std::signbit(x) ? -magnitude : magnitude, -128.0, 127.0));
    return static_cast<std::uint8_t>(rounded);
  };
  EXPECT_TRUE(answer_of(question_of("f32:int8", "half_up.saturate.nan_zero", 6), convert).holds());
}

TEST(RightConversions, OfSixteenBitsAreAskedAllInputs) {
  const Literal literal("e5m2", Overflow::infinity, Draw::nearest_odd, 4);
  const auto convert = [&](float pattern, std::uint32_t word) {
    const oracle::Number x = decode(format("f16"), bits_of(pattern));
    float value = x.kind == oracle::Number::Kind::nan ? NAN : HUGE_VALF;
    if (x.kind == oracle::Number::Kind::finite) value = std::ldexp(static_cast<float>(x.m), x.e);
    return literal(std::copysign(value, x.negative ? -1.F : 1.F), word);
  };
  const StochasticAnswer answer = answer_of(question_of("f16:e5m2", "", 4), convert);
  EXPECT_EQ(answer.inputs, 65536U);
  EXPECT_THAT(names(answer.follows), ElementsAre("nearest_odd.infinity.nan"));
}

TEST(RightConversions, WithReversedWordsAreNamed) {
  const Literal literal("e4m3fn", Overflow::saturate, Draw::carry, 8);
  const StochasticAnswer answer =
      answer_of(question_of("f32:e4m3fn", "", 8), [&](float x, std::uint32_t word) { return literal(x, 255 - word); });
  EXPECT_THAT(names(answer.follows), ElementsAre("carry.saturate.nan.reversed"));
}

/// A conversion of binary32 with words of 8 bits, and the rule that its author would claim.
struct Mistake {
  const char* what;
  const char* target;
  const char* claim;
  int bits;
  One convert;
};

std::vector<Mistake> mistakes() {
  const auto with = [](const GoesUp& goes_up, const char* to = "e4m3fn", Overflow overflow = Overflow::saturate) {
    return Literal(to, overflow, goes_up);
  };
  const Literal carry = with(goes_up(Draw::carry, 8));
  const Literal wide = with(goes_up(Draw::carry, 16));
  const Literal nan = with(goes_up(Draw::carry, 8), "e4m3fn", Overflow::nan);
  const Literal e5m2 = with(goes_up(Draw::carry, 8), "e5m2", Overflow::infinity);
  const char* const usual = "carry.saturate.nan";
  const auto binary16 = [](float x) {
    const oracle::Rule rule{.overflow = Overflow::infinity, .infinite = oracle::OfInfinity::infinity};
    const oracle::Number half =
        decode(format("f16"), converted(decode(format("f32"), bits_of(x)), format("f16"), rule).code);
    if (half.kind != oracle::Number::Kind::finite) return x;
    return std::copysign(std::ldexp(static_cast<float>(half.m), half.e), x);
  };
  return {
      {"the lower half of the word dropped", "e4m3fn", usual, 16,
       [=](float x, std::uint32_t word) { return wide(x, word & 0xFF00); }},
      {"four bits fewer than claimed", "e4m3fn", usual, 8,
       [few = with(goes_up(Draw::carry, 4))](float x, std::uint32_t word) { return few(x, word >> 4); }},
      {"the top bit of the word lost", "e4m3fn", usual, 8,
       [=](float x, std::uint32_t word) { return carry(x, word & 0x7F); }},
      {"a word with a sign", "e4m3fn", usual, 8, with([](double delta, std::uint32_t word) {
         return std::floor(256 * delta) + static_cast<std::int8_t>(word) >= 128;
       })},
      {"more than in place of at least", "e4m3fn", usual, 8,
       with([](double delta, std::uint32_t word) { return std::floor(256 * delta) + word > 256; })},
      {"numbers of the target moved by the largest word", "e4m3fn", usual, 8,
       with([](double delta, std::uint32_t word) { return std::floor(256 * delta) + word >= 255; })},
      {"half of the gap added first", "e4m3fn", usual, 8,
       with([](double delta, std::uint32_t word) { return std::floor(256 * (delta + 0.5)) + word >= 256; })},
      {"ties to zero whatever the word", "e4m3fn", usual, 8,
       with([](double delta, std::uint32_t word) { return delta != 0.5 && std::floor(256 * delta) + word >= 256; })},
      {"to nearest whatever the word", "e4m3fn", usual, 8,
       with([](double delta, std::uint32_t) { return delta >= 0.5; })},
      {"negative numbers toward zero with the probability of away", "e4m3fn", usual, 8,
       [=, other = with([](double delta, std::uint32_t word) {
             return delta != 0 && std::floor(256 * (1 - delta)) + word >= 256;
           })](float x, std::uint32_t word) { return std::signbit(x) ? other(x, word) : carry(x, word); }},
      {"the result of a negative number without its sign", "e4m3fn", usual, 8,
       [=](float x, std::uint32_t word) { return carry(x, word) == 0x80 ? 0 : carry(x, word); }},
      {"a carry beyond the largest number", "e4m3fn", usual, 8,
       [=](float x, std::uint32_t word) { return std::fabs(x) < 480 ? nan(x, word) : carry(x, word); }},
      {"saturation before rounding", "e4m3fn", "carry.overflow_nan.nan", 8,
       [=](float x, std::uint32_t word) { return nan(std::isnan(x) ? x : std::clamp(x, -448.F, 448.F), word); }},
      {"an infinity saturated", "e5m2", "carry.infinity.nan", 8,
       [=](float x, std::uint32_t word) { return std::isinf(x) ? (std::signbit(x) ? 0xFB : 0x7B) : e5m2(x, word); }},
      {"subnormal numbers with the gap of normal ones", "e4m3fn", usual, 8,
       [=](float x, std::uint32_t word) {
         if (std::fabs(x) >= 0x1p-6F || x == 0 || std::isnan(x)) return carry(x, word);
         // The dropped bits of the pattern carry. Then the result is cut to a number of the target.
         const float moved = single((bits_of(x) + (word << 12)) & 0xFFF00000);
         return (std::signbit(x) ? 0x80 : 0) | static_cast<std::uint64_t>(std::fabs(moved) * 512);
       }},
      {"subnormal results flushed", "e4m3fn", usual, 8,
       [=](float x, std::uint32_t word) {
         return (carry(x, word) & 0x78) == 0 ? carry(x, word) & 0x80 : carry(x, word);
       }},
      {"small numbers never away from zero", "e4m3fn", "nearest_even.saturate.nan", 8,
       [right = with(goes_up(Draw::nearest_even, 8))](float x, std::uint32_t word) {
         return std::fabs(x) < 0x1p-10F ? (std::signbit(x) ? 0x80 : 0) : right(x, word);
       }},
      {"a NaN that the word carries into an infinity or a zero", "bf16", "carry.infinity.nan", 16,
       [](float x, std::uint32_t word) { return (bits_of(x) + word) >> 16; }},
      {"rounded to binary16 first", "e4m3fn", usual, 8,
       [=](float x, std::uint32_t word) { return carry(binary16(x), word); }},
      {"small words round away", "e4m3fn", usual, 8, [=](float x, std::uint32_t word) { return carry(x, 255 - word); }},
      {"carry where ties to even is claimed", "e4m3fn", "nearest_even.saturate.nan", 8, carry},
      {"ties up where ties to even is claimed", "e4m3fn", "nearest_even.saturate.nan", 8,
       with(goes_up(Draw::half_up, 8))},
      {"ties to even where ties up is claimed", "e4m3fn", "half_up.saturate.nan", 8,
       with(goes_up(Draw::nearest_even, 8))},
  };
}

TEST(Mistakes, AreRefusedByTheRuleThatTheirAuthorsClaim) {
  for (const Mistake& each : mistakes()) {
    const StochasticQuestion question = question_of(std::string("f32:") + each.target, each.claim, each.bits);
    EXPECT_FALSE(answer_of(question, each.convert).holds()) << each.what;
  }
}

TEST(Mistakes, WithTheWordOfTheNeighborAreRefused) {
  const Literal carry("e4m3fn", Overflow::saturate, Draw::carry, 8);
  const StochasticAnswer answer = asked(
      question_of("f32:e4m3fn", "carry.saturate.nan", 8),
      [&](std::span<const std::uint64_t> inputs, std::span<const std::uint32_t> words, std::span<std::uint64_t> codes) {
        for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = carry(single(inputs[i]), words[i / 2 * 2]);
      });
  EXPECT_FALSE(answer.holds());
}

TEST(Answers, TellOfAConversionThatDependsOnItsCalls) {
  const Literal carry("e4m3fn", Overflow::saturate, Draw::carry, 8);
  const StochasticQuestion question = question_of("f32:e4m3fn", "", 8);
  const StochasticAnswer answer = asked(
      question,
      [&](std::span<const std::uint64_t> inputs, std::span<const std::uint32_t> words, std::span<std::uint64_t> codes) {
        for (std::size_t i = 0; i < codes.size(); ++i) {
          codes[i] = carry(single(inputs[i]), codes.size() < 8 ? 0 : words[i]);
        }
      });
  EXPECT_FALSE(answer.holds());
  EXPECT_THAT(text_of(question, answer), HasSubstr("not a function of input and word"));
}

TEST(Answers, NameTheRuleItsBiasAndTheSmallestInputAndWordOfTheOthers) {
  const StochasticQuestion question = question_of("f32:e4m3fn", "", 8);
  const StochasticAnswer answer = answer_of(question, Literal("e4m3fn", Overflow::saturate, Draw::nearest_even, 8));
  EXPECT_THAT(names(answer.follows), ElementsAre("nearest_even.saturate.nan"));
  const std::string text = text_of(question, answer);
  EXPECT_THAT(text, HasSubstr("convert f32:e4m3fn with words of 8 bits: follows nearest_even.saturate.nan on "));
  EXPECT_THAT(text, HasSubstr("not carry.saturate.nan: 0x"));
  EXPECT_THAT(text, HasSubstr("not half_up.saturate.nan: 0x36800000 = 0x1p-18 with the word 0xff gives 0x00 = 0x0p+0, "
                              "not 0x01 = 0x1p-9"));
  EXPECT_THAT(text, HasSubstr("nearest_even: largest bias "));
  EXPECT_THAT(text, HasSubstr(" with probability "));
  EXPECT_THAT(text, Not(HasSubstr("follows no rule")));
}

TEST(Names, OfRulesAreReadInAnyOrder) {
  const auto rule = oracle::stochastic_rule_named("nan.reversed.saturate.half_up");
  ASSERT_TRUE(rule);
  EXPECT_EQ(name_of(*rule), "half_up.saturate.nan.reversed");
  for (const oracle::StochasticRule& each : stochastic_rules_between(format("f32"), format("e5m2"))) {
    EXPECT_EQ(oracle::stochastic_rule_named(name_of(each)), each);
  }
  for (const char* const name : {"", "carry", "saturate.nan", "carry.half_up.saturate.nan", "even.saturate.nan",
                                 "carry.saturate.nan.reversed.reversed", "carry.outward.saturate.nan"}) {
    EXPECT_FALSE(oracle::stochastic_rule_named(name)) << name;
  }
}

TEST(Questions, AreRefusedWithTheWordsThatThereAre) {
  const auto refusal = [](const std::string& formats, const std::string& rule, int bits, bool is_drawn = false) {
    try {
      stochastic_question_of(formats, rule, bits, is_drawn, 1);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("f32:e4m3fn", "", 0), HasSubstr("0 random bits; accepted are 1 to 32"));
  EXPECT_THAT(refusal("f32:e4m3fn", "", 33), HasSubstr("33 random bits"));
  EXPECT_THAT(refusal("f32:e4m3fn", "even.saturate.nan", 8), HasSubstr("as carry.saturate.nan"));
  EXPECT_THAT(refusal("f16:f32", "", 8), HasSubstr("numbers halfway between two numbers of the target"));
  EXPECT_THAT(refusal("f64:f64", "", 8), HasSubstr("a target of at most 32 bits"));
  EXPECT_THAT(refusal("f32:e4m3fn", "carry.saturate.nan.reversed", 8, true), HasSubstr("reversed: which words"));
}

}  // namespace
}  // namespace assay::conversions
