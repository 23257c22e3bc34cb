#pragma once
// Cases that are vectors of numbers of any length.

#include <algorithm>
#include <tuple>
#include <vector>

#include "arith/fields.hpp"
#include "properties/framework/codec.hpp"

namespace assay {

/// One vector.
template <FloatingPoint T>
struct VectorCase {
  std::vector<T> x;
  static constexpr auto fields() { return std::tuple{field("x", &VectorCase::x)}; }
};

/// Two vectors.
template <FloatingPoint T>
struct VectorPairCase {
  std::vector<T> x, y;
  static constexpr auto fields() { return std::tuple{field("x", &VectorPairCase::x), field("y", &VectorPairCase::y)}; }
};

/// Whether no number is infinite or NaN.
template <FloatingPoint T>
bool all_finite(const std::vector<T>& x) {
  return std::all_of(x.begin(), x.end(),
                     [](const T& each) { return oracle::is_finite(format_of<T>(), bits_of(each)); });
}

}  // namespace assay
