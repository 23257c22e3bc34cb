#pragma once
// The common parts of the cases of GEMM, their entries and their exact results.

#include <cstdint>
#include <limits>

#include "properties/draws/gemm/cases.hpp"

namespace assay::gemm::detail {

inline constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether x is neither infinite nor NaN.
inline bool finite(double x) { return oracle::is_finite(oracle::binary64, bits_of(x)); }

/// The entries of a matrix.
inline GemmMatrix copy_of(const oracle::MatrixView& x) {
  GemmMatrix copy(x.rows, x.columns);
  for (std::int64_t j = 0; j < x.columns; ++j) {
    for (std::int64_t i = 0; i < x.rows; ++i) copy.at(i, j) = x.at(i, j);
  }
  return copy;
}

/// 0, ±1, ±2^e or any number, 1 the most often; 0 in `zeros` of 16 cases. `single`: a number of binary32.
double draw_scalar(Draw& draw, std::uint64_t zeros, bool single);

/// Rows of A, columns of B and single entries are zero, sometimes all of a matrix.
void fill_zero_lines(Draw& draw, GemmEntries& e);

}  // namespace assay::gemm::detail
