#pragma once
// Double-word arithmetic as element-wise kernels. The requirements of each operation are documented at the function of
// arith/words/double_word.hpp that it names; nothing is checked. Instantiated for double, float, binary16 and Toy<3>,
// Toy<4>, Toy<5>.

#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"
#include "kernels/function.hpp"

namespace assay::dw {

/// x + y, y a number: `dw::add_fp`.
template <class T>
using DwAddFp = Function<DwFp<T>, dw::add_fp<T>>;

/// x + y without the errors of the low words: `dw::sloppy_add`.
template <class T>
using DwSloppyAdd = Function<DwDw<T>, dw::sloppy_add<T>>;

/// x + y: `dw::accurate_add`.
template <class T>
using DwAccurateAdd = Function<DwDw<T>, dw::accurate_add<T>>;

/// x·y, y a number: `dw::mul_fp1`.
template <class T>
using DwMulFp1 = Function<DwFp<T>, dw::mul_fp1<T>>;

/// x·y, y a number: `dw::mul_fp2`.
template <class T>
using DwMulFp2 = Function<DwFp<T>, dw::mul_fp2<T>>;

/// x·y, y a number: `dw::mul_fp3`.
template <class T>
using DwMulFp3 = Function<DwFp<T>, dw::mul_fp3<T>>;

/// x·y: `dw::mul1`.
template <class T>
using DwMul1 = Function<DwDw<T>, dw::mul1<T>>;

/// x·y: `dw::mul2`.
template <class T>
using DwMul2 = Function<DwDw<T>, dw::mul2<T>>;

/// x·y: `dw::mul3`.
template <class T>
using DwMul3 = Function<DwDw<T>, dw::mul3<T>>;

/// x/y, y a number: `dw::div_fp1`.
template <class T>
using DwDivFp1 = Function<DwFp<T>, dw::div_fp1<T>>;

/// x/y, y a number: `dw::div_fp2`.
template <class T>
using DwDivFp2 = Function<DwFp<T>, dw::div_fp2<T>>;

/// x/y, y a number: `dw::div_fp3`.
template <class T>
using DwDivFp3 = Function<DwFp<T>, dw::div_fp3<T>>;

/// x/y: `dw::div1`.
template <class T>
using DwDiv1 = Function<DwDw<T>, dw::div1<T>>;

/// x/y: `dw::div2`.
template <class T>
using DwDiv2 = Function<DwDw<T>, dw::div2<T>>;

/// x/y: `dw::div3`.
template <class T>
using DwDiv3 = Function<DwDw<T>, dw::div3<T>>;

/// √x: `dw::sqrt`.
template <class T>
using DwSqrt = Function<Dw<T>, dw::sqrt<T>>;

/// All operations of this header.
using DoubleWordOperations = Operations<DwAddFp, DwSloppyAdd, DwAccurateAdd, DwMulFp1, DwMulFp2, DwMulFp3, DwMul1,
                                        DwMul2, DwMul3, DwDivFp1, DwDivFp2, DwDivFp3, DwDiv1, DwDiv2, DwDiv3, DwSqrt>;

}  // namespace assay::dw
