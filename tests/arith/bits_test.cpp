#include "arith/bits/bits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "arith/bits/ceil_div.hpp"
#include "arith/bits/extremes.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/float/small_float.hpp"

namespace assay {
namespace {

using Limits = std::numeric_limits<double>;

/// Subnormal numbers, powers of two and their neighbors, the largest number, and random encodings; both signs.
std::vector<double> finite_numbers() {
  std::vector<double> x{0.0, Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::max(), 1.5, 0x1.fffffffffffffp0};
  for (int e = -1074; e <= 1023; e += 7) {
    const double power = std::ldexp(1.0, e);
    x.insert(x.end(), {power, std::nextafter(power, 0.0), std::nextafter(power, Limits::infinity())});
  }
  for (const int e : {-1074, -1073, -1023, -1022, -1021, -1, 0, 52, 53, 1023}) x.push_back(std::ldexp(1.0, e));
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const auto each = from_bits<double>(random());
    if (is_finite(each)) x.push_back(abs(each));
  }
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) x.push_back(-x[i]);
  return x;
}

bool is_normal(double x) { return std::isnormal(x); }

double value_of(const bits::Significand& s) {
  const double magnitude = std::ldexp(static_cast<double>(s.m), s.e);
  return s.minus ? -magnitude : magnitude;
}

TEST(Significand, IsTheNumber) {
  for (const double x : finite_numbers()) {
    const bits::Significand s = bits::significand(x);
    EXPECT_EQ(to_bits(value_of(s)), to_bits(x)) << x;
    EXPECT_LT(s.m, std::uint64_t{1} << 53);
    EXPECT_GE(s.e, -1074);
    EXPECT_EQ(s.m >= std::uint64_t{1} << 52, is_normal(x)) << x;
  }
}

TEST(Significand, OfANormalNumberNeedsNoSelection) {
  for (const double x : finite_numbers()) {
    if (!is_normal(x)) continue;
    const bits::Significand s = bits::significand(x);
    const bits::Significand normal = bits::normal_significand(x);
    EXPECT_EQ(normal.m, s.m);
    EXPECT_EQ(normal.e, s.e);
    EXPECT_EQ(normal.minus, s.minus);
  }
}

TEST(Significand, OfSmallFormatsIsTheNumber) {
  for (unsigned i = 0; i < 0x10000; ++i) {
    const auto x = from_bits<binary16>(static_cast<std::uint16_t>(i));
    if (!is_finite(x)) continue;
    EXPECT_EQ(to_bits(value_of(bits::significand(x))), to_bits(static_cast<double>(x))) << i;
  }
  const float least = std::numeric_limits<float>::denorm_min();
  for (const float x : {least, 5 * least, 1.0f, -0x1.fffffep127f, 0x1p-126f}) {
    EXPECT_EQ(value_of(bits::significand(x)), double{x});
  }
}

TEST(OddPart, IsTheNumberWithAnOddInteger) {
  for (const double x : finite_numbers()) {
    const bits::Significand s = bits::odd_part(x);
    EXPECT_EQ(to_bits(value_of(s)), to_bits(x)) << x;
    if (x == 0) {
      EXPECT_EQ(s.e, 0);
    } else {
      EXPECT_EQ(s.m % 2, 1u) << x;
    }
  }
}

TEST(NormalFraction, TimesItsPowerIsTheNumber) {
  for (const double x : finite_numbers()) {
    if (!is_normal(x)) continue;
    const double fraction = bits::normal_fraction(x);
    EXPECT_GE(abs(fraction), 1.0);
    EXPECT_LT(abs(fraction), 2.0);
    EXPECT_EQ(std::ldexp(fraction, bits::normal_exponent(x)), x);
    EXPECT_EQ(bits::normal_exponent(x), std::ilogb(x));
  }
}

TEST(FractionBits, AreZeroForNormalPowersOfTwo) {
  EXPECT_EQ(bits::fraction_bits(0x1p-1022), 0u);
  EXPECT_EQ(bits::fraction_bits(-1.0), 0u);
  EXPECT_EQ(bits::fraction_bits(1.0 + Limits::epsilon()), 1u);
  EXPECT_EQ(bits::fraction_bits(1.5f), 0x400000u);
}

TEST(Compose, InvertsSignificandAndOddPart) {
  for (const double x : finite_numbers()) {
    if (!is_normal(x) && x != 0) continue;
    for (const bits::Significand& s : {bits::significand(x), bits::odd_part(x)}) {
      EXPECT_EQ(to_bits(bits::compose(s.minus, s.m, s.e)), to_bits(x)) << x;
    }
  }
}

