// Quantizers with a random word for each entry: right ones of each format, mistakes that their authors would not
// notice, and the mean of the results (quantize.stochastic.1).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <random>

#include "assay/quantizations/document.hpp"
#include "assay/quantizations/stochastic.hpp"
#include "tests/assay/quantizers.hpp"
#include "tests/assay/stochastic_kernels.hpp"

namespace assay::quantizations {
namespace {

using conversions::goes_up;
using oracle::Draw;
using oracle::tables::GoesUp;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

using Words = std::vector<std::uint32_t>;

/// The inequality of a rule's draw.
GoesUp of_draw(const QuantizationRule& rule, int bits) {
  GoesUp away = goes_up(*rule.draw, bits);
  if (!rule.is_reversed) return away;
  const std::uint32_t last = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  return [=](double delta, std::uint32_t word) { return away(delta, last - word); };
}

/// A block quantizer that follows a rule, with another inequality or with words changed by `change`.
OfBlock by_words(const QuantizationRule& rule, const GoesUp& away, const std::function<void(Words&)>& change = {}) {
  return [quantizer = FloatQuantizer(rule, away), change](auto block, float tensor, const Place& place, auto) {
    Words words = place.words;
    if (change) change(words);
    return quantizer(block, tensor, words);
  };
}
OfBlock right_with_words(const QuantizationRule& rule, int bits) { return by_words(rule, of_draw(rule, bits)); }

Answer answer_with_words(const std::string& source, const QuantizationRule& rule, const std::string& contract, int bits,
                         const OfBlock& quantize) {
  const std::string formats = source + ":" + std::string(rule.format->name);
  return asked(question_of(formats, contract, false, 1, bits), by_blocks(*rule.format, source, quantize));
}
TEST(RulesWithWords, AreReadFromTheirNames) {
  std::size_t count = 0;
  for (const BlockFormat& format : oracle::block_formats()) {
    if (!has_draws(format)) continue;
    for (const QuantizationRule& each : finite_rules_of(format, true)) {
      const std::optional<QuantizationRule> read = oracle::quantization_rule_named(name_of(each));
      ASSERT_TRUE(read && *read == each && each.draw) << name_of(each);
      ++count;
    }
  }
  EXPECT_GT(count, 1000U);
}

TEST(RulesWithWords, AreNotReadFromOtherTexts) {
  for (const char* const text :
       {"mxfp4.floor.even.reversed", "mxfp4.floor.carry.even", "mxfp4.carry", "q8_0.divide.carry",
        "nf4_1x64.divide.carry", "uint8_zero_row.divide.carry", "q4_k.stored.carry"}) {
    EXPECT_FALSE(oracle::quantization_rule_named(text)) << text;
  }
}

TEST(RulesWithWords, AreRefusedWithoutWordsAndTheOthersWithThem) {
  EXPECT_THROW(question_of("f32:mxfp4", "mxfp4.floor.carry", false, 1), std::invalid_argument);
  EXPECT_THROW(question_of("f32:mxfp4", "mxfp4.floor.even", false, 1, 8), std::invalid_argument);
  EXPECT_THROW(question_of("f32:mxfp4", "round_trip.floor", false, 1, 8), std::invalid_argument);
  EXPECT_THROW(question_of("f32:mxfp4", "unbiased", false, 1), std::invalid_argument);
  EXPECT_THROW(question_of("f32:mxfp4", "unbiased", false, 1, 17), std::invalid_argument);
  EXPECT_THROW(question_of("f32:q4_0", "", false, 1, 8), std::invalid_argument);
  EXPECT_THROW(question_of("f32:mxfp4", "", false, 1, 33), std::invalid_argument);
}

TEST(RightQuantizers, AreAcceptedByTheirRule) {
  for (const char* const each :
       {"mxfp4.floor.carry", "mxfp4.round_up.nearest_even.high_first", "mxfp8_e4m3.ceil.half_up.reversed",
        "nvfp4.two_level_f32.carry", "e4m3_1x128.divide.nearest_odd.product", "int8_row.divide.carry",
        "int4_1x32.divide.half_up.product.half"}) {
    const QuantizationRule of = rule(each);
    const Answer answer = answer_with_words("f32", of, each, 4, right_with_words(of, 4));
    EXPECT_EQ(answer.promised->breaks, 0U)
        << text_of(question_of("f32:" + std::string(of.format->name), each, false, 1, 4), answer);
    EXPECT_THAT(names(answer.follows), Contains(each));
    EXPECT_FALSE(answer.unsteady) << each;
    EXPECT_FALSE(answer.over_words->biased) << each;
    EXPECT_GT(answer.over_words->entries, 0U) << each;
  }
}

TEST(RightQuantizers, OfEachFormatAreAcceptedByTheirRule) {
  std::size_t turn = 0;
  for (const BlockFormat& format : oracle::block_formats()) {
    if (!has_draws(format)) continue;
    const std::vector<QuantizationRule> rules = finite_rules_of(format, true);
    for (const int bits : {1, 8, 16, 24, 32}) {
      const QuantizationRule& of = rules[turn++ * 37 % rules.size()];
      const char* const source = std::array{"f32", "bf16", "f16"}[turn % 3];
      const Answer answer = answer_with_words(source, of, name_of(of), bits, right_with_words(of, bits));
      EXPECT_EQ(answer.promised->breaks, 0U) << name_of(of) << " " << bits << " " << source;
      EXPECT_FALSE(answer.unsteady) << name_of(of) << " " << bits;
      EXPECT_FALSE(answer.over_words->biased) << name_of(of) << " " << bits;
    }
  }
}

TEST(RightQuantizers, WithTailsAreAcceptedByTheirRule) {
  const QuantizationRule of = rule("mxfp4.floor.carry");
  const Question question = question_of("f32:mxfp4:tails", "mxfp4.floor.carry", false, 1, 8);
  EXPECT_TRUE(asked(question, by_blocks(*of.format, "f32", right_with_words(of, 8))).holds(question));
}

/// A mistake, and whether the mean of each entry is right in spite of it.
struct MistakeWithWords {
  const char* what;
  const char* claim;
  OfBlock quantize;
  bool is_unbiased = false;
};

constexpr int bits = 4;
constexpr std::uint32_t all_words = 1U << bits;

std::vector<MistakeWithWords> mistakes() {
  const QuantizationRule usual = rule("mxfp4.floor.carry");
  const GoesUp carry = goes_up(Draw::carry, bits);
  const auto with_words = [&](const std::function<void(Words&)>& change) { return by_words(usual, carry, change); };
  const auto changed = [&](const QuantizationRule& of, const std::function<float(float, float)>& change) {
    return OfBlock([quantizer = FloatQuantizer(of, carry), change](auto block, float tensor, const Place& place, auto) {
      std::vector<float> all(block.begin(), block.end());
      for (float& each : all) each = std::isfinite(each) ? change(each, amax_of(block)) : each;
      return quantizer(all, tensor, place.words);
    });
  };
  const auto through_f16 = [](float x, float amax) {
    if (amax == 0 || !std::isfinite(amax)) return x;
    const int k = std::ilogb(amax) - 2;
    return std::ldexp(value_of(*oracle::find_number_format("f16"), oracle::tables::half_bits(std::ldexp(x, -k))), k);
  };
  return {
      {"words of the neighbor", "mxfp4.floor.carry",
       with_words([](Words& words) { std::ranges::rotate(words, words.begin() + 1); })},
      {"one word for the whole block", "mxfp4.floor.carry",
       with_words([](Words& words) { std::ranges::fill(words, words[0]); })},
      {"one word for two neighbors", "mxfp4.floor.carry", with_words([](Words& words) {
         for (std::size_t i = 0; i < words.size(); ++i) words[i] = words[i & ~std::size_t{1}];
       })},
      {"one word for entries four apart", "mxfp8_e4m3.floor.carry",
       by_words(rule("mxfp8_e4m3.floor.carry"), carry,
                [](Words& words) {
                  for (std::size_t i = 4; i < words.size(); ++i) words[i] = words[i % 4];
                })},
      {"complements of the neighbor's word", "int4_1x32.divide.carry",
       by_words(rule("int4_1x32.divide.carry"), carry,
                [](Words& words) {
                  for (std::size_t i = 1; i < words.size(); i += 2) words[i] = all_words - 1 - words[i - 1];
                })},
      {"truncation", "mxfp4.floor.carry", by_words(usual, [](double, std::uint32_t) { return false; })},
      {"away from zero", "mxfp4.floor.carry", by_words(usual, [](double, std::uint32_t) { return true; })},
      {"to nearest", "mxfp4.floor.carry", by_words(usual, [](double delta, std::uint32_t) { return delta > 0.5; })},
      {"random only for ties", "mxfp4.floor.carry",
       by_words(usual, [](double delta,
                          std::uint32_t word) { return delta > 0.5 || (delta == 0.5 && word >= all_words / 2); })},
      {"one word too many goes away", "mxfp4.floor.carry",
       by_words(usual,
                [=](double delta, std::uint32_t word) { return word + 1 == all_words || carry(delta, word + 1); })},
      {"one word too few goes away", "mxfp4.floor.carry",
       by_words(usual, [=](double delta, std::uint32_t word) { return word != 0 && carry(delta, word - 1); })},
      {"the lower half of each word dropped", "mxfp4.floor.carry", with_words([](Words& words) {
         for (std::uint32_t& each : words) each &= 0xC;
       })},
      {"words over 2^r − 1", "mxfp4.floor.half_up",
       by_words(rule("mxfp4.floor.half_up"),
                [](double delta, std::uint32_t word) { return word / (all_words - 1.0) >= 1 - delta; }),
       true},
      {"rounded before scaling", "mxfp4.floor.carry",
       [usual, carry](auto block, float tensor, const Place& place, auto) {
         FloatBlock result = FloatQuantizer(usual)(block, tensor);
         std::vector<float> unit(block.begin(), block.end());
         for (float& each : unit) each = std::isfinite(each) ? std::clamp(each, -7.F, 7.F) : 0;
         unit.push_back(7);  // the scale 1
         Words words = place.words;
         words.push_back(0);
         const FloatBlock rounded = FloatQuantizer(usual, carry)(unit, tensor, words);
         for (std::size_t i = 0; i < unit.size() - 1; ++i) unit[i] = value_of(usual.format->element, rounded.codes[i]);
         unit.pop_back();
         if (result.scale != 0xFF) {
           const int k = static_cast<int>(result.scale) - 127;
           for (std::size_t i = 0; i < unit.size(); ++i) {
             const auto code = converted(
                 decode(*oracle::find_number_format("f32"), std::bit_cast<std::uint32_t>(std::ldexp(unit[i], -k))),
                 usual.format->element, oracle::Rule{});
             result.codes[i] = static_cast<std::uint8_t>(code.code);
           }
         }
         return result;
       }},
      {"saturated before scaling", "mxfp4.floor.carry",
       changed(usual, [](float x, float) { return std::clamp(x, -6.F, 6.F); }), true},
      {"rounded to binary16 first", "mxfp8_e4m3.floor.carry", changed(rule("mxfp8_e4m3.floor.carry"), through_f16)},
      {"up instead of away from zero", "mxfp4.floor.carry",
       [usual, carry](auto block, float tensor, const Place& place, auto) {
         const GoesUp down = [carry](double delta, std::uint32_t word) { return !carry(1 - delta, word); };
         FloatBlock result = FloatQuantizer(usual, carry)(block, tensor, place.words);
         const FloatBlock other = FloatQuantizer(usual, down)(block, tensor, place.words);
         for (std::size_t i = 0; i < block.size(); ++i) {
           if (std::signbit(block[i])) result.codes[i] = other.codes[i];
         }
         return result;
       },
       true},
      {"bits of the words in reverse order", "mxfp4.floor.carry", with_words([](Words& words) {
         for (std::uint32_t& each : words) each = (each & 1) << 3 | (each & 2) << 1 | (each & 4) >> 1 | each >> 3;
       }),
       true},
      {"the smallest words go away", "mxfp4.floor.carry", right_with_words(rule("mxfp4.floor.carry.reversed"), bits),
       true},
      {"half_up for carry", "mxfp4.floor.carry", right_with_words(rule("mxfp4.floor.half_up"), bits), true},
      {"round_up for floor", "mxfp4.floor.carry", right_with_words(rule("mxfp4.round_up.carry"), bits), true},
      {"a reciprocal for a quotient", "e4m3_1x128.divide.carry",
       right_with_words(rule("e4m3_1x128.divide.carry.product"), bits), true},
      {"another block scale for each word", "mxfp4.floor.carry",
       [usual, carry](auto block, float tensor, const Place& place, auto) {
         FloatBlock result = FloatQuantizer(usual, carry)(block, tensor, place.words);
         result.scale += result.scale < 0xFE && place.words[0] == 3 ? 1 : 0;
         return result;
       }},
      {"the sign of zero lost", "mxfp4.floor.carry", right_with_words(rule("mxfp4.floor.carry.plus_zero"), bits), true},
  };
}

/// The answers about the mistakes, under their claims.
const std::vector<Answer>& answers() {
  static const std::vector<Answer> all = [] {
    std::vector<Answer> made;
    for (const MistakeWithWords& each : mistakes()) {
      made.push_back(answer_with_words("f32", rule(each.claim), each.claim, bits, each.quantize));
    }
    return made;
  }();
  return all;
}

TEST(QuantizersWithWords, WithAMistakeAreRefused) {
  for (std::size_t i = 0; i < answers().size(); ++i) {
    EXPECT_TRUE(answers()[i].promised->breaks != 0 || answers()[i].unsteady) << mistakes()[i].what;
  }
}

/// The contract `unbiased` admits every use of the words with a right mean, and no word for two entries.
TEST(QuantizersWithWords, AreUnbiasedIfTheMeanOfEachEntryInTheRangeIsRight) {
  for (std::size_t i = 0; i < answers().size(); ++i) {
    const MistakeWithWords mistake = mistakes()[i];
    const std::string formats = "f32:" + std::string(rule(mistake.claim).format->name);
    const Question question = question_of(formats, "unbiased", false, 1, bits);
    EXPECT_EQ(answers()[i].holds(question), mistake.is_unbiased) << mistake.what;
  }
}

TEST(QuantizersWithWords, ThatUseAWordTwiceAreRefusedWithoutAContract) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < answers().size(); ++i) {
    const std::string what = mistakes()[i].what;
    if (what.find("neighbor") == std::string::npos && !what.starts_with("one word for")) continue;
    EXPECT_TRUE(answers()[i].unsteady) << what;
    EXPECT_THAT(text_of(question_of("f32:mxfp4", "", false, 1, bits), answers()[i]),
                HasSubstr("an entry with the same word has two codes, beside entries with other words"));
    ++count;
  }
  EXPECT_EQ(count, 5U);
}

