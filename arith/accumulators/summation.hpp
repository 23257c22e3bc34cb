#pragma once
// Sums and dot products as accumulators of one result: value-initialized to +0; `add` an element, or a product, in
// turn; `result` at the end. They are aggregates, so that they can be in shared memory. Each accumulator is documented
// at its kernel in kernels/sum/summation.hpp.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"

namespace assay::summation {

template <class T>
struct Recursive {
  using Result = T;
  T s;
  ASSAY_HD void add(T x) { s = s + x; }
  ASSAY_HD void add(T x, T y) { s = s + x * y; }
  ASSAY_HD T result() const { return s; }
  ASSAY_HD static Recursive combine(const Recursive& left, const Recursive& right) { return {left.s + right.s}; }
};

/// The sums of aligned runs of 2ᵏ elements, one for each one-bit of the number of elements so far.
template <class T>
struct Pairwise {
  using Result = T;
  T runs[64];
  std::uint64_t n;
  ASSAY_HD void add(T x) {
    int k = 0;
    for (std::uint64_t bits = n; (bits & 1) != 0; bits >>= 1) x = runs[k++] + x;
    runs[k] = x;
    ++n;
  }
  ASSAY_HD T result() const {
    T s = 0;
    bool first = true;
    int k = 0;
    for (std::uint64_t bits = n; bits != 0; bits >>= 1, ++k) {
      if ((bits & 1) == 0) continue;
      s = first ? runs[k] : runs[k] + s;
      first = false;
    }
    return s + T(0);
  }
};

template <class T>
struct Kahan {
  using Result = T;
  T s, c;
  ASSAY_HD void add(T x) {
    const T y = x - c;
    const T t = s + y;
    c = (t - s) - y;
    s = t;
  }
  ASSAY_HD T result() const { return s; }
};

template <class T>
struct Neumaier {
  using Result = T;
  T s, c;
  ASSAY_HD void add(T x) {
    const Sum<T> t = abs(s) >= abs(x) ? fast_two_sum(s, x) : fast_two_sum(x, s);
    s = t.s;
    c = c + t.e;
  }
  ASSAY_HD T result() const { return s + c; }
};

/// Sum2 and Dot2.
template <class T>
struct Compensated {
  using Result = T;
  T s, c;
  ASSAY_HD void add(T x) {
    const Sum<T> t = two_sum(s, x);
    s = t.s;
    c = c + t.e;
  }
  ASSAY_HD void add(T x, T y) {
    const Product<T> p = two_prod(x, y);
    const Sum<T> t = two_sum(s, p.p);
    s = t.s;
    c = c + (t.e + p.e);
  }
  ASSAY_HD T result() const { return s + c; }
  ASSAY_HD static Compensated combine(const Compensated& left, const Compensated& right) {
    const Sum<T> t = two_sum(left.s, right.s);
    return {t.s, (left.c + right.c) + t.e};
  }
};

/// SumK in one pass: level k < K adds the errors of level k − 1 as they come, and at the end the sum of level k − 1.
template <class T, int K>
struct Levels {
  using Result = T;
  T s[K];
  ASSAY_HD void add_from(int level, T x) {
    for (; level + 1 < K; ++level) {
      const Sum<T> t = two_sum(s[level], x);
      s[level] = t.s;
      x = t.e;
    }
    s[K - 1] = s[K - 1] + x;
  }
  ASSAY_HD void add(T x) { add_from(0, x); }
  ASSAY_HD T result() const {
    Levels last = *this;
    for (int level = 0; level + 1 < K; ++level) last.add_from(level + 1, last.s[level]);
    return last.s[K - 1];
  }
};

/// DotK: Levels<K − 1> over the errors of the products and of their recursive sum, and at the end that sum.
template <class T, int K>
struct DotLevels {
  using Result = T;
  T s;
  Levels<T, K - 1> errors;
  ASSAY_HD void add(T x, T y) {
    const Product<T> p = two_prod(x, y);
    const Sum<T> t = two_sum(s, p.p);
    s = t.s;
    errors.add(p.e);
    errors.add(t.e);
  }
  ASSAY_HD T result() const {
    Levels<T, K - 1> all = errors;
    all.add(s);
    return all.result();
  }
};

/// binary32 data in binary64.
struct Widened {
  using Result = double;
  double s;
  ASSAY_HD void add(float x, float y) { s = s + static_cast<double>(x) * static_cast<double>(y); }
  ASSAY_HD double result() const { return s; }
  ASSAY_HD static Widened combine(const Widened& left, const Widened& right) { return {left.s + right.s}; }
};

}  // namespace assay::summation
