#pragma once
// A lazily renormalized sum of products of expansions, the inner loop of the expansion GEMV and GEMM.

#include "arith/expansion/distillation.hpp"
#include "arith/float/error_free.hpp"

namespace assay::expansion {

/// s₀ + s₁ + … + s_{K−1}, where s_l sums up the terms of level l, those of magnitude about (2u)^l. A product of two
/// expansions a, x gives level l the rounded products a_i·x_{l−i} and the errors of those of level l − 1. A term is
/// added by TwoSum, whose error becomes a term of level l + 1; on level K − 1 by plain additions, where the products
/// are fused. So everything is kept except the roundings on level K − 1 and the products a_i·x_j with i + j ≥ K. Starts
/// as +0 in each word (value initialization). Sums and products of K levels: after Ogita, Rump, Oishi, Accurate sum and
/// dot product, SISC 26(6), 2005 (DotK). Bound: docs/bounds/expansion.md.
///
/// The loops below have constant lengths, with a condition inside for triangular ranges: so nvcc unrolls them.
template <class T, int K>
struct ExpansionAccumulator {
  static_assert(K >= 2);
  T s[K];

  /// + a·x. The terms of the product are first added up on each level, then that sum is added to the partial result: a
  /// term passes one rounding in s_l for each later product. (K − 1)K(2K − 1)/6 TwoSums; K²(2K − 1) operations in all.
  ASSAY_HD void add(const Expansion<T, K>& a, const Expansion<T, K>& x) {
    add_levels(a, x, [this](int l, T(&c)[K]) {
      const Sum<T> sum = two_sum(s[l], c[l]);
      s[l] = sum.s;
      push(c, l + 1, sum.e);
    });
  }

  /// a·x, with the bits of add(a, x) to an empty sum, where no TwoSum has an error. K(K − 1)/2 TwoSums less.
  ASSAY_HD static ExpansionAccumulator product(const Expansion<T, K>& a, const Expansion<T, K>& x) {
    ExpansionAccumulator z{};
    z.add_levels(a, x, [&z](int l, T(&c)[K]) { z.s[l] = c[l] + T(0); });  // a zero is +0
    return z;
  }

  /// The same for one word a: the products of its other words are 0. (K − 1)(K − 2)/2 TwoSums.
  ASSAY_HD static ExpansionAccumulator product(T a, const Expansion<T, K>& x) {
    ExpansionAccumulator z{};
    T c[K];
    int filled = K - 2;
    ASSAY_UNROLL(K)
    for (int l = K - 2; l >= 0; --l) {
      const Product<T> product = two_prod(a, x.x[l]);
      c[l] = product.p;
      push(c, filled, l + 1, product.e);
    }
    c[K - 1] = fma(a, x.x[K - 1], c[K - 1]);
    ASSAY_UNROLL(K)
    for (int l = 0; l < K; ++l) z.s[l] = c[l] + T(0);
    return z;
  }

  /// + a·1, with the bits of add(a, 1): level l adds a_l after the errors of the level above. (K − 1)K/2 TwoSums.
  ASSAY_HD void add_as_left(const Expansion<T, K>& a) {
    T c[K];
    int filled = 0;
    c[0] = a.x[0];
    ASSAY_UNROLL(K)
    for (int l = 0; l + 1 < K; ++l) {
      if (l > 0) push(c, filled, l, a.x[l]);
      const Sum<T> sum = two_sum(s[l], c[l]);
      s[l] = sum.s;
      push(c, filled, l + 1, sum.e);
    }
    s[K - 1] = s[K - 1] + (c[K - 1] + a.x[K - 1]);
  }

  /// + 1·x, with the bits of add(1, x): level l adds x_l before the errors of the level above. (K − 1)K/2 TwoSums.
  ASSAY_HD void add_as_right(const Expansion<T, K>& x) {
    T c[K];
    int filled = K - 2;
    ASSAY_UNROLL(K)
    for (int l = 0; l + 1 < K; ++l) c[l] = x.x[l];
    ASSAY_UNROLL(K)
    for (int l = 0; l + 1 < K; ++l) {
      const Sum<T> sum = two_sum(s[l], c[l]);
      s[l] = sum.s;
      push(c, filled, l + 1, sum.e);
    }
    s[K - 1] = s[K - 1] + (c[K - 1] + x.x[K - 1]);
  }

