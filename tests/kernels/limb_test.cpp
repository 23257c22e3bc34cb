#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "kernels/limb/blas.hpp"
#include "kernels/limb/lengths.hpp"
#include "kernels/limb/operations.hpp"

namespace assay::limb {
namespace {

const Executor host = Executor::host();
constexpr double nan_double = std::numeric_limits<double>::quiet_NaN();

FloatArray of(std::vector<double> x, int limbs = 4) { return floats_of(limbs, x); }

void expect_same(const FloatArray& x, const FloatArray& y) {
  EXPECT_EQ(x.limbs, y.limbs);
  EXPECT_EQ(x.length, y.length);
  EXPECT_EQ(x.word, y.word);
  EXPECT_EQ(x.exponent, y.exponent);
  EXPECT_EQ(x.sign, y.sign);
}

TEST(LimbArray, HasTheValuesOfDoubles) {
  const FloatArray x = of({1, -0.75, 0x1p-1074, -0.0, std::numeric_limits<double>::infinity(), nan_double}, 2);
  EXPECT_EQ(x.exponent, (std::vector<std::int32_t>{1, 0, -1073, zero_exponent, infinity_exponent, nan_exponent}));
  EXPECT_EQ(x.sign, (std::vector<std::uint32_t>{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(x.word[6 + 0], 0x80000000u);
  EXPECT_EQ(x.word[6 + 1], 0xC0000000u);
  EXPECT_EQ(x.word[6 + 2], 0x80000000u);
}

TEST(LimbArray, HasTheLowBitsOfDoublesInTheLimbBelow) {
  const FloatArray x = of({1 + 0x1p-52, 1 + 0x3p-52}, 3);
  EXPECT_EQ(x.word, (std::vector<std::uint32_t>{0, 0, 0x800, 0x1800, 0x80000000, 0x80000000}));
}

TEST(LimbArray, HasANanWithoutItsSign) { EXPECT_EQ(of({std::copysign(nan_double, -1.0)}).sign[0], 0u); }

TEST(LimbOperations, AreOfferedForEveryLength) {
  for (const int limbs : offered_limbs) {
    const FloatArray x = of({6, -1.5}, limbs);
    const FloatArray y = of({2, 0.5}, limbs);
    const auto result = [&](LimbOp op) { return limb_op(host, op, Rounding::rn, x, y); };
    expect_same(result(LimbOp::add), of({8, -1}, limbs));
    expect_same(result(LimbOp::sub), of({4, -2}, limbs));
    expect_same(result(LimbOp::mul), of({12, -0.75}, limbs));
    expect_same(result(LimbOp::div), of({3, -3}, limbs));
    expect_same(limb_op(host, LimbOp::fma, Rounding::rn, x, y, y), of({14, -0.25}, limbs));
    expect_same(limb_op(host, LimbOp::sqrt, Rounding::rn, of({9, 0.25}, limbs)), of({3, 0.5}, limbs));
  }
}

TEST(LimbOperations, RefuseOtherLengthsAndOperandsThatDoNotFit) {
  EXPECT_THROW(limb_op(host, LimbOp::sqrt, Rounding::rn, of({1}, 3)), std::invalid_argument);
  EXPECT_THROW(limb_op(host, LimbOp::add, Rounding::rn, of({1}), of({1}, 2)), std::invalid_argument);
  EXPECT_THROW(limb_op(host, LimbOp::add, Rounding::rn, of({1}), of({1, 2})), std::invalid_argument);
  EXPECT_THROW(limb_op(host, LimbOp::fma, Rounding::rn, of({1}), of({1})), std::invalid_argument);
  FloatArray torn = of({1, 2});
  torn.sign.pop_back();
  EXPECT_THROW(limb_op(host, LimbOp::sqrt, Rounding::rn, torn), std::invalid_argument);
}

TEST(LimbOperations, TheResultMayBeAnOperand) {
  FloatArray x = of({1, 2, 3});
  queue_limb_op(host, LimbOp::add, Rounding::rn, 4, x.length, planes(x), planes(x), {}, planes(x));
  expect_same(x, of({2, 4, 6}));
}

TEST(LimbAxpy, AddsAMultiple) {
  expect_same(limb_axpy(host, of({-2}), of({1, 2, 0.5}), of({10, 20, 1})), of({8, 16, 0}));
  expect_same(limb_axpy(host, of({-2}), of({}), of({})), of({}));
}

TEST(LimbAxpy, RefusesVectorsOfDifferentLengthsAndScalarsThatAreNone) {
  EXPECT_THROW(limb_axpy(host, of({1}), of({1, 2}), of({1})), std::invalid_argument);
  EXPECT_THROW(limb_axpy(host, of({1, 1}), of({1}), of({1})), std::invalid_argument);
}

/// 1, …, n.
std::vector<double> counted(std::size_t n) {
  std::vector<double> x(n);
  std::iota(x.begin(), x.end(), 1.0);
  return x;
}

TEST(LimbDot, AddsEveryTermOnceWhateverTheBlocks) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{127}, std::size_t{128}, std::size_t{129},
                              std::size_t{512}, std::size_t{513}, std::size_t{70001}}) {
    const std::size_t sum = n * (n + 1) / 2;
    expect_same(limb_dot(host, of(counted(n), 2), of(std::vector<double>(n, 1.0), 2)),
                of({static_cast<double>(sum)}, 2));
  }
}

TEST(LimbDot, RefusesVectorsOfDifferentLengths) {
  EXPECT_THROW(limb_dot(host, of({1, 2}), of({1})), std::invalid_argument);
}

TEST(LimbGemv, MultipliesByTheMatrixAndItsTranspose) {
  const FloatArray a = of({1, 2, 3, nan_double, 4, 5, 6, nan_double});  // 3 × 2, lda = 4
  expect_same(limb_gemv(host, blas::Transpose::no, 3, 2, of({2}), a, 4, of({1, 10}), of({-1}), of({1, 2, 3})),
              of({81, 102, 123}));
  expect_same(limb_gemv(host, blas::Transpose::yes, 3, 2, of({1}), a, 4, of({1, 10, 100}), of({1}), of({1000, 2000})),
              of({1321, 2654}));
}

TEST(LimbGemv, ReadsNeitherAWithAZeroAlphaNorYWithAZeroBeta) {
  const FloatArray a = of({nan_double, nan_double});
  expect_same(limb_gemv(host, blas::Transpose::no, 2, 1, of({0}), a, 2, of({nan_double}), of({3}), of({1, 2})),
              of({3, 6}));
  expect_same(limb_gemv(host, blas::Transpose::no, 2, 1, of({1}), of({1, 2}), 2, of({3}), of({0}),
                        of({nan_double, nan_double})),
              of({3, 6}));
  expect_same(
      limb_gemv(host, blas::Transpose::no, 1, 1, of({0}), of({nan_double}), 1, of({1}), of({-0.0}), of({nan_double})),
      of({0}));
}

TEST(LimbGemv, RoundsItsResultToNearest) {
  // α·d = 2⁸⁰ − 1 has 80 bits, two limbs have 64.
  expect_same(limb_gemv(host, blas::Transpose::no, 1, 1, of({0x1p40 - 1}, 2), of({0x1p40 + 1}, 2), 1, of({1}, 2),
                        of({0}, 2), of({0}, 2)),
              of({0x1p80}, 2));
}

TEST(LimbGemv, ScalesYWhereThereAreNoTerms) {
  expect_same(limb_gemv(host, blas::Transpose::no, 2, 0, of({1}), of({}), 2, of({}), of({2}), of({1, 2})), of({2, 4}));
  expect_same(limb_gemv(host, blas::Transpose::yes, 0, 2, of({1}), of({}), 1, of({}), of({2}), of({1, 2})), of({2, 4}));
  expect_same(limb_gemv(host, blas::Transpose::no, 0, 2, of({1}), of({}), 1, of({1, 2}), of({2}), of({})), of({}));
}

TEST(LimbGemv, RefusesShapesThatDoNotFit) {
  const auto call = [](std::int64_t m, std::int64_t n, std::int64_t lda) {
    return limb_gemv(host, blas::Transpose::no, m, n, of({1}), of({1, 2, 3, 4}), lda, of({1, 2}), of({1}), of({1, 2}));
  };
  EXPECT_NO_THROW(call(2, 2, 2));
  EXPECT_THROW(call(2, 2, 1), std::invalid_argument);
  EXPECT_THROW(call(2, 2, 3), std::invalid_argument);
  EXPECT_THROW(call(-1, 2, 2), std::invalid_argument);
  EXPECT_THROW(call(1, 2, 2), std::invalid_argument);
}

}  // namespace
}  // namespace assay::limb
