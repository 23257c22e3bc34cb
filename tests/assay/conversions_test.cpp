// The rule that a conversion follows: right conversions of every rule, and mistakes that their authors would not
// notice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "assay/conversions/document.hpp"
#include "assay/conversions/inputs.hpp"
#include "tests/assay/right_conversions.hpp"

namespace assay::conversions {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The number of binary16 or bfloat16 that is nearest to x, ties to even.
float through(const char* format_name, float x) {
  const Rule rule{.overflow = oracle::Overflow::infinity, .infinite = oracle::OfInfinity::infinity};
  const NumberFormat& to = format(format_name);
  return value(format_name, converted(decode(format("f32"), bits(x)), to, rule).code);
}

Answer answer_of(const Question& question, const std::function<std::uint64_t(std::uint64_t)>& one) {
  return asked(question, [&](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
    std::ranges::transform(inputs, codes.begin(), one);
  });
}
Answer answer_of(const std::string& formats, const std::string& rule,
                 const std::function<std::uint64_t(std::uint64_t)>& one) {
  Question question = question_of(formats, rule, false, 1);
  question.random = 256;
  return answer_of(question, one);
}

/// A conversion of binary32, and the rule that its author would claim.
struct Mistake {
  const char* what;
  const char* target;
  const char* claim;
  std::function<std::uint64_t(float)> convert;
};

/// The code of x in e4m3fn by integer operations on its pattern, as kernels compute it. `round`: the number that is
/// added before the low 20 bits are dropped.
std::uint64_t by_bits(float x, const std::function<std::uint32_t(std::uint32_t)>& round, std::uint32_t bias = 120) {
  const std::uint64_t sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x)) return 0x7F;
  const std::uint32_t magnitude = bits(x) & 0x7FFFFFFF;
  if (std::fabs(x) < 0x1p-6F) return sign | static_cast<std::uint64_t>(std::nearbyint(std::fabs(x) * 0x1p9F));
  if (std::fabs(x) > 448) return sign | 0x7E;
  return sign | (((magnitude - (bias << 23)) + round(magnitude)) >> 20);
}
std::uint32_t half_even(std::uint32_t magnitude) { return 0x7FFFF + ((magnitude >> 20) & 1); }

