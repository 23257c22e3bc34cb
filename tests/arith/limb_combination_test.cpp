#include "arith/limbs/combination.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "binary64_range.hpp"
#include "mpfr_reference.hpp"

namespace assay::limb {
namespace {

/// RN(α·(±x)·2^e + β·c) by MPFR: exact in 16 000 bits, then one rounding with the range of binary64.
double expected(const std::vector<std::uint32_t>& x, bool minus, int e, double alpha, double beta, double c) {
  mpfr_t sum, term, result;
  mpfr_inits2(16000, sum, term, nullptr);
  mpfr_init2(result, 53);
  mpfr_set_zero(sum, 1);
  for (std::size_t i = x.size(); i-- > 0;) {
    mpfr_mul_2ui(sum, sum, 32, MPFR_RNDN);
    mpfr_add_ui(sum, sum, x[i], MPFR_RNDN);
  }
  mpfr_mul_2si(sum, sum, e, MPFR_RNDN);
  mpfr_mul_d(sum, sum, minus ? -alpha : alpha, MPFR_RNDN);
  mpfr_set_d(term, beta, MPFR_RNDN);
  mpfr_mul_d(term, term, c, MPFR_RNDN);
  EXPECT_EQ(mpfr_add(sum, sum, term, MPFR_RNDN), 0);
  const int ternary = mpfr_set(result, sum, MPFR_RNDN);
  const double rounded = mpfr_zero_p(sum) != 0 ? 0.0 : reference::in_binary64(result, ternary, MPFR_RNDN);
  mpfr_clears(sum, term, result, nullptr);
  return rounded;
}

template <int L>
void expect_rounded_once(const std::vector<std::uint32_t>& x, bool minus, int e, double alpha, double beta, double c) {
  const double got = combination<L>(x.data(), static_cast<int>(x.size()), minus, e, alpha, beta, c);
  const double want = expected(x, minus, e, alpha, beta, c);
  EXPECT_EQ(to_bits(got), to_bits(want)) << "count " << x.size() << " e " << e << " alpha " << alpha << " beta " << beta
                                         << " c " << c;
}

TEST(LimbCombination, IsRoundedOnceForDrawnOperands) {
  std::mt19937_64 random(1);
  reference::Numbers<double> numbers(2);
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::uint32_t> x(random() % 6);
    for (auto& word : x) word = static_cast<std::uint32_t>(random() & (random() % 2 == 0 ? ~0u : random()));
    const int e = static_cast<int>(random() % 400) - 200;
    const auto scalar = [&] { return random() % 8 == 0 ? 0.0 : numbers.sparse(-60, 60); };
    expect_rounded_once<6>(x, random() % 2 == 0, e, scalar(), scalar(), numbers.moderate(-200, 200));
  }
}

TEST(LimbCombination, IsRoundedOnceAtEveryDistanceOfItsTerms) {
  const std::vector<std::uint32_t> x{1, 0, 0x80000000u};
  for (int e = -1400; e <= 1400; ++e) {
    for (const double c : {0x1p-800, -0x1p-800, 0x1p0, -0x1.0000000000001p0, 0x1p700, -0x1.8p700}) {
      expect_rounded_once<3>(x, e % 2 == 0, e, 1, 1, c);
      expect_rounded_once<3>({1}, e % 2 == 0, e, 1, 1, c);
    }
  }
}

TEST(LimbCombination, SeesASmallTermBesideATieAndAPowerOfTwo) {
  for (const double tiny : {0x1p-900, -0x1p-900, 0.0}) {
    expect_rounded_once<2>({1, 0x00200000u}, false, 0, 1, 1, tiny);  // 2⁵³ + 1, a tie
    expect_rounded_once<2>({3, 0x00200000u}, true, 0, 1, 1, tiny);
    expect_rounded_once<2>({0, 1}, false, 0, 1, 1, tiny);
    expect_rounded_once<2>({1}, false, -1075, 1, 1, tiny * 0x1p-170);  // half the smallest number
  }
  expect_rounded_once<2>({1}, false, -2000, 1, 1, 0x1p0);
  expect_rounded_once<2>({1}, true, -2000, 1, 0x1.0000001p0, 0x1.000001p0);
  expect_rounded_once<2>({~0u}, true, -1000, 0x1.fffffffffffffp0, 0x1p-1074, 0x1p1000);  // βc has 53 bits
}

TEST(LimbCombination, CancelsDownToTheLastBit) {
  // α·x = (2⁵³ − 1)·(2⁶⁴ − 1)
  const double all_ones = 0x1.fffffffffffffp52;
  expect_rounded_once<2>({~0u, ~0u}, false, 0, all_ones, -all_ones, 0x1p64);
  expect_rounded_once<2>({~0u, 0x001FFFFFu}, false, 0, all_ones, all_ones, -all_ones);
  expect_rounded_once<2>({0, 0x00200000u}, false, 0, all_ones, all_ones, -all_ones);
  expect_rounded_once<2>({~0u, 0x001FFFFFu}, true, -2148, all_ones, all_ones * 0x1p-1074, -all_ones * 0x1p-1074);
}

TEST(LimbCombination, HasTheZeroRule) {
  EXPECT_EQ(to_bits(combination<1>(nullptr, 0, true, 0, -1, -1, 0.0)), 0u);
  const std::uint32_t one[1] = {1};
  EXPECT_EQ(to_bits(combination<1>(one, 1, true, 0, 1, 1, 1)), 0u);
  EXPECT_EQ(to_bits(combination<1>(one, 1, true, -2000, 1, 0, 1)), to_bits(-0.0));
  EXPECT_EQ(to_bits(combination<1>(one, 1, false, -2000, 1, -1, 0)), to_bits(0.0));
}

TEST(LimbCombination, OverflowsFromTheMidpointOn) {
  const double largest = std::numeric_limits<double>::max();
  const std::uint32_t one[1] = {1};
  EXPECT_EQ(combination<1>(one, 1, false, 970, 1, 1, largest), std::numeric_limits<double>::infinity());
  EXPECT_EQ(combination<1>(one, 1, false, 969, 1, 1, largest), largest);
  EXPECT_EQ(combination<1>(one, 1, true, 2000, 1, 1, largest), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(combination<1>(one, 1, true, 970, -1, 1, largest), std::numeric_limits<double>::infinity());
}

TEST(LimbCombination, RoundsIntegersOfAFullAccumulator) {
  std::mt19937_64 random(3);
  reference::Numbers<double> numbers(4);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint32_t> x(136);
    for (auto& word : x) word = static_cast<std::uint32_t>(random());
    std::fill(x.begin() + static_cast<std::ptrdiff_t>(random() % 137), x.end(), 0u);
    const double c = numbers.moderate(-1000, 900);
    expect_rounded_once<136>(x, random() % 2 == 0, -2150, numbers.moderate(-900, 900), numbers.moderate(-90, 90), c);
  }
}

}  // namespace
}  // namespace assay::limb
