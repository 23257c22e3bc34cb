#include <gtest/gtest.h>

#include "errorbounds/gemm.hpp"

namespace assay {
namespace {

using oracle::binary64;
using oracle::Dyadic;

constexpr OzakiEntry entry{.k = 8192, .q = 20, .slices_a = 3, .slices_b = 4, .levels = 3, .top_a = 5, .top_b = -7};

OzakiEntry with(int slices_a, int slices_b, int levels) {
  OzakiEntry changed = entry;
  changed.slices_a = slices_a;
  changed.slices_b = slices_b;
  changed.levels = levels;
  return changed;
}

TEST(OzakiTruncation, CountsThePairsThatCoverWhatIsLeftOut) {
  EXPECT_EQ(ozaki_truncated_pairs(with(3, 3, 1)), 2);  // A₀·(B₁ + …) and (A₁ + …)·B
  EXPECT_EQ(ozaki_truncated_pairs(with(3, 3, 3)), 2);  // A₁·B₂ and A₂·(B₁ + B₂)
  EXPECT_EQ(ozaki_truncated_pairs(with(3, 3, 4)), 1);  // A₂·B₂
  EXPECT_EQ(ozaki_truncated_pairs(with(9, 9, 3)), 4);
  EXPECT_EQ(ozaki_truncated_pairs(with(1, 4, 3)), 1);
}

TEST(OzakiTruncation, IsNothingWhereEveryProductIsFormed) {
  EXPECT_EQ(ozaki_truncated_pairs(with(3, 3, 5)), 0);
  EXPECT_EQ(ozaki_truncated_pairs(with(1, 3, 3)), 0);
  EXPECT_EQ(ozaki_truncated_pairs(with(0, 9, 1)), 0);
  EXPECT_EQ(ozaki_truncated_pairs(with(9, 0, 1)), 0);
}

TEST(OzakiTruncation, HasTheWeightOfTheFirstLevelLeftOut) {
  EXPECT_EQ(ozaki_truncation_bound(entry).numerator,
            Dyadic(ozaki_truncated_pairs(entry)) * Dyadic::scaled(1, 13 + 5 - 7 - 63));
}

TEST(OzakiBound, IsOneRoundingWhereNothingIsLeftOut) {
  EXPECT_EQ(ozaki_bound(with(3, 3, 5), 7, -3, binary64).numerator, Dyadic::scaled(3, -53));
  EXPECT_EQ(ozaki_bound(with(3, 3, 5), 7, 0, binary64).numerator, Dyadic::scaled(1, -1075));
}

TEST(OzakiBound, ScalesTheTruncationAndRoundsItsSum) {
  const Dyadic truncation = Dyadic(5) * ozaki_truncation_bound(entry).numerator;
  EXPECT_EQ(ozaki_bound(entry, -5, 2, binary64).numerator,
            truncation + Dyadic::scaled(1, -53) * (Dyadic(2) + truncation));
}

}  // namespace
}  // namespace assay
