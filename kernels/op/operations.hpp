#pragma once
// The operations of IEEE 754 as element-wise kernels, to nearest and in directed roundings. To nearest instantiated for
// double, float, binary16, bfloat16, e4m3, e5m2 and Toy<3> … Toy<8>; directed for double, float and binary16.

#include "arith/float/directed.hpp"
#include "arith/words/operands.hpp"
#include "kernels/function.hpp"

namespace assay::op {

namespace detail {

template <class T>
ASSAY_HD constexpr T sum(T a, T b) {
  return a + b;
}
template <class T>
ASSAY_HD constexpr T difference(T a, T b) {
  return a - b;
}
template <class T>
ASSAY_HD constexpr T product(T a, T b) {
  return a * b;
}
template <class T>
ASSAY_HD constexpr T quotient(T a, T b) {
  return a / b;
}
template <class T>
ASSAY_HD T root(T a) {
  return sqrt(a);
}
template <class T>
ASSAY_HD T product_and_sum(T a, T b, T c) {
  return fma(a, b, c);
}

}  // namespace detail

/// RN(a + b), RN(a − b), RN(a·b), RN(a/b), RN(√a), and RN(a·b + c) with one rounding.
template <class T>
using Add = Function<Pair<T>, detail::sum<T>>;
template <class T>
using Sub = Function<Pair<T>, detail::difference<T>>;
template <class T>
using Mul = Function<Pair<T>, detail::product<T>>;
template <class T>
using Div = Function<Pair<T>, detail::quotient<T>>;
template <class T>
using Sqrt = Function<Single<T>, detail::root<T>>;
template <class T>
using Fma = Function<Triple<T>, detail::product_and_sum<T>>;

/// RU(a + b), RU(a − b), RU(a·b), RU(a/b), RU(√a).
template <class T>
using AddRu = Function<Pair<T>, add_ru<T>>;
template <class T>
using SubRu = Function<Pair<T>, sub_ru<T>>;
template <class T>
using MulRu = Function<Pair<T>, mul_ru<T>>;
template <class T>
using DivRu = Function<Pair<T>, div_ru<T>>;
template <class T>
using SqrtRu = Function<Single<T>, sqrt_ru<T>>;

/// RD(a + b), RD(a − b), RD(a·b), RD(a/b), RD(√a).
template <class T>
using AddRd = Function<Pair<T>, add_rd<T>>;
template <class T>
using SubRd = Function<Pair<T>, sub_rd<T>>;
template <class T>
using MulRd = Function<Pair<T>, mul_rd<T>>;
template <class T>
using DivRd = Function<Pair<T>, div_rd<T>>;
template <class T>
using SqrtRd = Function<Single<T>, sqrt_rd<T>>;

/// RZ(a + b), RZ(a − b), RZ(a·b), RZ(a/b), RZ(√a).
template <class T>
using AddRz = Function<Pair<T>, add_rz<T>>;
template <class T>
using SubRz = Function<Pair<T>, sub_rz<T>>;
template <class T>
using MulRz = Function<Pair<T>, mul_rz<T>>;
template <class T>
using DivRz = Function<Pair<T>, div_rz<T>>;
template <class T>
using SqrtRz = Function<Single<T>, sqrt_rz<T>>;

/// The operations rounded to nearest.
using NearestOperations = Operations<Add, Sub, Mul, Div, Sqrt, Fma>;

/// The operations in directed roundings.
using DirectedOperations = Operations<AddRu, SubRu, MulRu, DivRu, SqrtRu, AddRd, SubRd, MulRd, DivRd, SqrtRd, AddRz,
                                      SubRz, MulRz, DivRz, SqrtRz>;

}  // namespace assay::op
