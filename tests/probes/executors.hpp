#pragma once

#include <vector>

#include "exec/executor.hpp"

namespace assay::probes {

/// A shuffled order of threads, and the device where there is one.
inline std::vector<Executor> other_executors() {
  std::vector<Executor> all{Executor::host(Order::shuffled, 7)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

}  // namespace assay::probes
