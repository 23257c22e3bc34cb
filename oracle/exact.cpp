#include "oracle/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace assay::oracle {
namespace {

__extension__ using Wide = unsigned __int128;

void require_equal_lengths(std::span<const Dyadic> x, std::span<const Dyadic> y) {
  if (x.size() != y.size()) throw std::invalid_argument("a dot product of vectors with different lengths");
}

/// The leading 64 bits: m·2^e ≤ |x| ≤ (m + 1)·2^e, m ≥ 2^63. Requires: x ≠ 0.
struct Leading {
  std::uint64_t m;
  long e;
};

Leading leading(const Dyadic& x) {
  std::uint64_t top = 0;
  ARF_GET_TOP_LIMB(top, x.arf());
  return {top, x.exponent() - 63};
}

/// A product of two such: low·2^e ≤ |xy| ≤ high·2^e with 2^122 ≤ low ≤ high < 2^125.
struct LeadingProduct {
  Wide low;
  Wide high;
  long e;
};

LeadingProduct operator*(const Leading& x, const Leading& y) {
  const Wide low = static_cast<Wide>(x.m) * y.m;
  const Wide width = static_cast<Wide>(x.m) + y.m + 1;
  return {low >> 4, (low >> 4) + (width >> 4) + 2, x.e + y.e + 4};
}

/// m·2^e in double, for any e.
double scale(double m, long e) {
  if (e > -1000 && e < 1000) return m * std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
  return std::ldexp(m, static_cast<int>(std::clamp(e, -5000L, 5000L)));
}

/// x/y approximately, never 0 and never infinite.
double approximate_ratio(const LeadingProduct& x, const LeadingProduct& y) {
  const auto top = [](Wide w) { return static_cast<double>(static_cast<std::uint64_t>(w >> 64)); };
  const double ratio = scale(top(x.low) / top(y.low), x.e - y.e);
  return std::clamp(ratio, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max());
}

/// The ratio, changed to agree with the answer.
ErrorCheck answered(Answer within, double ratio) {
  if (within == Answer::yes) ratio = std::min(ratio, 1.0);
  if (within == Answer::no) ratio = std::max(ratio, 1.0 + 0x1p-52);
  return {within, ratio};
}

/// Is |error|·den ≤ num·|size|? `size` null means 1.
ErrorCheck check(const Dyadic& error, const Dyadic& den, const Dyadic& num, const Dyadic* size) {
  if (error.is_zero()) return {Answer::yes, 0};
  if (num.is_zero() || (size != nullptr && size->is_zero())) {
    return {Answer::no, std::numeric_limits<double>::infinity()};
  }
  const LeadingProduct lhs = leading(error) * leading(den);
  const LeadingProduct rhs = leading(num) * (size != nullptr ? leading(*size) : Leading{std::uint64_t{1} << 63, -63});
  const double ratio = approximate_ratio(lhs, rhs);
  const long gap = lhs.e - rhs.e;
  if (gap < -3) return answered(Answer::yes, ratio);
  if (gap > 3) return answered(Answer::no, ratio);
  const int left = gap > 0 ? static_cast<int>(gap) : 0;
  const int right = gap < 0 ? static_cast<int>(-gap) : 0;
  if ((lhs.high << left) <= (rhs.low << right)) return answered(Answer::yes, ratio);
  if ((lhs.low << left) > (rhs.high << right)) return answered(Answer::no, ratio);
  const Dyadic exact_lhs = error * den;
  const Dyadic exact_rhs = size != nullptr ? num * *size : num;
  return answered(compare_abs(exact_lhs, exact_rhs) <= 0 ? Answer::yes : Answer::no, ratio);
}

/// got·q − p for the rational p/q.
Dyadic scaled_error(const Dyadic& got, const Dyadic& p, const Dyadic& q) {
  Dyadic error = got * q;
  error -= p;
  return error;
}

/// The sign of a·√s − b.
int sign_of_linear(const Dyadic& a, const Rational& s, const Dyadic& b) {
  const int left = s.is_zero() ? 0 : a.sign();
  const int right = b.sign();
  if (left != right) return left < right ? -1 : 1;
  if (left == 0) return 0;
  const auto squares = compare_abs(a * a * s.numerator(), b * b * s.denominator());
  return squares == 0 ? 0 : (squares > 0 ? left : -left);
}

Ball root(const SquareRoot& truth, long bits) { return sqrt(Ball(truth.square, bits), bits); }

/// |got − √s| to 45 bits, as one of the numbers in a ball around it; 0 if exactly that.
Dyadic approximate_error(const Dyadic& got, const SquareRoot& truth) {
  if (sign_of_linear(1, truth.square, got) == 0) return {};
  for (long bits = 128;; bits *= 2) {
    const Ball error = abs(sub(Ball(got), root(truth, bits), bits));
    if (arb_rel_accuracy_bits(error.get()) >= 45) return error.upper();
  }
}

template <bool relative>
ErrorCheck check_root(const Dyadic& got, const SquareRoot& truth, const Dyadic& num, const Dyadic& den) {
  const Rational& s = truth.square;
  const Dyadic scaled_got = got * den;
  const bool within =
      relative ? sign_of_linear(den + num, s, scaled_got) >= 0 && sign_of_linear(den - num, s, scaled_got) <= 0
               : sign_of_linear(den, s, scaled_got - num) >= 0 && sign_of_linear(den, s, scaled_got + num) <= 0;
  const Dyadic size = relative ? root(truth, 128).upper() : Dyadic(1);
  const ErrorCheck estimate = check(approximate_error(got, truth), den, num, &size);
  return answered(within ? Answer::yes : Answer::no, estimate.ratio);
}

template <bool relative>
ErrorCheck check_enclosure(const Dyadic& got, const Enclosure& truth, const Dyadic& num, const Dyadic& den,
                           const Ziv& ziv) {
  ErrorCheck result;
  for (long bits = ziv.first; bits <= ziv.last; bits *= 2) {
    const Ball t = truth.at(bits);
    const Ball error = abs(sub(Ball(got), t, bits));
    const Ball lhs = mul(error, Ball(den), bits);
    const Ball rhs = relative ? mul(Ball(num), abs(t), bits) : Ball(num);
    if (!lhs.is_finite() || !rhs.is_finite()) {
      result = {Answer::undecided, std::numeric_limits<double>::infinity()};
      continue;
    }
    const Answer within = less_equal(lhs, rhs);
    result = answered(within, check(lhs.upper(), 1, rhs.upper(), nullptr).ratio);
    const bool sharp = lhs.upper().is_zero() || arb_rel_accuracy_bits(lhs.get()) >= 45;
    if (within != Answer::undecided && (sharp || bits * 2 > ziv.last)) return result;
  }
  return result;
}

template <bool relative>
ErrorCheck check_any(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den, const Ziv& ziv) {
  return std::visit(
      [&](const auto& t) -> ErrorCheck {
        using T = std::decay_t<decltype(t)>;
        if constexpr (std::is_same_v<T, Dyadic>) {
          return relative ? check_relative_error(got, t, num, den) : check_error(got, t, num, den);
        } else if constexpr (std::is_same_v<T, Rational>) {
          const Dyadic p = t.numerator();
          const Dyadic q = t.denominator();
          const ErrorCheck result = check(scaled_error(got, p, q), den, num, relative ? &p : &q);
          if (watch::is_on) [[unlikely]]
            watch::verdict(got, t, num, den, relative, result.within);
          return result;
        } else if constexpr (std::is_same_v<T, SquareRoot>) {
          const ErrorCheck result = check_root<relative>(got, t, num, den);
          if (watch::is_on) [[unlikely]]
            watch::verdict(got, t, num, den, relative, result.within);
          return result;
        } else {
          return check_enclosure<relative>(got, t, num, den, ziv);
        }
      },
      truth);
}

std::partial_ordering ordering(int sign) {
  return sign < 0   ? std::partial_ordering::less
         : sign > 0 ? std::partial_ordering::greater
                    : std::partial_ordering::equivalent;
}

template <class Y>
std::partial_ordering compare_enclosure(const Enclosure& x, const Y& y, const Ziv& ziv) {
  for (long bits = ziv.first; bits <= ziv.last; bits *= 2) {
    const Ball b = x.at(bits);
    if (!b.is_finite()) continue;
    const auto low = Y(b.lower()) <=> y;
    const auto high = Y(b.upper()) <=> y;
    if (low == high) return low;
  }
  return std::partial_ordering::unordered;
}

}  // namespace

