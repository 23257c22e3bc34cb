// How small the counterexamples become if shrinking them needs more than one step at a time.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "assay/campaign/shrink.hpp"
#include "assay/process/worker.hpp"
#include "tests/mutants/gemv_promises.hpp"
#include "tests/mutants/shrinking_promises.hpp"

namespace assay {
namespace {

constexpr std::uint64_t steps = 10000;

/// The first failing cases of the quick tier with their first violated claims, each shrunk within the usual number of
/// steps.
std::vector<campaign::Shrunk> shrunk_failures(const PropertyModel& property, std::size_t count) {
  const auto asker = process::ask_in_process(property, "host", 1);
  std::vector<campaign::Shrunk> all;
  for (std::uint64_t i = 0; i < property.info().quick_cases && all.size() < count; ++i) {
    const Record record = *property.make(1, i);
    const CaseOutcome outcome = property.judge(Executor::host(), std::vector{record})[0];
    for (std::size_t claim = 0; claim < outcome.claims.size(); ++claim) {
      if (const auto failure = campaign::failure_of(outcome, claim)) {
        all.push_back(campaign::shrink_case(property, *asker, record, *failure, steps));
        break;
      }
    }
  }
  EXPECT_EQ(all.size(), count) << property.info().name << " fails too seldom";
  return all;
}

std::uint64_t bits_of_case(const campaign::Shrunk& shrunk) { return complexity(shrunk.record).significant_bits; }

template <class Case>
Case case_of(const campaign::Shrunk& shrunk) {
  return from_record<Case>(shrunk.record).value();
}

/// At most 2 × 2 entries and 40 significant bits in all.
template <class Case>
void expect_two_by_two(const PropertyModel& property) {
  for (const campaign::Shrunk& each : shrunk_failures(property, 5)) {
    const auto c = case_of<Case>(each);
    EXPECT_LE(c.m, 2);
    EXPECT_LE(c.n, 2);
    EXPECT_LE(bits_of_case(each), 40U);
  }
}

TEST(ShrunkSizes, OfAWrongLeadingDimensionAreTwoByTwo) {
  expect_two_by_two<gemv::ExactGemvCase<double>>(
      mutants::called_gemv_promise(mutants::CalledWith::leading_dimension_m));
  expect_two_by_two<gemv::MpGemvCase>(mutants::gemv_promise(mutants::GemvMistake::leading_dimension_m));
}

TEST(ShrunkSizes, OfAWrongStrideAreTwoByTwo) {
  expect_two_by_two<gemv::ExactGemvCase<double>>(mutants::called_gemv_promise(mutants::CalledWith::stride_of_x_1));
  expect_two_by_two<gemv::MpGemvCase>(mutants::gemv_promise(mutants::GemvMistake::incx_from_zero));
}

TEST(ShrunkSizes, OfUnroundedAccumulationAreAHundredBits) {
  for (const auto mistake : {mutants::GemvMistake::unrounded_scaled_x, mutants::GemvMistake::unrounded_products}) {
    for (const campaign::Shrunk& each : shrunk_failures(mutants::gemv_promise(mistake), 3)) {
      EXPECT_LE(bits_of_case(each), 100U);
    }
  }
}

TEST(ShrunkSizes, OfARaceInASuperaccumulatorAreSixteenBits) {
  for (const campaign::Shrunk& each : shrunk_failures(mutants::shared_accumulator_promise(true), 5)) {
    EXPECT_LE(bits_of_case(each), 16U);
  }
}

TEST(ShrunkSizes, OfAWrongCompensationAreFiveTerms) {
  for (const campaign::Shrunk& each :
       shrunk_failures(mutants::compensated_sum_promise(mutants::Compensation::unordered), 10)) {
    EXPECT_LE(case_of<sum::SumCase<double>>(each).x.size(), 5U);
  }
}

TEST(ShrunkSizes, OfAccumulateAtOneUlpAreThreeTermsOfFewBits) {
  for (const campaign::Shrunk& each : shrunk_failures(mutants::accumulate_promise(), 10)) {
    EXPECT_LE(case_of<sum::SumCase<float>>(each).x.size(), 3U);
    EXPECT_LE(bits_of_case(each), 5U);
  }
}

TEST(ShrunkSizes, OfACancellingPolynomialAreFewerThanTwelveCoefficients) {
  for (const campaign::Shrunk& each : shrunk_failures(mutants::polynomial_promise(), 5)) {
    EXPECT_LT(case_of<mutants::PolynomialCase>(each).a.size(), 12U);
  }
}

}  // namespace
}  // namespace assay
