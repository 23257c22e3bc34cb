#include "properties/draws/op/rules.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "oracle/decode.hpp"

namespace assay::op {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

OperandBits bits(double a, double b = 0, double c = 0) {
  return {std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b), std::bit_cast<std::uint64_t>(c)};
}

/// "number" if rounding decides, "nan", or the value.
std::string outcome(Operation operation, double a, double b = 0, double c = 0) {
  const auto result = special_result(operation, oracle::binary64, bits(a, b, c));
  if (!result) {
    return "number";
  }
  const double value = std::bit_cast<double>(result->bits);
  return result->nan ? "nan" : value == inf ? "inf" : value == -inf ? "-inf" : std::signbit(value) ? "-0" : "0";
}

TEST(SpecialResult, LetsRoundingDecideForFiniteOperands) {
  EXPECT_EQ(outcome(Operation::add, 1, -1), "number");
  EXPECT_EQ(outcome(Operation::mul, 0, 5), "number");
  EXPECT_EQ(outcome(Operation::div, 0, 5), "number");
  EXPECT_EQ(outcome(Operation::fma, 1, 2, 3), "number");
}

TEST(SpecialResult, PropagatesNaN) {
  EXPECT_EQ(outcome(Operation::add, nan, 1), "nan");
  EXPECT_EQ(outcome(Operation::div, 1, nan), "nan");
  EXPECT_EQ(outcome(Operation::fma, 1, 1, nan), "nan");
  EXPECT_EQ(outcome(Operation::sqrt, nan), "nan");
}

TEST(SpecialResult, MakesInvalidOperationsNaN) {
  EXPECT_EQ(outcome(Operation::add, inf, -inf), "nan");
  EXPECT_EQ(outcome(Operation::sub, inf, inf), "nan");
  EXPECT_EQ(outcome(Operation::mul, 0, inf), "nan");
  EXPECT_EQ(outcome(Operation::div, 0, -0.0), "nan");
  EXPECT_EQ(outcome(Operation::div, inf, -inf), "nan");
  EXPECT_EQ(outcome(Operation::sqrt, -1), "nan");
  EXPECT_EQ(outcome(Operation::fma, 0, inf, 1), "nan");
  EXPECT_EQ(outcome(Operation::fma, inf, 2, -inf), "nan");
}

TEST(SpecialResult, GivesInfinitiesTheirSign) {
  EXPECT_EQ(outcome(Operation::sub, 1, inf), "-inf");
  EXPECT_EQ(outcome(Operation::mul, -2, inf), "-inf");
  EXPECT_EQ(outcome(Operation::div, -1, -0.0), "inf");
  EXPECT_EQ(outcome(Operation::div, inf, -2), "-inf");
  EXPECT_EQ(outcome(Operation::fma, 1, 1, -inf), "-inf");
  EXPECT_EQ(outcome(Operation::sqrt, inf), "inf");
}

TEST(SpecialResult, GivesZerosTheirSign) {
  EXPECT_EQ(outcome(Operation::div, 1, -inf), "-0");
  EXPECT_EQ(outcome(Operation::sqrt, -0.0), "-0");
  EXPECT_EQ(outcome(Operation::sqrt, 0.0), "0");
}

TEST(SpecialResult, HasNaNForInfinityInAFormatWithoutIt) {
  const auto by_zero = special_result(Operation::div, oracle::e4m3, {0x38, 0, 0});
  ASSERT_TRUE(by_zero.has_value());
  EXPECT_TRUE(by_zero->nan);
}

TEST(ZeroIsNegative, FollowsTheSignsOfASum) {
  const auto negative = [](double a, double b, oracle::Rounding direction) {
    return zero_is_negative(Operation::add, oracle::binary64, bits(a, b), direction);
  };
  EXPECT_FALSE(negative(1, -1, oracle::Rounding::nearest));
  EXPECT_TRUE(negative(1, -1, oracle::Rounding::down));
  EXPECT_TRUE(negative(-0.0, -0.0, oracle::Rounding::up));
  EXPECT_FALSE(negative(0.0, 0.0, oracle::Rounding::down));
}

TEST(ZeroIsNegative, FollowsTheRuleOfSignsForProducts) {
  EXPECT_TRUE(zero_is_negative(Operation::mul, oracle::binary64, bits(-0.0, 3), oracle::Rounding::nearest));
  EXPECT_FALSE(zero_is_negative(Operation::div, oracle::binary64, bits(-0.0, -3), oracle::Rounding::down));
  EXPECT_FALSE(zero_is_negative(Operation::fma, oracle::binary64, bits(-0.0, 3, 0.0), oracle::Rounding::nearest));
  EXPECT_TRUE(zero_is_negative(Operation::fma, oracle::binary64, bits(-0.0, 3, -0.0), oracle::Rounding::nearest));
}

TEST(OperationTruth, IsExact) {
  using oracle::Dyadic;
  const oracle::Exact fused = operation_truth(Operation::fma, oracle::binary64, bits(0x1p600, 0x1p600, 0x1p-1074));
  EXPECT_EQ(std::get<Dyadic>(fused), Dyadic::scaled(1, 1200) + Dyadic::scaled(1, -1074));
  const oracle::Exact third = operation_truth(Operation::div, oracle::binary64, bits(1, 3));
  EXPECT_EQ(std::get<oracle::Rational>(third), oracle::Rational(1, 3));
}

}  // namespace
}  // namespace assay::op
