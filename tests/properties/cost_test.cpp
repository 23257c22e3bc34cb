#include "properties/framework/cost.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "properties/framework/tally.hpp"

namespace assay {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t millisecond = 1'000'000;

TEST(Cost, OfACallIsTheKernelsAndTheRestIsTheJudges) {
  const CostClock clock;
  {
    const TimedCall call;
    std::this_thread::sleep_for(milliseconds(20));
  }
  std::this_thread::sleep_for(milliseconds(5));
  const Cost cost = clock.taken();
  EXPECT_GE(cost.kernel, 20 * millisecond);
  EXPECT_GE(cost.judge, 5 * millisecond);
}

TEST(Cost, IsNotTakenWhereNoKernelFromOutsideIsCalled) {
  { const TimedCall before; }
  const CostClock clock;
  std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(clock.taken().kernel, 0u);
  EXPECT_EQ(clock.taken().judge, 0u);
}

TEST(Cost, OfSeveralTalliesIsAddedUpAndTellsNoneOfThemApart) {
  Tally first;
  Tally second;
  first.cost = {3, 4};
  second.cost = {10, 20};
  EXPECT_EQ(first, second);
  first.merge(second);
  EXPECT_EQ(first.cost.kernel, 13u);
  EXPECT_EQ(first.cost.judge, 24u);
}

}  // namespace
}  // namespace assay
