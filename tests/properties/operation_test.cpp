// The computations and promises possible for a kernel from outside: the controls of an operation, and its ladder.
#include "properties/framework/operation.hpp"

#include <gmock/gmock.h>

namespace assay {
namespace {

using ::testing::Not;

TEST(ControlsOf, AnOperationThatReturnsItsResultLeaveNoOutputUnwritten) {
  Operation operation{"o", "c", {"f64"}, {}, {}, nullptr};
  EXPECT_THAT(operation.controls(), ::testing::Contains(Control::unwritten));
  operation.returns_number = true;
  EXPECT_THAT(operation.controls(), Not(::testing::Contains(Control::unwritten)));
}

TEST(ControlsOf, BatchesHaveAWrongLastProduct) {
  Operation operation{"o", "c", {"f64"}, {}, {}, nullptr};
  EXPECT_THAT(operation.controls(), Not(::testing::Contains(Control::last_product)));
  operation.has_batches = true;
  EXPECT_EQ(operation.controls(), std::vector(all_controls.begin(), all_controls.end()));
}

TEST(LadderOf, LeavesOutWhatFollows) {
  const TheoremWords words{"own.words.1", "h", "s", "derived"};
  const Operation operation{
      "o",    "c", {"f64"}, {}, {{"a", &words, "", {"b"}}, {"b", &words, "", {"c"}}, {"c", &words}, {"d", &words}},
      nullptr};
  const auto ladder = [&](std::vector<std::optional<bool>> kept) { return ladder_of(operation, kept); };
  EXPECT_THAT(ladder({false, true, true, std::nullopt}).kept, ::testing::ElementsAre("b"));
  EXPECT_THAT(ladder({false, true, true, std::nullopt}).broken, ::testing::ElementsAre("a"));
  EXPECT_THAT(ladder({false, false, false, true}).broken, ::testing::ElementsAre("c"));
  EXPECT_THAT(ladder({true, true, true, true}).kept, ::testing::ElementsAre("a", "d"));
}

TEST(LeftToAsk, AreContractsThatSomeKernelsKeepWhichBreakAllOthersAboutAnError) {
  const TheoremWords words{"own.words.1", "h", "s", "derived"};
  Operation operation{"o", "c", {"f64"}, {}, {{"a", &words, "", {"b"}}, {"b", &words}, {"kinds", &words}}, nullptr};
  operation.contracts[1].kept_by = "kernels of a kind";
  operation.contracts[2].is_about_error = false;
  const auto left = [&](std::vector<std::optional<bool>> kept) { return left_to_ask(operation, kept); };
  EXPECT_THAT(left({false, std::nullopt, true}), ::testing::ElementsAre(&operation.contracts[1]));
  EXPECT_THAT(left({true, std::nullopt, true}), ::testing::IsEmpty());
  EXPECT_THAT(left({false, false, true}), ::testing::IsEmpty());
  EXPECT_THAT(left({std::nullopt, std::nullopt, true}), ::testing::IsEmpty());
}

}  // namespace
}  // namespace assay
