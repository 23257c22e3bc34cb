#pragma once
// Probes of QD's four-term networks: each claims |z − exact| ≤ factor·scale, with the scale |exact| for products, |x| +
// |y| for sloppy_add.

#include "arith/words/operands.hpp"
#include "arith/words/quad_double.hpp"
#include "exec/elementwise.hpp"
#include "probes/draw_word_sums.hpp"
#include "probes/words.hpp"

namespace assay::probes::qd {

/// The sixth largest magnitude of the words of x and y: the maximum over i of the smallest of the i largest words of x
/// and the 6 − i largest words of y.
ASSAY_HD constexpr double sixth_word(const Words<4>& x, const Words<4>& y) {
  double sixth = 0;
  for (int i = 2; i <= 4; ++i) {
    const double a = absolute(x.at[i - 1]);
    const double b = absolute(y.at[5 - i]);
    const double smaller = a < b ? a : b;
    if (smaller > sixth) sixth = smaller;
  }
  return sixth;
}

/// ieee_add with the scale w + `weight`·(|x| + |y|), w the sixth largest word. Requires: weight ≥ 0 is rounded down.
template <class T>
struct IeeeAdd : AdditionByMagnitudes<WordSumDraws, QdQd<T>, assay::qd::ieee_add<T>> {
  using Sum = AdditionByMagnitudes<WordSumDraws, QdQd<T>, assay::qd::ieee_add<T>>;
  double weight;

  ASSAY_HD constexpr Scaled error(const QdQd<T>& c, const QuadDouble<T>& z) const {
    const Scaled of_sum = Sum::error(c, z);
    const double weighted = of_sum.scale * weight * (1 - 0x1p-51);
    return {of_sum.upper, at_most_sum(sixth_word(words_of(c.x), words_of(c.y)), weighted)};
  }
};

template <class T>
using SloppyAdd = AdditionByMagnitudes<WordSumDraws, QdQd<T>, assay::qd::sloppy_add<T>>;
template <class T>
using SloppyMul = Multiplication<WordSumDraws, QdQd<T>, assay::qd::sloppy_mul<T>>;
template <class T>
using Mul = Multiplication<WordSumDraws, QdQd<T>, assay::qd::mul<T>>;
template <class T>
using MulFp = Multiplication<WordSumDraws, QdFp<T>, assay::qd::mul_fp<T>>;

using Probes = Operations<SloppyAdd, IeeeAdd, SloppyMul, Mul, MulFp>;

}  // namespace assay::probes::qd
