#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "arith/fields.hpp"
#include "oracle/exact.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace own {

/// A matrix row by row: the case of the property.
struct Matrix {
  std::vector<double> x;
  std::uint32_t columns = 1;
  static constexpr auto fields() {
    return std::tuple{assay::field("x", &Matrix::x), assay::field("columns", &Matrix::columns)};
  }
};

/// The exact values of row i.
inline std::vector<assay::oracle::Dyadic> row(const Matrix& a, std::size_t i) {
  std::vector<assay::oracle::Dyadic> values;
  for (std::size_t j = 0; j < a.columns; ++j) values.push_back(assay::oracle::exact(a.x[i * a.columns + j]));
  return values;
}

/// f(row) for every row.
template <class F>
auto by_row(const Matrix& a, F f) {
  std::vector<decltype(f(row(a, 0)))> results;
  for (std::size_t i = 0; i < a.x.size() / a.columns; ++i) results.push_back(f(row(a, i)));
  return results;
}

/// Magnitudes far from overflow, so that no sum of `most` of them overflows; subnormals included.
constexpr assay::Box magnitudes{-1074, 1000};

/// A matrix whose entries have exponents in [low, high]; every other entry cancels the one before to its last bits.
inline Matrix draw_matrix(assay::Draw& draw, std::uint32_t rows, std::uint32_t columns, int low, int high,
                          bool cancel) {
  Matrix a{{}, columns};
  for (std::uint32_t i = 0; i < rows * columns; ++i) {
    const int exponent = draw.between(low, high);
    a.x.push_back(cancel && i % 2 == 1 ? assay::negated(std::nextafter(a.x.back(), 0.0))
                                       : assay::draw_number<double>(draw, assay::Significand::any, exponent));
  }
  return a;
}

/// Matrices of at most 4 rows and `most` columns.
inline assay::Domain<Matrix> matrices(std::uint32_t most) {
  const auto of = [most](int low, int high, bool cancel, bool wide) {
    return assay::drawn<Matrix>([=](assay::Draw& draw) {
      const std::uint64_t columns = wide ? 65 + draw.below(most - 64) : 1 + draw.below(8);
      return draw_matrix(draw, static_cast<std::uint32_t>(1 + draw.below(4)), static_cast<std::uint32_t>(columns), low,
                         high, cancel);
    });
  };
  return {.classes = {{"few columns", 3, of(-2, 2, false, false)},
                      {"more columns than threads", 3, of(-2, 2, false, true)},
                      {"cancellation", 3, of(-2, 2, true, true)},
                      {"wide range", 2, of(-100, 100, false, true)},
                      {"subnormal", 1, of(-1074, -1020, true, false)}},
          .contains =
              [most](const Matrix& a) {
                if (a.columns == 0 || a.columns > most || a.x.empty() || a.x.size() % a.columns != 0) return false;
                for (const double each : a.x) {
                  if (!std::isfinite(each) || !assay::in_box(each, magnitudes)) return false;
                }
                return true;
              },
          .features = {{"columns", 0, 300, 30, [](const Matrix& a) { return static_cast<double>(a.columns); }}},
          .accepts = "at most " + std::to_string(most) + " columns, magnitudes 0 or in 2^-1074 … 2^1000"};
}

}  // namespace own
