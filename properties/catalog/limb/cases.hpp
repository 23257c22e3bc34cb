#pragma once
// Operands of limb arithmetic: one, two or three numbers as sign, exponent and limbs, in the form that limb::Float has.

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "arith/limbs/float.hpp"
#include "oracle/limb_float.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::limb {

struct LimbCase {
  int sx = 0;
  std::int64_t ex = 0;
  std::vector<std::uint32_t> x;
  static constexpr auto fields() {
    using C = LimbCase;
    return std::tuple{field("sx", &C::sx), field("ex", &C::ex), field("x", &C::x)};
  }
};

struct LimbPairCase {
  int sx = 0;
  std::int64_t ex = 0;
  std::vector<std::uint32_t> x;
  int sy = 0;
  std::int64_t ey = 0;
  std::vector<std::uint32_t> y;
  static constexpr auto fields() {
    using C = LimbPairCase;
    return std::tuple{field("sx", &C::sx), field("ex", &C::ex), field("x", &C::x),
                      field("sy", &C::sy), field("ey", &C::ey), field("y", &C::y)};
  }
};

struct LimbTripleCase {
  int sx = 0;
  std::int64_t ex = 0;
  std::vector<std::uint32_t> x;
  int sy = 0;
  std::int64_t ey = 0;
  std::vector<std::uint32_t> y;
  int sz = 0;
  std::int64_t ez = 0;
  std::vector<std::uint32_t> z;
  static constexpr auto fields() {
    using C = LimbTripleCase;
    return std::tuple{field("sx", &C::sx), field("ex", &C::ex), field("x", &C::x),
                      field("sy", &C::sy), field("ey", &C::ey), field("y", &C::y),
                      field("sz", &C::sz), field("ez", &C::ez), field("z", &C::z)};
  }
};

/// An operand of a case.
struct LimbOperand {
  int sign;
  std::int64_t exponent;
  const std::vector<std::uint32_t>* word;
};
inline std::vector<LimbOperand> operands(const LimbCase& c) { return {{c.sx, c.ex, &c.x}}; }
inline std::vector<LimbOperand> operands(const LimbPairCase& c) { return {{c.sx, c.ex, &c.x}, {c.sy, c.ey, &c.y}}; }
inline std::vector<LimbOperand> operands(const LimbTripleCase& c) {
  return {{c.sx, c.ex, &c.x}, {c.sy, c.ey, &c.y}, {c.sz, c.ez, &c.z}};
}

/// Whether a number is in the form that Float has.
inline bool is_limb_float(const LimbOperand& x, int limbs) {
  if (x.word->size() != static_cast<std::size_t>(limbs) || (x.sign != 0 && x.sign != 1)) return false;
  if (x.exponent >= least_exponent && x.exponent <= most_exponent) return x.word->back() >> 31 != 0;
  for (const std::uint32_t each : *x.word) {
    if (each != 0) return false;
  }
  return x.exponent == zero_exponent || x.exponent == infinity_exponent || (x.exponent == nan_exponent && x.sign == 0);
}

/// An operand in the form of the oracle. Requires: is_limb_float (not checked).
inline oracle::LimbFloat oracle_number(const LimbOperand& x) {
  using Kind = oracle::LimbFloat::Kind;
  oracle::LimbFloat number;
  number.negative = x.sign != 0;
  number.kind = x.exponent == zero_exponent       ? Kind::zero
                : x.exponent == infinity_exponent ? Kind::infinite
                : x.exponent == nan_exponent      ? Kind::nan
                                                  : Kind::regular;
  if (number.kind == Kind::regular) {
    number.exponent = x.exponent;
    number.word = *x.word;
  }
  return number;
}

/// A number of the oracle in the form of a case: sign, exponent, limbs.
inline void assign(const oracle::LimbFloat& from, int limbs, int& sign, std::int64_t& exponent,
                   std::vector<std::uint32_t>& word) {
  using Kind = oracle::LimbFloat::Kind;
  sign = from.negative && from.kind != Kind::nan ? 1 : 0;
  exponent = from.kind == Kind::zero       ? zero_exponent
             : from.kind == Kind::infinite ? infinity_exponent
             : from.kind == Kind::nan      ? nan_exponent
                                           : from.exponent;
  word = from.word;
  word.resize(static_cast<std::size_t>(limbs));
}

inline std::string limb_operand_text(int limbs) {
  return "numbers of MPFR with " + std::to_string(32 * limbs) + " bits and exponents 1 - 2^30 … 2^30 - 1: sign, " +
         "exponent e and significand W of " + std::to_string(limbs) + " limbs, 0.W·2^e, the highest bit of W set; " +
         "W = 0 with e = -2^31 for a zero, 2^31 - 2 for an infinity, 2^31 - 1 for a NaN";
}

}  // namespace assay::limb
