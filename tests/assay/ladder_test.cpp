// What is said of the contracts that a kernel keeps.
#include "assay/report/ladder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/store/summary_io.hpp"
#include "tests/assay/sample.hpp"

namespace assay::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The lines about cases that a kept contract did not judge whole, if it judged this sample of their entries.
std::vector<std::string> lines_of(const Sample& sample, store::Finding verdict) {
  store::PropertySummary property = sample::with_verdict("subject.mine", verdict);
  property.info.claims[0].is_open = true;
  property.tally.claims[0].sample = sample;
  store::Summary summary;
  summary.properties.push_back(property);
  const std::vector<KernelLadder> found = ladders(summary);
  return found.empty() ? std::vector<std::string>{"no ladder"} : found[0].partly;
}

TEST(Ladder, SaysHowManyEntriesOfLargeResultsWereJudged) {
  EXPECT_THAT(lines_of({}, store::Finding::holds), IsEmpty());
  EXPECT_THAT(lines_of({576, 16'785'409}, store::Finding::violated), IsEmpty());
  EXPECT_THAT(
      lines_of({576, 16'785'409}, store::Finding::holds),
      ElementsAre(testing::EndsWith(": of large results a sample was judged, 576 of 16\u202f785\u202f409 entries")));
}

}  // namespace
}  // namespace assay::report
