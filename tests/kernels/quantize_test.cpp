#include "kernels/quantize/quantize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "kernels/quantize/detail/blocks.hpp"

namespace assay::quantize {
namespace {

using testing::ElementsAre;

const Executor host = Executor::host();

/// A block of 32 numbers that begins with these.
std::vector<float> block_of(std::initializer_list<float> first) {
  std::vector<float> x(first);
  x.resize(32);
  return x;
}
Quantized quantized(const char* format, const Rule& rule, std::span<const float> x, std::size_t rows = 1) {
  return quantize<float>(host, *find_format(format), rule, rows, x.size() / rows, x);
}

TEST(Quantizers, OfMxfp4RoundTiesToTheEvenCode) {
  const Quantized got = quantized("mxfp4", {}, block_of({6, 0.25f, 0.75f, 1.25f, 2.5f, -3.5f, 5, -0.0f}));
  EXPECT_THAT(got.scales, ElementsAre(127));
  EXPECT_THAT(std::vector(got.codes.begin(), got.codes.begin() + 4), ElementsAre(0x07, 0x22, 0xE4, 0x86));
}

TEST(Quantizers, GiveABlockWithANanTheScaleNan) {
  const Quantized got = quantized("mxfp8_e4m3", {}, block_of({1, std::numeric_limits<float>::quiet_NaN()}));
  EXPECT_THAT(got.scales, ElementsAre(0xFF));
  EXPECT_EQ(got.codes, std::vector<std::uint8_t>(32));
  const auto back = dequantize<float>(host, *find_format("mxfp8_e4m3"), {}, 1, 32, got);
  for (const float each : back) EXPECT_TRUE(is_nan(each));
}

TEST(Quantizers, OfRowsCodeTheEndOfARowThatNoChunkFills) {
  const std::vector<float> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 127, -1, -2, -3, -4, -5, -6, -7, -8, -9, -254};
  const Quantized got = quantized("int8_row", {.scale = ScaleRule::divide}, x, 2);
  EXPECT_EQ(got.codes[9], 127);
  EXPECT_EQ(got.codes[18], static_cast<std::uint8_t>(-4));  // -4.5, a tie
  EXPECT_EQ(got.codes[19], static_cast<std::uint8_t>(-127));
  const auto back = dequantize<float>(host, *find_format("int8_row"), {}, 2, 10, got);
  EXPECT_EQ(back[9], 127);
  EXPECT_EQ(back[19], -254);
}

TEST(Quantizers, OfALongRowReadItInPartsWithOneScale) {
  std::vector<float> x(40'000, 1.0f);
  x[39'999] = 448;
  const Quantized got = quantized("e4m3_row", {.scale = ScaleRule::divide}, x);
  float scale;
  std::memcpy(&scale, got.scales.data(), sizeof scale);
  EXPECT_EQ(scale, 1);
  EXPECT_EQ(got.codes[0], 0x38);
  EXPECT_EQ(got.codes[39'999], 0x7E);
}

TEST(Quantizers, OfRowsOf16BitNumbersHaveTheSameCodesWhetherThreadsHoldThemOrNot) {
  for (const std::size_t columns : {16, 4080, 4096, 4112, 8176, 8192, 8193, 8208}) {
    std::vector<bfloat16> x(2 * columns);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto size = static_cast<float>(i * 37 % 241);
      x[i] = static_cast<bfloat16>(i % 3 == 0 ? -size : size);
    }
    x[columns - 1] = x.back() = static_cast<bfloat16>(-250.0f);
    const std::vector<float> same(x.begin(), x.end());  // not held
    for (const char* format : {"e4m3_row", "int8_row", "uint8_zero_row"}) {
      const Rule rule{.scale = ScaleRule::divide};
      const Quantized got = quantize<bfloat16>(host, *find_format(format), rule, 2, columns, x);
      const Quantized want = quantized(format, rule, same, 2);
      EXPECT_EQ(got.codes, want.codes) << format << ' ' << columns;
      EXPECT_EQ(got.scales, want.scales) << format << ' ' << columns;
    }
  }
}

TEST(Quantizers, ReadEachChunkOnceWhereTheLastPartsHaveNone) {
  const detail::Part part = detail::Part::of({1, 40}, 4, 8);
  std::vector<std::size_t> places;
  for (std::size_t index = 0; index < 4; ++index) {
    for (int t = 0; t < 2; ++t) {
      part.for_each_chunk<8>(index, t, 2, [&](std::size_t place, std::size_t) { places.push_back(place); });
    }
  }
  EXPECT_THAT(places, ElementsAre(0, 8, 16, 24, 32));
}

TEST(Quantizers, RefuseATensorWithoutWholeBlocks) {
  EXPECT_THROW(quantized("mxfp4", {}, std::vector<float>(33)), std::invalid_argument);
  EXPECT_THROW(quantized("e4m3_128x128", {}, std::vector<float>(128), 1), std::invalid_argument);
  EXPECT_THROW(sizes_of(*find_format("int8_tensor"), 0, 5), std::invalid_argument);
  EXPECT_THROW(quantize<float>(host, *find_format("mxfp4"), {}, 2, 32, std::vector<float>(32)), std::invalid_argument);
  EXPECT_THROW(dequantize<float>(host, *find_format("mxfp4"), {}, 1, 32, {}), std::invalid_argument);
  EXPECT_EQ(find_format("mxfp5"), nullptr);
}

}  // namespace
}  // namespace assay::quantize