  /// + the terms of another accumulator: on each level first the errors of the level above, then the other's word, then
  /// its own. K(K − 1)/2 TwoSums and K additions.
  ASSAY_HD void add(const ExpansionAccumulator& right) {
    T e[K];
    ASSAY_UNROLL(K)
    for (int l = 0; l < K; ++l) {
      T c = right.s[l];
      if (l > 0) {
        c = e[0];
        ASSAY_UNROLL(K)
        for (int i = 1; i < K; ++i) {
          if (i > l) continue;
          const Sum<T> sum = two_sum(c, i < l ? e[i] : right.s[l]);
          c = sum.s;
          e[i - 1] = sum.e;
        }
      }
      const Sum<T> sum = two_sum(s[l], c);
      s[l] = sum.s;
      e[l] = sum.e;
    }
  }

  /// The sum s₀ + … + s_{K−1}, exactly, as an ulp-nonoverlapping expansion with its zeros at the end.
  /// First each number from s_{K−1} to s₀ is added to a nonoverlapping expansion by Grow-Expansion (Shewchuk 1997,
  /// Theorem 10); then one pass of FastTwoSum from the largest word to the smallest outputs a word wherever an error is
  /// not 0 (docs/bounds/expansion.md). K(K − 1)/2 TwoSums, K − 1 FastTwoSums.
  ASSAY_HD Expansion<T, K> result() const {
    T x[K];
    ASSAY_UNROLL(K)
    for (int l = K - 1; l >= 0; --l) {
      T q = s[l];
      ASSAY_UNROLL(K)
      for (int i = K - 1; i > 0; --i) {
        if (i <= l) continue;
        const Sum<T> t = two_sum(q, x[i]);
        x[i] = t.e;
        q = t.s;
      }
      x[l] = q;
    }
    Expansion<T, K> r{};
    int words = 0;
    T q = x[0];
    ASSAY_UNROLL(K)
    for (int i = 1; i < K; ++i) {
      const Sum<T> t = fast_two_sum(q, x[i]);
      const bool emit = t.e != T(0);
      put(r, words, t.s);
      words += emit ? 1 : 0;
      q = emit ? t.e : t.s;
    }
    put(r, words, q);
    return r;
  }

 private:
  /// The terms c_l of a·x, in ascending order of the levels: take(l, c) for all except the last, which is added to s.
  template <class Take>
  ASSAY_HD void add_levels(const Expansion<T, K>& a, const Expansion<T, K>& x, const Take& take) {
    T c[K];
    const Product<T> first = two_prod(a.x[0], x.x[K - 2]);
    c[K - 2] = first.p;
    c[K - 1] = first.e;
    ASSAY_UNROLL(K)
    for (int l = K - 3; l >= 0; --l) {
      const Product<T> product = two_prod(a.x[0], x.x[l]);
      c[l] = product.p;
      push(c, l + 1, product.e);
    }
    ASSAY_UNROLL(K)
    for (int l = 0; l + 1 < K; ++l) {
      ASSAY_UNROLL(K)
      for (int i = 1; i < K; ++i) {
        if (i > l) continue;
        const Product<T> product = two_prod(a.x[i], x.x[l - i]);
        push(c, l, product.p);
        push(c, l + 1, product.e);
      }
      take(l, c);
    }
    ASSAY_UNROLL(K)
    for (int i = 0; i < K; ++i) c[K - 1] = fma(a.x[i], x.x[K - 1 - i], c[K - 1]);
    s[K - 1] = s[K - 1] + c[K - 1];
  }

  /// Adds a term to c_level; its error goes to the next level, and so on.
  ASSAY_HD static void push(T (&c)[K], int level, T t) {
    ASSAY_UNROLL(K)
    for (int l = 0; l + 1 < K; ++l) {
      if (l < level) continue;
      const Sum<T> sum = two_sum(c[l], t);
      c[l] = sum.s;
      t = sum.e;
    }
    c[K - 1] = c[K - 1] + t;
  }

  /// The same if the levels after `filled` have no term yet: on the first of them the term is stored, not added.
  ASSAY_HD static void push(T (&c)[K], int& filled, int level, T t) {
    bool left = true;
    ASSAY_UNROLL(K)
    for (int l = 0; l < K; ++l) {
      if (l < level || !left) continue;
      if (l > filled) {
        c[l] = t;
        filled = l;
        left = false;
      } else if (l + 1 < K) {
        const Sum<T> sum = two_sum(c[l], t);
        c[l] = sum.s;
        t = sum.e;
      } else {
        c[l] = c[l] + t;
      }
    }
  }

  /// r.x[at] = value, without an index at run time.
  ASSAY_HD static void put(Expansion<T, K>& r, int at, T value) {
    ASSAY_UNROLL(K)
    for (int k = 0; k < K; ++k) {
      r.x[k] = k == at ? value : r.x[k];
    }
  }
};

}  // namespace assay::expansion
