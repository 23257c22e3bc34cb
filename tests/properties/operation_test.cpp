// The computations and promises possible for a kernel from outside: the controls of an operation, and its ladder.
#include "properties/framework/operation.hpp"

#include <gmock/gmock.h>

#include "properties/framework/libraries.hpp"

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

/// How often a library was loaded.
int loads = 0;

TEST(LibraryOfOperations, IsLoadedOnceForAnOperationThatTheProgramDoesNotHave) {
  const OperationRegistration own({"own", "c", {"f64"}, {}, {}, nullptr});
  loads = 0;
  register_operations([] {
    ++loads;
    EXPECT_EQ(find_operation("asked by what is loaded"), nullptr);
    const OperationRegistration late({"late", "c", {"f64"}, {}, {}, nullptr});
    return std::string();
  });
  EXPECT_NE(find_operation("own"), nullptr);
  EXPECT_EQ(find_registered_operation("late"), nullptr);
  EXPECT_EQ(loads, 0);
  EXPECT_NE(find_operation("late"), nullptr);
  EXPECT_EQ(find_operation("unknown"), nullptr);
  EXPECT_FALSE(operations().empty());
  EXPECT_EQ(loads, 1);
}

TEST(LibraryOfOperations, ThatIsMissingIsAnErrorEachTimeItIsNeeded) {
  register_operations([] { return std::string("no operations here"); });
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_THROW(operations(), MissingLibrary);
    EXPECT_THROW(find_operation("missing"), MissingLibrary);
    EXPECT_EQ(find_registered_operation("missing"), nullptr);
  }
  register_operations(nullptr);
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
