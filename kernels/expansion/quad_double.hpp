#pragma once
// Four-term arithmetic of QD as element-wise kernels. What each requires stands at the function of
// arith/words/quad_double.hpp that it names; nothing is checked. Instantiated for double and float.

#include "arith/words/quad_double.hpp"
#include "exec/elementwise.hpp"

namespace assay::expansion {

/// x + y: `qd::sloppy_add`.
template <class T>
struct QdSloppyAdd {
  using Input = QdQd<T>;
  using Output = QuadDouble<T>;
  ASSAY_HD Output operator()(const Input& x) const { return qd::sloppy_add(x.x, x.y); }
};

/// x + y: `qd::ieee_add`.
template <class T>
struct QdIeeeAdd {
  using Input = QdQd<T>;
  using Output = QuadDouble<T>;
  ASSAY_HD Output operator()(const Input& x) const { return qd::ieee_add(x.x, x.y); }
};

/// xy: `qd::sloppy_mul`.
template <class T>
struct QdSloppyMul {
  using Input = QdQd<T>;
  using Output = QuadDouble<T>;
  ASSAY_HD Output operator()(const Input& x) const { return qd::sloppy_mul(x.x, x.y); }
};

/// xy: `qd::mul`.
template <class T>
struct QdMul {
  using Input = QdQd<T>;
  using Output = QuadDouble<T>;
  ASSAY_HD Output operator()(const Input& x) const { return qd::mul(x.x, x.y); }
};

/// xy, y a number: `qd::mul_fp`.
template <class T>
struct QdMulFp {
  using Input = QdFp<T>;
  using Output = QuadDouble<T>;
  ASSAY_HD Output operator()(const Input& x) const { return qd::mul_fp(x.x, x.y); }
};

/// All operations of this header.
using QuadDoubleOperations = Operations<QdSloppyAdd, QdIeeeAdd, QdSloppyMul, QdMul, QdMulFp>;

}  // namespace assay::expansion
