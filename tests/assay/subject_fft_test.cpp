// Discrete Fourier transforms from outside: the contracts of right forms, and planted mistakes.
#include <gtest/gtest.h>

#include <string>

#include "tests/assay/subject_transforms.hpp"

namespace assay {
namespace {

TEST(Fft, ByStagesWithNearestRootsKeepsEveryBoundOfStages) {
  const Ids claimed = joined(joined(of_powers, of_any), {"exact", "exceptional"});
  for (const char* const symbol : {"fft_recursive", "fft_radix_4", "fft_split_radix", "fft_iterative"}) {
    expect_kept(symbol, claimed);
  }
}

TEST(Fft, WithComputedRootsKeepsTheBoundsOfThese) {
  expect_kept("fft_recursive_computed", joined(joined(of_computed, of_any), {"exact", "exceptional"}));
}

TEST(Fft, AsADirectSumKeepsTheBoundOfASum) { expect_kept("fft_direct", {"direct", "exact", "exceptional"}); }

TEST(Fft, ByBluesteinsAlgorithmKeepsTheBoundOfAnyLength) {
  expect_kept("fft_bluestein", {"any_length", "exceptional"});
  expect_broken("fft_bluestein", "f64", {"exact", "power_of_two"});
}

/// Expects that every bound refuses what is another transform.
void expect_refused(const std::string& format) {
  const Ids bounds = joined(of_powers, of_any);
  for (const char* const symbol :
       {"fft_inverse", "fft_left_out", "fft_conjugate", "fft_stale", "fft_real_first", "fft_scaled"}) {
    expect_broken(symbol, format, joined(bounds, {"direct", "exact"}));
  }
  expect_broken("fft_bit_reversal", format, bounds);
}

TEST(Fft, ThatIsAnotherTransformBreaksEveryBoundInBinary64) { expect_refused("f64"); }
TEST(Fft, ThatIsAnotherTransformBreaksEveryBoundInBinary32) { expect_refused("f32"); }

TEST(Fft, WithRootsByARecurrenceBreaksTheBoundsOfNearestRoots) {
  for (const std::string format : {"f64", "f32"}) {
    expect_broken("fft_recurrence", format, {"power_of_two", "each_power_of_two"}, 300);
  }
}

TEST(Fft, WithRootsOfANarrowFormatBreaksTheBoundsOfComputedRoots) {
  expect_broken("fft_narrow_roots", "f64", of_computed);
}

TEST(Fft, ThatTakesANaNForZeroBreaksOneContractMore) {
  for (const std::string format : {"f64", "f32"}) {
    Ids broken = broken_by("fft_recursive", format, 60, small_shapes("fft"));
    EXPECT_TRUE(broken.insert("exceptional").second);
    EXPECT_EQ(broken_by("fft_without_nan", format, 60, small_shapes("fft")), broken) << format;
  }
}

TEST(Fft, ControlsAreRefusedByEveryBound) { expect_controls_refused("fft", {"f64", "f32"}, 200); }

}  // namespace
}  // namespace assay
