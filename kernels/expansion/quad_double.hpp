#pragma once
// Four-term arithmetic of QD as element-wise kernels. The requirements of each operation are documented at the function
// of arith/words/quad_double.hpp that it names; nothing is checked. Instantiated for double and float.

#include "arith/words/quad_double.hpp"
#include "kernels/function.hpp"

namespace assay::expansion {

/// x + y: `qd::sloppy_add`.
template <class T>
using QdSloppyAdd = Function<QdQd<T>, qd::sloppy_add<T>>;

/// x + y: `qd::ieee_add`.
template <class T>
using QdIeeeAdd = Function<QdQd<T>, qd::ieee_add<T>>;

/// xy: `qd::sloppy_mul`.
template <class T>
using QdSloppyMul = Function<QdQd<T>, qd::sloppy_mul<T>>;

/// xy: `qd::mul`.
template <class T>
using QdMul = Function<QdQd<T>, qd::mul<T>>;

/// xy, y a number: `qd::mul_fp`.
template <class T>
using QdMulFp = Function<QdFp<T>, qd::mul_fp<T>>;

/// All operations of this header.
using QuadDoubleOperations = Operations<QdSloppyAdd, QdIeeeAdd, QdSloppyMul, QdMul, QdMulFp>;

}  // namespace assay::expansion
