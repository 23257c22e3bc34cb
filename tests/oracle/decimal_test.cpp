#include "oracle/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "oracle/decode.hpp"

namespace assay::oracle {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(Hex, WritesNumbersZerosAndSpecials) {
  EXPECT_EQ(to_hex(binary64, bits(12.0)), "0x1.8p+3");
  EXPECT_EQ(to_hex(binary64, bits(-0.0)), "-0x0p+0");
  EXPECT_EQ(to_hex(binary64, 1), "0x0.0000000000001p-1022");
  EXPECT_EQ(to_hex(binary64, 0x7ff8000000000000), "nan:0x8000000000000");
  EXPECT_EQ(to_hex(binary64, 0xfff0000000000000), "-inf");
  EXPECT_EQ(to_hex(binary32, 0x3f800001), "0x1.000002p+0");
  EXPECT_EQ(to_hex(e4m3, 0x7e), "0x1.cp+8");
}

TEST(Hex, RefusesWhatIsNoNumberOfTheFormat) {
  for (const char* text :
       {"", "1.5", "0x", "0xp+0", "0x1", "0x1p", "0x1p+-3", "0x1.2.3p+0", "0x1.00000001p+0", "0x1p+128", "0x1p-150",
        "--0x1p+0", "nan", "nan:0x0", "nan:0x1000000", "0x1p+0 ", "infinity"}) {
    EXPECT_THROW(parse_hex(binary32, text), std::invalid_argument) << text;
  }
  EXPECT_THROW(parse_hex(e4m3, "inf"), std::invalid_argument);
}

TEST(Hex, ReadsAnySpellingOfANumber) {
  EXPECT_EQ(parse_hex(binary64, "0xCp+0"), bits(12.0));
  EXPECT_EQ(parse_hex(binary64, "0x0.8p-1073"), 1U);
  EXPECT_EQ(parse_hex(binary64, "0x1p-1074"), 1U);
}

class HexEverywhere : public testing::TestWithParam<Format> {};

TEST_P(HexEverywhere, ReadsBackEveryPattern) {
  const Format format = GetParam();
  for (std::uint64_t pattern = 0; pattern < 2 * format.sign_mask(); ++pattern) {
    ASSERT_EQ(parse_hex(format, to_hex(format, pattern)), pattern) << to_hex(format, pattern);
  }
}

INSTANTIATE_TEST_SUITE_P(Small, HexEverywhere, testing::Values(e4m3, e5m2, binary16, Format{3, -2, 2}),
                         [](const auto& info) { return "Format" + std::to_string(info.index); });

TEST(Decimal, RoundsToTheDigitsAskedFor) {
  EXPECT_EQ(decimal(exact(-0.15625), 20), "-1.5625e-1");
  EXPECT_EQ(decimal(exact(0.1), 20), "1.0000000000000000555e-1");
  EXPECT_EQ(decimal(Dyadic(999), 1), "1e3");
  EXPECT_EQ(decimal(Dyadic(), 5), "0");
}

TEST(Decimal, FindsTheFewestDigitsThatRoundBack) {
  EXPECT_EQ(shortest_decimal(binary64, bits(0.1)), "1e-1");
  EXPECT_EQ(shortest_decimal(binary64, 1), "5e-324");
  EXPECT_EQ(shortest_decimal(binary64, bits(std::numeric_limits<double>::max())), "1.7976931348623157e308");
  EXPECT_EQ(shortest_decimal(binary64, bits(-0.0)), "-0");
  EXPECT_EQ(shortest_decimal(binary32, 0x3dcccccd), "1e-1");
  EXPECT_EQ(shortest_decimal(e4m3, 0xff), "-nan");
}

}  // namespace
}  // namespace assay::oracle
