// Inverse, real, row by row and plane transforms from outside: the contracts of right forms, and planted mistakes.
#include <gtest/gtest.h>

#include "tests/assay/subject_transforms.hpp"

namespace assay {
namespace {

const Ids bounds = joined(of_powers, of_any);

TEST(FftInverse, WithNearestRootsKeepsEveryBoundWhereverItsFactorStands) {
  expect_each_kept({"ifft_recursive", "ifft_factor_first", "ifft_iterative"},
                   joined(bounds, {"parseval", "exceptional", "exact"}));
}
TEST(FftInverse, OfOtherFormsKeepsTheirBounds) {
  expect_each_kept({"ifft_computed"}, joined(of_computed, of_any));
  expect_each_kept({"ifft_direct"}, {"direct", "parseval", "exceptional"});
  expect_each_kept({"ifft_bluestein"}, {"any_length", "parseval", "exceptional"});
}
TEST(FftInverse, WithoutItsFactorOrItsConjugateBreaksEveryBound) {
  expect_each_broken({"ifft_no_factor", "ifft_forward", "ifft_factor_squared"}, joined(bounds, {"direct", "exact"}));
  expect_each_broken({"ifft_no_factor", "ifft_factor_squared"}, {"parseval"});
}
TEST(FftInverse, WithRootsByARecurrenceBreaksTheBoundsOfNearestRoots) {
  expect_recurrence_refused("ifft_recurrence", {"power_of_two", "each_power_of_two"}, 512);
}

TEST(FftOfReal, CutOrPackedKeepsEveryBound) {
  expect_each_kept({"rfft_cut", "rfft_packed", "rfft_split"},
                   joined(bounds, {"parseval", "exact", "exceptional", "real_ends"}));
}
TEST(FftOfReal, OfOtherFormsKeepsTheirBounds) {
  expect_each_kept({"rfft_direct"}, {"direct", "parseval", "exceptional"});
  expect_each_kept({"rfft_bluestein"}, {"any_length", "parseval", "exceptional"});
}
TEST(FftOfReal, OfTheWrongHalfOrConjugateBreaksEveryBound) {
  expect_each_broken({"rfft_conjugate", "rfft_other_half", "rfft_last_left", "rfft_ends_together"},
                     joined(bounds, {"direct", "exact"}));
}
TEST(FftOfReal, WithItsEndsInOneNumberHasNoRealEnds) { expect_each_broken({"rfft_ends_together"}, {"real_ends"}); }
TEST(FftOfReal, WithRootsByARecurrenceBreaksTheBoundsOfNearestRoots) {
  expect_recurrence_refused("rfft_recurrence", {"power_of_two"}, 4096);
  for (const std::string format : {"f64", "f32"}) {
    expect_broken("rfft_recurrence", format, {"each_power_of_two"}, 40, "n=1024");
  }
}

TEST(FftToReal, WholeOrPackedKeepsEveryBound) {
  expect_each_kept({"irfft_whole", "irfft_packed", "irfft_split"},
                   joined(bounds, {"parseval", "exact", "exceptional", "ends_ignored"}));
}
TEST(FftToReal, OfOtherFormsKeepsTheirBounds) {
  expect_each_kept({"irfft_direct"}, {"direct", "parseval", "exceptional", "ends_ignored"});
  expect_each_kept({"irfft_bluestein"}, {"any_length", "parseval", "exceptional", "ends_ignored"});
}
TEST(FftToReal, WithoutItsFactorItsConjugateOrItsOtherHalfBreaksEveryBound) {
  expect_each_broken({"irfft_no_factor", "irfft_conjugate", "irfft_half_alone"}, joined(bounds, {"direct", "exact"}));
}
TEST(FftToReal, ThatUsesImaginaryPartsOfItsEndsBreaksThePromiseToIgnoreThem) {
  for (const std::string format : {"f64", "f32"}) {
    const Ids broken = broken_by("irfft_ends_used", format, few_cases, small_shapes("irfft"));
    EXPECT_EQ(broken, Ids{"ends_ignored"}) << format;
  }
}

TEST(FftOfRows, KeepsTheBoundsOfEachRow) {
  expect_each_kept({"fft_rows_recursive", "fft_rows_split"}, joined(bounds, {"parseval", "exact", "exceptional"}));
  expect_each_kept({"fft_rows_direct"}, {"direct", "parseval", "exceptional"});
}
TEST(FftOfRows, OfAnotherRowOrAxisBreaksEveryBound) {
  expect_each_broken({"fft_rows_row_before", "fft_rows_first_row", "fft_rows_other_axis"},
                     joined(bounds, {"direct", "exact", "exceptional"}));
}

TEST(FftOfPlane, InEitherOrderOfItsAxesKeepsEveryBound) {
  expect_each_kept({"fft2_by_rows", "fft2_by_columns"}, joined(bounds, {"parseval", "exact", "exceptional"}));
  expect_each_kept({"fft2_bluestein"}, {"any_length", "parseval", "exceptional"});
}
TEST(FftOfPlane, WithAxesExchangedOrLeftOutBreaksEveryBound) {
  expect_each_broken({"fft2_exchanged", "fft2_rows_alone", "fft2_one_signal"}, joined(bounds, {"exact"}));
}
/// Expects that the functions keep what they claim on the cases that are drawn by default.
void expect_kept_by_default(const std::set<std::string>& symbols, const Ids& claimed) {
  for (const std::string& symbol : symbols) expect_kept(symbol, claimed, 150);
}

TEST(FftsAtDefaultSizes, KeepTheBoundsOfTheirForms) {
  expect_kept_by_default(
      {"ifft_recursive", "ifft_factor_first", "ifft_iterative", "rfft_cut", "rfft_packed", "rfft_split", "irfft_whole",
       "irfft_packed", "irfft_split", "fft_rows_recursive", "fft_rows_split", "fft2_by_rows", "fft2_by_columns"},
      joined(bounds, {"parseval", "exact", "exceptional"}));
  expect_kept_by_default({"ifft_direct", "rfft_direct", "irfft_direct", "fft_rows_direct"}, {"direct", "parseval"});
  expect_kept_by_default({"ifft_bluestein", "rfft_bluestein", "irfft_bluestein", "fft2_bluestein"},
                         {"any_length", "parseval", "exceptional"});
}

TEST(FftsAtDefaultSizes, OfPowersOfTwoWithTheWorstRootsKeepTheBoundsOfComputedRootsAlone) {
  for (const std::string symbol : {"fft_longer", "ifft_longer", "rfft_longer", "irfft_longer"}) {
    expect_kept(symbol, joined(of_computed, {"exact", "exceptional"}));
    for (const std::string format : {"f64", "f32"}) {
      expect_broken(symbol, format, {"power_of_two", "mixed_radix", "each_power_of_two", "each_mixed_radix"});
    }
  }
  for (const std::string symbol : {"fft_rows_longer", "fft2_longer"}) {
    expect_kept(symbol, joined(of_computed, {"exact", "exceptional"}));
    for (const std::string format : {"f64", "f32"})
      expect_broken(symbol, format, {"power_of_two", "each_power_of_two"});
  }
}

TEST(FftsAtDefaultSizes, RefuseControlsByEveryBound) {
  for (const char* const name : {"ifft", "rfft", "irfft", "fft_rows", "fft2"}) {
    expect_controls_refused(name, {"f64", "f32"}, 30);
  }
}

}  // namespace
}  // namespace assay
