#include "kernels/tensor_core/model.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace assay::tensor_core {
namespace {

using Patterns = std::vector<std::uint32_t>;

constexpr std::uint32_t one = 0x3c00;       // of binary16
constexpr std::uint32_t infinity = 0x7c00;  // of binary16
constexpr std::uint32_t one_f32 = 0x3f800000;

std::uint32_t step_f16(const Patterns& a, const Patterns& b, std::uint32_t c) {
  return fused_step(hopper_f16, Input::f16, a, b, c);
}

/// The largest j for which a unit sees a product 2^−j beside c = 1 and −1: the fraction bits of its alignment.
int visible_bits(const Step& step) {
  int bits = 0;
  for (std::uint32_t j = 1; j < 28; ++j) {
    const std::uint32_t half = (15 - j / 2) << 10;
    const std::uint32_t other = (15 - (j - j / 2)) << 10;
    if (fused_step(step, Input::f16, Patterns{one, half}, Patterns{one | 0x8000u, other}, one_f32) != 0) {
      bits = static_cast<int>(j);
    }
  }
  return bits;
}

TEST(MatrixUnitModel, KeepsTheFractionBitsOfEachArchitecture) {
  EXPECT_EQ(visible_bits(volta_f16), 23);
  EXPECT_EQ(visible_bits(turing_f16), 24);
  EXPECT_EQ(visible_bits(ampere_f16), 24);
  EXPECT_EQ(visible_bits(hopper_f16), 25);
  EXPECT_EQ(visible_bits(blackwell_f16), 25);
}

TEST(MatrixUnitModel, RoundsTheSumOnceTowardZero) {
  // 1 + 3·2⁻²⁵
  EXPECT_EQ(step_f16({0x0c00, 0x0c00, 0x0c00}, {0x0800, 0x0800, 0x0800}, one_f32), one_f32);
  // 1 + 3·2⁻²⁴, with a subnormal number of binary16
  EXPECT_EQ(step_f16({one}, {0x0003}, one_f32), one_f32 + 1);
}

TEST(MatrixUnitModel, IsNotMonotonic) {
  // Products of 2⁻²³ each still count when added to c = 2 − 2⁻²³, but not when added to the next number, 2, on Volta.
  const Patterns a(4, 0x1000);
  const Patterns b(4, 0x0c00);
  EXPECT_GT(fused_step(volta_f16, Input::f16, a, b, 0x3fffffff), fused_step(volta_f16, Input::f16, a, b, 0x40000000));
}

TEST(MatrixUnitModel, GivesTheCanonicalNanForNanAndOpposedInfinities) {
  EXPECT_EQ(step_f16({0x7e01}, {one}, 0), 0x7fffffffu);
  EXPECT_EQ(step_f16({infinity}, {0}, 0), 0x7fffffffu);
  EXPECT_EQ(step_f16({0}, {infinity}, 0), 0x7fffffffu);
  EXPECT_EQ(step_f16({infinity, infinity}, {one, one | 0x8000u}, 0), 0x7fffffffu);
  EXPECT_EQ(step_f16({one}, {one}, 0xffc00000u), 0x7fffffffu);
  EXPECT_EQ(fused_step(with_f16_accumulator(hopper_f16), Input::f16, Patterns{infinity}, Patterns{0}, 0), 0x7fffu);
}

TEST(MatrixUnitModel, KeepsAnInfinity) {
  EXPECT_EQ(step_f16({infinity | 0x8000u}, {one}, one_f32), 0xff800000u);
  EXPECT_EQ(step_f16({one}, {infinity}, one_f32), 0x7f800000u);
  EXPECT_EQ(step_f16({infinity}, {infinity | 0x8000u}, one_f32), 0xff800000u);
  EXPECT_EQ(step_f16({one}, {one}, 0x7f800000u), 0x7f800000u);
  EXPECT_EQ(fused_step(with_f16_accumulator(hopper_f16), Input::f16, Patterns{infinity}, Patterns{one}, 0), infinity);
}

TEST(MatrixUnitModel, OverflowsToInfinityFrom2To128On) {
  // bfloat16: 2⁶⁴·2⁶⁴, and the largest finite number 2¹²⁸ − 2¹⁰⁴ with 2¹⁰³ more
  EXPECT_EQ(fused_step(hopper_f16, Input::bf16, Patterns{0x5f80}, Patterns{0x5f80}, 0), 0x7f800000u);
  EXPECT_EQ(fused_step(hopper_f16, Input::bf16, Patterns{0x5900}, Patterns{0x5980}, 0x7f7fffffu), 0x7f7fffffu);
  EXPECT_EQ(fused_step(with_f16_accumulator(hopper_f16), Input::f16, Patterns{0x7bff}, Patterns{0x4000}, 0), infinity);
}

TEST(MatrixUnitModel, AddsNothingToPlusZero) {
  EXPECT_EQ(step_f16({}, {}, 0x80000000u), 0u);
  EXPECT_EQ(step_f16({one, one}, {one, one | 0x8000u}, 0), 0u);
  EXPECT_EQ(fused_step(with_f16_accumulator(hopper_f16), Input::f16, Patterns{one}, Patterns{one}, one | 0x8000u), 0u);
}

TEST(MatrixUnitModel, ReadsThe19HighBitsOfTf32) {
  EXPECT_EQ(fused_step(ampere_tf32, Input::tf32, Patterns{one_f32 | 0x1fff}, Patterns{one_f32}, 0), one_f32);
}

TEST(MatrixUnitModel, TakesAsManyStepsAsProductsNeed) {
  // Each step drops 2⁻²⁵ once; one step of all would have dropped them together.
  const Patterns a(32, 0x0c00);
  const Patterns b(32, 0x0800);
  EXPECT_EQ(chain(hopper_f16, Input::f16, a, b, one_f32), one_f32 + 2 * 4);
  EXPECT_EQ(chain(volta_f16, Input::f16, a, b, one_f32), one_f32);
}

TEST(MatrixUnitModel, PromotesEachSlice) {
  // e4m3: 256 products 1 in slices of 128 are exact, in one chain of 13 fraction bits too; 2⁻¹² beside 128 is not.
  const Patterns a(256, 0x38);
  Patterns b(256, 0x38);
  EXPECT_EQ(sliced_chain(hopper_fp8_wgmma, Input::e4m3, a, b, 128), 0x43800000u);
  Patterns tiny(129, 0x38);
  Patterns other(129, 0x38);
  tiny[128] = other[128] = 0x08;  // 2⁻⁶
  EXPECT_EQ(sliced_chain(hopper_fp8_wgmma, Input::e4m3, tiny, other, 128), 0x43000010u);
  EXPECT_EQ(chain(hopper_fp8_wgmma, Input::e4m3, tiny, other, 0), 0x43000000u);
}

TEST(MatrixUnitModel, TruncatesToTf32TowardZero) {
  EXPECT_EQ(tf32_truncated(0xbfffffffu), 0xbfffe000u);
  EXPECT_EQ(tf32_truncated(0x00001fffu), 0u);
}

TEST(MatrixUnitModel, RoundsToTf32WithTiesAwayFromZero) {
  EXPECT_EQ(tf32_rounded(0x3f800fffu), 0x3f800000u);
  EXPECT_EQ(tf32_rounded(0x3f801000u), 0x3f802000u);
  EXPECT_EQ(tf32_rounded(0xbf801000u), 0xbf802000u);
  EXPECT_EQ(tf32_rounded(0x7f7fffffu), 0x7f800000u);
  EXPECT_EQ(tf32_rounded(0xff800000u), 0xff800000u);
  EXPECT_EQ(tf32_rounded(0x7f800001u), 0x7fffe000u);
}

TEST(MatrixUnitModel, WrapsIntegersAt32Bits) {
  const std::vector<std::int8_t> least(131072, -128);
  EXPECT_EQ((integer_chain<std::int8_t, std::int8_t>(least, least, 0)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(
      (integer_chain<std::int8_t, std::int8_t>(std::span(least).first(131071), std::span(least).first(131071), 0)),
      131071 * 16384);
}

TEST(MatrixUnitModel, MultipliesSignedAndUnsignedBytes) {
  const std::vector<std::uint8_t> a{255};
  const std::vector<std::int8_t> b{-128};
  EXPECT_EQ((integer_chain<std::uint8_t, std::int8_t>(a, b, 1)), 1 - 255 * 128);
}

}  // namespace
}  // namespace assay::tensor_core
