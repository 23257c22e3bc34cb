// Elementary functions compared with MPFR, which shares no code with Arb.

#include "oracle/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>

#include "oracle/decode.hpp"
#include "oracle/gmp_value.hpp"
#include "oracle/round.hpp"

namespace assay::oracle {
namespace {

struct Known {
  const char* name;
  Elementary function;
  int (*mpfr)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
};
constexpr Known functions[] = {{"exp", Elementary::exp, mpfr_exp},       {"exp2", Elementary::exp2, mpfr_exp2},
                               {"exp10", Elementary::exp10, mpfr_exp10}, {"expm1", Elementary::expm1, mpfr_expm1},
                               {"log", Elementary::log, mpfr_log},       {"log2", Elementary::log2, mpfr_log2},
                               {"log10", Elementary::log10, mpfr_log10}, {"log1p", Elementary::log1p, mpfr_log1p},
                               {"sin", Elementary::sin, mpfr_sin},       {"cos", Elementary::cos, mpfr_cos},
                               {"tan", Elementary::tan, mpfr_tan},       {"asin", Elementary::asin, mpfr_asin},
                               {"acos", Elementary::acos, mpfr_acos},    {"atan", Elementary::atan, mpfr_atan},
                               {"sinh", Elementary::sinh, mpfr_sinh},    {"cosh", Elementary::cosh, mpfr_cosh},
                               {"tanh", Elementary::tanh, mpfr_tanh},    {"asinh", Elementary::asinh, mpfr_asinh},
                               {"acosh", Elementary::acosh, mpfr_acosh}, {"atanh", Elementary::atanh, mpfr_atanh},
                               {"sqrt", Elementary::sqrt, mpfr_sqrt},    {"rsqrt", Elementary::rsqrt, mpfr_rec_sqrt},
                               {"cbrt", Elementary::cbrt, mpfr_cbrt},    {"erf", Elementary::erf, mpfr_erf},
                               {"erfc", Elementary::erfc, mpfr_erfc}};
static_assert(std::size(functions) == static_cast<std::size_t>(Elementary::erfc) + 1);

class ElementaryFunction : public testing::TestWithParam<Known> {
 protected:
  /// The function at a number, rounded to binary32 by MPFR.
  static float by_mpfr(float x, mpfr_rnd_t rounding) {
    const ExponentRange restored_at_the_end;
    Float from(24);
    Float to(24);
    mpfr_set_flt(from.f, x, MPFR_RNDN);
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    const int ternary = GetParam().mpfr(to.f, from.f, rounding);
    mpfr_subnormalize(to.f, mpfr_check_range(to.f, ternary, rounding), rounding);
    return mpfr_get_flt(to.f, rounding);
  }
  static void expect_agreement(float x) {
    if (!is_defined(GetParam().function, exact(x))) return;
    const Exact value = elementary(GetParam().function, exact(x));
    for (const auto& [ours, theirs] : {std::pair{Rounding::nearest, MPFR_RNDN}, std::pair{Rounding::up, MPFR_RNDU},
                                       std::pair{Rounding::down, MPFR_RNDD}}) {
      const RoundingPolicy policy{.negative_zero = std::signbit(x)};
      const float rounded = std::bit_cast<float>(static_cast<std::uint32_t>(round(value, binary32, ours, policy)));
      EXPECT_EQ(rounded, by_mpfr(x, theirs)) << GetParam().name << " of " << x;
    }
  }
};

TEST_P(ElementaryFunction, IsRoundedAsByMpfrAtAnyNumber) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(x)) expect_agreement(x);
    expect_agreement(static_cast<float>(random()) * 0x1p-30F - 2);
  }
}