/// Draws the words of a block.
using Drawing = std::function<void(std::mt19937& random, Words& words)>;

/// A quantizer that draws its words, by a generator that starts once.
Quantizer drawing(const QuantizationRule& rule, const GoesUp& away, const Drawing& draw) {
  auto random = std::make_shared<std::mt19937>(7);
  return by_blocks(*rule.format, "f32",
                   [quantizer = FloatQuantizer(rule, away), random, draw](auto block, float tensor, auto&, auto) {
                     Words words(block.size());
                     draw(*random, words);
                     return quantizer(block, tensor, words);
                   });
}
std::uint32_t drawn_word(std::mt19937& random) { return static_cast<std::uint32_t>(random() >> 24); }
void draw_all(std::mt19937& random, Words& words) {
  for (std::uint32_t& each : words) each = drawn_word(random);
}
Question question_of_drawn(const std::string& contract) {
  const std::string format = contract.substr(0, contract.find('.'));
  Question question = question_of("f32:" + format, contract, false, 1, 8, true);
  question.draws = std::size_t{1} << 14;
  return question;
}

TEST(DrawingQuantizers, AreAcceptedByTheirRule) {
  for (const char* const each :
       {"mxfp4.floor.carry", "mxfp8_e5m2.ceil.half_up", "nvfp4.two_level_f32.nearest_even",
        "e4m3_1x128.reciprocal.carry", "int8_row.divide.carry.product.half", "e4m3_tensor.divide.carry"}) {
    const QuantizationRule of = rule(each);
    const Question question = question_of_drawn(each);
    const Answer answer = asked(question, drawing(of, goes_up(*of.draw, 8), draw_all));
    EXPECT_TRUE(answer.holds(question)) << text_of(question, answer);
    EXPECT_GT(answer.over_words->drawn->frequencies.size(), 20U) << each;
  }
}