std::vector<Mistake> mistakes() {
  const Right even("e4m3fn", "even.saturate.nan");
  const Right even_nan("e4m3fn", "even.overflow_nan.nan");
  const Right e5m2("e5m2", "even.infinity.nan");
  const Right e2m1("e2m1", "even.saturate.nan_max");
  const Right up("e8m0", "up.saturate.nan.magnitude");
  const Right fnuz("e4m3fnuz", "even.saturate.nan");
  const auto by = [](const char* target, const char* rule) {
    return [right = Right(target, rule)](float x) { return right(x); };
  };
  const char* const usual = "even.saturate.nan";
  const auto int8 = [](double rounded) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(rounded, -128.0, 127.0))) & 0xFF;
  };
  return {
      {"ties away", "e4m3fn", usual, by("e4m3fn", "away.saturate.nan")},
      {"ties toward zero", "e4m3fn", usual, by("e4m3fn", "toward.saturate.nan")},
      {"ties up", "e4m3fn", usual, by("e4m3fn", "ties_up.saturate.nan")},
      {"truncation", "e4m3fn", usual, by("e4m3fn", "zero.saturate.nan")},
      {"rounding up", "e4m3fn", usual, by("e4m3fn", "up.saturate.nan")},
      {"double rounding through f16", "e4m3fn", usual, [=](float x) { return even(through("f16", x)); }},
      {"double rounding through bf16", "e4m3fn", usual, [=](float x) { return even(through("bf16", x)); }},
      {"double rounding through f16 of e5m2", "e5m2", "even.infinity.nan",
       [=](float x) { return e5m2(through("f16", x)); }},
      {"double rounding through e4m3fn of e2m1", "e2m1", "even.saturate.nan_max",
       [=](float x) { return e2m1(std::isnan(x) ? x : value("e4m3fn", even(x))); }},
      {"saturation before rounding", "e4m3fn", "even.overflow_nan.nan",
       [=](float x) { return even_nan(std::isnan(x) ? x : std::clamp(x, -448.F, 448.F)); }},
      {"-0 lost", "e4m3fn", usual, [=](float x) { return x == 0 ? 0 : even(x); }},
      {"sign lost where the result is 0", "e4m3fn", usual,
       [=](float x) { return even(x) == 0x80 && x != 0 ? 0 : even(x); }},
      {"NaN as zero", "e4m3fn", usual, [=](float x) { return std::isnan(x) ? 0 : even(x); }},
      {"NaN as the largest number", "e4m3fn", usual, [=](float x) { return std::isnan(x) ? 0x7E : even(x); }},
      {"sign of NaN lost", "e4m3fn", "even.saturate.signed_nan", [=](float x) { return even(x); }},
      {"subnormals flushed", "e4m3fn", usual,
       [=](float x) { return (even(x) & 0x78) == 0 ? even(x) & 0x80 : even(x); }},
      {"subnormals to a zero without sign", "e4m3fn", usual,
       [=](float x) { return std::fabs(x) < 0x1p-10F ? 0 : even(x); }},
      {"threshold at the largest number", "e4m3fn", "even.overflow_nan.nan",
       [=](float x) { return std::fabs(x) > 448 ? 0x7F : even_nan(x); }},
      {"the tie at the threshold overflows", "e4m3fn", "even.overflow_nan.nan",
       [=](float x) { return std::fabs(x) >= 464 ? 0x7F : even_nan(x); }},
      {"threshold of the next number", "e4m3fn", "even.overflow_nan.nan",
       [=](float x) { return std::fabs(x) >= 480 ? 0x7F : even(x); }},
      {"infinity as NaN", "e4m3fn", usual, [=](float x) { return std::isinf(x) ? 0x7F : even(x); }},
      {"infinity as the largest number", "e4m3fn", "even.overflow_nan.nan",
       [=](float x) { return std::isinf(x) ? even(x) : even_nan(x); }},
      {"infinity without its sign", "e4m3fn", usual, [=](float x) { return std::isinf(x) ? 0x7E : even(x); }},
      {"subnormal inputs flushed", "e4m3fn", "up.saturate.nan",
       [right = Right("e4m3fn", "up.saturate.nan")](float x) {
         return right(std::fabs(x) < 0x1p-126F ? std::copysign(0.F, x) : x);
       }},
      {"bias off by one", "e4m3fn", usual, [](float x) { return by_bits(x, half_even, 121) & 0xFF; }},
      {"half added without the even bit", "e4m3fn", usual,
       [](float x) { return by_bits(x, [](std::uint32_t) { return 0x80000U; }); }},
      {"less than half added", "e4m3fn", usual,
       [](float x) { return by_bits(x, [](std::uint32_t) { return 0x7FFFFU; }); }},
      {"sticky bits cut at 8", "e4m3fn", usual,
       [=](float x) { return std::isnan(x) ? 0x7F : even(single(bits(x) & 0xFFFFF000)); }},
      {"ties of subnormals away", "e4m3fn", usual,
       [=](float x) {
         return std::fabs(x) < 0x1p-6F
                    ? (std::signbit(x) ? 0x80 : 0) | static_cast<std::uint64_t>(std::round(std::fabs(x) * 0x1p9F))
                    : even(x);
       }},
      {"subnormals rounded twice", "e4m3fn", usual,
       [=, wide = Right("e4m3b11fnuz", usual)](float x) {
         return std::fabs(x) < 0x1p-6F && wide(x) != 0 && x != 0 ? even(value("e4m3b11fnuz", wide(x))) : even(x);
       }},
      {"negative ties down", "e4m3fn", usual,
       [=, down = Right("e4m3fn", "ties_down.saturate.nan")](float x) { return x < 0 ? down(x) : even(x); }},
      {"largest number of another E4M3", "e4m3fn", usual,
       [=](float x) { return std::fabs(x) > 240 && !std::isnan(x) ? (std::signbit(x) ? 0xF7 : 0x77) : even(x); }},
      {"saturation where an infinity is claimed", "e5m2", "even.infinity.nan", by("e5m2", "even.saturate.nan")},
      {"infinity from the largest number on", "e5m2", "even.infinity.nan",
       [=](float x) { return std::fabs(x) > 57344 ? (std::signbit(x) ? 0xFC : 0x7C) : e5m2(x); }},
      {"NaN cut to an infinity", "e5m2", "even.infinity.nan",
       [=](float x) { return std::isnan(x) ? bits(x) >> 21 & 0xFF : e5m2(x); }},
      {"ties toward zero in a table of four bits", "e2m1", "even.saturate.nan_max",
       by("e2m1", "toward.saturate.nan_max")},
      {"NaN with its sign", "e2m1", "even.saturate.nan_max", by("e2m1", "even.saturate.nan_signed_max")},
      {"comparison with <= in place of <", "e2m1", "even.saturate.nan_max",
       [=](float x) { return std::fabs(x) == 1.25F ? (x < 0 ? 0xB : 3) : e2m1(x); }},
      {"scale floor for ceil", "e8m0", "up.saturate.nan.magnitude", by("e8m0", "zero.saturate.nan.magnitude")},
      {"scale by its exponent plus one", "e8m0", "up.saturate.nan.magnitude",
       [=](float x) { return std::isnan(x) ? 0xFF : std::min(0xFEU, (bits(x) >> 23 & 0xFF) + 1); }},
      {"subnormal scales flushed", "e8m0", "up.saturate.nan.magnitude",
       [=](float x) { return std::fabs(x) < 0x1p-126F ? 0 : up(x); }},
      {"zero as NaN", "e8m0", "up.saturate.nan.magnitude", [=](float x) { return x == 0 ? 0xFF : up(x); }},
      {"-0 as the NaN of fnuz", "e4m3fnuz", usual,
       [=](float x) { return fnuz(x) == 0 && std::signbit(x) ? 0x80 : fnuz(x); }},
      {"the bias of OCP in fnuz", "e4m3fnuz", usual, [=](float x) { return fnuz(x / 2); }},
      {"negative scales by their magnitude", "ue4m3", usual, by("ue4m3", "even.saturate.nan.magnitude")},
      {"integers away", "int8", "even.saturate.nan_zero",
       [=](float x) { return std::isnan(x) ? 0 : int8(std::round(static_cast<double>(x))); }},
      {"integers truncated", "int8", "even.saturate.nan_zero",
       [=](float x) { return std::isnan(x) ? 0 : int8(std::trunc(x)); }},
      {"integers without the least one", "int8", "even.saturate.nan_zero",
       [=](float x) { return std::isnan(x) ? 0 : int8(std::max(-127.0, std::nearbyint(static_cast<double>(x)))); }},
      {"integers that wrap", "int8", "even.saturate.nan_zero",
       [=](float x) {
         return std::isnan(x) || std::fabs(x) > 1e9F ? 0 : static_cast<std::uint64_t>(std::llrint(x)) & 0xFF;
       }},
      {"integers clamped before rounding", "int8", "even.wrap.nan_zero",
       [=](float x) { return std::isnan(x) ? 0 : int8(std::nearbyint(static_cast<double>(x))); }},
      {"bfloat16 truncated", "bf16", "even.infinity.nan", [](float x) { return bits(x) >> 16; }},
      {"bfloat16 rounded by an addition that overflows a NaN", "bf16", "even.infinity.nan",
       [](float x) { return (bits(x) + 0x7FFF + (bits(x) >> 16 & 1)) >> 16; }},
  };
}

