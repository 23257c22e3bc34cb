#include "assay/cli/screen.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay::cli {
namespace {

/// A result of `count` numbers 0, 1, …, in components of `width` words.
store::CaseFile::Evidence evidence(std::size_t count, std::size_t width) {
  store::CaseFile::Evidence of;
  for (std::size_t i = 0; i < count; ++i) of.got.push_back(std::to_string(i));
  of.components = count / width;
  return of;
}

TEST(Screen, ShowsTheFirstAndLastFiveOfMoreThanTenWords) {
  EXPECT_EQ(words_text(evidence(10, 1).got), "0 1 2 3 4 5 6 7 8 9");
  EXPECT_EQ(words_text(evidence(11, 1).got), "11 numbers: 0 1 2 3 4 … 6 7 8 9 10");
}

TEST(Screen, ShowsTheShapeTheBadAndTheWorstOfALargeResult) {
  store::CaseFile::Evidence of = evidence(600, 2);
  of.worst = 17;
  of.bad = 3;
  EXPECT_EQ(worst_text(of), "[17] of 300 components, 3 bad: 34 35");
}

TEST(Screen, HasNoWorstOfOneComponent) { EXPECT_EQ(worst_text(store::CaseFile::Evidence{}), ""); }

TEST(Screen, ShowsTheSignedErrorInUlpsAndAsAFractionOfTheBound) {
  store::CaseFile::Evidence of;
  of.ratio = 0.6875;
  EXPECT_EQ(error_text(of), "0.6875 of the bound");
  of.ulps = 1.375;
  EXPECT_EQ(error_text(of), "+1.375 ulp, 0.6875 of the bound");
  of.ulps = -1.375;
  EXPECT_EQ(error_text(of), "-1.375 ulp, 0.6875 of the bound");
  of.ulps = 0;
  EXPECT_EQ(error_text(of), "0 ulp, 0.6875 of the bound");
  of.ulps = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_text(of), "+inf ulp, 0.6875 of the bound");
}

}  // namespace
}  // namespace assay::cli
