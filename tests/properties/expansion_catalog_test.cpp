#include <gtest/gtest.h>

#include "catalog_property.hpp"
#include "properties/catalog/expansion/cases.hpp"

namespace assay {
namespace {

/// The verdict of a claim on one list of terms or one pair of expansions, filled up with zeros.
Verdict verdict_of(const std::string& name, const std::string& claim, const Record& record) {
  EXPECT_TRUE(property(name).contains(record)) << name;
  return judgement_of(name, claim, record).verdict;
}
Verdict verdict_of(const std::string& name, const std::string& claim, std::vector<double> x) {
  return verdict_of(name, claim, record_of(expansion::ExpansionCase<double>{std::move(x)}));
}
Verdict verdict_of(const std::string& name, const std::string& claim, std::vector<double> x, std::vector<double> y) {
  return verdict_of(name, claim, record_of(expansion::ExpansionPairCase<double>{std::move(x), std::move(y)}));
}

// The published statements that are false, and what refutes them.

TEST(VecSumProperty, RefutesEqualPowersOfTwoAcrossAZero) {
  const std::vector<double> x{0x1p10, -0x1.0000000000003p0, 0x1.fffffffffffffp0, 0x1p-51};
  EXPECT_EQ(verdict_of("expansion.vec_sum4", "equal_powers_overlap_in_pairs", x), Verdict::violated);
  EXPECT_EQ(verdict_of("expansion.vec_sum4", "uls_overlap_in_pairs", x), Verdict::holds);
}

TEST(RenormalizeProperty, RefutesHalfAnUlp) {
  const std::vector<double> x{1, 0x1.8p-53, -0x1.ffffffffffffep-55, 0x1p-108};
  EXPECT_EQ(verdict_of("expansion.renormalize4", "bailey", x), Verdict::violated);
  EXPECT_EQ(verdict_of("expansion.renormalize4", "structure_overlap_p_minus_2", x), Verdict::holds);
}

TEST(RenormalizeProperty, RefutesThatTheFirstWordIsTheNearestNumber) {
  EXPECT_EQ(verdict_of("expansion.renormalize4", "first_word_nearest", {1, 0x1p-53, 0x1p-106, 0}), Verdict::violated);
}

TEST(VecSumErrProperty, RefutesNonoverlapBehindTheFirstPair) {
  const double ones = 0x1.fffffffffffffp0;
  const std::vector<double> x{ones, ones * 0x1p-53, ones * 0x1p-106, ones * 0x1p-159};
  EXPECT_EQ(verdict_of("expansion.vec_sum_err4", "other_pairs", x), Verdict::violated);
}

TEST(QuickAddProperty, RefutesARelativeBoundUnderCancellation) {
  const std::vector<double> x{1, 0x1p-105};
  const std::vector<double> y{-1, 0x1p-52};
  EXPECT_EQ(verdict_of("expansion.quick_add2", "error_relative", x, y), Verdict::violated);
  EXPECT_EQ(verdict_of("expansion.quick_add2", "error_absolute", x, y), Verdict::holds);
}

TEST(QuickMulProperty, RefutesTheBoundOfTheTruncatedProductWhereWordsCancel) {
  const std::vector<double> x{-0x1.000000000745bp+0, -0x1p-128, 0, 0, 0};
  const std::vector<double> y{0x1.7235930439079p+12, 0x1.02b69d4261251p-43, 0, 0, 0};
  EXPECT_EQ(verdict_of("expansion.quick_mul5", "error_of_truncated_mul", x, y), Verdict::violated);
  EXPECT_EQ(verdict_of("expansion.quick_mul5", "error_by_levels", x, y), Verdict::holds);
  EXPECT_EQ(verdict_of("expansion.truncated_mul5", "error", x, y), Verdict::holds);
}

TEST(TruncatedMulProperty, RefutesThePublishedConstantOfAnotherProduct) {
  EXPECT_EQ(
      verdict_of("expansion.truncated_mul3", "error_published", {1, -0x1p-52, -0x1p-104}, {0x1p34, 0x1p-18, 0x1p-70}),
      Verdict::violated);
  EXPECT_EQ(verdict_of("expansion.truncated_mul3", "error", {1, -0x1p-52, -0x1p-104}, {0x1p34, 0x1p-18, 0x1p-70}),
            Verdict::holds);
}

TEST(ExhaustiveExpansions, KeepTheirClaimsOverAllListsOfThreeTerms) {
  for (const char* name : {"expansion.vec_sum3.p3", "expansion.renormalize3.p3"}) {
    const PropertyModel& model = property(name);
    const Tally tally = tally_of(model, model.info().enumeration_size);
    for (std::size_t i = 0; i < tally.claims.size(); ++i) {
      EXPECT_EQ(tally.claims[i].violated != 0, model.info().claims[i].expected_refuted)
          << name << ' ' << model.info().claims[i].id;
    }
  }
}

}  // namespace
}  // namespace assay
