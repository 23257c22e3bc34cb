#pragma once

#include <compare>
#include <functional>
#include <span>
#include <stdexcept>
#include <variant>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"
#include "oracle/rational.hpp"

namespace assay::oracle {

/// The non-negative square root of `square`, described exactly: comparisons square the other side.
/// Requires: square ≥ 0 (checked if square_root() constructs it).
struct SquareRoot {
  Rational square;
};

/// A real number known by balls of any small width: at(bits) encloses it at a working precision of `bits`. Requires:
/// at() is a function of `bits` alone, and its balls shrink as `bits` grows.
struct Enclosure {
  std::function<Ball(long bits)> at;
};

/// The truth: exact wherever mathematics allows, an enclosure for the rest.
using Exact = std::variant<Dyadic, Rational, SquareRoot, Enclosure>;

/// Precisions for questions about an Enclosure: doubled from `first` to at most `last` bits (Ziv).
struct Ziv {
  long first = 128;
  long last = 16384;
};

/// A question that an Enclosure left open at the last precision, if the caller's function has no way to report that.
class Undecided : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Σ xⱼ. Cost: one addition each.
Dyadic exact_sum(std::span<const Dyadic> x);
/// Σ |xⱼ|.
Dyadic exact_abs_sum(std::span<const Dyadic> x);
/// Σ xⱼyⱼ. Requires: equal lengths (throws std::invalid_argument).
Dyadic exact_dot(std::span<const Dyadic> x, std::span<const Dyadic> y);
/// Σ |xⱼyⱼ|. Requires: equal lengths (throws std::invalid_argument).
Dyadic exact_abs_dot(std::span<const Dyadic> x, std::span<const Dyadic> y);
/// ab.
Dyadic product(const Dyadic& a, const Dyadic& b);
/// a/b. Throws std::domain_error for b = 0.
Rational quotient(const Dyadic& a, const Dyadic& b);
/// √a. Throws std::domain_error for a < 0.
SquareRoot square_root(const Dyadic& a);
SquareRoot square_root(const Rational& a);

/// x compared with y; unordered if an Enclosure leaves it open at the last precision. Exact otherwise.
std::partial_ordering compare(const Exact& x, const Dyadic& y, const Ziv& ziv = {});
std::partial_ordering compare(const Exact& x, const Rational& y, const Ziv& ziv = {});
/// −1, 0 or 1. Throws Undecided.
int sign(const Exact& x, const Ziv& ziv = {});
/// ⌊log₂|x|⌋. Requires: x ≠ 0 (throws std::domain_error). Throws Undecided.
long exponent(const Exact& x, const Ziv& ziv = {});

/// The distance 2^(max(e, emin) − p + 1), e = ⌊log₂|x|⌋, of the format's numbers around x; for x = 0 and in the
/// subnormal range the smallest subnormal. No overflow is taken into account: the exponent range has no upper end here.
/// This is the ulp of Goldberg: at a power of two the larger of the two gaps. Computed for the truth, never for its
/// rounding.
Dyadic ulp(const Exact& x, const Format& format, const Ziv& ziv = {});

/// The answer about an error, and how near the error came to the bound.
struct ErrorCheck {
  Answer within = Answer::undecided;
  /// error / bound, for display and for ranking: a relative error of at most 2⁻⁴⁰, deterministic. Exactly 0 if the
  /// error is 0, infinite if the bound is 0 and the error is not; at most 1 with `yes`, more than 1 with `no`.
  double ratio = 0;
};

/// Is |got − truth|·den ≤ num, that is, the error at most num/den? Decided exactly, except for an Enclosure. Requires:
/// den > 0, num ≥ 0 (not checked). Cost: about 50 ns for a Dyadic truth; leading bits decide, and the products are only
/// formed if those are too close.
ErrorCheck check_error(const Dyadic& got, const Dyadic& truth, const Dyadic& num, const Dyadic& den);
ErrorCheck check_error(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den,
                       const Ziv& ziv = {});

/// Is |got − truth|·den ≤ num·|truth|? Like check_error; with truth 0 only got = 0 is within.
ErrorCheck check_relative_error(const Dyadic& got, const Dyadic& truth, const Dyadic& num, const Dyadic& den);
ErrorCheck check_relative_error(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den,
                                const Ziv& ziv = {});

/// Only the answers, and only the ratios.
Answer error_at_most(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den, const Ziv& ziv = {});
Answer relative_error_at_most(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den,
                              const Ziv& ziv = {});
double error_ratio(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den, const Ziv& ziv = {});

}  // namespace assay::oracle
