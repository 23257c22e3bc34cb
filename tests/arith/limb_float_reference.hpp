#pragma once
// Numbers of limbs in the form of MPFR, and numbers that are hard to compute with.

#include <cstdint>
#include <random>
#include <span>

#include "arith/limbs/float_arithmetic.hpp"
#include "oracle/limb_float.hpp"

namespace assay::reference {

using oracle::LimbFloat;
using oracle::LimbOperation;

inline constexpr LimbOperation limb_operations[] = {LimbOperation::add, LimbOperation::sub,  LimbOperation::mul,
                                                    LimbOperation::div, LimbOperation::sqrt, LimbOperation::fma};

template <int L>
LimbFloat oracle_number(const limb::Float<L>& x) {
  using Kind = LimbFloat::Kind;
  LimbFloat number;
  number.negative = x.sign != 0;
  number.kind = limb::is_nan(x)        ? Kind::nan
                : limb::is_infinite(x) ? Kind::infinite
                : limb::is_zero(x)     ? Kind::zero
                                       : Kind::regular;
  if (number.kind == Kind::regular) {
    number.exponent = x.exponent;
    number.word.assign(x.word, x.word + L);
  }
  return number;
}

/// The same value with the same sign and the same limbs, or a NaN both.
template <int L>
bool has_bits(const limb::Float<L>& x, const LimbFloat& expected) {
  const LimbFloat got = oracle_number(x);
  return got.kind == expected.kind && (got.kind == LimbFloat::Kind::nan || got.negative == expected.negative) &&
         got.exponent == expected.exponent && got.word == expected.word;
}

template <int L>
limb::Float<L> computed(LimbOperation operation, const limb::Float<L>& x, const limb::Float<L>& y,
                        const limb::Float<L>& z, Rounding to) {
  switch (operation) {
    case LimbOperation::add:
      return limb::add(x, y, to);
    case LimbOperation::sub:
      return limb::sub(x, y, to);
    case LimbOperation::mul:
      return limb::mul(x, y, to);
    case LimbOperation::div:
      return limb::div(x, y, to);
    case LimbOperation::sqrt:
      return limb::sqrt(x, to);
    case LimbOperation::fma:
      break;
  }
  return limb::fma(x, y, z, to);
}

/// What MPFR computes.
template <int L>
LimbFloat expected(LimbOperation operation, const limb::Float<L>& x, const limb::Float<L>& y, const limb::Float<L>& z,
                   Rounding to) {
  const LimbFloat all[] = {oracle_number(x), oracle_number(y), oracle_number(z)};
  const std::size_t count = operation == LimbOperation::sqrt ? 1 : operation == LimbOperation::fma ? 3 : 2;
  constexpr oracle::Rounding directions[] = {oracle::Rounding::nearest, oracle::Rounding::up, oracle::Rounding::down,
                                             oracle::Rounding::zero};
  return oracle::limb_operation(operation, std::span(all).first(count), L, directions[static_cast<int>(to)]);
}

/// Numbers with long runs of equal bits among them, with exponents near to one another, at gaps around 32L and at the
/// ends of the range; zeros, infinities and NaNs.
template <int L>
class LimbNumbers {
 public:
  explicit LimbNumbers(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  limb::Float<L> number() {
    const bool minus = below(2) != 0;
    switch (below(30)) {
      case 0:
        return limb::zero<L>(minus);
      case 1:
        return limb::infinity<L>(minus);
      case 2:
        return limb::nan<L>();
      default:
        break;
    }
    limb::Float<L> x{};
    x.sign = minus ? 1 : 0;
    const std::uint64_t kind = below(5);
    for (int k = 0; k < L; ++k) {
      const auto any = static_cast<std::uint32_t>(random_());
      const std::uint32_t run = below(2) != 0 ? ~std::uint32_t{0} : 0;
      x.word[k] = kind == 0   ? any
                  : kind == 1 ? ~std::uint32_t{0}
                  : kind == 2 ? 0
                  : kind == 3 ? run
                  : k < L / 2 ? 0
                              : any;
      if (below(16) == 0) x.word[k] ^= std::uint32_t{1} << below(32);
    }
    x.word[L - 1] |= std::uint32_t{1} << 31;
    x.exponent = exponent();
    return x;
  }

 private:
  std::int32_t exponent() {
    const auto small = static_cast<std::int32_t>(below(5)) - 2;
    switch (below(6)) {
      case 0:
        return small;
      case 1:
        return small + static_cast<std::int32_t>(below(64 * L + 80)) - 32 * L - 40;
      case 2:
        return limb::most_exponent - 2 + small;
      case 3:
        return limb::least_exponent + 2 + small;
      case 4:
        return limb::most_exponent / 2 + small;
      default:
        return limb::least_exponent / 2 + small;
    }
  }
  std::mt19937_64 random_;
};

/// `count` operations of each kind in turning directions; returns how many differ from MPFR's, and writes one of them.
template <int L>
std::uint64_t differences(std::uint64_t count, std::uint64_t seed, std::string& one) {
  LimbNumbers<L> numbers(seed);
  std::uint64_t different = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const limb::Float<L> x = numbers.number();
    limb::Float<L> y = numbers.number();
    if (numbers.below(8) == 0) {  // nearly x
      y = x;
      if (limb::is_regular(y)) {
        y.word[0] ^= static_cast<std::uint32_t>(numbers.below(4));
        y.sign = static_cast<std::uint32_t>(numbers.below(2));
      }
    }
    limb::Float<L> z = numbers.number();
    if (numbers.below(8) == 0) z = limb::negated(limb::mul(x, y, Rounding::rn));
    const auto to = static_cast<Rounding>(i % 4);
    for (const LimbOperation operation : limb_operations) {
      const limb::Float<L> got = computed(operation, x, y, z, to);
      const LimbFloat wanted = expected(operation, x, y, z, to);
      if (has_bits(got, wanted)) continue;
      ++different;
      one = "operation " + std::to_string(static_cast<int>(operation)) + ", direction " + std::to_string(i % 4) +
            ", x = " + to_string(oracle_number(x)) + ", y = " + to_string(oracle_number(y)) +
            ", z = " + to_string(oracle_number(z)) + ": " + to_string(oracle_number(got)) + ", not " +
            to_string(wanted);
    }
  }
  return different;
}

}  // namespace assay::reference
