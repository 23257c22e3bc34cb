#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "arith/accumulators/rounded_quotient.hpp"

namespace assay {
namespace {

/// Σ xᵢ/d rounded once by MPFR, which has room for the exact sum.
double by_mpfr(const std::vector<double>& x, double d, Rounding to) {
  const mpfr_rnd_t direction = to == Rounding::rn   ? MPFR_RNDN
                               : to == Rounding::ru ? MPFR_RNDU
                               : to == Rounding::rd ? MPFR_RNDD
                                                    : MPFR_RNDZ;
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  mpfr_t sum;
  mpfr_t quotient;
  mpfr_init2(sum, 4400);
  mpfr_init2(quotient, 53);
  mpfr_set_zero(sum, 1);
  for (const double each : x) mpfr_add_d(sum, sum, each, MPFR_RNDN);
  mpfr_set_emin(-1073);
  mpfr_set_emax(1024);
  const int inexact = mpfr_div_d(quotient, sum, d, direction);
  mpfr_subnormalize(quotient, inexact, direction);
  const double result = mpfr_get_d(quotient, direction);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  mpfr_clear(sum);
  mpfr_clear(quotient);
  return result;
}

double quotient(const std::vector<double>& x, double d, Rounding to) {
  Superaccumulator sum{};
  for (const double each : x) sum.add(each);
  return rounded_quotient(sum, d, to);
}

constexpr Rounding directions[] = {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};

void expect_as_mpfr(const std::vector<double>& x, double d) {
  for (const Rounding to : directions) {
    EXPECT_EQ(quotient(x, d, to), by_mpfr(x, d, to)) << x[0] << " / " << d << ", direction " << static_cast<int>(to);
  }
}

TEST(RoundedQuotient, IsThatOfMpfr) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const int range = i % 4 == 0 ? 1000 : i % 4 == 1 ? 60 : 2;
    const auto number = [&] {
      const auto significand = static_cast<double>(static_cast<std::int64_t>(random() >> 10) - (std::int64_t{1} << 53));
      return std::ldexp(significand, static_cast<int>(random() % static_cast<unsigned>(2 * range)) - range - 53);
    };
    const double d = number();
    if (d == 0) continue;
    expect_as_mpfr({number(), number(), number()}, d);
  }
}

TEST(RoundedQuotient, RoundsTiesAndTheirNeighbours) {
  for (const double divisor : {1.0, -4.0, 3.0, 0x1.8p-1000, 0x1p-1074, 0x1.fffffffffffffp1000}) {
    for (const double tiny : {0.0, 0x1p-1074, -0x1p-1074, 0x1p-200}) {
      const double near = divisor * (1 + 0x1p-52);
      expect_as_mpfr({near, divisor * 0x1p-53, tiny}, divisor);
      expect_as_mpfr({-near, divisor * 0x1p-53, tiny}, divisor);
    }
  }
}

TEST(RoundedQuotient, OfAProductAndItsFactorIsTheOtherInEveryPlace) {
  // Both have all bits of a significand. The product lies anywhere between the words of the superaccumulator.
  constexpr double factor = 0x1.fffffffffffffp0;
  for (int e = -70; e <= 70; ++e) {
    const double x = std::ldexp(-0x1.555555555557fp0, e);
    Superaccumulator sum{};
    sum.add_product(x, factor);
    for (const Rounding to : directions) EXPECT_EQ(rounded_quotient(sum, factor, to), x) << e;
  }
}

TEST(RoundedQuotient, UnderflowsAndOverflowsOnce) {
  expect_as_mpfr({0x1p-1074, 0x1p-1074, 0x1p-1074}, 2);
  expect_as_mpfr({0x1p-1074}, 0x1.fffffffffffffp1023);
  expect_as_mpfr({0x1.fffffffffffffp1023}, 0x1p-1074);
  expect_as_mpfr({0x1.fffffffffffffp1023, 0x1p969}, 1);
  expect_as_mpfr({0x1.fffffffffffffp1023, 0x1p970}, 1);
}

TEST(RoundedQuotient, FollowsIeeeWhereNothingIsToBeDivided) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(quotient({1, infinity}, -2, Rounding::rn), -infinity);
  EXPECT_EQ(quotient({1}, infinity, Rounding::rn), 0);
  EXPECT_EQ(quotient({1}, 0, Rounding::rn), infinity);
  EXPECT_TRUE(std::isnan(quotient({0}, 0, Rounding::rn)));
  EXPECT_FALSE(std::signbit(quotient({1, -1}, 2, Rounding::rn)));
  EXPECT_TRUE(std::signbit(quotient({1, -1}, -2, Rounding::rn)));
}

}  // namespace
}  // namespace assay
