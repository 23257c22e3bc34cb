#pragma once
// Cases of sums and dot products in the layout of the kernels.

#include <cstddef>
#include <span>
#include <vector>

#include "properties/draws/sum/exact_sums.hpp"

namespace assay::sum {

/// The vectors of cases one after the other, with their offsets: the layout of the kernels.
template <FloatingPoint T>
struct Packed {
  std::vector<T> x;
  std::vector<T> y;
  std::vector<std::size_t> offsets{0};
};
template <FloatingPoint T>
Packed<T> packed(std::span<const SumCase<T>> cases) {
  Packed<T> all;
  for (const SumCase<T>& each : cases) {
    all.x.insert(all.x.end(), each.x.begin(), each.x.end());
    all.offsets.push_back(all.x.size());
  }
  return all;
}
template <FloatingPoint T>
Packed<T> packed(std::span<const DotCase<T>> cases) {
  Packed<T> all;
  for (const DotCase<T>& each : cases) {
    all.x.insert(all.x.end(), each.x.begin(), each.x.end());
    all.y.insert(all.y.end(), each.y.begin(), each.y.end());
    all.offsets.push_back(all.x.size());
  }
  return all;
}

}  // namespace assay::sum
