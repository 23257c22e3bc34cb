#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "probes/dw/dw.hpp"
#include "tests/probes/probe_suite.hpp"

namespace assay::probes {
namespace {

constexpr double u2 = 0x1p-106;
constexpr Range range{-216, 216};
constexpr ClimbSize size{2, 64};

template <class Probe>
double largest(const Probe& probe, double factor, const ClimbSize& of,
               const std::vector<typename Probe::Input>& starts = {}) {
  double found = -1;
  for (const auto& each : climb(Executor::host(), probe, factor, 1, of, std::span(starts))) {
    found = std::max(found, each.ratio);
  }
  return found;
}

TEST(Climb, GivesTheSameOnEveryExecutor) {
  const dw::Mul3<double> probe{range};
  const auto alone = climb(Executor::host(), probe, 4 * u2, 5, size, {});
  ASSERT_EQ(alone.size(), 2U);
  EXPECT_NE(alone[0].ratio, alone[1].ratio);
  for (const Executor& on : other_executors()) {
    const auto there = climb(on, probe, 4 * u2, 5, size, {});
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(alone[i].ratio, there[i].ratio);
      EXPECT_EQ(alone[i].at.x.h, there[i].at.x.h);
      EXPECT_EQ(alone[i].at.y.l, there[i].at.y.l);
    }
  }
}

TEST(Climb, NamesTheRatioOfTheCase) {
  const dw::Div3<double> probe{range};
  for (const auto& each : climb(Executor::host(), probe, 9.8 * u2, 1, size, {})) {
    EXPECT_EQ(each.ratio, judged(probe, each.at, probe.run(each.at), 9.8 * u2).ratio);
  }
}

TEST(Climb, ComesNearerToTheBoundWithMoreSteps) {
  const dw::Mul1<double> probe{range};
  const double drawn = largest(probe, 5 * u2, {1, 1});
  EXPECT_LT(drawn, 0.9);
  EXPECT_GT(largest(probe, 5 * u2, {2, 1024}), 0.99);
}

TEST(Climb, StartsBesideTheGivenCases) {
  // The case of theorem dw.div_fp2.2, p = 53.
  const DwFp<double> known{{1, 0x1.ffffff8000003p-54}, 0x1.ffffff8000001p+0};
  const dw::DivFp2<double> probe{range};
  EXPECT_LT(largest(probe, 3 * u2, size), 0.999);
  EXPECT_GT(largest(probe, 3 * u2, size, {known}), 0.999);
}

TEST(Climb, FindsThatASloppySumBreaksTheBoundOfTheAccurateOne) {
  EXPECT_GT(largest(dw::SloppyAdd<double>{Range{-800, 1016}}, 3 * u2, size), 1e3);
}

}  // namespace
}  // namespace assay::probes
