#pragma once
// Elementary functions of double words and quad doubles as element-wise kernels. Each function is documented at the
// function of arith/words/elementary.hpp that it names. Instantiated for DoubleWord<double> and QuadDouble<double>.

#include "arith/words/elementary.hpp"
#include "arith/words/operands.hpp"
#include "kernels/function.hpp"

namespace assay::elementary {

/// eˣ: `elementary::exp`.
template <class W>
using Exp = Function<OperandOf<W>, exp<W>>;

/// eˣ − 1: `elementary::expm1`.
template <class W>
using Expm1 = Function<OperandOf<W>, expm1<W>>;

/// ln x: `elementary::log`.
template <class W>
using Log = Function<OperandOf<W>, log<W>>;

/// ln(1 + x): `elementary::log1p`.
template <class W>
using Log1p = Function<OperandOf<W>, log1p<W>>;

/// sin x: `elementary::sin`.
template <class W>
using Sin = Function<OperandOf<W>, sin<W>>;

/// cos x: `elementary::cos`.
template <class W>
using Cos = Function<OperandOf<W>, cos<W>>;

/// tan x: `elementary::tan`.
template <class W>
using Tan = Function<OperandOf<W>, tan<W>>;

/// atan x: `elementary::atan`.
template <class W>
using Atan = Function<OperandOf<W>, atan<W>>;

/// The angle of the point (y, x), which are the operands x and y of the case: `elementary::atan2`.
template <class W>
using Atan2 = Function<OperandsOf<W, W>, atan2<W>>;

/// sinh x: `elementary::sinh`.
template <class W>
using Sinh = Function<OperandOf<W>, sinh<W>>;

/// cosh x: `elementary::cosh`.
template <class W>
using Cosh = Function<OperandOf<W>, cosh<W>>;

/// tanh x: `elementary::tanh`.
template <class W>
using Tanh = Function<OperandOf<W>, tanh<W>>;

/// x^y: `elementary::pow`.
template <class W>
using Pow = Function<OperandsOf<W, W>, pow<W>>;

/// All functions of this header.
using WordFunctions = Operations<Exp, Expm1, Log, Log1p, Sin, Cos, Tan, Atan, Atan2, Sinh, Cosh, Tanh, Pow>;

}  // namespace assay::elementary
