#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "oracle/format.hpp"

/// The oracle held against its second path (oracle/rational_path.hpp). While a thread has a Watch, every operation of
/// the oracle in this thread is done a second time, by fractions of GMP integers, and the two results are compared:
/// decoding, sums and products, orders, quotients, roundings, ulps, verdicts about errors, balls, residues and their
/// reconstruction, and products of matrices.
namespace assay::oracle {

class Dyadic;
class Rational;
class Ball;
struct SquareRoot;
enum class Answer;

/// Watches the operations of this thread until the end of its life. Requires: one at a time in a thread (not checked).
/// Cost: some microseconds an operation. After the first 2¹⁷ sums, products and orders one of 256 is compared, so that
/// a long dot product keeps its time; all others always are.
class Watch {
 public:
  Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();
  /// The first disagreement since the beginning or the last call, as "the paths disagree on …"; empty for none.
  std::string take();
};

namespace watch {

/// Whether this thread has a Watch. No model of access is chosen: that of one instruction would put all thread-local
/// data of a shared library into static TLS, and a program that loads the library late, as Python does, has almost none
/// left.
inline constinit thread_local bool is_on = false;

// Each function compares one result of the first path with the second one, and keeps the first disagreement.
// Numbers beyond 2^±2^20 are left out: as fractions they would have as many digits.

/// result = a + b, a − b, a·b, x + a·b: computed here by the first path, into a number that may be an operand.
void sum(Dyadic& result, const Dyadic& a, const Dyadic& b);
void difference(Dyadic& result, const Dyadic& a, const Dyadic& b);
void product(Dyadic& result, const Dyadic& a, const Dyadic& b);
void add_mul(Dyadic& x, const Dyadic& a, const Dyadic& b);
/// The order −1, 0, 1 of two numbers, or of their magnitudes.
void order(const Dyadic& a, const Dyadic& b, int order, bool magnitudes);
void order(const Rational& a, const Rational& b, int order);
/// x is the number of the pattern.
void decoded(const Format& format, std::uint64_t bits, const Dyadic& x);

/// result = a ∘ b for '+', '-', '*', '/'.
void rational(char operation, const Rational& a, const Rational& b, const Rational& result);
void quotient(const Dyadic& a, const Dyadic& b, const Rational& result);

/// `bits` is the rounded truth.
void rounded(const Dyadic& truth, const Format& format, Rounding direction, bool negative_zero, bool saturate,
             std::uint64_t bits);
void rounded(const Rational& truth, const Format& format, Rounding direction, bool negative_zero, bool saturate,
             std::uint64_t bits);
void rounded(const SquareRoot& truth, const Format& format, Rounding direction, bool negative_zero, std::uint64_t bits);

/// The ulp of a truth.
void ulp(const Dyadic& truth, const Format& format, const Dyadic& unit);
void ulp(const Rational& truth, const Format& format, const Dyadic& unit);

/// Whether |got − truth|·den ≤ num, or ≤ num·|truth| where `relative`, is as `within` says.
void verdict(const Dyadic& got, const Dyadic& truth, const Dyadic& num, const Dyadic& den, bool relative,
             Answer within);
void verdict(const Dyadic& got, const Rational& truth, const Dyadic& num, const Dyadic& den, bool relative,
             Answer within);
void verdict(const Dyadic& got, const SquareRoot& truth, const Dyadic& num, const Dyadic& den, bool relative,
             Answer within);

/// The ball encloses a ∘ b for '+', '-', '*', '/'; √a; |a|; a rational number; midpoint ± radius.
void ball(char operation, const Ball& a, const Ball& b, const Ball& result);
void ball_root(const Ball& a, const Ball& result);
void ball_abs(const Ball& a, const Ball& result);
void ball_of(const Rational& value, const Ball& result);
void ball_about(const Dyadic& midpoint, const Dyadic& radius, const Ball& result);
/// The statement about a < b, or a ≤ b if `or_equal`.
void ball_order(const Ball& a, const Ball& b, bool or_equal, Answer answer);

/// x has these residues; where `reduced`, 0 ≤ x < Π moduli too.
void residues(const Dyadic& x, std::span<const std::uint32_t> moduli, std::span<const std::uint32_t> residues,
              bool reduced);
/// result = x mod Π moduli.
void remainder(const Dyadic& x, std::span<const std::uint32_t> moduli, const Dyadic& result);
/// Entry i of a matrix product: Σ xⱼyⱼ of the binary64 patterns, or Σ |xⱼyⱼ|.
void dot(std::span<const std::uint64_t> x, std::span<const std::uint64_t> y, bool magnitudes, const Dyadic& result);
/// `bits` is RN(αs + βc) in binary64, +0 for an exact zero; c is not read where β is 0.
void scaled_entry(const Dyadic& s, double alpha, double beta, double c, std::uint64_t bits);

}  // namespace watch
}  // namespace assay::oracle