/// So the probabilities of an entry are those of a conversion of it.
TEST(DrawingQuantizers, AreTestedWithScalesThatRoundNoEntry) {
  for (const char* const source : {"f32", "f16", "bf16"}) {
    const NumberFormat& from = *oracle::find_number_format(source);
    for (const BlockFormat& format : oracle::block_formats()) {
      if (!has_draws(format)) continue;
      const Question question =
          question_of(std::string(source) + ":" + std::string(format.name), "", false, 1, 8, true);
      for (const QuantizationRule& each : finite_rules_of(format, true)) {
        const auto [amax, exponent] = anchor_of(question, each);
        const Number x = decode(from, 3 * from.largest() / 7);
        const Number block[] = {decode(from, amax), x};
        oracle::WantedBlock wanted;
        quantize(each, block, block[0], wanted, {}, {{}, 8});
        const Number& y = wanted.scaled[1];
        ASSERT_EQ(std::ldexp(static_cast<double>(y.m), y.e), std::ldexp(static_cast<double>(x.m), x.e - exponent))
            << name_of(each) << " " << source;
      }
    }
  }
}

TEST(DrawingQuantizers, WithAMistakeAreRefused) {
  const char* const claim = "mxfp4.floor.carry";
  const QuantizationRule of = rule(claim);
  const GoesUp carry = goes_up(Draw::carry, 8);
  const auto fill = [](std::mt19937& random, Words& words) { std::ranges::fill(words, drawn_word(random)); };
  const auto in_fours = [](std::mt19937& random, Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = i % 4 == 0 ? drawn_word(random) : words[i - 1];
  };
  const auto again = [](std::mt19937&, Words& words) {
    std::mt19937 fresh(11);
    draw_all(fresh, words);
  };
  const std::vector<std::pair<const char*, Quantizer>> all{
      {"one word for a block", drawing(of, carry, fill)},
      {"one word for four neighbors", drawing(of, carry, in_fours)},
      {"the same words for each block", drawing(of, carry, again)},
      {"truncation", drawing(
                         of, [](double, std::uint32_t) { return false; }, draw_all)},
      {"to nearest", drawing(
                         of, [](double delta, std::uint32_t) { return delta > 0.5; }, draw_all)},
      {"one bit for each word", drawing(of, carry,
                                        [](std::mt19937& random, Words& words) {
                                          for (std::uint32_t& each : words) each = drawn_word(random) & 0x80;
                                        })},
      {"too often away from zero",
       drawing(
           of, [=](double delta, std::uint32_t word) { return carry(delta, std::min(255U, word + 16)); }, draw_all)},
      {"the sign of zero lost", drawing(rule("mxfp4.floor.carry.plus_zero"), carry, draw_all)},
      {"another scale", drawing(rule("mxfp4.round_up.carry"), carry, draw_all)}};
  for (const auto& [what, quantizer] : all) {
    const Question question = question_of_drawn(claim);
    EXPECT_FALSE(asked(question, quantizer).holds(question)) << what;
  }
}

