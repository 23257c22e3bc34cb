#include "oracle/decode.hpp"

#include <gtest/gtest.h>

#include "oracle/rational_path.hpp"
#include "oracle/round.hpp"

namespace assay::oracle {
namespace {

using Kind = Decoded::Kind;

TEST(Format, HasTheInterchangeWidths) {
  EXPECT_EQ(binary64.width(), 64);
  EXPECT_EQ(binary32.width(), 32);
  EXPECT_EQ(binary16.width(), 16);
  EXPECT_EQ(bfloat16.width(), 16);
  EXPECT_EQ(e4m3.width(), 8);
  EXPECT_EQ(e5m2.width(), 8);
}

TEST(Format, NamesAreReadBack) {
  for (const Format& format : {binary64, e4m3, Format{5, -62, 63}, Format{3, -6, 8, Specials::finite_nan}}) {
    EXPECT_EQ(format_named(name(format)), format);
  }
}

TEST(Format, RefusesNamesThatItNeverGives) {
  for (const char* text : {"", "binary128", "p5", "p5:-62:63:", "p53:-1022:1023", "p5:+1:2", "p05:-62:63"}) {
    EXPECT_THROW(format_named(text), std::invalid_argument) << text;
  }
}

TEST(Decode, TellsInfinitiesAndNaNsFromNumbers) {
  EXPECT_EQ(decode(binary64, 0x7ff0000000000000).kind, Kind::infinite);
  EXPECT_TRUE(decode(binary64, 0xfff0000000000000).negative);
  EXPECT_EQ(decode(binary64, 0x7ff0000000000001).kind, Kind::nan);
  EXPECT_EQ(decode(binary64, 0x7fefffffffffffff).kind, Kind::finite);
  EXPECT_EQ(decode(e5m2, 0x7c).kind, Kind::infinite);
  EXPECT_EQ(decode(e5m2, 0x7d).kind, Kind::nan);
}

TEST(Decode, ReadsTheLargestExponentOfFiniteNanAsNumbers) {
  EXPECT_EQ(decode(e4m3, 0x7e).value, Dyadic(448));
  EXPECT_EQ(decode(e4m3, 0x7f).kind, Kind::nan);
  EXPECT_EQ(decode(e4m3, 0xff).kind, Kind::nan);
  EXPECT_EQ(decode(e4m3, 0xfe).value, Dyadic(-448));
}

TEST(Decode, KeepsTheSignOfZero) {
  EXPECT_TRUE(decode(binary32, 0x80000000).negative);
  EXPECT_FALSE(decode(binary32, 0).negative);
  EXPECT_TRUE(decode(binary32, 0x80000000).value.is_zero());
}

TEST(Decode, ReadsSubnormals) {
  EXPECT_EQ(decode_finite(binary64, 1), Dyadic::scaled(1, -1074));
  EXPECT_EQ(exact(-0x0.fffffffffffffp-1022), Dyadic::scaled(-0xfffffffffffff, -1074));
  EXPECT_EQ(exact(0x1p-149f), Dyadic::scaled(1, -149));
}

TEST(Decode, GivesNoNumberToExponentsThatAFormatLeavesOut) {
  const Format toy{3, -2, 2};
  EXPECT_EQ(toy.exponent_bits(), 3);
  EXPECT_EQ(decode_finite(toy, toy.largest_finite()), Dyadic(7));
  EXPECT_EQ(decode(toy, toy.largest_finite() + 1).kind, Kind::nan);
  EXPECT_EQ(decode(toy, toy.infinity()).kind, Kind::infinite);
}

class DecodeEverywhere : public testing::TestWithParam<Format> {};

TEST_P(DecodeEverywhere, AgreesWithTheSecondPathAndRoundsBackToItsPattern) {
  const Format format = GetParam();
  for (std::uint64_t bits = 0; bits < 2 * format.sign_mask(); ++bits) {
    const Decoded x = decode(format, bits);
    const auto second = rational_path::decode(format, bits);
    ASSERT_EQ(second.has_value(), x.kind == Kind::finite) << bits;
    if (!second) continue;
    for (const Rounding direction : {Rounding::nearest, Rounding::up, Rounding::down, Rounding::zero}) {
      ASSERT_EQ(round(x.value, format, direction, {.negative_zero = x.negative}), bits);
      ASSERT_EQ(rational_path::round(*second, format, direction, x.negative), bits);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Small, DecodeEverywhere, testing::Values(e4m3, e5m2, Format{3, -2, 2}, binary16, bfloat16),
                         [](const auto& info) { return "Format" + std::to_string(info.index); });

}  // namespace
}  // namespace assay::oracle
