#pragma once
// Cases that are vectors of numbers of any length.

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

}  // namespace assay
