#pragma once
// Entries of the expansion GEMV and GEMM without a layout, and their placement in a case.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "properties/catalog/expansion/blas_problem.hpp"

namespace assay::expansion {

namespace detail {

/// A matrix of expansions without a layout, one row after the other.
template <FloatingPoint T>
struct EntryMatrix {
  std::int64_t rows = 0, columns = 0;
  std::size_t words = 0;
  std::vector<T> all = {};

  std::span<T> at(std::int64_t i, std::int64_t j) {
    return std::span<T>(all).subspan(static_cast<std::size_t>(i * columns + j) * words, words);
  }
  std::span<const T> at(std::int64_t i, std::int64_t j) const {
    return std::span<const T>(all).subspan(static_cast<std::size_t>(i * columns + j) * words, words);
  }
};

/// α, β, A (m × k), B (k × n), C (m × n).
template <FloatingPoint T>
struct BlasEntries {
  std::vector<T> alpha, beta;
  EntryMatrix<T> a, b, c;
};

template <FloatingPoint T>
EntryMatrix<T> zero_matrix(std::int64_t rows, std::int64_t columns, std::size_t words) {
  return {rows, columns, words, std::vector<T>(static_cast<std::size_t>(rows * columns) * words)};
}

/// The array of a matrix: its entries at the places from `places`, `filler()` elsewhere.
template <FloatingPoint T, class Filler>
std::vector<T> laid_out(const EntryMatrix<T>& from, const EntryPlaces& places, Filler&& filler) {
  std::vector<T> array(static_cast<std::size_t>(places.size) * from.words);
  for (T& each : array) each = filler();
  for (std::int64_t i = 0; i < from.rows; ++i) {
    for (std::int64_t j = 0; j < from.columns; ++j) {
      std::copy(from.at(i, j).begin(), from.at(i, j).end(),
                array.begin() + static_cast<std::ptrdiff_t>(places(i, j) * from.words));
    }
  }
  return array;
}

/// The layout in memory of the arrays of a case.
struct BlasLayout {
  bool transa = false, transb = false;
  std::int64_t above_a = 0, above_b = 0, above_c = 0;  ///< leading dimension − rows
  std::int64_t incx = 1, incy = 1;
};

/// `filler` and `kept_filler` give the words of gaps in the factors and in the array that is written.
template <FloatingPoint T, class Filler, class KeptFiller>
void lay_out(const BlasEntries<T>& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept_filler,
             ExpansionGemvCase<T>& c) {
  c.trans = layout.transa ? 1 : 0;
  c.m = layout.transa ? e.a.columns : e.a.rows;
  c.n = layout.transa ? e.a.rows : e.a.columns;
  c.lda = std::max<std::int64_t>(1, c.m) + layout.above_a;
  c.incx = layout.incx;
  c.incy = layout.incy;
  c.alpha = e.alpha;
  c.beta = e.beta;
  c.a = laid_out(e.a, matrix_places(c.m, c.n, c.lda, layout.transa), filler);
  c.x = laid_out(e.b, vector_places(e.b.rows, c.incx), filler);
  c.y = laid_out(e.c, vector_places(e.c.rows, c.incy), kept_filler);
}
template <FloatingPoint T, class Filler, class KeptFiller>
void lay_out(const BlasEntries<T>& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept_filler,
             ExpansionGemmCase<T>& c) {
  c.transa = layout.transa ? 1 : 0;
  c.transb = layout.transb ? 1 : 0;
  c.m = e.a.rows;
  c.k = e.a.columns;
  c.n = e.b.columns;
  const std::int64_t rows_a = layout.transa ? c.k : c.m;
  const std::int64_t rows_b = layout.transb ? c.n : c.k;
  c.lda = std::max<std::int64_t>(1, rows_a) + layout.above_a;
  c.ldb = std::max<std::int64_t>(1, rows_b) + layout.above_b;
  c.ldc = std::max<std::int64_t>(1, c.m) + layout.above_c;
  c.alpha = e.alpha;
  c.beta = e.beta;
  c.a = laid_out(e.a, matrix_places(rows_a, layout.transa ? c.m : c.k, c.lda, layout.transa), filler);
  c.b = laid_out(e.b, matrix_places(rows_b, layout.transb ? c.k : c.n, c.ldb, layout.transb), filler);
  c.c = laid_out(e.c, matrix_places(c.m, c.n, c.ldc, false), kept_filler);
}

/// The case of a GEMV: with only one column of B and C.
template <class Case>
inline constexpr bool has_columns = requires(Case c) { c.k; };

}  // namespace detail

}  // namespace assay::expansion