TEST(Mistakes, AreRefusedByTheRuleThatTheirAuthorsClaim) {
  std::size_t caught = 0;
  const std::vector<Mistake> all = mistakes();
  for (const Mistake& each : all) {
    const Answer answer = answer_of(std::string("f32:") + each.target, each.claim,
                                    [&](std::uint64_t code) { return each.convert(single(code)); });
    EXPECT_FALSE(answer.holds()) << each.what;
    caught += answer.holds() ? 0 : 1;
  }
  EXPECT_EQ(caught, all.size());
}

TEST(RightConversions, AreAcceptedByBits) {
  const auto convert = [](std::uint64_t code) { return by_bits(single(code), half_even); };
  EXPECT_TRUE(answer_of("f32:e4m3fn", "even.saturate.nan", convert).holds());
}

/// A source of 8 bits has ties, overflows, infinities and NaNs for all targets but the widest.
TEST(RightConversions, AreAcceptedByEveryRule) {
  std::size_t asked = 0;
  std::size_t place = 0;
  for (const oracle::tables::Table& table : oracle::tables::tables) {
    const std::string formats = "e5m2:" + std::string(table.name);
    const std::vector<Rule> rules = rules_between(format("e5m2"), format(table.name));
    for (; place < rules.size(); place += 29, ++asked) {
      const std::string name = name_of(rules[place]);
      const Right right(table.name, name);
      const Answer answer =
          answer_of(formats, name, [&](std::uint64_t code) { return right(signed_value("e5m2", code)); });
      EXPECT_TRUE(answer.holds()) << formats << " " << name;
      EXPECT_THAT(names(answer.follows), Contains(name)) << formats;
    }
    place -= rules.size();
  }
  EXPECT_GT(asked, 300U);
}

