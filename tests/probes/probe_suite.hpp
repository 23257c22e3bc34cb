#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "exec/executor.hpp"
#include "probes/probe.hpp"

namespace assay::probes {

/// A shuffled order of threads, and the device if there is one.
inline std::vector<Executor> other_executors() {
  std::vector<Executor> all{Executor::host(Order::shuffled, 7)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

/// Helpers that the test suites of probes share.
template <class Probe>
class ProbeTest : public testing::Test {
 protected:
  using Number = typename Probe::Number;
  using Input = typename Probe::Input;
  using Output = typename Probe::Output;
};

/// Judges a cell of each class on the device and on the host. A case that is drawn or judged differently there would
/// show in the largest ratio of a million.
template <class Probe>
void expect_the_same_on_a_device(const Probe& probe, double factor) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  for (int k = 0; k < Probe::classes; ++k) {
    const CellResult here = judge_cells(Executor::host(), probe, factor, 3, k, 1, 1).front();
    const CellResult there = judge_cells(Executor::cuda(), probe, factor, 3, k, 1, 1).front();
    EXPECT_EQ(here.largest, there.largest) << "class " << k;
    EXPECT_EQ(here.number, there.number) << "class " << k;
    EXPECT_EQ(here.undecided, there.undecided) << "class " << k;
  }
}

}  // namespace assay::probes
