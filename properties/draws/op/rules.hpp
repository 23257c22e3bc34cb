#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "oracle/exact.hpp"
#include "oracle/format.hpp"

namespace assay::op {

/// The operations of IEEE 754-2019, §5.4.1, that op.* checks.
enum class Operation { add, sub, mul, div, sqrt, fma };

/// Bit patterns of a, b, c; those that the operation has.
using OperandBits = std::array<std::uint64_t, 3>;

/// The result of an operation if rounding does not decide it.
struct SpecialResult {
  bool nan;
  std::uint64_t bits;  ///< the pattern if it is not a NaN
};

/// The result if an operand is infinite or NaN, a divisor is zero, or a root's operand is negative or zero; empty if
/// the result is the rounding of a real number. In a format without infinities it is a NaN instead of an infinity. IEEE
/// 754-2019, §6.1 (infinity), §6.2 (NaN), §6.3 (sign), §7.2 (invalid operation), §7.3 (division by zero).
std::optional<SpecialResult> special_result(Operation operation, const oracle::Format& format, const OperandBits& x);

/// a + b, a − b, ab, a/b, √a, ab + c, exactly. Requires: special_result() is empty (not checked).
oracle::Exact operation_truth(Operation operation, const oracle::Format& format, const OperandBits& x);

/// Whether a result that is an exact zero is −0: products and quotients by the rule of signs; a sum of equal signs
/// keeps the sign, of opposite signs it is +0, in RD −0. IEEE 754-2019, §6.3.
bool zero_is_negative(Operation operation, const oracle::Format& format, const OperandBits& x,
                      oracle::Rounding direction);

}  // namespace assay::op
