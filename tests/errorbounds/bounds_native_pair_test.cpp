#include <gtest/gtest.h>

#include <stdexcept>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/pair.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

template <class B>
void expect_equal(const B& bound, const B& want) {
  EXPECT_TRUE(bound <= want && want <= bound);
}

TEST(NativePairBounds, AreTheirPolynomialsAtSmallPrecisions) {
  expect_equal(native_mul_mask_bound(8, MaskWidth::narrow), {Dyadic::scaled(4 * 17, -16), 1});
  expect_equal(native_mul_mask_bound(9, MaskWidth::wide), {Dyadic::scaled(4 * 35, -18), 1});
  expect_equal(native_mul_mask_bound(9, MaskWidth::narrow), {Dyadic::scaled(17, -13), 1});
  expect_equal(pair_mul_split_bound(8), {9, 255 * 255});
  expect_equal(pair_mul_mask_bound(8, MaskWidth::wide), {13 + 68, 255 * 255});
  expect_equal(pair_good_mul_bound(8), {Dyadic::scaled(3 * 256 + 26, -25), 1});
  expect_equal(pair_good_mul_mask_bound(12, MaskWidth::wide), {Dyadic::scaled(4 * 65 + 9, -24), 1});
}

TEST(NativePairBounds, OfBothMasksAgreeForEvenPrecision) {
  expect_equal(native_mul_mask_bound(24, MaskWidth::narrow), native_mul_mask_bound(24, MaskWidth::wide));
}

TEST(NativePairBounds, OfTheNarrowMaskAreThoseOfANativeProductForOddPrecision) {
  EXPECT_TRUE((RelativeBound{unit_roundoff(53), 1}) < native_mul_mask_bound(53, MaskWidth::narrow));
  EXPECT_TRUE(native_mul_mask_bound(53, MaskWidth::wide) < (RelativeBound{Dyadic::scaled(9, -80), 1}));
}

TEST(NativePairBounds, OfConversionsAreTheLargerOfTwoTerms) {
  expect_equal(pair_conversion_bound(-1, oracle::binary32), {Dyadic::scaled(1, -49), 1});
  expect_equal(pair_conversion_bound(0, oracle::binary32), {Dyadic::scaled(1, -150), 1});
  expect_equal(pair_conversion_bound(Dyadic::scaled(1, -101), oracle::binary32), {Dyadic::scaled(1, -150), 1});
}

TEST(NativePairBounds, OfProductsThatUnderflowHaveATermInTheSmallestSubnormal) {
  expect_equal(pair_mul_underflow_bound(0, oracle::binary32), {Dyadic::scaled(1, -148), 1});
  expect_equal(pair_mul_underflow_bound(1, oracle::binary32), {Dyadic::scaled(9, -48) + Dyadic::scaled(1, -148), 1});
}

TEST(NativePairBounds, RefusePrecisionsOutsideTheirDerivations) {
  EXPECT_THROW(native_mul_mask_bound(7, MaskWidth::wide), std::domain_error);
  EXPECT_THROW(pair_mul_split_bound(7), std::domain_error);
  EXPECT_THROW(pair_mul_mask_bound(7, MaskWidth::wide), std::domain_error);
  EXPECT_THROW(pair_good_mul_bound(7), std::domain_error);
  EXPECT_THROW(pair_good_mul_mask_bound(11, MaskWidth::wide), std::domain_error);
}

TEST(MatrixProductBounds, AreZeroForAnEmptySum) {
  const Bound zero{0, 1};
  expect_equal(product_double_bound(0, 0), zero);
  expect_equal(product_pair_bound(0, 0), zero);
  expect_equal(product_single_bound(0, 0), zero);
}

TEST(MatrixProductBounds, CountTheRoundingsOfATerm) {
  // γ₃ + (1 + γ₃)·3η/2 = (3 + 3η·2⁵²)/(2⁵³ − 3)
  expect_equal(product_double_bound(3, 1),
               {Dyadic(3) + Dyadic::scaled(3, 52 - 1074), Dyadic::scaled(1, 53) - Dyadic(3)});
  // two conversions more: γ₅
  EXPECT_TRUE(product_single_bound(3, 1) <=
              (Bound{Dyadic(5) + Dyadic::scaled(1, -100), Dyadic::scaled(1, 24) - Dyadic(5)}));
  EXPECT_TRUE((Bound{5, Dyadic::scaled(1, 24) - Dyadic(5)}) < product_single_bound(3, 1));
  // N = 3k + 8
  EXPECT_TRUE((Bound{17, Dyadic::scaled(1, 48) - Dyadic(17)}) < product_pair_bound(3, 1));
}

TEST(MatrixProductBounds, DoNotSpeakOfEntriesBelowTheNormalNumbers) {
  // a = 1.5·2⁻¹⁴⁹ becomes 2⁻¹⁴⁸ in binary32: with b = 2¹⁰⁰ an error of 2⁻⁵⁰ in a product of 1.5·2⁻⁴⁹.
  const auto a = static_cast<float>(0x1.8p-149);
  EXPECT_EQ(a, 0x1p-148F);
  const Bound bound = product_single_bound(1, Dyadic::scaled(3, -50));
  EXPECT_GT(Dyadic::scaled(1, -50) * bound.denominator, Dyadic(1'000'000) * bound.numerator);
  EXPECT_GE(product_data_box_binary32.low, -101);
}

TEST(MatrixProductBounds, OrderTheThreeArithmetics) {
  for (const std::uint64_t k : {1, 16, 1024}) {
    EXPECT_TRUE(product_double_bound(k, 1) < product_pair_bound(k, 1));
    EXPECT_TRUE(product_pair_bound(k, 1) < product_single_bound(k, 1));
  }
}

TEST(MatrixProductBounds, RefuseInnerDimensionsThatAreTooLarge) {
  EXPECT_THROW(product_single_bound((1 << 24) - 2, 1), std::domain_error);
  EXPECT_THROW(product_pair_bound(std::uint64_t{1} << 45, 1), std::domain_error);
}

}  // namespace
}  // namespace assay
