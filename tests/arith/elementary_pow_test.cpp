// Special operands of x^y in double words and quad doubles: the rules of C.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "arith/words/elementary.hpp"

namespace assay::elementary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Word = DoubleWord<double>;
using Quad = QuadDouble<double>;

/// The words of pow((x, 0, …), (y, 0, …)) in W are those of C's pow, which these operands make exact, with zeros after.
template <class W>
void expect_power_of_c(double x, double y) {
  const auto z = detail::words_of(pow(detail::one_word<W>(x), detail::one_word<W>(y)));
  const double c = std::pow(x, y);
  SCOPED_TRACE(testing::Message() << x << "^" << y);
  if (std::isnan(c)) {
    EXPECT_TRUE(std::isnan(z.w[0]));
    return;
  }
  EXPECT_EQ(z.w[0], c);
  EXPECT_EQ(std::signbit(z.w[0]), std::signbit(c));
  EXPECT_EQ(z.w[1], 0);
}

TEST(ElementaryPow, HasTheSpecialValuesOfC) {
  const std::vector<double> operands{0.0,  -0.0, 1,  -1,    2,      -2,     3,        -3,        4,  0.5,
                                     -0.5, 0.25, -4, 1e300, -1e300, 1.5e16, infinity, -infinity, nan};
  for (const double x : operands) {
    for (const double y : operands) {
      const bool is_exact = std::isnan(x) || std::isnan(y) || std::isinf(x) || std::isinf(y) || x == 0 || y == 0 ||
                            std::abs(x) == 1 ||
                            (std::abs(y) <= 4 && std::abs(x) <= 4 && std::abs(x) != 3 && y == std::round(y)) ||
                            (x < 0 && y != std::round(y));
      if (!is_exact) continue;
      expect_power_of_c<Word>(x, y);
      expect_power_of_c<Quad>(x, y);
    }
  }
}

TEST(ElementaryPow, TakesTheParityOfAllWords) {
  // 2⁶⁰ + 1 is odd, 2⁶⁰ + 2 is even, 2⁶⁰ + 1/2 no integer; (−1 − 2⁻⁶⁰) to these powers is about −e, e and NaN.
  const Word x{-1, -0x1p-60};
  EXPECT_NEAR(pow(x, Word{0x1p60, 1}).h, -std::exp(1), 1e-12);
  EXPECT_NEAR(pow(x, Word{0x1p60, 2}).h, std::exp(1), 1e-12);
  EXPECT_TRUE(std::isnan(pow(x, Word{0x1p60, 0.5}).h));
  const Quad z{-1, -0x1p-60, 0, 0};
  EXPECT_NEAR(pow(z, Quad{0x1p60, 1, 0, 0}).x0, -std::exp(1), 1e-12);
  EXPECT_TRUE(std::isnan(pow(z, Quad{0x1p60, 1, 0x1p-60, 0}).x0));
}

TEST(ElementaryPow, KeepsAllWordsOfADistanceFromOne) {
  // (1 + d)^(2^k) = exp(2^k·ln(1 + d)), where x holds bits of d that a sum of 1 and d in limbs loses.
  for (const int k : {220, 300}) {
    const double scale = std::ldexp(1.0, -k);
    const Quad d{0x1.2345678912345p0 * scale, 0x1.3579bdf02468ap-54 * scale, 0x1.fedcba9876543p-108 * scale, 0};
    const Quad log = log1p(d);
    const Quad scaled{log.x0 / scale, log.x1 / scale, log.x2 / scale, log.x3 / scale};
    const Quad expected = exp(scaled);
    const Quad z = pow(Quad{1, d.x0, d.x1, d.x2}, Quad{1 / scale, 0, 0, 0});
    EXPECT_EQ(z.x0, expected.x0) << k;
    EXPECT_EQ(z.x1, expected.x1) << k;
    EXPECT_EQ(z.x2, expected.x2) << k;
    EXPECT_LT(std::fabs(z.x3 - expected.x3), 0x1p-207) << k;
  }
}

TEST(ElementaryPow, IsOneForOneAndNotForANumberBesideIt) {
  EXPECT_EQ(pow(Word{1, 0}, Word{nan, nan}).h, 1);
  EXPECT_TRUE(std::isnan(pow(Word{1, 0x1p-60}, Word{nan, nan}).h));
}

}  // namespace
}  // namespace assay::elementary