TEST(ScaledNormal, IsExact) {
  for (const double x : finite_numbers()) {
    for (const int k : {-2000, -53, -1, 0, 1, 60, 2000}) {
      if (!is_normal(x) || std::ilogb(x) + k < -1022 || std::ilogb(x) + k > 1023) continue;
      EXPECT_EQ(to_bits(bits::scaled_normal(x, k)), to_bits(std::ldexp(x, k))) << x << ' ' << k;
    }
  }
}

TEST(SignedMagnitude, IsTheIntegerAndZeroHasNoMinus) {
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, INT64_MAX}) {
    EXPECT_FALSE(bits::signed_magnitude(n).minus) << n;
    EXPECT_EQ(bits::signed_magnitude(n).m, static_cast<std::uint64_t>(n));
  }
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{-7}, INT64_MIN}) {
    EXPECT_TRUE(bits::signed_magnitude(n).minus) << n;
    EXPECT_EQ(bits::signed_magnitude(n).m, static_cast<std::uint64_t>(-(n + 1)) + 1);
  }
}

TEST(BitLength, IsTheLeastExponentAbove) {
  EXPECT_EQ(bits::bit_length(std::uint32_t{0}), 0);
  EXPECT_EQ(bits::bit_length(std::uint64_t{0}), 0);
  for (int b = 0; b < 64; ++b) {
    const std::uint64_t x = std::uint64_t{1} << b;
    EXPECT_EQ(bits::bit_length(x), b + 1);
    EXPECT_EQ(bits::bit_length(x | (x - 1)), b + 1);
    EXPECT_EQ(bits::leading_zeros(x | (x - 1)), 63 - b);
    EXPECT_EQ(bits::trailing_zeros(x), b);
    EXPECT_EQ(bits::trailing_zeros(~(x - 1)), b);
    EXPECT_EQ(bits::bit_length(static_cast<std::uint32_t>(x)), b < 32 ? b + 1 : 0);
  }
  static_assert(bits::bit_length(std::uint32_t{5}) == 3 && bits::bit_length(UINT64_MAX) == 64);
  static_assert(bits::leading_zeros(1) == 63 && bits::trailing_zeros(12) == 2);
}

TEST(WideProduct, IsTheProductOf128Bits) {
  __extension__ using Wide = unsigned __int128;
  std::vector<std::uint64_t> factors{0, 1, 2, 0xFFFFFFFFu, 0x100000000u, 0x1FFFFFFFFu, UINT64_MAX, UINT64_MAX - 1};
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) factors.push_back(random() >> (random() % 64));
  for (const std::uint64_t a : factors) {
    for (const std::uint64_t b : factors) {
      const Wide product = static_cast<Wide>(a) * b;
      const bits::WideProduct z = bits::wide_product(a, b);
      EXPECT_EQ(z.low, static_cast<std::uint64_t>(product));
      EXPECT_EQ(z.high, static_cast<std::uint64_t>(product >> 64));
      EXPECT_EQ(bits::high_product(a, b), z.high);
    }
  }
}

// The first words for the start 1234567, as in the authors' program and other implementations.
TEST(SplitMix64, GivesThePublishedWords) {
  bits::SplitMix64 random{1234567};
  for (const std::uint64_t word : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                   4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(random(), word);
  }
}

TEST(CeilDiv, CountsThePartsThatHoldAll) {
  for (int a = 0; a <= 40; ++a) {
    for (int b = 1; b <= 12; ++b) {
      const int parts = bits::ceil_div(a, b);
      EXPECT_GE(parts * b, a);
      EXPECT_LT((parts - 1) * b, a);
    }
  }
  EXPECT_EQ(bits::ceil_div(std::numeric_limits<std::int64_t>::max(), 512), std::int64_t{1} << 54);
  EXPECT_EQ(bits::ceil_div(std::numeric_limits<std::uint64_t>::max(), 2), std::uint64_t{1} << 63);
}

TEST(Extremes, AreTheSmallerAndTheLargerInteger) {
  EXPECT_EQ(bits::min(-3, 2), -3);
  EXPECT_EQ(bits::min(2, -3), -3);
  EXPECT_EQ(bits::max(-3, 2), 2);
  EXPECT_EQ(bits::max(2, -3), 2);
  constexpr std::int64_t far = std::int64_t{1} << 40;
  EXPECT_EQ(bits::min(far, 7), 7);
  EXPECT_EQ(bits::max(far, 7), far);
}

}  // namespace
}  // namespace assay
