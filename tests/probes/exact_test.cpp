#include "probes/exact.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "oracle/decode.hpp"

namespace assay::probes {
namespace {

oracle::Dyadic value(const ExactTerm& term) {
  oracle::Dyadic m = oracle::Dyadic::scaled(1, 32) * oracle::Dyadic(static_cast<std::int64_t>(term.high >> 32));
  m += oracle::Dyadic(static_cast<std::int64_t>(term.high & 0xFFFFFFFFu));
  m = m * oracle::Dyadic::scaled(1, 32) + oracle::Dyadic(static_cast<std::int64_t>(term.low >> 32));
  m = m * oracle::Dyadic::scaled(1, 32) + oracle::Dyadic(static_cast<std::int64_t>(term.low & 0xFFFFFFFFu));
  m = m * oracle::Dyadic::scaled(1, term.e);
  return term.minus ? oracle::Dyadic() - m : m;
}

double number(std::mt19937_64& random) {
  for (;;) {
    const auto x = std::bit_cast<double>(random());
    if (std::isfinite(x)) return x;
  }
}

TEST(ExactTermOf, IsTheNumber) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const double x = number(random);
    ASSERT_EQ(value(exact_term(x)), oracle::exact(x));
    ASSERT_EQ(value(-exact_term(x)), oracle::exact(-x));
  }
  for (const double x : {std::numeric_limits<double>::denorm_min(), 0.0, -0.0, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(value(exact_term(x)), oracle::exact(x));
  }
  EXPECT_TRUE(exact_term(-0.0).is_zero());
}

TEST(ExactTermOf, IsTheProduct) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10000; ++i) {
    const double x = number(random);
    const double y = number(random);
    ASSERT_EQ(value(exact_term(x, y)), oracle::exact(x) * oracle::exact(y));
  }
}

/// Whether the terms' sum is 0 according to the judge, which must not be wrong.
template <int limbs, std::size_t n>
bool judged(const std::array<ExactTerm, n>& terms) {
  ExactTerm copy[n];
  oracle::Dyadic sum;
  for (std::size_t i = 0; i < n; ++i) {
    copy[i] = terms[i];
    sum += value(terms[i]);
  }
  const bool is_zero = is_zero_sum<limbs>(copy);
  if (is_zero) {
    EXPECT_TRUE(sum.is_zero());
  }
  return is_zero;
}

TEST(IsZeroSum, IsTrueOfSumsThatAreZero) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    // a + b + c + d − their sum, all multiples of 2^e with few enough bits.
    const int e = static_cast<int>(random() % 1800) - 900;
    double x[4];
    std::int64_t sum = 0;
    for (double& each : x) {
      const std::int64_t m = static_cast<std::int64_t>(random() >> 14) - (std::int64_t{1} << 49);
      sum += m;
      each = std::ldexp(static_cast<double>(m), e);
    }
    const double whole = std::ldexp(static_cast<double>(sum), e);
    const std::array<ExactTerm, 5> terms = {exact_term(x[0]), exact_term(x[1]), exact_term(x[2]), exact_term(x[3]),
                                            -exact_term(whole)};
    ASSERT_TRUE(judged<2>(terms));
    ASSERT_TRUE(judged<4>(terms));
    const double other = std::nextafter(whole, 0.0);
    ASSERT_FALSE(judged<2>(std::array<ExactTerm, 5>{terms[0], terms[1], terms[2], terms[3], -exact_term(other)}));
  }
}

TEST(IsZeroSum, LeavesOutWhatCancelsInPairs) {
  EXPECT_TRUE(judged<2>(std::array{exact_term(0x1p1000), exact_term(3.0), exact_term(-0x1p-1000), exact_term(-0x1p1000),
                                   exact_term(0x1p-1000), exact_term(-3.0)}));
  EXPECT_TRUE(judged<2>(std::array{exact_term(0.0), exact_term(-0.0)}));
}

TEST(IsZeroSum, IsFalseOfASumThatIsAPowerOfTwoAboveItsWords) {
  EXPECT_FALSE(judged<2>(std::array{exact_term(0x1p127), exact_term(0x1p127 - 0x1p75), exact_term(0x1p75 - 0x1p23),
                                    exact_term(0x1p23 - 1), exact_term(1.0)}));
  EXPECT_FALSE(judged<2>(std::array{exact_term(0x1p128), exact_term(1.0), exact_term(-3.0), exact_term(2.0)}));
  EXPECT_FALSE(judged<2>(std::array{exact_term(-0x1p126), exact_term(-0x1p125), exact_term(-0x1p126), exact_term(0.25),
                                    exact_term(-0.25), exact_term(0x1p125 - 1), exact_term(1.0)}));
}

TEST(IsZeroSum, IsFalseWhereItsWordsCannotHoldTheTerms) {
  const std::array terms = {exact_term(0x1p150),  exact_term(1.0),  exact_term(-0x1p149),
                            exact_term(-0x1p149), exact_term(-0.5), exact_term(-0.5)};
  EXPECT_FALSE(judged<2>(terms));
  EXPECT_TRUE(judged<4>(terms));
}

}  // namespace
}  // namespace assay::probes
