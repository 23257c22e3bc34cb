#include "oracle/low_precision.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "oracle/dyadic.hpp"
#include "oracle/round.hpp"
#include "tests/oracle/table_conversion.hpp"
#include "tests/tier.hpp"

namespace assay::oracle {
namespace {

using ::testing::ElementsAreArray;

double value_of(const Number& x) {
  if (x.kind == Number::Kind::nan) return std::copysign(std::nan(""), x.negative ? -1 : 1);
  const double magnitude = x.kind == Number::Kind::infinite ? HUGE_VAL : std::ldexp(static_cast<double>(x.m), x.e);
  return x.negative ? -magnitude : magnitude;
}

const NumberFormat& format(std::string_view name) { return *find_number_format(name); }
std::uint64_t pattern(float x) { return std::bit_cast<std::uint32_t>(x); }

/// The codes that a rule assigns to numbers of binary32.
std::vector<std::uint64_t> codes(std::initializer_list<float> numbers, std::string_view to, std::string_view rule) {
  std::vector<std::uint64_t> all;
  for (const float each : numbers) {
    all.push_back(converted(decode(format("f32"), pattern(each)), format(to), *rule_named(rule)).code);
  }
  return all;
}

TEST(NumberFormats, HaveTheNumbersOfTheirTables) {
  for (const tables::Table& table : tables::tables) {
    const NumberFormat& f = format(table.name);
    ASSERT_EQ(f.bits, table.bits) << table.name;
    for (int code = 0; code < 1 << table.bits; ++code) {
      const Number x = decode(f, static_cast<std::uint64_t>(code));
      const int magnitude = code & ~table.sign_bit();
      ASSERT_EQ(x.kind == Number::Kind::nan, table.is_nan(code)) << table.name << " " << code;
      if (table.is_nan(code)) continue;
      ASSERT_EQ(x.kind == Number::Kind::infinite, magnitude == table.infinity) << table.name << " " << code;
      ASSERT_EQ(std::signbit(value_of(x)), magnitude != code) << table.name << " " << code;
      if (magnitude == table.infinity) continue;
      ASSERT_EQ(std::fabs(value_of(x)), table.value(magnitude)) << table.name << " " << code;
    }
  }
}

TEST(NumberFormats, HaveTheNumbersOfTheProcessor) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    const auto single = static_cast<std::uint32_t>(bits);
    const auto is_same = [](double a, double b) {
      return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    ASSERT_TRUE(is_same(value_of(decode(format("f64"), bits)), std::bit_cast<double>(bits))) << bits;
    ASSERT_TRUE(is_same(value_of(decode(format("f32"), single)), std::bit_cast<float>(single))) << single;
  }
}

TEST(Integers, AreInTwosComplement) {
  EXPECT_THAT(codes({0.F, -1.F, 127.F, 128.F, -128.F, -129.F, 2.5F, -2.5F, 1e30F}, "int8", "even.saturate.nan_zero"),
              ElementsAreArray({0, 0xFF, 0x7F, 0x7F, 0x80, 0x80, 2, 0xFE, 0x7F}));
  EXPECT_THAT(codes({7.F, 8.F, -8.F, -9.F}, "int4", "even.saturate.nan_zero"), ElementsAreArray({7, 7, 8, 8}));
  EXPECT_THAT(codes({-1.F, -0.25F, 15.5F, 255.5F}, "uint8", "away.saturate.nan_zero"),
              ElementsAreArray({0, 0, 16, 255}));
  EXPECT_THAT(codes({-1.F, 255.5F, 257.F, 1e30F, HUGE_VALF}, "uint8", "away.wrap.nan_zero"),
              ElementsAreArray({255, 0, 1, 0, 0}));
}

/// Values in the tables of the OCP formats and of the libraries (docs/convert.md).
TEST(Conversion, HasThePublishedThresholds) {
  const float above_464 = std::nextafterf(464, 1000);
  EXPECT_THAT(codes({464, above_464, HUGE_VALF}, "e4m3fn", "even.saturate.nan"), ElementsAreArray({0x7E, 0x7E, 0x7E}));
  EXPECT_THAT(codes({448, 464, above_464, HUGE_VALF}, "e4m3fn", "even.overflow_nan.nan"),
              ElementsAreArray({0x7E, 0x7E, 0x7F, 0x7F}));
  EXPECT_THAT(codes({std::nextafterf(61440, 0), 61440}, "e5m2", "even.infinity.nan"), ElementsAreArray({0x7B, 0x7C}));
  EXPECT_THAT(codes({0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.F}, "e2m1", "even.saturate.nan_max"),
              ElementsAreArray({0, 2, 2, 4, 4, 6, 6}));
  EXPECT_THAT(codes({0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.F}, "e2m1", "toward.saturate.nan_max"),
              ElementsAreArray({0, 1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(codes({0.25F, 2.5F, 5.F}, "e2m1", "away.saturate.nan_max"), ElementsAreArray({1, 5, 7}));
  EXPECT_THAT(codes({1.5F, 3.F, 1.F, 0.F}, "e8m0", "even.saturate.nan"), ElementsAreArray({0x80, 0x80, 0x7F, 0}));
  EXPECT_THAT(codes({1.5F, 3.F, 0x1p-149F}, "e8m0", "away.saturate.nan"), ElementsAreArray({0x80, 0x81, 0}));
  EXPECT_THAT(codes({1.5F, 0x1.8p127F, 0x1p-127F}, "e8m0", "up.overflow_nan.nan"), ElementsAreArray({0x80, 0xFF, 0}));
  EXPECT_THAT(codes({-0.F, -0x1p-20F}, "e4m3fnuz", "even.saturate.nan"), ElementsAreArray({0, 0}));
}

/// Every input is used with some of the rules, and every rule with some of the inputs.
TEST(Conversion, IsTheOneOfASearchAmongAllNumbers) {
  const std::size_t stride = test::of_tier<std::size_t>(127, 17);
  const std::uint64_t step = test::of_tier<std::uint64_t>(7, 1);
  std::size_t turn = 0;
  for (const tables::Table& table : tables::tables) {
    const std::vector<double> values = table.values();
    for (const char* const source : {"f16", "bf16"}) {
      const std::vector<Rule> rules = rules_between(format(source), format(table.name));
      for (std::uint64_t code = 0; code < 65536; code += step) {
        const Number x = decode(format(source), code);
        for (std::size_t r = turn++ * 7 % stride; r < rules.size(); r += stride) {
          const Expected expected = converted(x, format(table.name), rules[r]);
          const int wanted = tables::converted(value_of(x), table, values, rules[r]);
          const bool is_same = wanted < 0
                                   ? expected.kind != Expected::Kind::code
                                   : expected == Expected{Expected::Kind::code, static_cast<std::uint64_t>(wanted)};
          ASSERT_TRUE(is_same) << source << ":" << table.name << " " << name_of(rules[r]) << " of " << code << ": "
                               << expected.code << ", not " << wanted;
        }
      }
    }
  }
}

/// Values, midpoints and their neighbors in binary32, which binary16 and bfloat16 lack.
TEST(Conversion, IsTheOneOfASearchNextToEveryMidpoint) {
  const std::size_t stride = test::of_tier<std::size_t>(127, 7);
  for (const tables::Table& table : tables::tables) {
    const std::vector<double> values = table.values();
    const std::vector<Rule> rules = rules_between(format("f32"), format(table.name));
    std::size_t turn = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      for (const double middle : {values[i], values[i] + (values[i + 1] - values[i]) / 2, values[i + 1]}) {
        const auto nearest = static_cast<float>(middle);
        for (const float x : {std::nextafterf(nearest, 0), nearest, std::nextafterf(nearest, HUGE_VALF)}) {
          for (const float each : {x, -x}) {
            for (std::size_t r = turn++ % stride; r < rules.size(); r += stride) {
              const Expected expected = converted(decode(format("f32"), pattern(each)), format(table.name), rules[r]);
              const int wanted = tables::converted(each, table, values, rules[r]);
              ASSERT_TRUE(wanted < 0 ? expected.kind != Expected::Kind::code
                                     : expected.code == static_cast<std::uint64_t>(wanted))
                  << table.name << " " << name_of(rules[r]) << " of " << each;
            }
          }
        }
      }
    }
  }
}

TEST(Conversion, IsTheOneOfMpfr) {
  constexpr std::pair<Direction, Rounding> directions[] = {{Direction::even, Rounding::nearest},
                                                           {Direction::up, Rounding::up},
                                                           {Direction::down, Rounding::down},
                                                           {Direction::zero, Rounding::zero}};
  constexpr std::pair<const char*, Format> formats[] = {
      {"f32", binary32}, {"f16", binary16}, {"bf16", bfloat16}, {"e5m2", e5m2}};
  std::mt19937_64 random(2);
  const int count = test::of_tier(2000, 100000);
  for (const auto& [name, known] : formats) {
    for (int i = 0; i < count; ++i) {
      // Most numbers lie in the range of the target; their low bits are often zero, so that ties occur.
      const std::uint64_t m = (random() >> 11) & (~std::uint64_t{0} << random() % 50);
      const int e = static_cast<int>(random() % static_cast<unsigned>(2 * known.emax + 40)) - known.emax - 72;
      const Number x{Number::Kind::finite, random() % 2 == 0, m, e};
      if (m == 0) continue;
      Dyadic exact;
      exact.assign(x.negative, m, e);
      for (const auto& [direction, rounding] : directions) {
        const Rule rule{.direction = direction, .overflow = Overflow::infinity, .infinite = OfInfinity::infinity};
        ASSERT_EQ(converted(x, format(name), rule).code, round_by_mpfr(exact, known, rounding))
            << name << " " << name_of(rule) << " of " << m << "*2^" << e;
      }
    }
  }
}

TEST(Rules, AreReadFromTheirNames) {
  for (const NumberFormat& to : number_formats()) {
    for (const Rule& each : rules_between(format("f32"), to)) {
      const std::optional<Rule> read = rule_named(name_of(each));
      ASSERT_TRUE(read && *read == each) << name_of(each);
    }
  }
}

TEST(Rules, AreNotReadFromOtherTexts) {
  for (const char* const text :
       {"", ".", "even", "even.saturate", "even.away.nan", "even.saturate.nan.", "evn.saturate.nan"}) {
    EXPECT_FALSE(rule_named(text)) << text;
  }
}

TEST(Rules, HaveNoWordThatTheFormatsCannotShow) {
  for (const Rule& each : rules_between(format("f32"), format("e2m1"))) {
    EXPECT_EQ(each.overflow, Overflow::saturate);
    EXPECT_NE(each.nan, OfNan::nan);
  }
  for (const Rule& each : rules_between(format("int8"), format("f16"))) {
    EXPECT_EQ(each.nan, OfNan::nan);
    EXPECT_EQ(each.negative, OfNegative::clamp);
  }
}

}  // namespace
}  // namespace assay::oracle