TEST(DrawingQuantizers, AreToldWithTheirErrors) {
  const QuantizationRule of = rule("mxfp4.floor.carry");
  const Question question = question_of_drawn("mxfp4.floor.carry");
  const Answer answer = asked(question, drawing(of, goes_up(Draw::carry, 8), draw_all));
  EXPECT_THAT(text_of(question, answer),
              AllOf(HasSubstr("quantize f32:mxfp4 drawing words of 8 bits: follows mxfp4.floor.carry on all "),
                    HasSubstr(" is accepted with probability at most 1e-09 (convert.draws.1)")));
  const Answer nearest = asked(question, drawing(
                                             of, [](double delta, std::uint32_t) { return delta > 0.5; }, draw_all));
  EXPECT_THAT(text_of(question, nearest),
              AllOf(HasSubstr("mxfp4.floor.carry is broken by the frequencies of the results"),
                    HasSubstr(" is rounded away from zero ")));
}

TEST(DrawingQuantizers, AreNotAskedWhatOnlyGivenWordsShow) {
  EXPECT_THROW(question_of("f32:mxfp4", "mxfp4.floor.carry.reversed", false, 1, 8, true), std::invalid_argument);
  EXPECT_THROW(question_of("f32:mxfp4", "unbiased", false, 1, 8, true), std::invalid_argument);
}