Dyadic exact_sum(std::span<const Dyadic> x) {
  Dyadic sum;
  for (const Dyadic& term : x) sum += term;
  return sum;
}

Dyadic exact_abs_sum(std::span<const Dyadic> x) {
  Dyadic sum;
  for (const Dyadic& term : x) {
    if (term.sign() < 0) {
      sum -= term;
    } else {
      sum += term;
    }
  }
  return sum;
}

Dyadic exact_dot(std::span<const Dyadic> x, std::span<const Dyadic> y) {
  require_equal_lengths(x, y);
  Dyadic sum;
  for (std::size_t j = 0; j < x.size(); ++j) sum.add_mul(x[j], y[j]);
  return sum;
}

Dyadic exact_abs_dot(std::span<const Dyadic> x, std::span<const Dyadic> y) {
  require_equal_lengths(x, y);
  Dyadic sum;
  Dyadic term;
  for (std::size_t j = 0; j < x.size(); ++j) {
    term.set_product(x[j], y[j]);
    if (term.sign() < 0) {
      sum -= term;
    } else {
      sum += term;
    }
  }
  return sum;
}

Dyadic product(const Dyadic& a, const Dyadic& b) { return a * b; }

Rational quotient(const Dyadic& a, const Dyadic& b) { return {a, b}; }

