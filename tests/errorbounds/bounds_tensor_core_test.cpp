#include "errorbounds/tensor_core.hpp"

#include <gtest/gtest.h>

#include "errorbounds/fraction.hpp"
#include "errorbounds/judge.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay {
namespace {

using oracle::binary16;
using oracle::binary32;
using oracle::Dyadic;

constexpr MatrixUnit volta{4, 23, 23};
constexpr MatrixUnit ampere{8, 24, 23};
constexpr MatrixUnit hopper{16, 25, 23};

bool equal(const Bound& a, const Bound& b) { return a <= b && b <= a; }

Dyadic nearest(const Dyadic& x, const oracle::Format& format) {
  return oracle::decode_finite(format, oracle::round(x, format, oracle::Rounding::nearest));
}

TEST(MatrixUnits, HaveTheFactorsOfThePageForFullSteps) {
  EXPECT_TRUE(equal(matrix_chain_bound(volta, {8, 1}), {Dyadic::scaled(8, -23)}));
  EXPECT_TRUE(equal(matrix_chain_bound(ampere, {16, 1}), {Dyadic::scaled(18, -24)}));
  EXPECT_TRUE(equal(matrix_chain_bound(hopper, {32, 1}), {Dyadic::scaled(38, -25)}));
}

TEST(MatrixUnits, CountTheProductsOfTheLastStep) {
  EXPECT_TRUE(equal(matrix_chain_bound(hopper, {18, 1}), {Dyadic::scaled(16 + 8, -25)}));
}

TEST(MatrixUnits, TakeTheLargestOfMagnitudeLiftedProductAndLeastExponent) {
  EXPECT_TRUE(equal(matrix_chain_bound(volta, {1, 3, 5}), {Dyadic::scaled(5, -23)}));
  EXPECT_TRUE(equal(matrix_chain_bound(volta, {1, Dyadic::scaled(1, -140)}), {Dyadic::scaled(1, -149)}));
}

TEST(MatrixUnits, HaveNoErrorWithoutProducts) { EXPECT_TRUE(equal(matrix_chain_bound(volta, {0, 1}), {0})); }

TEST(MatrixUnits, AreNeverBetterThanAnyUnit) {
  for (const MatrixUnit& unit : {volta, ampere, hopper}) {
    for (const std::uint64_t k : {1u, 5u, 16u, 4096u}) {
      const MatrixProducts products{k, 3};
      EXPECT_LE(matrix_chain_bound(unit, products), matrix_any_unit_bound(23, products)) << k;
    }
  }
}

TEST(MatrixUnits, OfOneSliceHaveTheBoundOfAChain) {
  const MatrixProducts products{100, 7, Dyadic::scaled(1, -126)};
  const Bound slices = matrix_slices_bound(hopper, 1, 100, products);
  EXPECT_LE(matrix_chain_bound(hopper, products), slices);
  EXPECT_LE(slices, matrix_chain_bound(hopper, {100, Dyadic(7) + Dyadic::scaled(1, -125)}));
}

TEST(MatrixUnits, LoseNearlyTheBoundWhenSlicesAreAddedInBinary16) {
  // 1 and 2⁻¹¹, 2⁻¹¹, …: ties that are rounded down. The slices are exact.
  constexpr std::uint64_t slices = 20;
  Dyadic sum = 1;
  const Dyadic small = Dyadic::scaled(1, -11);
  Dyadic exact = 1;
  for (std::uint64_t i = 1; i < slices; ++i) {
    sum = nearest(sum + small, binary16);
    exact += small;
  }
  const Judgement judged =
      judge_within(sum, exact, matrix_reduced_slices_bound(hopper, slices, 1, {slices, exact}, binary16));
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_GT(judged.tightness, 0.9);
}

TEST(MatrixUnits, LoseAtMostTheBoundWhenSlicesUnderflowInBinary16) {
  const Dyadic slice = Dyadic::scaled(1, -25);  // half the smallest subnormal number
  const Dyadic exact = Dyadic(9) * slice;
  const Judgement judged = judge_within(nearest(slice, binary16) * Dyadic(9), exact,
                                        matrix_reduced_slices_bound(hopper, 9, 1, {9, exact}, binary16));
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_GT(judged.tightness, 0.9);
}

TEST(MatrixUnits, GrowByTheirFactorInBinary16) {
  const Dyadic factor = Dyadic(1) + Dyadic::scaled(4, -23) + Dyadic::scaled(1, -11);
  EXPECT_TRUE(
      equal(matrix_f16_accumulator_bound(volta, {12, 5}), {Dyadic(5) * (factor * factor * factor - Dyadic(1))}));
}

TEST(MatrixUnits, TakeEitherConversionToTf32WithTheLargestBound) {
  const MatrixProducts products{40, 3, 1};
  EXPECT_LE(tf32_truncated_bound(hopper, products), tf32_either_bound(hopper, products));
  EXPECT_LE(tf32_rounded_bound(hopper, products), tf32_either_bound(hopper, products));
  EXPECT_LT(tf32_rounded_bound(hopper, products), tf32_truncated_bound(hopper, products));
}

TEST(MatrixUnits, StoreTheEndOfAProductWithHalfAUnitMore) {
  // α·s + β·c is a tie of bfloat16, and the accumulator is exact.
  const MatrixEpilogue end{1, Dyadic(1) + Dyadic::scaled(1, -8), 0};
  const Dyadic truth = end.sum;
  const Judgement judged =
      judge_within(nearest(truth, oracle::bfloat16), truth, matrix_epilogue_bound(end, oracle::bfloat16));
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_GT(judged.tightness, 0.9);
}

TEST(MatrixUnits, ScaleTheErrorOfTheAccumulator) {
  const Bound of_exact = matrix_epilogue_bound({-2, 3, 1}, binary32);
  const Bound of_rough = matrix_epilogue_bound({-2, 3, 1, {1, 4}}, binary32);
  const Bound half{1, 2};
  EXPECT_LE(of_exact + half, of_rough);
  EXPECT_LE(of_rough, of_exact + half * (Dyadic(1) + Dyadic::scaled(1, -20)));
}

TEST(MatrixUnits, HaveAsManyExactIntegerProductsAs32BitsHold) {
  EXPECT_EQ(exact_integer_products(-128 * 127, 128 * 128), 131071u);
  EXPECT_EQ(exact_integer_products(-255 * 128, 255 * 127), 65793u);
  EXPECT_EQ(exact_integer_products(0, 255 * 255), 33025u);
}

TEST(MatrixUnits, RoundPowersUp) {
  const std::uint64_t k = 1000;
  const Dyadic u = Dyadic::scaled(1, -53);
  Dyadic power = 1;
  for (std::uint64_t i = 0; i < k; ++i) power *= Dyadic(1) + u;
  const Bound exact{power - Dyadic(1)};
  EXPECT_LT(exact, fma_chain_bound(k, 1));
  EXPECT_LE(fma_chain_bound(k, 1), exact * (Dyadic(1) + Dyadic::scaled(1, -60)));
}

}  // namespace
}  // namespace assay
