#pragma once
// The E rows of the mutant catalog: error-free transforms with one mistake each, as element-wise kernels over double.

#include "arith/float/error_free.hpp"
#include "arith/words/operands.hpp"
#include "kernels/eft/error_free.hpp"
#include "kernels/function.hpp"

namespace assay::mutants {

/// E1: FastTwoSum in place of TwoSum, without a swap.
using UnorderedFastTwoSum = eft::FastTwoSum<double>;

/// E2: FastTwoSum after a swap that compares values instead of magnitudes.
ASSAY_HD inline Sum<double> swap_by_signed_value(double a, double b) {
  return a < b ? fast_two_sum(b, a) : fast_two_sum(a, b);
}
using SwapBySignedValue = Function<Pair<double>, swap_by_signed_value>;

/// E3: TwoSum without the second half of its error.
ASSAY_HD inline Sum<double> dropped_last_term(double a, double b) {
  const double s = a + b;
  const double bb = s - a;
  return {s, a - (s - bb)};
}
using DroppedLastTerm = Function<Pair<double>, dropped_last_term>;

/// E4: TwoSum as it is compiled by a compiler that takes addition for associative.
ASSAY_HD inline Sum<double> reassociated_two_sum(double a, double b) { return {a + b, 0.0}; }
using ReassociatedTwoSum = Function<Pair<double>, reassociated_two_sum>;

/// E12: TwoSum that takes a as the sum for b = 0: RN(−0 + (+0)) is +0.
ASSAY_HD inline Sum<double> shortcut_for_zero(double a, double b) { return b == 0 ? Sum<double>{a, 0} : two_sum(a, b); }
using ShortcutForZero = Function<Pair<double>, shortcut_for_zero>;

/// E13: TwoSum whose error, if zero, has the other sign.
ASSAY_HD inline Sum<double> negative_zero_error(double a, double b) {
  const Sum<double> z = two_sum(a, b);
  return {z.s, z.e == 0 ? -0.0 : z.e};
}
using NegativeZeroError = Function<Pair<double>, negative_zero_error>;

/// E5: TwoSum of RN(ab) and c whose sum a compiler contracted into fma(a, b, c).
ASSAY_HD inline Sum<double> contracted_across_call(double a, double b, double c) {
  const double p = a * b;
  const double s = fma(a, b, c);
  const double ap = s - c;
  const double bp = s - ap;
  return {s, (p - ap) + (c - bp)};
}
using ContractedAcrossCall = Function<Triple<double>, contracted_across_call>;

/// E6: Veltkamp's split with its last two operations contracted.
ASSAY_HD inline Split<double> contracted_split(double x) {
  constexpr double c = 0x1p27 + 1;
  const double t = c * x;
  const double h = fma(c, x, -(t - x));
  return {h, x - h};
}
using ContractedSplit = Function<Single<double>, contracted_split>;

/// E7: TwoProd whose error is computed as a·b − p without FMA.
ASSAY_HD inline Product<double> product_without_fma(double a, double b) {
  const double p = a * b;
  return {p, a * b - p};
}
using ProductWithoutFma = Function<Pair<double>, product_without_fma>;

/// Veltkamp's split of x with the constant `c`.
template <class T>
ASSAY_HD Split<T> split_by(T c, T x) {
  const T g = c * x;
  const T h = g + (x - g);
  return {h, x - h};
}

/// Dekker's product on halves of `split`.
template <auto split, class T>
ASSAY_HD Product<T> product_by(T a, T b) {
  const T p = a * b;
  return {p, detail::split_product_error(split(a), split(b), p)};
}

/// E8: Dekker's product on a split with the constant 2²⁶ + 1.
ASSAY_HD inline Split<double> split_one_bit_short(double x) { return split_by(0x1p26 + 1, x); }
using SplitOneBitShort = Function<Pair<double>, product_by<split_one_bit_short, double>>;

/// E11, and the correct TwoProd: the mistake is in the property, which lost its guard against underflow.
using TwoProdAnywhere = eft::TwoProd<double>;
using DekkerProdAnywhere = eft::DekkerProd<double>;

}  // namespace assay::mutants
