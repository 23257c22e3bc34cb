#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "errorbounds/fft_theorems.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

/// The bound in units of u = 2⁻ᵖ.
double units(const RelativeBound& bound, int p) { return std::ldexp(at_most(bound), p); }

TEST(FftBounds, OfPowersOfTwoGrowWithTheLogarithm) {
  EXPECT_NEAR(units(fft_power_of_two_1(2, 53), 53), 1, 1e-5);
  EXPECT_NEAR(units(fft_power_of_two_1(4, 53), 53), 2, 1e-5);
  EXPECT_NEAR(units(fft_power_of_two_1(4096, 53), 53), 12 + 10 * 3.125, 1e-5);
  EXPECT_NEAR(units(fft_power_of_two_2(4096, 53), 53), 12 + 10 * 20.5, 1e-5);
}

TEST(FftBounds, OfOddFactorsAreThoseOfDirectSums) {
  EXPECT_NEAR(units(fft_mixed_radix_1(15, 53), 53), std::sqrt(6) * 26 + std::sqrt(10) * 30 + 20.5, 0.01);
  EXPECT_NEAR(units(fft_each_3(15, 53), 53), std::sqrt(2) * 56 + 20.5, 0.01);
  EXPECT_NEAR(units(fft_mixed_radix_1(3, 24), 24), std::sqrt(6) * 26, 0.01);
  EXPECT_NEAR(units(fft_direct_1(1000, 53), 53), 2020, 1e-5);
}

TEST(FftBounds, OfMixedRadixAreTheOthersForPowersOfTwo) {
  for (const std::uint64_t n : {1, 2, 4, 8, 1024}) {
    EXPECT_EQ(units(fft_mixed_radix_1(n, 24), 24), units(fft_power_of_two_2(n, 24), 24)) << n;
    EXPECT_EQ(units(fft_each_3(n, 24), 24), units(fft_each_2(n, 24), 24)) << n;
  }
}

TEST(FftBounds, OfAnyLengthGrowWithTheRoot) {
  EXPECT_NEAR(units(fft_any_length_1(1024, 53), 53), 6 * 32 * (64 * 10 + 152), 1);
  EXPECT_NEAR(units(fft_any_length_1(1025, 53), 53), 6 * std::sqrt(1025) * (64 * 11 + 152), 3);
}

TEST(FftBounds, OfOneTransformAfterAnotherMultiplyTheirFactors) {
  const RelativeBound half{Dyadic(1), Dyadic(2)};
  const RelativeBound third{Dyadic(1), Dyadic(3)};
  const RelativeBound both = fft_two_dimensions_1(half, third);  // 3/2·4/3 − 1
  EXPECT_EQ(both.numerator, both.denominator);
}

TEST(FftBounds, OfInversesCountTheRoundingsOfTheirFactor) {
  const RelativeBound none{Dyadic(0), Dyadic(1)};
  EXPECT_EQ(fft_inverse_1(none, 8, 24).numerator, Dyadic(0));
  EXPECT_EQ(fft_inverse_1(none, 12, 24).numerator, Dyadic::scaled(1, -23) + Dyadic::scaled(1, -48));
}

TEST(FftBounds, OfARealResultCountOneRoundingMoreAndTwiceForEachNumber) {
  const RelativeBound whole{Dyadic(1), Dyadic(1)};
  EXPECT_EQ(fft_packed_bound(whole, 24).numerator, Dyadic(1) + Dyadic::scaled(1, -23));
  EXPECT_EQ(fft_each_real_bound(whole, 24).numerator, Dyadic(2) + Dyadic::scaled(1, -22));
}

/// The steps of fft.real.2: n/2 complex numbers, √2 of their bound, a stage with its root, a sum.
TEST(FftBounds, OfEachOutputOfRealNumbersAllowThePackedForm) {
  for (const std::uint64_t n : {2, 4, 8, 12, 60, 1024}) {
    const double u = std::ldexp(1, -24);
    const double root = n <= 4 ? 0 : 20.5 * u;
    const double packed =
        (1 + std::sqrt(2) * units(fft_each_3(n / 2, 24), 24) * u) * (1 + u) * (1 + root) * (1 + u) - 1;
    EXPECT_LE(packed, units(fft_real_2(fft_each_3(n, 24), 24), 24) * u) << n;
  }
}

/// A complex transform with the bound B may have all of its error, B‖y‖, at k = 1. The half of it stands for a whole
/// with the same error at k = n − 1 as well: √2·B‖y‖.
TEST(FftBounds, OfRealNumbersAllowTheErrorOfAHalfTwice) {
  for (const std::uint64_t n : {4, 8, 1024}) {
    const RelativeBound of_complex = fft_power_of_two_1(n, 24);
    const RelativeBound of_real = fft_real_1(of_complex, 24);
    const Dyadic error = of_complex.numerator * of_real.denominator;
    const Dyadic most = of_real.numerator * of_complex.denominator;
    EXPECT_LE(Dyadic(2) * error * error, most * most) << n;
  }
}

TEST(FftBounds, NameAHypothesisThatFails) {
  EXPECT_THROW(fft_power_of_two_1(12, 53), std::domain_error);
  EXPECT_THROW(fft_power_of_two_1(4, 11), std::domain_error);
  EXPECT_THROW(fft_direct_1(std::uint64_t{1} << 21, 24), std::domain_error);
  EXPECT_THROW(fft_any_length_1(4, 13), std::domain_error);
  EXPECT_NO_THROW(fft_direct_1(std::uint64_t{1} << 20, 24));
}

}  // namespace
}  // namespace assay