/// Theorem quantize.stochastic.1, by all words of each entry of some blocks.
TEST(Means, AreThoseOfTheTheorem) {
  std::mt19937 random(5);
  const auto uniform = [&] { return std::ldexp(static_cast<float>(random()), -31) - 1; };
  for (const char* const name :
       {"mxfp4.floor.carry", "mxfp4.round_up.half_up", "mxfp8_e4m3.ceil.nearest_even", "mxfp8_e5m2.floor.nearest_odd",
        "mxfp6_e2m3.round_up.carry.reversed", "nvfp4.two_level_f32.carry", "e4m3_row.divide.half_up.product",
        "int8_row.inverse.nearest_even.product", "int4_1x128.divide.carry"}) {
    const QuantizationRule of = rule(name);
    const BlockFormat& format = *of.format;
    const double most = value_of(format.element, format.element.largest());
    for (const int r : {1, 6, 8}) {
      const FloatQuantizer quantizer(of, of_draw(of, r));
      const std::uint32_t words = 1U << r;
      std::size_t exact = 0;
      for (int turn = 0; turn < 4; ++turn) {
        std::vector<float> block(format.columns == 0 ? 64 : format.columns);
        // The first half has few bits: all of its means are right.
        for (std::size_t i = 0; i < block.size(); ++i) {
          block[i] = i < block.size() / 2 ? std::ldexp(static_cast<float>(random() % 129) - 64, -5) : uniform();
        }
        block[0] = 2 + uniform() / 2;
        std::vector<double> sums(block.size());
        double scale = 0;
        double range = 0;
        for (std::uint32_t word = 0; word < words; ++word) {
          const FloatBlock result = quantizer(block, block[0], Words(block.size(), word));
          scale = value_of(format.scale, result.scale);
          if (format.scaling == Scaling::two_level) scale *= static_cast<double>(std::bit_cast<float>(result.second));
          for (std::size_t i = 0; i < block.size(); ++i) sums[i] += value_of(format.element, result.codes[i]);
        }
        const double slack = format.scaling == Scaling::power_of_two ? 0 : 0x1p-20;
        for (std::size_t i = 0; i < block.size(); ++i) {
          const double y = static_cast<double>(block[i]) / scale;
          range = std::max(range, std::fabs(y));
          const double mean = sums[i] / words;
          if (std::fabs(y) > most) {
            if (slack == 0) {
              EXPECT_EQ(mean, std::copysign(most, y)) << name;
            }
            continue;
          }
          // The gap at y, from the conversions of y toward zero and away from it.
          const auto bound = [&](double of_y, oracle::Direction direction) {
            int e = 0;
            const double fraction = std::frexp(std::fabs(of_y), &e);
            const Number number{Number::Kind::finite, false, static_cast<std::uint64_t>(std::ldexp(fraction, 53)),
                                e - 53};
            return static_cast<double>(
                value_of(format.element, converted(number, format.element, {.direction = direction}).code));
          };
          const double near = bound(y * (1 - slack), oracle::Direction::zero);
          const double gap = bound(y * (1 + slack), oracle::Direction::outward) - near;
          const double steps = std::ldexp((std::fabs(y) - near) / gap, r);
          if (gap == 0) {
            EXPECT_LE(std::fabs(mean - y), slack * std::fabs(y)) << name;
          } else if (slack == 0 && steps == std::floor(steps)) {
            EXPECT_EQ(mean, y) << name << " " << r;
            ++exact;
          } else {
            EXPECT_LT(std::fabs(mean - y), std::ldexp(gap, -r) + slack * std::fabs(y)) << name << " " << r << " " << y;
          }
        }
        const bool is_within = of.scale == oracle::ScaleRule::ceil || of.scale == oracle::ScaleRule::round_up;
        if (is_within) {
          EXPECT_LE(range, most) << name;
        }
      }
      if (format.scaling == Scaling::power_of_two && r == 8) {
        EXPECT_GT(exact, 0U) << name;
      }
    }
  }
}

TEST(QuantizersWithWords, HaveTheirLargestBiasToldAsAFraction) {
  const QuantizationRule of = rule("mxfp4.floor.half_up");
  const Question question = question_of("f32:mxfp4", "mxfp4.floor.half_up", false, 1, 8);
  const Answer answer = answer_with_words("f32", of, "mxfp4.floor.half_up", 8, right_with_words(of, 8));
  EXPECT_EQ(answer.over_words->largest.numerator, 1);
  EXPECT_EQ(answer.over_words->largest.exponent, 9);
  EXPECT_THAT(
      text_of(question, answer),
      AllOf(HasSubstr("quantize f32:mxfp4 with words of 8 bits: follows mxfp4.floor.half_up on all "),
            HasSubstr("; largest bias 1/2^9 of the gap: "), HasSubstr(" is rounded away from zero with probability "),
            HasSubstr("  keeps unbiased: "), HasSubstr("  not mxfp4.floor.carry: "), HasSubstr(" with the word 0x")));
}

}  // namespace
}  // namespace assay::quantizations
