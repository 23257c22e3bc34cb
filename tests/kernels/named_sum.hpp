#pragma once
// A table's entry: a sum of numbers of T with its name.

#include <functional>
#include <span>
#include <vector>

#include "kernels/sum/summation.hpp"

namespace assay::sum {

/// The two forms of a sum, for a batch and for one vector.
template <class T>
struct Named {
  const char* name;
  std::function<std::vector<T>(const Executor&, std::span<const T>, Offsets)> batch;
  std::function<T(const Executor&, std::span<const T>)> single;
};

}  // namespace assay::sum