SquareRoot square_root(const Dyadic& a) { return square_root(Rational(a)); }

SquareRoot square_root(const Rational& a) {
  if (a.sign() < 0) throw std::domain_error("square root of a negative exact number");
  return {a};
}

std::partial_ordering compare(const Exact& x, const Rational& y, const Ziv& ziv) {
  return std::visit(
      [&](const auto& t) -> std::partial_ordering {
        using T = std::decay_t<decltype(t)>;
        if constexpr (std::is_same_v<T, Dyadic>) {
          return Rational(t) <=> y;
        } else if constexpr (std::is_same_v<T, Rational>) {
          return t <=> y;
        } else if constexpr (std::is_same_v<T, SquareRoot>) {
          return ordering(sign_of_linear(y.denominator(), t.square, y.numerator()));
        } else {
          return compare_enclosure(t, y, ziv);
        }
      },
      x);
}

std::partial_ordering compare(const Exact& x, const Dyadic& y, const Ziv& ziv) {
  if (const auto* dyadic = std::get_if<Dyadic>(&x)) return *dyadic <=> y;
  if (const auto* enclosure = std::get_if<Enclosure>(&x)) return compare_enclosure(*enclosure, y, ziv);
  return compare(x, Rational(y), ziv);
}

int sign(const Exact& x, const Ziv& ziv) {
  const auto order = compare(x, Dyadic(), ziv);
  if (order == std::partial_ordering::unordered) throw Undecided("the sign of an enclosed number stays open");
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

long exponent(const Exact& x, const Ziv& ziv) {
  const auto nonzero = [](bool zero) {
    if (zero) throw std::domain_error("the exponent of zero");
  };
  return std::visit(
      [&](const auto& t) -> long {
        using T = std::decay_t<decltype(t)>;
        if constexpr (std::is_same_v<T, SquareRoot>) {
          nonzero(t.square.is_zero());
          return t.square.exponent() >> 1;
        } else if constexpr (std::is_same_v<T, Enclosure>) {
          for (long bits = ziv.first; bits <= ziv.last; bits *= 2) {
            const Ball b = t.at(bits);
            if (!b.is_finite()) continue;
            const Dyadic low = b.lower();
            const Dyadic high = b.upper();
            nonzero(low.is_zero() && high.is_zero());
            if (low.sign() * high.sign() > 0 && low.exponent() == high.exponent()) return low.exponent();
          }
          throw Undecided("the exponent of an enclosed number stays open");
        } else {
          nonzero(t.is_zero());
          return t.exponent();
        }
      },
      x);
}

Dyadic ulp(const Exact& x, const Format& format, const Ziv& ziv) {
  long e = format.emin;
  if (sign(x, ziv) != 0) e = std::max(e, exponent(x, ziv));
  Dyadic unit = Dyadic::scaled(1, e - format.precision + 1);
  if (watch::is_on) [[unlikely]] {
    if (const auto* dyadic = std::get_if<Dyadic>(&x)) watch::ulp(*dyadic, format, unit);
    if (const auto* rational = std::get_if<Rational>(&x)) watch::ulp(*rational, format, unit);
  }
  return unit;
}

ErrorCheck check_error(const Dyadic& got, const Dyadic& truth, const Dyadic& num, const Dyadic& den) {
  Dyadic error;
  error.set_difference(got, truth);
  const ErrorCheck result = check(error, den, num, nullptr);
  if (watch::is_on) [[unlikely]]
    watch::verdict(got, truth, num, den, false, result.within);
  return result;
}

ErrorCheck check_relative_error(const Dyadic& got, const Dyadic& truth, const Dyadic& num, const Dyadic& den) {
  Dyadic error;
  error.set_difference(got, truth);
  const ErrorCheck result = check(error, den, num, &truth);
  if (watch::is_on) [[unlikely]]
    watch::verdict(got, truth, num, den, true, result.within);
  return result;
}

ErrorCheck check_error(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den, const Ziv& ziv) {
  return check_any<false>(got, truth, num, den, ziv);
}

ErrorCheck check_relative_error(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den,
                                const Ziv& ziv) {
  return check_any<true>(got, truth, num, den, ziv);
}

Answer error_at_most(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den, const Ziv& ziv) {
  return check_error(got, truth, num, den, ziv).within;
}

Answer relative_error_at_most(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den,
                              const Ziv& ziv) {
  return check_relative_error(got, truth, num, den, ziv).within;
}

double error_ratio(const Dyadic& got, const Exact& truth, const Dyadic& num, const Dyadic& den, const Ziv& ziv) {
  return check_error(got, truth, num, den, ziv).ratio;
}

}  // namespace assay::oracle
