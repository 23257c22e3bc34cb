#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay::oracle {

/// A number of MPFR whose precision is a multiple of 32 bits: (−1)^negative·0.W·2^exponent with the significand W in
/// limbs of 32 bits, the lowest first; its highest bit is set. `word` and `exponent` have a meaning only for a regular
/// number, `negative` for all but a NaN.
struct LimbFloat {
  enum class Kind { zero, regular, infinite, nan };
  Kind kind = Kind::zero;
  bool negative = false;
  std::int64_t exponent = 0;
  std::vector<std::uint32_t> word;
};

enum class LimbOperation { add, sub, mul, div, sqrt, fma };

/// MPFR's result at a precision of 32·limbs bits, the precision of the operands, and with its default range of
/// exponents, 1 − 2³⁰ … 2³⁰ − 1. Operands that the operation does not have are omitted. Throws std::invalid_argument
/// for another number of operands, and for a regular operand of another precision or range.
LimbFloat limb_operation(LimbOperation operation, std::span<const LimbFloat> operands, std::size_t limbs,
                         Rounding direction);

/// The number of 32·limbs bits that MPFR rounds x to, in the same range.
LimbFloat limb_rounded(const Dyadic& x, std::size_t limbs, Rounding direction);

/// The exact value. Requires: zero or regular (throws std::domain_error).
Dyadic value_of(const LimbFloat& x);

/// For evidence: 40 digits, and the exponent.
std::string to_string(const LimbFloat& x);

}  // namespace assay::oracle
