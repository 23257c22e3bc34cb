#pragma once
// C = AB with binary64 data at the interface, computed in binary32, in native pairs of binary32, or in binary64.
//
// A is m × k, B is k × n, C is m × n; all column-major without gaps: the entry (i, j) of an r × c matrix is at i + j·r.
// Any of m, n, k may be 0; for k = 0 every entry of C is +0. Every function takes one product or a batch, whose
// matrices lie one after the other, as do the results. Requires: a.size() = Σ m·k and b.size() = Σ k·n, otherwise
// std::invalid_argument is thrown. Not checked: overflow, and values that are not finite. The inputs are not written
// to. Order: every c_ij is one recursive sum over l = 0, 1, …, k − 1 that starts from +0, as documented at each
// function; it does not depend on tiles. Bit-identical on every executor by the same operations in the same order; any
// NaN equals any NaN. Bounds: docs/bounds/pair.md. Throws ExecutorError. A launch for each product.

#include <cstddef>
#include <span>
#include <vector>

#include "arith/words/double_word.hpp"
#include "exec/executor.hpp"

namespace assay::pair {

/// The shape of a product: (m × k)·(k × n).
struct ProductShape {
  std::size_t m, n, k;
};

/// The shapes of a batch of products, or of one product.
struct ProductShapes : std::span<const ProductShape> {
  using std::span<const ProductShape>::span;
  ProductShapes(const ProductShape& one) : span(&one, 1) {}
};

/// The high and the low words of a matrix of pairs, in two arrays on an executor.
struct PairPlanes {
  const float* h;
  const float* l;
};

// One product on memory that lies on the executor: A and B in the format of the arithmetic, C in binary64. Requires:
// the arrays hold the entries, and C overlaps neither A nor B (not checked). The launch is queued: the calls do not
// wait (exec/launch.hpp), and allocate nothing. They only throw ExecutorError.

/// the entry c of product_single, computed from â and b̂
void product_single(const Executor& on, const ProductShape& shape, const float* a, const float* b, double* c);
/// c as product_pair_interleaved has it from â and b̂.
void product_pair(const Executor& on, const ProductShape& shape, const DoubleWord<float>* a, const DoubleWord<float>* b,
                  double* c);
/// The same from planes.
void product_pair(const Executor& on, const ProductShape& shape, const PairPlanes& a, const PairPlanes& b, double* c);
/// c as product_double has it.
void product_double(const Executor& on, const ProductShape& shape, const double* a, const double* b, double* c);

// Products of arrays on the host, which are copied to the executor, converted there, and copied back.

/// In binary32: â = RN(a), b̂ = RN(b); c = fma(â_il, b̂_lj, c); the result is the last c. 2mnk operations, counted as a
/// multiplication and an addition each.
std::vector<double> product_single(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                   std::span<const double> b);

/// In native pairs of binary32: â = `pair::from_double`(a), b̂ likewise; c = add(c, mul(â_il, b̂_lj)) with
/// `pair::add` and `pair::mul` by FMA; the result is `pair::to_double` of the last c. 20mnk operations. On the
/// executor, including shared memory, high and low word are adjacent.
std::vector<double> product_pair_interleaved(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                             std::span<const double> b);
/// The same bits with all high words and all low words in two arrays.
std::vector<double> product_pair_planes(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                        std::span<const double> b);

/// In binary64: c = fma(a_il, b_lj, c). 2mnk operations.
std::vector<double> product_double(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                   std::span<const double> b);

}  // namespace assay::pair
