#pragma once
// The operations of IEEE 754 as element-wise kernels, to nearest and in directed roundings. To nearest instantiated for
// double, float, binary16, bfloat16, e4m3, e5m2 and Toy<3> … Toy<8>; directed for double and float.

#include "arith/float/directed.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay::op {

/// RN(a + b).
template <class T>
struct Add {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return x.a + x.b; }
};

/// RN(a − b).
template <class T>
struct Sub {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return x.a - x.b; }
};

/// RN(a·b).
template <class T>
struct Mul {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return x.a * x.b; }
};

/// RN(a/b).
template <class T>
struct Div {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return x.a / x.b; }
};

/// RN(√a).
template <class T>
struct Sqrt {
  using Input = Single<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return sqrt(x.a); }
};

/// RN(a·b + c), one rounding.
template <class T>
struct Fma {
  using Input = Triple<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return fma(x.a, x.b, x.c); }
};

/// RU(a + b).
template <class T>
struct AddRu {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return add_ru(x.a, x.b); }
};

/// RU(a − b).
template <class T>
struct SubRu {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return sub_ru(x.a, x.b); }
};

/// RU(a·b).
template <class T>
struct MulRu {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return mul_ru(x.a, x.b); }
};

/// RU(a/b).
template <class T>
struct DivRu {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return div_ru(x.a, x.b); }
};

/// RU(√a).
template <class T>
struct SqrtRu {
  using Input = Single<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return sqrt_ru(x.a); }
};

/// RD(a + b).
template <class T>
struct AddRd {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return add_rd(x.a, x.b); }
};

/// RD(a − b).
template <class T>
struct SubRd {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return sub_rd(x.a, x.b); }
};

/// RD(a·b).
template <class T>
struct MulRd {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return mul_rd(x.a, x.b); }
};

/// RD(a/b).
template <class T>
struct DivRd {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return div_rd(x.a, x.b); }
};

/// RD(√a).
template <class T>
struct SqrtRd {
  using Input = Single<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return sqrt_rd(x.a); }
};

/// RZ(a + b).
template <class T>
struct AddRz {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return add_rz(x.a, x.b); }
};

/// RZ(a − b).
template <class T>
struct SubRz {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return sub_rz(x.a, x.b); }
};

/// RZ(a·b).
template <class T>
struct MulRz {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return mul_rz(x.a, x.b); }
};

/// RZ(a/b).
template <class T>
struct DivRz {
  using Input = Pair<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return div_rz(x.a, x.b); }
};

/// RZ(√a).
template <class T>
struct SqrtRz {
  using Input = Single<T>;
  using Output = T;
  ASSAY_HD Output operator()(const Input& x) const { return sqrt_rz(x.a); }
};

/// The operations rounded to nearest.
using NearestOperations = Operations<Add, Sub, Mul, Div, Sqrt, Fma>;

/// The operations in directed roundings.
using DirectedOperations = Operations<AddRu, SubRu, MulRu, DivRu, SqrtRu, AddRd, SubRd, MulRd, DivRd, SqrtRd, AddRz,
                                      SubRz, MulRz, DivRz, SqrtRz>;

}  // namespace assay::op
