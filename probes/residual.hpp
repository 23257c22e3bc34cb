#pragma once
// Rigorous bounds of |Σ x_i| for a few numbers of binary64, in rounded operations.

#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"

namespace assay::probes {

ASSAY_HD constexpr double absolute(double x) { return x < 0 ? -x : x; }

/// A number that is at most |a + b|, and at least (1 − 2⁻⁵⁰) of it where it is above 2⁻⁹⁶⁹.
ASSAY_HD constexpr double at_most_sum(double a, double b) { return absolute(a + b) * (1 - 0x1p-51); }

/// A product that is exact as p + e. If it may not be exact, because it is too small, e is NaN: it proves nothing.
ASSAY_HD constexpr Product<double> exact_product(double a, double b) {
  const Product<double> product = two_prod(a, b);
  const bool exact = absolute(product.p) >= 0x1p-969 || a == 0 || b == 0;
  return {product.p, exact ? product.e : from_bits<double>(0x7FF8000000000000u)};
}

/// lower ≤ |Σ x_i| ≤ upper.
struct Magnitude {
  double lower, upper;
};

namespace detail {

/// The bounds |s| − R and |s| + R, enlarged by their own rounding errors, where R is at least the sum of the magnitudes
/// after s = x[0].
template <class X>
ASSAY_HD constexpr Magnitude magnitude_by_first(const X& x, int n) {
  constexpr double u = 0x1p-53;
  constexpr double smallest = 0x1p-1074;
  double others = 0;
  for (int i = 1; i < n; ++i) others += absolute(x[i]);
  const double head = absolute(x[0]);
  if (others == 0) return {head, head};
  const double rest = others * (1 + 4 * n * u) + smallest;
  const double low = (head - rest) * (1 - 4 * u) - smallest;
  return {low > 0 ? low : 0, (head + rest) * (1 + 4 * u) + smallest};
}

}  // namespace detail

/// Bounds of |Σ x_i| for n ≤ 128 numbers. Each pass of TwoSum, from the last number to the first, keeps the sum and
/// moves it into the first number: s. After any number of passes the others hold at most R = RN(RN(Σ|x_i|)·(1 + 4nu)) +
/// η, since a rounded sum of n numbers that are not negative is at least (1 − nu) of the exact one; R = 0 if they are
/// all 0. The bounds are |s| − R and |s| + R, enlarged by their own rounding errors. η is the smallest positive number,
/// u = 2⁻⁵³. If a sum overflows, a bound is NaN or infinite, which proves nothing. A pass makes R smaller by a factor
/// near nu: three are enough for a sum that cancels to u², five for u³, seven for u⁴. Proof:
/// docs/decisions/device_judge.md. About 6n operations a pass.
template <int passes = 3, int n>
ASSAY_HD constexpr Magnitude magnitude(double (&x)[n]) {
  static_assert(passes >= 1 && n >= 2 && n <= 128);
  ASSAY_UNROLL(passes)
  for (int pass = 0; pass < passes; ++pass) {
    ASSAY_UNROLL(n - 1)
    for (int i = n - 1; i > 0; --i) {
      const Sum<double> sum = two_sum(x[i - 1], x[i]);
      x[i - 1] = sum.s;
      x[i] = sum.e;
    }
  }
  return detail::magnitude_by_first(x, n);
}

/// The same for `count` numbers. Requires: 1 ≤ count ≤ 128 (not checked).
template <int passes>
ASSAY_HD constexpr Magnitude magnitude(double* x, int count) {
  static_assert(passes >= 1);
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = count - 1; i > 0; --i) {
      const Sum<double> sum = two_sum(x[i - 1], x[i]);
      x[i - 1] = sum.s;
      x[i] = sum.e;
    }
  }
  return detail::magnitude_by_first(x, count);
}

/// An upper bound of |Σ x_i| in one pass: the numbers are added one after the other, and the errors of these sums,
/// which are exact by TwoSum, as they are. The bound is near |Σ x_i| if the sums cancel early. At most 16 numbers.
/// Proof: docs/decisions/device_judge.md.
class OnePass {
 public:
  ASSAY_HD explicit constexpr OnePass(double first) : sum_(first) {}
  /// 8 operations.
  ASSAY_HD constexpr void add(double x) {
    const Sum<double> next = two_sum(sum_, x);
    sum_ = next.s;
    add_small(next.e);
  }
  /// The same for a number that is as small as the errors. 2 operations.
  ASSAY_HD constexpr void add_small(double x) {
    rest_ += x;
    size_ += absolute(x);
  }
  /// For numbers that are approximations: a small one may be off by u|x|, and all of them together by lost/2. Requires:
  /// lost = 0, or at least 4 times the smallest positive number (not checked). NaN or infinite, which proves nothing,
  /// if a sum overflowed.
  [[nodiscard]] ASSAY_HD double upper(double lost = 0) const {
    return fma(absolute(sum_ + rest_), 1 + 0x1p-51, fma(size_, 0x1p-47, lost));
  }

 private:
  double sum_;
  double rest_ = 0;
  double size_ = 0;
};

}  // namespace assay::probes
