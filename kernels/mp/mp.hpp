#pragma once
// Multiple-precision arithmetic as element-wise kernels with the number of moduli chosen at run time: n = 8, 16, 32, 64
// or 128, rns::Standard<n>. Each operation is documented at the function of arith/residues/mp_number.hpp that it names;
// the numbers are not checked.
//
// Every function throws std::invalid_argument with one line for a number of moduli that is not offered and for arrays
// whose sizes do not fit, and ExecutorError when the executor fails. Results have the layout of x. Elements are
// independent: the bits do not depend on order, batch or layout. Bit-identical on every executor by the same operations
// in the same order. A result whose exponent leaves its range is marked, and nothing throws: kernels/mp/status.hpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/mp/array.hpp"

namespace assay::mp {

enum class MpOp {
  add,                 ///< x + y
  sub,                 ///< x − y
  mul,                 ///< xy
  difference_product,  ///< (x − y)·w
  round,               ///< x
};

/// z = op(x, y, w); operands that the operation does not have are empty.
MpArray mp_op(const Executor& on, MpOp op, const MpArray& x, const MpArray& y = {}, const MpArray& w = {});

/// The sign of x − y: −1, 0 or 1; `mp::compare`.
std::vector<int> mp_compare(const Executor& on, const MpArray& x, const MpArray& y);

/// `mp::from_double`.
MpArray mp_from_double(const Executor& on, int n, std::span<const double> x, bool planes = false);

/// RN(x); `mp::to_double`.
std::vector<double> mp_to_double(const Executor& on, const MpArray& x);

/// Integers in limbs of 32 bits, `count` for each number, the lowest first, with exponents and signs.
struct MpLimbs {
  std::size_t count = 0;
  std::vector<std::uint32_t> limbs;
  std::vector<std::int64_t> exponent;
  std::vector<std::int32_t> sign;
};

/// `mp::from_limbs`.
MpArray mp_from_limbs(const Executor& on, int n, const MpLimbs& x, bool planes = false);

/// The same numbers without a rounding, in the form that mp::round takes: digits of X and an enclosure by
/// `rns::evaluate`. Requires: X < M, exponents in range (not checked).
MpArray mp_unrounded(const Executor& on, int n, const MpLimbs& x, bool planes = false);

}  // namespace assay::mp
