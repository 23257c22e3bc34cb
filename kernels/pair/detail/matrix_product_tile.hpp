#pragma once
// The kernel behind kernels/pair/matrix_product.hpp, for the file that launches it.

#include <cstddef>

#include "arith/bits/ceil_div.hpp"
#include "arith/bits/extremes.hpp"
#include "arith/bits/traits.hpp"
#include "arith/words/native_pair.hpp"
#include "exec/block.hpp"
#include "kernels/pair/matrix_product.hpp"

namespace assay::pair::detail {

/// Numbers that are adjacent in memory, on an executor.
template <class T>
struct PlainArray {
  using Number = T;
  using Word = T;
  const T* x;
  ASSAY_HD T operator[](std::size_t i) const { return x[i]; }
};

/// Pairs with their high and their low words in separate arrays.
struct PlanesArray {
  using Number = DoubleWord<float>;
  using Word = float;
  const float* h;
  const float* l;
  ASSAY_HD DoubleWord<float> operator[](std::size_t i) const { return {h[i], l[i]}; }
};

/// The same for a part of a matrix in shared memory: `count` numbers.
template <class Array, int count>
struct SharedTile;

template <class T, int count>
struct SharedTile<PlainArray<T>, count> {
  alignas(16) T x[count];
  ASSAY_HD T get(int i) const { return x[i]; }
  ASSAY_HD void set(int i, T value) { x[i] = value; }
};

template <int count>
struct SharedTile<PlanesArray, count> {
  alignas(16) float h[count];
  alignas(16) float l[count];
  ASSAY_HD DoubleWord<float> get(int i) const { return {h[i], l[i]}; }
  ASSAY_HD void set(int i, DoubleWord<float> value) {
    h[i] = value.h;
    l[i] = value.l;
  }
};

/// c + a·b in one step of each arithmetic, and the result.
ASSAY_HD inline float multiply_add(float a, float b, float c) { return fma(a, b, c); }
ASSAY_HD inline double multiply_add(double a, double b, double c) { return fma(a, b, c); }
ASSAY_HD inline DoubleWord<float> multiply_add(DoubleWord<float> a, DoubleWord<float> b, DoubleWord<float> c) {
  return pair::add(c, pair::mul<pair::NativeMul::fma>(a, b));
}
ASSAY_HD inline double result_of(float c) { return static_cast<double>(c); }
ASSAY_HD inline double result_of(double c) { return c; }
ASSAY_HD inline double result_of(DoubleWord<float> c) { return pair::to_double(c); }

/// Block (I, J) of C: `side` × `side` entries, `rows` × `columns` of them by each thread, in steps of 16 along the
/// inner dimension through shared memory. Outside the matrices the tiles hold +0, and the inner loop stops at k, so
/// that no entry sees a padded product. A thread's rows and columns are groups of 16 bytes, which the threads of a tile
/// take in turn. Blocks are numbered I + J·⌈m/side⌉.
template <class ArrayOf, int side, int rows, int columns>
struct TiledProduct {
  using Number = typename ArrayOf::Number;
  static constexpr int depth = 16;
  static constexpr int group = 16 / static_cast<int>(sizeof(typename ArrayOf::Word));
  static constexpr int pitch_b = side + group;
  static constexpr int threads_down = side / rows;
  static constexpr int threads_across = side / columns;
  static constexpr int threads = threads_down * threads_across;
  static constexpr int loads = depth * side / threads;
  static_assert(rows % group == 0 && columns % group == 0 && depth * side % threads == 0);

  struct Shared {
    SharedTile<ArrayOf, depth * side> a;
    SharedTile<ArrayOf, depth * pitch_b> b;
  };
  struct Sums {
    Number c[columns][rows];
  };

  ProductShape shape;
  ArrayOf a;
  ArrayOf b;
  double* c;

  /// The number of blocks.
  static std::size_t blocks(const ProductShape& shape) {
    return bits::ceil_div(shape.m, side) * bits::ceil_div(shape.n, side);
  }

