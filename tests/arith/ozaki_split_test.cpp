#include "arith/accumulators/ozaki_split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay::ozaki {
namespace {

using reference::Exact;
using reference::Integer;

TEST(OzakiSliceBits, AreTheMostForWhichASumIsExact) {
  const auto most = [](std::int64_t k, int q) {
    return Integer(static_cast<long>(k)) * (Integer(1) << (2 * q)) < (Integer(1) << 53) + 1;
  };
  for (int bits = 0; bits <= 51; ++bits) {
    const std::int64_t power = std::int64_t{1} << bits;
    for (const std::int64_t k : {power - 1, power, power + 1}) {
      if (k < 1 || k > std::int64_t{1} << 51) continue;
      EXPECT_TRUE(most(k, slice_bits(k))) << k;
      EXPECT_GE(slice_bits(k), 1) << k;
    }
    EXPECT_FALSE(most(power, slice_bits(power) + 1)) << bits;
  }
}

TEST(OzakiSliceBits, AreThoseOfThePublishedTable) {
  EXPECT_EQ(slice_bits(1), 26);
  EXPECT_EQ(slice_bits(2048), 21);
  EXPECT_EQ(slice_bits(2049), 20);
  EXPECT_EQ(slice_bits(8192), 20);
  EXPECT_EQ(slice_bits(8193), 19);
}

/// The slices of x as numbers.
std::vector<double> slices_of(double x, int top, int q, int count) {
  Slicer slicer(x, top - q, q + 1);
  std::vector<double> slices;
  for (int p = 0; p < count; ++p) slices.push_back(slicer.next());
  return slices;
}

TEST(OzakiSlicer, LeavesNothingAfterTheSlicesThatAreNeeded) {
  for (const int q : {26, 21, 20, 13, 1}) {
    for (const double x : {1.0, -1.0, 0x1.fffffffffffffp0, -0x1.fffffffffffffp0, 0x1.5555555555555p-30,
                           0x1.aaaaaaaaaaaaap-51, 0x1p-52, 0x1.8p-3, -0x1.7ffffffp-1}) {
      const int low = -103;  // 2^−103 divides all of them
      const int count = slices_needed(1, low, q);
      const std::vector<double> slices = slices_of(x, 1, q, count);
      Exact sum = 0;
      for (int p = 0; p < count; ++p) {
        EXPECT_LE(std::abs(slices[static_cast<std::size_t>(p)]), std::ldexp(1.0, q));
        EXPECT_EQ(slices[static_cast<std::size_t>(p)], std::rint(slices[static_cast<std::size_t>(p)]));
        sum = sum + Exact(slices[static_cast<std::size_t>(p)]) * Exact(std::ldexp(1.0, 1 - q - p * (q + 1)));
      }
      EXPECT_EQ(sum, Exact(x)) << x << " q = " << q;
    }
  }
}

TEST(OzakiSlicer, LeavesLittleAfterEachSlice) {
  const double x = 0x1.0f0f0f0f0f0f1p0;
  Exact rest = x;
  Slicer slicer(x, 1 - 20, 21);
  for (int p = 0; p < 3; ++p) {
    rest = rest - Exact(slicer.next()) * Exact(std::ldexp(1.0, 1 - 20 - 21 * p));
    EXPECT_LE(abs(rest), Exact(std::ldexp(1.0, 1 - 21 * (p + 1))));
  }
}

TEST(OzakiSlicer, TakesSubnormalsAndTheLargestNumbers) {
  EXPECT_EQ(slices_of(0x1p-1074, -1073, 20, 1)[0], 0x1p19);
  EXPECT_EQ(slices_of(-0x1.8p-1073, -1072, 20, 1)[0], -0x1.8p19);
  EXPECT_EQ(slices_of(0x1.fffffffffffffp1023, 1024, 26, 2)[0], 0x1p26);
  EXPECT_EQ(slices_of(0x1.fffffffffffffp1023, 1024, 26, 2)[1], -0x1p0);
}

TEST(OzakiSlicer, GivesZerosAboveAndBelowANumber) {
  const std::vector<double> slices = slices_of(0x1p-300, 1000, 20, 120);
  for (std::size_t p = 0; p < slices.size(); ++p) EXPECT_EQ(slices[p] != 0, p == 61) << p;
  for (const double slice : slices_of(0.0, -1073, 26, 130)) EXPECT_EQ(slice, 0.0);
}

TEST(OzakiSlicesNeeded, CountWhatTheLowestBitNeeds) {
  EXPECT_EQ(slices_needed(0, 0, 20), 1);
  EXPECT_EQ(slices_needed(0, -20, 20), 1);
  EXPECT_EQ(slices_needed(0, -21, 20), 2);
  EXPECT_EQ(slices_needed(0, -53, 20), 3);
  EXPECT_EQ(slices_needed(1024, -1074, 19), 105);
}

TEST(OzakiTruncatedPairs, AreThoseWithARestAndASlice) {
  for (int s = 0; s <= 6; ++s) {
    for (int t = 0; t <= 6; ++t) {
      for (int levels = 1; levels <= 13; ++levels) {
        int pairs = s > levels && t > 0 ? 1 : 0;
        for (int p = 0; p < std::min(s, levels); ++p) pairs += t > 0 && levels - p < t ? 1 : 0;
        EXPECT_EQ(truncated_pairs(s, t, levels), pairs) << s << ' ' << t << ' ' << levels;
      }
    }
  }
}

TEST(OzakiLevelSum, IsTheSumOfItsLevels) {
  constexpr std::int64_t most = std::int64_t{1} << 61;
  for (const int width : {2, 21, 27, 31}) {
    for (const std::vector<std::int64_t>& levels : {std::vector<std::int64_t>{0},
                                                    {-1},
                                                    {most, most, most},
                                                    {-most, -most, -most, -most},
                                                    {0, 0, -1},
                                                    {1, -(std::int64_t{1} << width)},
                                                    {5, -7, 11, -13, 17, -19, 23}}) {
      const int count = level_sum_words(static_cast<int>(levels.size()), width);
      LevelSum<16> sum(width, count);
      Integer expected = 0;
      for (std::size_t l = levels.size(); l-- > 0;) sum.add(levels[l]);
      for (const std::int64_t level : levels) expected = (expected << width) + static_cast<long>(level);
      sum.finish();
      const Integer words = Integer::of_limbs(sum.word, count);
      const bool minus = sum.word[count - 1] >> 31 != 0;
      EXPECT_EQ(minus ? words - (Integer(1) << (32 * count)) : words, expected) << width << ' ' << levels.size();
    }
  }
}

}  // namespace
}  // namespace assay::ozaki