TEST_P(ElementaryFunction, IsRoundedAsByMpfrAtNumbersWithExactValuesAndAtTheEnds) {
  for (const float x :
       {0.0F,           1.0F,          2.0F,   3.0F,   8.0F,   10.0F,   100.0F,  1e10F,           27.0F,     0.125F,
        0.5F,           64.0F,         127.0F, 128.0F, 149.0F, 2047.0F, 2048.0F, 0x1.fffffep127F, 0x1p-126F, 0x1p-149F,
        0x1.fffffep-1F, 0x1.000002p0F, 1e3F,   6e3F,   1e12F,  1e16F,   1e20F,   63.0F,           65.0F}) {
    expect_agreement(x);
    expect_agreement(-x);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementaryFunction, testing::ValuesIn(functions),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Elementary, HasExactValuesWhereTheyAreRational) {
  EXPECT_EQ(std::get<Dyadic>(elementary(Elementary::exp2, -3)), Dyadic::scaled(1, -3));
  EXPECT_EQ(std::get<Dyadic>(elementary(Elementary::log10, 1000)), Dyadic(3));
  EXPECT_EQ(std::get<Dyadic>(elementary(Elementary::cbrt, -216)), Dyadic(-6));
  EXPECT_EQ(std::get<Rational>(elementary(Elementary::exp10, -1)), quotient(1, 10));
}

TEST(Elementary, HasItsExponentAtPowersOfTwoThatNoFormatHolds) {
  EXPECT_EQ(exponent(elementary(Elementary::exp2, -5000)), -5000);
  EXPECT_EQ(exponent(elementary(Elementary::exp2, 1L << 40)), 1L << 40);
}

TEST(Elementary, OutsideOfTheDomainIsRefused) {
  EXPECT_THROW(elementary(Elementary::log, 0), std::domain_error);
  EXPECT_THROW(elementary(Elementary::asin, 2), std::domain_error);
}

/// `value` at 2000 bits contains MPFR's number, which is as close to the exact value, and is as narrow.
void expect_by_mpfr(const Exact& value, mpfr_srcptr number) {
  const Ball ball = std::get<Enclosure>(value).at(2000);
  Dyadic by_mpfr;
  arf_set_mpfr(by_mpfr.arf(), number);
  const Dyadic reach = Dyadic::scaled(1, -1900) * abs(by_mpfr);
  EXPECT_TRUE(abs(ball.lower() - by_mpfr) <= reach && abs(ball.upper() - by_mpfr) <= reach);
}

TEST(ElementaryByBalls, HasTheValueAsNearAsAskedAtNumbersOfAnyLength) {
  const Dyadic x = Dyadic::scaled(3, -2) + Dyadic::scaled(1, -700);
  Float from(2200);
  Float to(2200);
  arf_get_mpfr(from.f, x.arf(), MPFR_RNDN);
  for (const Known& each : functions) {
    if (each.function == Elementary::sqrt || each.function == Elementary::rsqrt || !is_defined(each.function, x))
      continue;
    each.mpfr(to.f, from.f, MPFR_RNDN);
    expect_by_mpfr(elementary_by_balls(each.function, x), to.f);
  }
  const Dyadic y = Dyadic::scaled(-5, -300);
  Float second(2200);
  arf_get_mpfr(second.f, y.arf(), MPFR_RNDN);
  mpfr_atan2(to.f, from.f, second.f, MPFR_RNDN);
  expect_by_mpfr(angle(x, y), to.f);
  mpfr_pow(to.f, from.f, second.f, MPFR_RNDN);
  expect_by_mpfr(power(x, y), to.f);
}

TEST(ElementaryByBalls, HasNoNumberInPlaceOfTheValueNextToOne) {
  const Dyadic tiny = Dyadic::scaled(1, -300);
  EXPECT_TRUE(std::holds_alternative<Enclosure>(elementary_by_balls(Elementary::sin, tiny)));
  EXPECT_EQ(compare(elementary_by_balls(Elementary::cosh, tiny), Dyadic(1)), std::partial_ordering::greater);
}

TEST(ElementaryByBalls, IsANumberWhereArbFindsOne) {
  EXPECT_EQ(std::get<Dyadic>(elementary_by_balls(Elementary::exp, 0)), Dyadic(1));
  EXPECT_EQ(std::get<Dyadic>(angle(0, 5)), Dyadic());
  EXPECT_EQ(std::get<Dyadic>(power(2, -3)), Dyadic::scaled(1, -3));
}

TEST(ElementaryByBalls, RefusesRootsAndNumbersOutsideOfTheDomain) {
  EXPECT_THROW(elementary_by_balls(Elementary::log, -1), std::domain_error);
  EXPECT_THROW(elementary_by_balls(Elementary::sqrt, 2), std::domain_error);
}

}  // namespace
}  // namespace assay::oracle
