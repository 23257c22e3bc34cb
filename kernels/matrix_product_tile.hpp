#pragma once
// The kernel behind kernels/matrix_product.hpp, for the file that launches it and for the benchmark that times it.

#include <cstddef>

#include "arith/native_pair.hpp"
#include "arith/traits.hpp"
#include "kernels/block.hpp"
#include "kernels/matrix_product.hpp"

namespace assay::detail {

/// Numbers side by side in memory, on an executor.
template <class T>
struct PlainArray {
  using Number = T;
  const T* x;
  ASSAY_HD T operator[](std::size_t i) const { return x[i]; }
};

/// Pairs with their high and their low words apart.
struct PlanesArray {
  using Number = DoubleWord<float>;
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
  return native_pair::add(c, native_pair::mul<native_pair::NativeMul::fma>(a, b));
}
ASSAY_HD inline double result_of(float c) { return static_cast<double>(c); }
ASSAY_HD inline double result_of(double c) { return c; }
ASSAY_HD inline double result_of(DoubleWord<float> c) { return native_pair::to_double(c); }

/// Block (I, J) of C: 64 × 64 entries, `rows` × `columns` of them by each thread, in steps of 16 along the inner
/// dimension through shared memory. Outside the matrices the tiles hold +0, and the inner loop stops at k, so that no
/// entry sees a padded product. Blocks are numbered I + J·⌈m/64⌉.
template <class ArrayOf, int rows, int columns>
struct TiledProduct {
  using Number = typename ArrayOf::Number;
  static constexpr int side = 64;
  static constexpr int depth = 16;
  static constexpr int pitch_b = side + 16 / static_cast<int>(sizeof(Number) < 16 ? sizeof(Number) : 16);
  static constexpr int threads_down = side / rows;
  static constexpr int threads = threads_down * (side / columns);

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

  /// How many blocks there are.
  static std::size_t blocks(const ProductShape& shape) {
    return ((shape.m + side - 1) / side) * ((shape.n + side - 1) / side);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::size_t down = (shape.m + side - 1) / side;
    const std::size_t row = block.index() % down * side;
    const std::size_t column = block.index() / down * side;
    auto sums = block.per_thread(Sums{});
    for (std::size_t first = 0; first < shape.k; first += depth) {
      const int steps = shape.k - first < depth ? static_cast<int>(shape.k - first) : depth;
      block.for_each_thread([&](int t, Shared& shared) {
        for (int at = t; at < depth * side; at += threads) {
          const std::size_t i = row + static_cast<std::size_t>(at % side);
          const int l = at / side;
          shared.a.set(at,
                       i < shape.m && l < steps ? a[i + (first + static_cast<std::size_t>(l)) * shape.m] : Number{});
        }
        for (int at = t; at < depth * side; at += threads) {
          const int l = at % depth;
          const std::size_t j = column + static_cast<std::size_t>(at / depth);
          shared.b.set(l * pitch_b + at / depth,
                       j < shape.n && l < steps ? b[first + static_cast<std::size_t>(l) + j * shape.k] : Number{});
        }
      });
      block.for_each_thread([&](int t, Shared& shared) {
        const int i0 = t % threads_down * rows;
        const int j0 = t / threads_down * columns;
        if (row + static_cast<std::size_t>(i0) >= shape.m || column + static_cast<std::size_t>(j0) >= shape.n) return;
        Sums& own = sums[t];
        if (steps == depth) {
          ASSAY_UNROLL(depth)
          for (int l = 0; l < depth; ++l) add_step(shared, l, i0, j0, own);
        } else {
          for (int l = 0; l < steps; ++l) add_step(shared, l, i0, j0, own);
        }
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      const int i0 = t % threads_down * rows;
      const int j0 = t / threads_down * columns;
      ASSAY_UNROLL(columns)
      for (int j = 0; j < columns; ++j) {
        ASSAY_UNROLL(rows)
        for (int i = 0; i < rows; ++i) {
          const std::size_t at_row = row + static_cast<std::size_t>(i0 + i);
          const std::size_t at_column = column + static_cast<std::size_t>(j0 + j);
          if (at_row < shape.m && at_column < shape.n) c[at_row + at_column * shape.m] = result_of(sums[t].c[j][i]);
        }
      }
    });
  }

 private:
  ASSAY_HD static void add_step(const Shared& shared, int l, int i0, int j0, Sums& sums) {
    Number x[rows];
    Number y[columns];
    ASSAY_UNROLL(rows)
    for (int i = 0; i < rows; ++i) x[i] = shared.a.get(l * side + i0 + i);
    ASSAY_UNROLL(columns)
    for (int j = 0; j < columns; ++j) y[j] = shared.b.get(l * pitch_b + j0 + j);
    ASSAY_UNROLL(columns)
    for (int j = 0; j < columns; ++j) {
      ASSAY_UNROLL(rows)
      for (int i = 0; i < rows; ++i) sums.c[j][i] = multiply_add(x[i], y[j], sums.c[j][i]);
    }
  }
};

using SingleProduct = TiledProduct<PlainArray<float>, 8, 8>;
using InterleavedProduct = TiledProduct<PlainArray<DoubleWord<float>>, 4, 4>;
using PlanesProduct = TiledProduct<PlanesArray, 4, 4>;
using DoubleProduct = TiledProduct<PlainArray<double>, 4, 8>;

}  // namespace assay::detail
