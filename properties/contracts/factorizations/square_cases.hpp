#pragma once
// Square matrices.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "arith/fields.hpp"
#include "properties/contracts/factorizations/getrf_cases.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::contracts::factorizations {

/// A matrix of order n, column-major without gaps.
template <FloatingPoint T>
struct SquareCase {
  std::int64_t n = 0;
  std::vector<T> a;
  static constexpr auto fields() { return std::tuple{field("n", &SquareCase::n), field("a", &SquareCase::a)}; }
};

template <FloatingPoint T>
bool has_shape(const SquareCase<T>& c) {
  return c.n >= 0 && c.n <= most_order() && c.a.size() == static_cast<std::size_t>(c.n * c.n);
}

template <FloatingPoint T>
bool is_regular(const SquareCase<T>& c) {
  return all_finite(c.a);
}

/// The matrix without row and column k, for each k.
template <FloatingPoint T>
std::vector<SquareCase<T>> smaller_squares(const SquareCase<T>& c) {
  std::vector<SquareCase<T>> smaller;
  for (std::int64_t k = 0; k < c.n; ++k) {
    smaller.push_back({c.n - 1, without(GetrfCase<T>{c.n, c.n, c.a}, k, k).a});
  }
  return smaller;
}

}  // namespace assay::contracts::factorizations
