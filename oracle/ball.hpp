#pragma once

#include <string>

#include "oracle/dyadic.hpp"
#include "oracle/flint.hpp"
#include "oracle/flint_value.hpp"
#include "oracle/rational.hpp"

namespace assay::oracle {

/// The answer to a question about numbers that may be known only within a ball.
enum class Answer { no, yes, undecided };

/// A ball [m ± r] that contains a real number x. Every operation encloses: the result contains the true result for all
/// numbers in the operands. The smallest such ball is not promised.
/// `bits` is the precision of the midpoint in each operation; the radius carries the rest, so a ball is right at any
/// precision and only narrower at a larger one. Threads: like any value type.
class Ball : FlintValue<arb_t> {
 public:
  Ball() = default;
  Ball(const Dyadic& value) : Ball() { arb_set_arf(x_, value.arf()); }
  Ball(const Rational& value, long bits);
  /// [midpoint ± radius], the radius rounded up to 30 bits: too large by at most 2⁻²⁸ of it. Requires: radius ≥ 0 (not
  /// checked).
  Ball(const Dyadic& midpoint, const Dyadic& radius);
  friend void swap(Ball& a, Ball& b) noexcept { arb_swap(a.x_, b.x_); }

  /// The exact endpoints. Requires: is_finite() (not checked).
  Dyadic lower() const;
  Dyadic upper() const;
  bool is_finite() const { return arb_is_finite(x_) != 0; }
  bool contains(const Dyadic& y) const { return arb_contains_arf(x_, y.arf()) != 0; }
  bool contains(const Rational& y) const { return arb_contains_fmpq(x_, y.get()) != 0; }

  const arb_struct* get() const { return x_; }
  arb_struct* get() { return x_; }
};

Ball add(const Ball& a, const Ball& b, long bits);
Ball sub(const Ball& a, const Ball& b, long bits);
Ball mul(const Ball& a, const Ball& b, long bits);
/// Not finite if b contains 0.
Ball div(const Ball& a, const Ball& b, long bits);
/// Not finite if a contains a negative number.
Ball sqrt(const Ball& a, long bits);
Ball abs(const Ball& a);

/// Is x < y (x ≤ y) for every x in a and y in b: yes; for none: no; else undecided.
Answer less(const Ball& a, const Ball& b);
Answer less_equal(const Ball& a, const Ball& b);

/// "[0.333333 +/- 3.34e-7]" with about `digits` digits.
std::string to_string(const Ball& x, int digits = 20);

}  // namespace assay::oracle
