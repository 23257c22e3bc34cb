#include "arith/accumulators/fixed_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "exact_sum_reference.hpp"

namespace assay {
namespace {

using reference::Integer;

template <int L>
Integer integer_of(const FixedSum<L>& sum) {
  const FixedSum<L> m = sum.magnitude();
  std::uint32_t words[2 * L];
  for (int k = 0; k < 2 * L; ++k) words[k] = static_cast<std::uint32_t>(m.word[k / 2] >> (32 * (k % 2)));
  const Integer magnitude = Integer::of_limbs(words, 2 * L);
  return sum.is_negative() ? Integer(0) - magnitude : magnitude;
}

/// z·2^e in binary32, e ≥ −149.
float rounded_to_single(const Integer& z, long e) {
  mpfr_t result;
  mpfr_init2(result, 24);
  mpfr_set_z_2exp(result, z.get(), e, MPFR_RNDN);
  const float rounded = mpfr_get_flt(result, MPFR_RNDN);
  mpfr_clear(result);
  return rounded;
}

/// Sums of numbers at all positions, which cancel to small ones now and then.
template <int L>
void adds_and_rounds(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  FixedSum<L> sum{};
  Integer exact = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t m = random() >> (11 + random() % 53);
    const int position = static_cast<int>(random() % (64 * L - 64));
    const bool minus = (random() & 1) != 0;
    sum.add(m, position, minus);
    const Integer term = Integer(static_cast<long>(m)) << position;
    exact = minus ? exact - term : exact + term;
    if (i % 100 == 99) {  // a sum of few bits
      FixedSum<L> other = sum;
      other.add(1, static_cast<int>(random() % (64 * L - 64)), false);
      for (std::uint64_t& each : sum.word) each = ~each;
      sum.add(1, 0, false);
      other.add(sum);
      sum = other;
      exact = integer_of(sum);
    }
    ASSERT_TRUE(integer_of(sum) == exact);
    const int unit = static_cast<int>(random() % 2000) - 1074;
    ASSERT_TRUE(reference::same(sum.nearest(unit), reference::rounded_integer(exact, unit, Rounding::rn)));
    if (unit >= -149) {
      ASSERT_TRUE(reference::same(sum.template nearest<float>(unit), rounded_to_single(exact, unit)));
    }
  }
}

TEST(FixedSum, AddsExactlyAndRoundsOnce) {
  adds_and_rounds<2>(2);
  adds_and_rounds<3>(3);
  adds_and_rounds<4>(4);
  adds_and_rounds<34>(5);
}

TEST(FixedSum, RoundsTiesToEvenAndLooksAtAllBitsBelow) {
  for (const std::uint64_t odd : {0u, 1u}) {
    for (const int below : {-1, 0, 1}) {
      FixedSum<3> sum{};
      sum.add((std::uint64_t{1} << 52) + odd, 130, false);
      sum.add(1, 129, false);
      if (below != 0) sum.add(1, 0, below < 0);
      const bool up = below > 0 || (below == 0 && odd == 1);
      EXPECT_EQ(sum.nearest(-130), 0x1p52 + static_cast<double>(odd) + (up ? 1 : 0));
    }
  }
}

template <int L>
void expect_powers_of_two() {
  for (int k = 0; k < 64 * L - 1; ++k) {
    for (const int below : {0, 1, 63, 64, 130}) {
      for (const bool minus : {false, true}) {
        FixedSum<L> sum{};
        sum.add(1, k, minus);
        Integer exact = Integer(1) << k;
        if (minus) exact = Integer(0) - exact;
        if (k >= below + 54) {  // a small number of the other sign
          sum.add(1, below, !minus);
          exact = exact - (Integer(minus ? -1 : 1) << below);
        }
        ASSERT_TRUE(integer_of(sum) == exact) << k << " " << below;
        ASSERT_EQ(sum.nearest(-1074), reference::rounded_integer(exact, -1074, Rounding::rn)) << k << " " << below;
      }
    }
  }
}

TEST(FixedSum, PassesCarriesOnThroughAllWords) {
  expect_powers_of_two<3>();
  expect_powers_of_two<34>();
}

TEST(FixedSum, HasTheEndsOfTheRange) {
  FixedSum<2> sum{};
  EXPECT_TRUE(reference::same(sum.nearest(-1074), 0.0));
  sum.add(1, 0, true);
  EXPECT_EQ(sum.nearest(-1074), -0x1p-1074);
  sum = {};
  sum.add((std::uint64_t{1} << 54) - 2, 9, false);
  EXPECT_EQ(sum.nearest(961), 0x1.fffffffffffffp1023);
  sum.add(1, 9, false);  // the tie between the largest number and 2^1024
  EXPECT_EQ(sum.nearest(961), reference::infinity);
  sum.add(1, 0, true);
  EXPECT_EQ(sum.nearest(961), 0x1.fffffffffffffp1023);
  EXPECT_EQ(sum.nearest(962), reference::infinity);
}

}  // namespace
}  // namespace assay