TEST(RightConversions, FromScalesToBinary32AreAccepted) {
  const auto convert = [](std::uint64_t code) { return std::uint64_t{bits(value("e8m0", code))}; };
  EXPECT_TRUE(answer_of("e8m0:f32", "even.infinity.nan", convert).holds());
  const auto flushed = [&](std::uint64_t code) { return code == 0 ? 0 : convert(code); };
  EXPECT_FALSE(answer_of("e8m0:f32", "even.infinity.nan", flushed).holds());
}

TEST(RightConversions, ToBinary16AreThoseOfTheProcessor) {
#if defined(__FLT16_MANT_DIG__)
  const auto convert = [](std::uint64_t code) {
    return std::uint64_t{std::bit_cast<std::uint16_t>(static_cast<_Float16>(single(code)))};
  };
  EXPECT_TRUE(answer_of("f32:f16", "even.infinity.signed_nan", convert).holds());
#else
  GTEST_SKIP() << "this compiler has no _Float16";
#endif
}

TEST(Answers, NameTheRuleAndTheSmallestInputThatOthersDecideOtherwise) {
  const Right right("e2m1", "even.saturate.nan_max");
  const Question question = question_of("f16:e2m1", "", false, 1);
  const Answer answer = answer_of(question, [&](std::uint64_t code) { return right(value("f16", code)); });
  EXPECT_TRUE(answer.is_proof);
  EXPECT_THAT(names(answer.follows), ElementsAre("even.saturate.nan_max"));
  EXPECT_THAT(text_of(question, answer),
              AllOf(HasSubstr("follows even.saturate.nan_max on all 65536 inputs: proved for this build"),
                    HasSubstr("not away.saturate.nan_max: 0x3400 = 0x1p-2 gives 0x0 = 0x0p+0, not 0x1 = 0x1p-1"),
                    HasSubstr("not toward.saturate.nan_max: 0x3a00 = 0x1.8p-1 gives 0x2 = 0x1p+0, not 0x1 = 0x1p-1")));
}

