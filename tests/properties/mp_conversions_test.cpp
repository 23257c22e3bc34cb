#include "properties/catalog/mp/conversions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "kernels/mp/status.hpp"
#include "properties/catalog/expansion/decimal.hpp"
#include "properties/catalog/mp/cases.hpp"

namespace assay::mp {
namespace {

using oracle::Dyadic;
using oracle::Rational;

/// |z − q| ≤ u|q| and |z| ≤ |q|.
void expect_truncated(int n, const Dyadic& z, const Rational& q) {
  const RelativeBound u = mp_system(n).unit;
  EXPECT_LE(abs(Rational(z)), abs(q));
  EXPECT_LE((abs(q) - abs(Rational(z))) * Rational(u.denominator), abs(q) * Rational(u.numerator));
}

TEST(MpConversions, TruncateDecimalStrings) {
  std::string digits = "-7.";
  for (int i = 0; i < 700; ++i) digits += static_cast<char>('0' + (i * i + 3 * i) % 10);
  const std::vector<std::string> texts{"0.1", "-12.5e-3", "+.3333", "5.E+2", "9e999", "-1e-999", "123456789", digits};
  for (const int n : {8, 32, 128}) {
    const MpArray x = mp_from_decimals(n, texts);
    for (std::size_t k = 0; k < texts.size(); ++k) {
      expect_truncated(n, mp_value_of(x, k).value(), expansion::decimal_value(texts[k]));
    }
  }
}

TEST(MpConversions, KeepShortNumbers) {
  const std::vector<std::string> texts{"0", "-0.0e7", "-0.15625", "3", "1e20"};
  const MpArray x = mp_from_decimals(8, texts);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    EXPECT_EQ(Rational(mp_value_of(x, k).value()), expansion::decimal_value(texts[k])) << texts[k];
  }
  EXPECT_EQ(mp_to_decimal(x, 2, 10), "-1.5625e-1");
  EXPECT_EQ(mp_to_decimal(with_layout(x, true), 3, 10), "3e0");
}

TEST(MpConversions, RefuseWhatIsNoDecimalNumber) {
  for (const char* text : {"", "-", ".", "1.2.3", "1e", "1e+-3", "e5", "0x1p3", " 1", "1 ", "nan", "inf", "--1"}) {
    EXPECT_THROW(mp_from_decimals(8, std::array{std::string(text)}), std::invalid_argument) << text;
  }
  EXPECT_THROW(mp_from_decimals(9, std::array{std::string("1")}), std::invalid_argument);
}

TEST(MpConversions, MarkWhatLeavesTheRange) {
  const std::array<std::string, 4> texts{"1e323228600", "-1e-323228600", "1e99999999999999999999",
                                         "1e-99999999999999999999"};
  EXPECT_EQ(mp_status(mp_from_decimals(8, texts)).out_of_range, 4u);
  EXPECT_EQ(mp_to_decimal(mp_from_decimals(8, texts), 1, 5), "out of range");
}

TEST(MpConversions, ReturnToTheNumberNextToTheLimitsOfExponents) {
  for (const int n : {8, 128}) {
    const MpSystem& system = mp_system(n);
    const int digits = system.h * 3 / 10 + 10;
    for (const long e : {long{mp::exponent_limit} - system.h, -long{mp::exponent_limit} + 3, 5000l}) {
      const Dyadic value = Dyadic(system.largest).mul_2exp(e);
      const MpArray x = mp_from_values(n, std::array{value});
      ASSERT_EQ(mp_value_of(x, 0).value(), value);
      const Dyadic back = mp_value_of(mp_from_decimals(n, std::array{mp_to_decimal(x, 0, digits)}), 0).value();
      const Dyadic error = abs(back - value);
      EXPECT_LE(error * system.unit.denominator, Dyadic(2) * abs(value) * system.unit.numerator);
    }
  }
}

TEST(MpConversions, TakeAndGiveNumbersOfMpfr) {
  mpfr_t f;
  mpfr_t g;
  mpfr_inits2(106, f, g, nullptr);
  mpfr_set_si(f, -5, MPFR_RNDN);
  mpfr_div_ui(f, f, 7, MPFR_RNDN);
  const MpArray x = mp_from_mpfr(8, f);
  EXPECT_EQ(mp_to_mpfr(g, x, 0, oracle::Rounding::nearest), 0);
  EXPECT_NE(mpfr_equal_p(f, g), 0);
  mpfr_set_prec(g, 20);
  EXPECT_LT(mp_to_mpfr(g, x, 0, oracle::Rounding::down), 0);
  mpfr_set_inf(f, -1);
  EXPECT_FALSE(mp_value_of(mp_from_mpfr(8, f), 0).has_value());
  mp_to_mpfr(g, mp_from_mpfr(8, f), 0, oracle::Rounding::nearest);
  EXPECT_NE(mpfr_nan_p(g), 0);
  mpfr_clears(f, g, nullptr);
}

}  // namespace
}  // namespace assay::mp
