// Codes of block elements, by the arithmetic of the kernels and by the oracle.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "arith/bits/split_mix64.hpp"
#include "arith/quantize/elements.hpp"
#include "arith/quantize/scales.hpp"
#include "oracle/low_precision.hpp"
#include "tests/tier.hpp"

namespace assay::quantize {
namespace {

constexpr int directions = 10;

template <class E>
class Elements : public testing::Test {
 protected:
  const oracle::NumberFormat& source = *oracle::find_number_format("f32");
  const oracle::NumberFormat& target = *oracle::find_number_format(std::is_same_v<E, E4m3>    ? "e4m3fn"
                                                                   : std::is_same_v<E, E5m2>  ? "e5m2"
                                                                   : std::is_same_v<E, E3m2>  ? "e3m2"
                                                                   : std::is_same_v<E, E2m3>  ? "e2m3"
                                                                   : std::is_same_v<E, E2m1>  ? "e2m1"
                                                                   : std::is_same_v<E, Int8>  ? "int8"
                                                                   : std::is_same_v<E, Int4>  ? "int4"
                                                                   : std::is_same_v<E, Uint8> ? "uint8"
                                                                                              : "uint4");

  static std::uint32_t code(float y, Direction direction) {
    if constexpr (E::is_integer) {
      return static_cast<std::uint32_t>(E::rounded(y, E::least, E::most, direction)) & E::mask;
    } else {
      return E::code(y, direction);
    }
  }
  /// The number of directions in which the two codes of a number that is no NaN differ.
  [[nodiscard]] int differences(std::uint32_t pattern) const {
    const auto y = from_bits<float>(pattern);
    if (is_nan(y)) return 0;
    const oracle::Number number = decode(source, pattern);
    int count = 0;
    for (int d = 0; d < directions; ++d) {
      const oracle::Rule rule{.direction = static_cast<oracle::Direction>(d)};
      count += code(y, static_cast<Direction>(d)) != converted(number, target, rule).code ? 1 : 0;
    }
    return count;
  }
};
using All = testing::Types<E4m3, E5m2, E3m2, E2m3, E2m1, Int8, Int4, Uint8, Uint4>;
TYPED_TEST_SUITE(Elements, All);

TYPED_TEST(Elements, HaveTheCodesOfTheOracleForAllNumbersOf16Bits) {
  for (std::uint32_t upper = 0; upper < std::uint32_t{1} << 16; ++upper) {
    ASSERT_EQ(this->differences(upper << 16), 0) << upper;  // bfloat16
    const auto half = static_cast<float>(binary16::of_bits(static_cast<std::uint16_t>(upper)));
    ASSERT_EQ(this->differences(to_bits(half)), 0) << upper;
  }
}

TYPED_TEST(Elements, HaveTheCodesOfTheOracleForASampleOfBinary32) {
  bits::SplitMix64 random{5};
  const int samples = test::of_tier(50'000, 11'200'000);  // 10⁸ for all elements in the tier nightly
  for (int i = 0; i < samples; ++i) {
    const std::uint64_t word = random();
    // Half of the numbers are next to one with few bits, in the range of the elements.
    const auto any = static_cast<std::uint32_t>(word);
    const std::uint32_t few_bits = (any & 0x80000000u) | (100 + (any & 63)) << 23 | (any >> 6 & 31) << 18;
    const std::uint32_t near = few_bits + (any >> 12 & 3) - 1;
    const std::uint32_t pattern = word >> 63 != 0 ? any : near;
    ASSERT_EQ(this->differences(pattern), 0) << pattern;
  }
}

TYPED_TEST(Elements, HaveTheNumbersOfTheOracle) {
  for (std::uint32_t code = 0; code <= this->target.mask(); ++code) {
    const oracle::Number number = decode(this->target, code);
    if (number.kind != oracle::Number::Kind::finite) continue;
    const double size = std::ldexp(static_cast<double>(number.m), number.e);
    EXPECT_EQ(TypeParam::value(code), number.negative ? -size : size) << code;
  }
}

/// As a device divides by the scale of a block.
float quotient(float x, float d) {
  BlockPlan plan;
  plan.divide_by(d);
  return detail::quotient_of(x, d, plan.reciprocal, plan.rest);
}

TEST(Quotients, ByASampleOfScalesAreThoseOfADivision) {
  bits::SplitMix64 random{7};
  const int scales = test::of_tier(20'000, 1 << 23);
  for (int i = 0; i < scales; ++i) {
    const std::uint32_t fraction =
        scales < 1 << 23 ? static_cast<std::uint32_t>(random()) >> 9 : static_cast<std::uint32_t>(i);
    const float d = from_bits<float>((47 + static_cast<std::uint32_t>(random() % 170)) << 23 |
                                     (i % 5 == 0 ? 0x7FFFFF - fraction % 64 : fraction));
    for (std::uint32_t leading = 128; leading < 256; ++leading) {
      const float x = static_cast<float>(leading) * d * 0x1p-7f;
      const float of_few_bits = from_bits<float>(to_bits(x) & 0xFF800000u) * (static_cast<float>(leading) * 0x1p-7f);
      const float any = from_bits<float>(to_bits(x) ^ static_cast<std::uint32_t>(random() & 0x7FFFFF));
      for (const float y : {x, of_few_bits, any}) ASSERT_EQ(quotient(y, d), y / d) << y << ' ' << d;
    }
  }
}

/// Whether x has at most that many bits between its first and its last 1.
bool is_short(float x, int bits) { return (to_bits(x) & ((1u << (24 - bits)) - 1)) == 0; }

TEST(Quotients, OfNumbersOfFewBitsAreOnTheRightSideOfEveryNumberOfNineBits) {
  bits::SplitMix64 random{9};
  const int scales = test::of_tier(40'000, 1 << 23);
  int others = 0;
  for (int i = 0; i < scales; ++i) {
    const auto fraction = static_cast<std::uint32_t>(scales < 1 << 23 && i > 4000 ? random() : i) & 0x7FFFFF;
    const float d = from_bits<float>((47 + static_cast<std::uint32_t>(random() % 170)) << 23 |
                                     (i % 2 == 0 ? 0x7FFFFF - fraction : fraction));
    BlockPlan plan;
    plan.divide_by(d);
    for (std::uint32_t leading = 1024; leading < 2048; ++leading) {
      const float x = from_bits<float>(to_bits(d) & 0xFF800000u) * (static_cast<float>(leading) * 0x1p-10f);
      const float q = detail::short_quotient_of(x, plan.reciprocal, plan.rest);
      if (q == x / d) continue;
      ++others;
      ASSERT_FALSE(is_short(q, 9) || is_short(x / d, 9)) << x << ' ' << d << ' ' << q;
    }
  }
  EXPECT_GT(others, 0);
}

TEST(Quotients, ThatAreSmallAreSmallNumbersOfTheSameSign) {
  bits::SplitMix64 random{8};
  for (int i = 0; i < 200'000; ++i) {
    const float d = from_bits<float>((47 + static_cast<std::uint32_t>(random() % 180)) << 23 |
                                     static_cast<std::uint32_t>(random() & 0x7FFFFF));
    const float x = from_bits<float>(static_cast<std::uint32_t>(random() % (to_bits(d) - (20u << 23))));
    const float q = quotient(-x, d);
    ASSERT_TRUE(q > -0x1p-19f && (to_bits(q) & 0x80000000u) != 0) << x << ' ' << d;
  }
}

TEST(Nf4Cells, HaveTheCodesOfTheBookAndItsBorders) {
  Nf4::Cells cells;
  for (std::uint32_t c = 0; c < Nf4::Cells::count; ++c) cells.fill(c);
  const auto code = [&](float y) { return Nf4::code_of(cells, y); };
  for (int i = 0; i < Nf4::count - 1; ++i) {
    const std::uint32_t border = to_bits(Nf4::border(i));
    for (std::uint32_t pattern = border - 2; pattern <= border + 2; ++pattern) {
      const auto y = from_bits<float>(pattern);
      EXPECT_EQ(code(y), static_cast<std::uint32_t>(y > Nf4::border(i) ? i + 1 : i)) << y;
      EXPECT_EQ(code(y), Nf4::code(y, Direction::ties_down)) << y;
    }
  }
  for (std::uint32_t upper = 0x3F82; upper-- > 0;) {
    const auto y = from_bits<float>(upper << 16);
    ASSERT_EQ(code(y), Nf4::code(y, Direction::ties_down)) << y;
    ASSERT_EQ(code(-y), Nf4::code(-y, Direction::ties_down)) << y;
  }
}

TEST(Nf4Cells, OfNumbersOutsideTheBookAreInTheTable) {
  for (const float y : {1e9f, -1e9f, 3.0f, -3.0f, 1e30f, -1e30f, NAN})
    EXPECT_LT(Nf4::cell_of(y), Nf4::Cells::count) << y;
}

}  // namespace
}  // namespace assay::quantize