TEST(Answers, AreSamplesWhereNoTheoremSpeaksOfTheRule) {
  const auto text = [](const std::string& formats, const std::function<std::uint64_t(std::uint64_t)>& convert) {
    Question question = question_of(formats, "", false, 1);
    question.random = 256;
    return text_of(question, answer_of(question, convert));
  };
  const auto wrapped = [](std::uint64_t code) {
    const float x = single(code);
    return std::fabs(x) < 0x1p60F ? static_cast<std::uint64_t>(std::llrint(x)) & 0xFF : 0;
  };
  EXPECT_THAT(text("f32:int8", wrapped), HasSubstr("inputs: a sample\n"));
  EXPECT_THAT(text("f32:f64", [](std::uint64_t code) { return std::bit_cast<std::uint64_t>(double{single(code)}); }),
              HasSubstr("inputs: a sample\n"));
  const Right right("e2m1", "even.saturate.nan_max");
  EXPECT_THAT(text("f32:e2m1", [&](std::uint64_t code) { return right(single(code)); }),
              HasSubstr("inputs: a proof, except for NaNs, if it is monotone (convert.reduced.1)\n"));
}

TEST(Answers, FindOneWrongInputOfAll) {
  const Right right("e4m3fn", "even.saturate.nan");
  const auto convert = [&](std::uint64_t code) { return code == 0xB123 ? 0x99 : right(value("f16", code)); };
  const Question question = question_of("f16:e4m3fn", "", false, 1);
  const Answer answer = answer_of(question, convert);
  EXPECT_TRUE(answer.follows.empty());
  EXPECT_EQ(name_of(answer.nearest.rule), "even.saturate.nan");
  EXPECT_THAT(
      text_of(question, answer),
      HasSubstr("follows no rule; the nearest one,\neven.saturate.nan is broken by 1 of the 65536 inputs tested, "
                "such as\n  0xb123 = -0x1.48cp-3 gives 0x99 = -0x1.2p-4, not 0xa2 = -0x1.4p-3"));
}

TEST(Answers, TellOfAConversionThatDependsOnItsCalls) {
  const Right right("e4m3fn", "even.saturate.nan");
  const Question question = question_of("f16:e4m3fn", "", false, 1);
  // The last numbers of an array that a vector does not hold are truncated.
  const Answer answer = asked(question, [&](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const float x = value("f16", inputs[i]);
      codes[i] = right(i < inputs.size() / 4 * 4 ? x : std::nextafterf(x, 0));
    }
  });
  EXPECT_TRUE(answer.unsteady);
  EXPECT_FALSE(answer.holds());
  EXPECT_THAT(text_of(question, answer), HasSubstr("not a function of its input"));
}

TEST(Answers, TakeIntegersOfFourBitsWithTheirSignAbove) {
  const auto convert = [](std::uint64_t code) -> std::uint64_t {
    const float x = value("f16", code);
    return std::isnan(x) ? 0 : static_cast<std::uint8_t>(static_cast<int>(std::clamp(std::nearbyint(x), -8.F, 7.F)));
  };
  EXPECT_TRUE(answer_of("f16:int4", "even.saturate.nan_zero", convert).holds());
}

TEST(Answers, RefuseCodesWithBitsAboveTheFormat) {
  const Right right("e2m1", "even.saturate.nan_max");
  EXPECT_FALSE(answer_of("f16:e2m1", "even.saturate.nan_max", [&](std::uint64_t code) {
                 return right(value("f16", code)) | 0x40;
               }).holds());
}

