// The rules that the host paths of CUDA's headers follow, and those of the compiler's types. docs/convert.md has them.

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "assay/conversions/document.hpp"

namespace assay::conversions {
namespace {

/// The result of CUDA's headers for a number of type T.
template <class T>
T number(std::uint64_t code) {
  if constexpr (sizeof(T) == 8) return std::bit_cast<T>(code);
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<std::uint32_t>(code));
  if constexpr (sizeof(T) == 2) return T{static_cast<std::uint16_t>(code)};
}

std::string rule_of(const std::string& formats, const std::function<std::uint64_t(std::uint64_t)>& convert) {
  Question question = question_of(formats, "", false, 1);
  question.random = 2048;
  const Answer answer = asked(question, [&](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
    std::ranges::transform(inputs, codes.begin(), convert);
  });
  return answer.follows.empty() ? text_of(question, answer) : name_of(answer.follows.front());
}

TEST(CudaHeaders, SaturateInFp8) {
  for (const auto& [target, kind] : {std::pair{"e4m3fn", __NV_E4M3}, std::pair{"e5m2", __NV_E5M2}}) {
    const std::string to = std::string(":") + target;
    const char* const rule = "even.saturate.nan";
    EXPECT_EQ(
        rule_of("f32" + to, [&](auto x) { return __nv_cvt_float_to_fp8(number<float>(x), __NV_SATFINITE, kind); }),
        rule);
    EXPECT_EQ(
        rule_of("f64" + to, [&](auto x) { return __nv_cvt_double_to_fp8(number<double>(x), __NV_SATFINITE, kind); }),
        rule);
    EXPECT_EQ(rule_of("f16" + to,
                      [&](auto x) { return __nv_cvt_halfraw_to_fp8(number<__half_raw>(x), __NV_SATFINITE, kind); }),
              rule);
    EXPECT_EQ(rule_of("bf16" + to,
                      [&](auto x) {
                        return __nv_cvt_bfloat16raw_to_fp8(number<__nv_bfloat16_raw>(x), __NV_SATFINITE, kind);
                      }),
              rule);
  }
}

TEST(CudaHeaders, GiveNaNsAndInfinitiesWithoutSaturation) {
  for (const auto& [target, kind, rule] :
       {std::tuple{"e4m3fn", __NV_E4M3, "even.overflow_nan.nan"}, std::tuple{"e5m2", __NV_E5M2, "even.infinity.nan"}}) {
    const std::string to = std::string(":") + target;
    EXPECT_EQ(rule_of("f32" + to, [&](auto x) { return __nv_cvt_float_to_fp8(number<float>(x), __NV_NOSAT, kind); }),
              rule);
    EXPECT_EQ(rule_of("f64" + to, [&](auto x) { return __nv_cvt_double_to_fp8(number<double>(x), __NV_NOSAT, kind); }),
              rule);
    EXPECT_EQ(
        rule_of("f16" + to, [&](auto x) { return __nv_cvt_halfraw_to_fp8(number<__half_raw>(x), __NV_NOSAT, kind); }),
        rule);
    EXPECT_EQ(
        rule_of("bf16" + to,
                [&](auto x) { return __nv_cvt_bfloat16raw_to_fp8(number<__nv_bfloat16_raw>(x), __NV_NOSAT, kind); }),
        rule);
  }
}

TEST(CudaHeaders, HaveTheDirectionThatIsAskedInFp6) {
  for (const auto& [target, kind] : {std::pair{"e3m2", __NV_E3M2}, std::pair{"e2m3", __NV_E2M3}}) {
    for (const auto& [direction, rule] :
         {std::pair{cudaRoundNearest, "even.saturate.nan_max"}, std::pair{cudaRoundZero, "zero.saturate.nan_max"}}) {
      const std::string to = std::string(":") + target;
      EXPECT_EQ(rule_of("f32" + to, [&](auto x) { return __nv_cvt_float_to_fp6(number<float>(x), kind, direction); }),
                rule);
      EXPECT_EQ(
          rule_of("f16" + to, [&](auto x) { return __nv_cvt_halfraw_to_fp6(number<__half_raw>(x), kind, direction); }),
          rule);
      EXPECT_EQ(
          rule_of("bf16" + to,
                  [&](auto x) { return __nv_cvt_bfloat16raw_to_fp6(number<__nv_bfloat16_raw>(x), kind, direction); }),
          rule);
    }
  }
}

TEST(CudaHeaders, HaveTheDirectionThatIsAskedInFp4) {
  for (const auto& [direction, rule] :
       {std::pair{cudaRoundNearest, "even.saturate.nan_max"}, std::pair{cudaRoundZero, "zero.saturate.nan_max"}}) {
    EXPECT_EQ(
        rule_of("f32:e2m1", [&](auto x) { return __nv_cvt_float_to_fp4(number<float>(x), __NV_E2M1, direction); }),
        rule);
    EXPECT_EQ(
        rule_of("f64:e2m1", [&](auto x) { return __nv_cvt_double_to_fp4(number<double>(x), __NV_E2M1, direction); }),
        rule);
    EXPECT_EQ(rule_of("f16:e2m1",
                      [&](auto x) { return __nv_cvt_halfraw_to_fp4(number<__half_raw>(x), __NV_E2M1, direction); }),
              rule);
    EXPECT_EQ(rule_of("bf16:e2m1",
                      [&](auto x) {
                        return __nv_cvt_bfloat16raw_to_fp4(number<__nv_bfloat16_raw>(x), __NV_E2M1, direction);
                      }),
              rule);
  }
}

TEST(CudaHeaders, IgnoreTheSignInScales) {
  for (const auto& [direction, word] : {std::pair{cudaRoundPosInf, "up"}, std::pair{cudaRoundZero, "zero"}}) {
    for (const auto& [saturation, rest] :
         {std::pair{__NV_SATFINITE, ".saturate.nan.magnitude"}, std::pair{__NV_NOSAT, ".overflow_nan.nan.magnitude"}}) {
      const std::string rule = std::string(word) + rest;
      EXPECT_EQ(
          rule_of("f32:e8m0", [&](auto x) { return __nv_cvt_float_to_e8m0(number<float>(x), saturation, direction); }),
          rule);
      EXPECT_EQ(rule_of("f64:e8m0",
                        [&](auto x) { return __nv_cvt_double_to_e8m0(number<double>(x), saturation, direction); }),
                rule);
      EXPECT_EQ(rule_of("bf16:e8m0",
                        [&](auto x) {
                          return __nv_cvt_bfloat16raw_to_e8m0(number<__nv_bfloat16_raw>(x), saturation, direction);
                        }),
                rule);
    }
  }
}

}  // namespace
}  // namespace assay::conversions