  /// Whether the tiles of the block at (row, column) lie in A and B at the inner indices first, …, first + 15.
  ASSAY_HD static bool are_inside(const ProductShape& shape, std::size_t row, std::size_t column, std::size_t first) {
    return row + side <= shape.m && column + side <= shape.n && first + depth <= shape.k;
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::size_t down = bits::ceil_div(shape.m, side);
    const std::size_t row = block.index() % down * side;
    const std::size_t column = block.index() / down * side;
    auto sums = block.per_thread(Sums{});
    for (std::size_t first = 0; first < shape.k; first += depth) {
      const int steps = static_cast<int>(bits::min(shape.k - first, depth));
      block.for_each_thread([&](int t, Shared& shared) { bring(t, row, column, first, shared); });
      block.for_each_thread([&](int t, Shared& shared) {
        const int down_lane = t % threads_down;
        const int across_lane = t / threads_down;
        if (row + place<threads_down>(down_lane, 0) >= shape.m ||
            column + place<threads_across>(across_lane, 0) >= shape.n) {
          return;
        }
        if (steps == depth) {
          ASSAY_UNROLL(depth)
          for (int l = 0; l < depth; ++l) add_step(shared, l, down_lane, across_lane, sums[t]);
        } else {
          for (int l = 0; l < steps; ++l) add_step(shared, l, down_lane, across_lane, sums[t]);
        }
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      ASSAY_UNROLL(columns)
      for (int j = 0; j < columns; ++j) {
        const std::size_t at_column = column + place<threads_across>(t / threads_down, j);
        ASSAY_UNROLL(rows)
        for (int i = 0; i < rows; ++i) {
          const std::size_t at_row = row + place<threads_down>(t % threads_down, i);
          if (at_row < shape.m && at_column < shape.n) c[at_row + at_column * shape.m] = result_of(sums[t].c[j][i]);
        }
      }
    });
  }

 private:
  /// The place of entry i of lane `lane` in the tile.
  template <int lanes>
  ASSAY_HD static constexpr unsigned place(int lane, int i) {
    return static_cast<unsigned>(i / group * (group * lanes) + lane * group + i % group);
  }

  /// Thread t's part of a tile with `down` rows at (row, column) of a matrix of height × width; 0 outside the matrix.
  template <int down, class Matrix>
  ASSAY_HD static void load(const Matrix& matrix, int t, std::size_t row, std::size_t column, std::size_t height,
                            std::size_t width, bool inside, Number (&x)[loads]) {
    ASSAY_UNROLL(loads)
    for (int q = 0; q < loads; ++q) {
      const int at = t + q * threads;
      const std::size_t i = row + static_cast<unsigned>(at % down);
      const std::size_t j = column + static_cast<unsigned>(at / down);
      x[q] = inside || (i < height && j < width) ? matrix[i + j * height] : Number{};
    }
  }

  /// Thread t's part of the tiles at the inner indices first, …, first + 15. All loads come before all stores.
  ASSAY_HD void bring(int t, std::size_t row, std::size_t column, std::size_t first, Shared& shared) const {
    const bool inside = are_inside(shape, row, column, first);
    Number x[loads];
    Number y[loads];
    load<side>(a, t, row, first, shape.m, shape.k, inside, x);
    load<depth>(b, t, first, column, shape.k, shape.n, inside, y);
    ASSAY_UNROLL(loads)
    for (int q = 0; q < loads; ++q) {
      const int at = t + q * threads;
      shared.a.set(at, x[q]);
      shared.b.set(at % depth * pitch_b + at / depth, y[q]);
    }
  }

  ASSAY_HD static void add_step(const Shared& shared, int l, int down_lane, int across_lane, Sums& sums) {
    Number x[rows];
    Number y[columns];
    ASSAY_UNROLL(rows)
    for (int i = 0; i < rows; ++i) x[i] = shared.a.get(l * side + static_cast<int>(place<threads_down>(down_lane, i)));
    ASSAY_UNROLL(columns)
    for (int j = 0; j < columns; ++j) {
      y[j] = shared.b.get(l * pitch_b + static_cast<int>(place<threads_across>(across_lane, j)));
    }
    ASSAY_UNROLL(columns)
    for (int j = 0; j < columns; ++j) {
      ASSAY_UNROLL(rows)
      for (int i = 0; i < rows; ++i) sums.c[j][i] = multiply_add(x[i], y[j], sums.c[j][i]);
    }
  }
};

using SingleProduct = TiledProduct<PlainArray<float>, 64, 4, 8>;
using InterleavedProduct = TiledProduct<PlainArray<DoubleWord<float>>, 64, 4, 2>;
using PlanesProduct = TiledProduct<PlanesArray, 64, 4, 4>;
using DoubleProduct = TiledProduct<PlainArray<double>, 64, 4, 8>;

}  // namespace assay::pair::detail
