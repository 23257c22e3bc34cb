#include "properties/draws/op/rules.hpp"

#include "oracle/decode.hpp"

namespace assay::op {

using oracle::Decoded;
using oracle::Dyadic;
using oracle::Exact;
using oracle::Format;

namespace {

constexpr SpecialResult not_a_number{true, 0};

SpecialResult infinite(const Format& format, bool negative) {
  if (!format.has_infinity()) {
    return not_a_number;
  }
  return {false, format.infinity() | (negative ? format.sign_mask() : 0)};
}
SpecialResult zero(const Format& format, bool negative) { return {false, negative ? format.sign_mask() : 0}; }

/// An operand in the form that the rules need.
struct Operand {
  Operand(const Format& format, std::uint64_t bits)
      : kind(oracle::kind_of(format, bits)),
        negative(oracle::is_negative(format, bits)),
        zero((bits & (format.sign_mask() - 1)) == 0) {}
  bool nan() const { return kind == Decoded::Kind::nan; }
  bool infinite() const { return kind == Decoded::Kind::infinite; }

  Decoded::Kind kind;
  bool negative;
  bool zero;
};

std::optional<SpecialResult> special_sum(const Format& format, const Operand& a, const Operand& b) {
  if (a.infinite() && b.infinite() && a.negative != b.negative) {
    return not_a_number;
  }
  if (a.infinite() || b.infinite()) {
    return infinite(format, a.infinite() ? a.negative : b.negative);
  }
  return std::nullopt;
}

}  // namespace

std::optional<SpecialResult> special_result(Operation operation, const Format& format, const OperandBits& x) {
  const Operand a(format, x[0]);
  Operand b(format, x[1]);
  const Operand c(format, x[2]);
  const bool binary = operation != Operation::sqrt;
  if (a.nan() || (binary && b.nan()) || (operation == Operation::fma && c.nan())) {
    return not_a_number;
  }
  switch (operation) {
    case Operation::add:
      return special_sum(format, a, b);
    case Operation::sub:
      b.negative = !b.negative;
      return special_sum(format, a, b);
    case Operation::mul:
    case Operation::fma: {
      if (!a.infinite() && !b.infinite()) {
        return operation == Operation::fma && c.infinite() ? std::optional(infinite(format, c.negative)) : std::nullopt;
      }
      const bool negative = a.negative != b.negative;
      const bool opposite = operation == Operation::fma && c.infinite() && c.negative != negative;
      return a.zero || b.zero || opposite ? not_a_number : infinite(format, negative);
    }
    case Operation::div: {
      const bool negative = a.negative != b.negative;
      if ((a.infinite() && b.infinite()) || (a.zero && b.zero)) {
        return not_a_number;
      }
      if (a.infinite() || b.zero) {
        return infinite(format, negative);
      }
      return b.infinite() ? std::optional(zero(format, negative)) : std::nullopt;
    }
    case Operation::sqrt:
      if (a.zero) {
        return zero(format, a.negative);
      }
      if (a.negative) {
        return not_a_number;
      }
      return a.infinite() ? std::optional(infinite(format, false)) : std::nullopt;
  }
  return std::nullopt;
}

Exact operation_truth(Operation operation, const Format& format, const OperandBits& x) {
  Dyadic a = oracle::decode_finite(format, x[0]);
  switch (operation) {
    case Operation::add:
      return a += oracle::decode_finite(format, x[1]);
    case Operation::sub:
      return a -= oracle::decode_finite(format, x[1]);
    case Operation::mul:
      return a *= oracle::decode_finite(format, x[1]);
    case Operation::div:
      return oracle::quotient(a, oracle::decode_finite(format, x[1]));
    case Operation::sqrt:
      return oracle::square_root(a);
    case Operation::fma:
      break;
  }
  a *= oracle::decode_finite(format, x[1]);
  return a += oracle::decode_finite(format, x[2]);
}

bool zero_is_negative(Operation operation, const Format& format, const OperandBits& x, oracle::Rounding direction) {
  const bool a = oracle::is_negative(format, x[0]);
  const bool b = oracle::is_negative(format, x[1]);
  const auto sum = [direction](bool first, bool second) {
    return first == second ? first : direction == oracle::Rounding::down;
  };
  switch (operation) {
    case Operation::add:
      return sum(a, b);
    case Operation::sub:
      return sum(a, !b);
    case Operation::mul:
    case Operation::div:
      return a != b;
    case Operation::sqrt:
      return a;
    case Operation::fma:
      break;
  }
  return sum(a != b, oracle::is_negative(format, x[2]));
}

}  // namespace assay::op
