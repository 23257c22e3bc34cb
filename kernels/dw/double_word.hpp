#pragma once
// Double-word arithmetic as element-wise kernels. What each requires stands at the function of
// arith/words/double_word.hpp that it names; nothing is checked. Instantiated for double, float, binary16 and Toy<3>,
// Toy<4>, Toy<5>.

#include "arith/words/double_word.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay::dw {

/// x + y, y a number: `dw::add_fp`.
template <class T>
struct DwAddFp {
  using Input = DwFp<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::add_fp(x.x, x.y); }
};

/// x + y without the errors of the low words: `dw::sloppy_add`.
template <class T>
struct DwSloppyAdd {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::sloppy_add(x.x, x.y); }
};

/// x + y: `dw::accurate_add`.
template <class T>
struct DwAccurateAdd {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::accurate_add(x.x, x.y); }
};

/// x·y, y a number: `dw::mul_fp1`.
template <class T>
struct DwMulFp1 {
  using Input = DwFp<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::mul_fp1(x.x, x.y); }
};

/// x·y, y a number: `dw::mul_fp2`.
template <class T>
struct DwMulFp2 {
  using Input = DwFp<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::mul_fp2(x.x, x.y); }
};

/// x·y, y a number: `dw::mul_fp3`.
template <class T>
struct DwMulFp3 {
  using Input = DwFp<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::mul_fp3(x.x, x.y); }
};

/// x·y: `dw::mul1`.
template <class T>
struct DwMul1 {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::mul1(x.x, x.y); }
};

/// x·y: `dw::mul2`.
template <class T>
struct DwMul2 {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::mul2(x.x, x.y); }
};

/// x·y: `dw::mul3`.
template <class T>
struct DwMul3 {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::mul3(x.x, x.y); }
};

/// x/y, y a number: `dw::div_fp1`.
template <class T>
struct DwDivFp1 {
  using Input = DwFp<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::div_fp1(x.x, x.y); }
};

/// x/y, y a number: `dw::div_fp2`.
template <class T>
struct DwDivFp2 {
  using Input = DwFp<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::div_fp2(x.x, x.y); }
};

/// x/y, y a number: `dw::div_fp3`.
template <class T>
struct DwDivFp3 {
  using Input = DwFp<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::div_fp3(x.x, x.y); }
};

/// x/y: `dw::div1`.
template <class T>
struct DwDiv1 {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::div1(x.x, x.y); }
};

/// x/y: `dw::div2`.
template <class T>
struct DwDiv2 {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::div2(x.x, x.y); }
};

/// x/y: `dw::div3`.
template <class T>
struct DwDiv3 {
  using Input = DwDw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::div3(x.x, x.y); }
};

/// √x: `dw::sqrt`.
template <class T>
struct DwSqrt {
  using Input = Dw<T>;
  using Output = DoubleWord<T>;
  ASSAY_HD Output operator()(const Input& x) const { return dw::sqrt(x.x); }
};

/// All operations of this header.
using DoubleWordOperations = Operations<DwAddFp, DwSloppyAdd, DwAccurateAdd, DwMulFp1, DwMulFp2, DwMulFp3, DwMul1,
                                        DwMul2, DwMul3, DwDivFp1, DwDivFp2, DwDivFp3, DwDiv1, DwDiv2, DwDiv3, DwSqrt>;

}  // namespace assay::dw