TEST(Questions, AreRefusedWithTheWordsThatThereAre) {
  const auto refusal = [](const std::string& formats, const std::string& rule, bool every_input) -> std::string {
    try {
      question_of(formats, rule, every_input, 1);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("f32", "", false), HasSubstr("name a source and a target, such as f32:e4m3fn"));
  EXPECT_THAT(refusal("f32:e4m4", "", false), HasSubstr("unknown number format 'e4m4'; there are: f64, f32"));
  EXPECT_THAT(refusal("f32:e2m1", "even.infinity.nan", false), HasSubstr("as even.saturate.nan_zero"));
  EXPECT_THAT(refusal("f64:e2m1", "", true), HasSubstr("every input is tested, so a source has at most 32 bits"));
}

/// A float of 12 bits, small enough to test all its numbers.
constexpr NumberFormat small_source{"", "", 12, 7, -14, oracle::Codes::ieee};

/// The rules that differ in their treatment of finite numbers, except `wrap`.
std::vector<Rule> rules_of_finite_numbers(const NumberFormat& to) {
  std::vector<Rule> all;
  for (Rule each : rules_between(small_source, to)) {
    each.infinite = {};
    each.nan = {};
    if (each.overflow != oracle::Overflow::wrap && std::ranges::find(all, each) == all.end()) all.push_back(each);
  }
  return all;
}

TEST(Borders, AreWhereverTheResultOfARuleChanges) {
  for (const NumberFormat& to : oracle::number_formats()) {
    if (!are_few(to)) continue;
    const std::vector<std::uint64_t> borders = borders_between(small_source, to);
    for (const Rule& rule : rules_of_finite_numbers(to)) {
      for (const std::uint64_t sign : {std::uint64_t{0}, small_source.sign_bit()}) {
        for (std::uint64_t code = 1; code <= small_source.largest(); ++code) {
          if (std::ranges::binary_search(borders, code)) continue;
          ASSERT_EQ(converted(decode(small_source, code | sign), to, rule),
                    converted(decode(small_source, (code - 1) | sign), to, rule))
              << to.name << " " << name_of(rule) << " " << code;
        }
      }
    }
  }
}

TEST(Reduced, NeighborsOfTheSetHaveTheResultOfAllNumbersBetweenThem) {
  for (const NumberFormat& to : oracle::number_formats()) {
    if (!are_few(to)) continue;
    const std::vector<std::uint64_t> set = reduced_set(small_source, to, 1);
    for (const Rule& rule : rules_of_finite_numbers(to)) {
      const auto result = [&](std::uint64_t code) { return converted(decode(small_source, code), to, rule); };
      for (std::uint64_t code = 0; code <= small_source.mask(); ++code) {
        if (decode(small_source, code).kind != oracle::Number::Kind::finite) continue;
        const auto above = std::ranges::lower_bound(set, code);
        if (above != set.end() && *above == code) continue;
        ASSERT_TRUE(above != set.end() && above != set.begin());
        ASSERT_TRUE(result(code) == result(*above) && result(code) == result(*std::prev(above)))
            << to.name << " " << name_of(rule) << " " << code;
      }
    }
  }
}

/// A sweep counts all inputs that a rule converts otherwise.
TEST(EveryInput, IsComparedWhereNeighborsShareACode) {
  const NumberFormat source{"", "", 18, 12, -14, oracle::Codes::ieee};
  const NumberFormat& to = format("e4m3fn");
  const Right right("e4m3fn", "even.saturate.nan");
  const auto convert = [&](std::uint64_t code) {
    const oracle::Number x = decode(source, code);
    if (x.kind != oracle::Number::Kind::finite) return converted(x, to, Rule{}).code;
    const double magnitude = std::ldexp(static_cast<double>(x.m), x.e);
    return code == 0x7935 ? 0x01 : right(x.negative ? -magnitude : magnitude);
  };
  const Question question{&source, &to, oracle::rule_named("away.saturate.nan"), true};
  const Answer answer = answer_of(question, convert);
  std::uint64_t breaks = 0;
  for (std::uint64_t code = 0; code <= source.mask(); ++code) {
    breaks += fits(converted(decode(source, code), to, *question.promised), to, convert(code)) ? 0 : 1;
  }
  EXPECT_TRUE(answer.is_proof);
  EXPECT_EQ(answer.asked, std::uint64_t{1} << 18);
  EXPECT_EQ(answer.promised->breaks, breaks);
  EXPECT_EQ(answer.nearest.breaks, 1U);
  EXPECT_EQ(answer.nearest.examples.front().input, 0x7935U);
}

}  // namespace
}  // namespace assay::conversions
