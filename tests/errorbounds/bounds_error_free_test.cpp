#include <gtest/gtest.h>

#include "errorbounds/eft.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/judge.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay {
namespace {

using oracle::binary32;
using oracle::binary64;
using oracle::Dyadic;
using oracle::Format;

/// A number of the format nearest to x, as an exact value.
Dyadic nearest(const Dyadic& x, const Format& format) {
  return oracle::decode_finite(format, oracle::round(x, format, oracle::Rounding::nearest));
}

Dyadic largest(const Format& format) { return oracle::decode_finite(format, format.largest_finite()); }

TEST(OneOperation, AttainsItsBoundAtOnePlusU) {
  const Dyadic u = unit_roundoff(53);
  const Judgement judged = judge_within(Dyadic(1), Dyadic(1) + u, rounding_bound(53));
  EXPECT_EQ(judged.verdict, Verdict::holds);
  EXPECT_EQ(judged.tightness, 1);
}

TEST(TwoSum, IsRefusedWhereTheFirstOperandIsTheLargestNumber) {
  const Dyadic b = Dyadic::scaled(-3, 970);
  EXPECT_FALSE(two_sum_is_exact(largest(binary64), b, binary64));
  EXPECT_TRUE(two_sum_is_exact(b, largest(binary64), binary64));
}

TEST(TwoSum, IsRefusedWhereTheSumOverflows) {
  const Dyadic a = Dyadic::scaled(1, 1023);
  EXPECT_FALSE(two_sum_is_exact(a, a, binary64));
  EXPECT_TRUE(two_sum_is_exact(a, -a, binary64));
}

TEST(RoundsToFinite, EndsAtTheMiddleAboveTheLargestNumber) {
  const Dyadic middle = largest(binary32) + Dyadic::scaled(1, 127 - 24);
  EXPECT_FALSE(rounds_to_finite(middle, binary32));
  EXPECT_TRUE(rounds_to_finite(middle - Dyadic::scaled(1, 0), binary32));
}

TEST(FastTwoSum, AcceptsASmallerFirstOperandOnTheGridOfTheSecond) {
  EXPECT_TRUE(fast_two_sum_is_exact(1, Dyadic::scaled(1, 52) + Dyadic(1), binary64));
  EXPECT_FALSE(fast_two_sum_is_exact(Dyadic::scaled(1, -1), Dyadic::scaled(1, 52) + Dyadic(1), binary64));
}

TEST(FastTwoSum, AcceptsAnyLargerFirstOperand) {
  EXPECT_TRUE(fast_two_sum_is_exact(Dyadic(1) + Dyadic::scaled(1, -52), Dyadic::scaled(1, -1074), binary64));
}

TEST(TwoProd, NeedsTheSumOfExponents) {
  EXPECT_TRUE(two_prod_is_exact(Dyadic::scaled(1, -500), Dyadic::scaled(1, -470), binary64));
  EXPECT_FALSE(two_prod_is_exact(Dyadic::scaled(1, -500), Dyadic::scaled(1, -471), binary64));
}

TEST(TwoProd, TakesTheExponentOfASubnormalFromItsGrid) {
  EXPECT_TRUE(two_prod_is_exact(Dyadic::scaled(1, -1074), Dyadic::scaled(1, 52), binary64));
  EXPECT_FALSE(two_prod_is_exact(Dyadic::scaled(1, -1074), Dyadic::scaled(1, 51), binary64));
}

TEST(TwoProd, IsInexactForTheProductJustBelowItsSufficientThreshold) {
  const Dyadic odd = Dyadic::scaled(1, 53) - Dyadic(1);
  Dyadic a = odd;
  Dyadic b = odd;
  a.mul_2exp(-537);
  b.mul_2exp(-538);
  EXPECT_GE(a * b, Dyadic::scaled(1, -970));
  EXPECT_FALSE(two_prod_is_exact(a, b, binary64));
  EXPECT_FALSE(product_error_is_representable(a, b, binary64));
}

/// The theorem over every pair of E5M2's numbers: where the predicate is true the error is a number, and where the
/// product's error is representable the product is a multiple of η.
TEST(TwoProd, PredicateAgreesWithEveryPairOfE5m2) {
  const Format format = oracle::e5m2;
  int exact_pairs = 0;
  for (std::uint64_t i = 0; i <= format.largest_finite(); ++i) {
    for (std::uint64_t j = 0; j <= format.largest_finite(); ++j) {
      const Dyadic a = oracle::decode_finite(format, i);
      const Dyadic b = oracle::decode_finite(format, j);
      const Dyadic product = a * b;
      if (!rounds_to_finite(product, format)) {
        continue;
      }
      const Dyadic error = product - nearest(product, format);
      const bool representable = nearest(error, format) == error;
      ASSERT_EQ(product_error_is_representable(a, b, format), representable) << i << ' ' << j;
      ASSERT_TRUE(representable || !two_prod_is_exact(a, b, format)) << i << ' ' << j;
      exact_pairs += two_prod_is_exact(a, b, format) ? 1 : 0;
    }
  }
  EXPECT_GT(exact_pairs, 1000);
}

TEST(QuotientResidual, NeedsTheSumOfExponents) {
  const Dyadic least = smallest_subnormal(binary64);
  EXPECT_TRUE(quotient_residual_is_exact(Dyadic::scaled(1, -1022), Dyadic::scaled(1, 52), least, binary64));
  EXPECT_FALSE(quotient_residual_is_exact(Dyadic::scaled(1, -1023), Dyadic::scaled(1, 51), least, binary64));
}

/// The theorem over every pair of E5M2's numbers: where the predicate is true the residual is a number, also for a
/// quotient of ±η.
TEST(QuotientResidual, IsANumberForEveryPairOfE5m2ThatThePredicateAdmits) {
  const Format format = oracle::e5m2;
  int least_quotients = 0;
  for (std::uint64_t i = 0; i <= format.largest_finite(); ++i) {
    for (std::uint64_t j = 1; j <= format.largest_finite(); ++j) {
      const Dyadic a = oracle::decode_finite(format, i);
      const Dyadic b = oracle::decode_finite(format, j);
      const std::uint64_t bits = oracle::round(oracle::quotient(a, b), format, oracle::Rounding::nearest);
      if (!oracle::is_finite(format, bits)) {
        continue;
      }
      const Dyadic q = oracle::decode_finite(format, bits);
      if (!quotient_residual_is_exact(a, b, q, format)) {
        continue;
      }
      const Dyadic residual = a - q * b;
      ASSERT_EQ(nearest(residual, format), residual) << i << ' ' << j;
      least_quotients += q == smallest_subnormal(format) ? 1 : 0;
    }
  }
  EXPECT_GT(least_quotients, 100);
}

TEST(RootResidual, NeedsTwiceTheExponentOfTheRoot) {
  EXPECT_TRUE(root_residual_is_exact(Dyadic::scaled(1, -485), binary64));
  EXPECT_FALSE(root_residual_is_exact(Dyadic::scaled(1, -486), binary64));
}

TEST(VeltkampSplit, EndsWhereItsFactorOverflows) {
  EXPECT_TRUE(veltkamp_split_is_exact(Dyadic::scaled(1, 996), binary64));
  EXPECT_FALSE(veltkamp_split_is_exact(Dyadic::scaled(1, 997), binary64));
}

TEST(DekkerProduct, HasThePublishedRangeOfBinary64) {
  EXPECT_TRUE(dekker_product_is_exact(Dyadic::scaled(1, -969), 1, binary64));
  EXPECT_FALSE(dekker_product_is_exact(Dyadic::scaled(1, -970), 1, binary64));
  EXPECT_TRUE(dekker_product_is_exact(Dyadic::scaled(1, 994), Dyadic::scaled(1, 26), binary64));
  EXPECT_FALSE(dekker_product_is_exact(Dyadic::scaled(1, 995), 1, binary64));
  EXPECT_FALSE(dekker_product_is_exact(Dyadic::scaled(1, 994), Dyadic::scaled(1, 27), binary64));
}

TEST(MaskedProduct, IsExactForEvenPrecisionsOnly) {
  EXPECT_TRUE(masked_product_is_exact(3, 5, binary32));
  EXPECT_FALSE(masked_product_is_exact(3, 5, binary64));
}

TEST(ErrFma, IsRefusedBelowItsPrecisionAndItsRange) {
  EXPECT_TRUE(err_fma_is_exact(3, 5, 7, binary32));
  EXPECT_FALSE(err_fma_is_exact(3, 5, 7, oracle::e4m3));
  EXPECT_FALSE(err_fma_is_exact(Dyadic::scaled(1, -60), Dyadic::scaled(1, -60), 7, binary32));
  EXPECT_FALSE(err_fma_is_exact(3, 5, Dyadic::scaled(1, 127), binary32));
}

}  // namespace
}  // namespace assay
