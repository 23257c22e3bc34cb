#include "oracle/watch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "oracle/decimal.hpp"
#include "oracle/exact.hpp"
#include "oracle/gmp_value.hpp"
#include "oracle/rational_path.hpp"

namespace assay::oracle {
namespace {

namespace path = rational_path;
using path::Fraction;

thread_local std::string disagreement;
thread_local std::uint64_t steps = 0;

constexpr std::uint64_t all_steps = std::uint64_t{1} << 17;
constexpr std::uint64_t then_one_of = 256;
constexpr long largest_exponent = 1L << 20;

void expect(bool agree, const std::string& what) {
  if (!agree && disagreement.empty()) disagreement = "the paths disagree on " + what;
}

/// Whether the next sum, product or order is compared.
bool next_step() {
  ++steps;
  return steps <= all_steps || steps % then_one_of == 0;
}

/// The number as a fraction; empty if its exponents are too large.
std::optional<Fraction> fraction(const Dyadic& x) {
  if (x.is_zero()) return Fraction();
  if (x.exponent() > largest_exponent || x.lowest_exponent() < -largest_exponent) return std::nullopt;
  Integer m;
  long e = 0;
  significand(x, m, e);
  Fraction result;
  mpq_set_z(result.get(), m.z);
  if (e >= 0) {
    mpq_mul_2exp(result.get(), result.get(), static_cast<mp_bitcnt_t>(e));
  } else {
    mpq_div_2exp(result.get(), result.get(), static_cast<mp_bitcnt_t>(-e));
  }
  return result;
}
std::optional<Fraction> fraction(const Rational& x) {
  Fraction result;
  fmpq_get_mpq(result.get(), x.get());
  return result;
}
std::optional<Fraction> fraction(const SquareRoot& x) { return fraction(x.square); }

/// Calls compare(fractions…) if all of the numbers can be fractions.
template <class F, class... Numbers>
void with_fractions(const F& compare, const Numbers&... numbers) {
  [&](const auto&... fractions) {
    if ((fractions.has_value() && ...)) compare(*fractions...);
  }(fraction(numbers)...);
}

std::string text(const Dyadic& x) { return decimal(x, 20); }

int order_of(const Fraction& a, const Fraction& b) { return (a - b).sign(); }

Fraction applied(char operation, const Fraction& a, const Fraction& b) {
  switch (operation) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      return a / b;
  }
}

/// Does the operation, first path first, and compares. The operands are fractions before the result replaces one.
template <class First>
void step(const char* what, char operation, Dyadic& result, const Dyadic& a, const Dyadic& b, const First& first) {
  if (!next_step()) return first();
  const std::optional<Fraction> x = fraction(a);
  const std::optional<Fraction> y = fraction(b);
  first();
  const std::optional<Fraction> z = fraction(result);
  if (x && y && z) expect(*z == applied(operation, *x, *y), what + text(result));
}

template <class Truth>
void rounded_fraction(const Truth& truth, const Format& format, Rounding direction, bool negative_zero, bool saturate,
                      std::uint64_t bits) {
  with_fractions(
      [&](const Fraction& exact) {
        const std::uint64_t second = path::round(exact, format, direction, negative_zero, saturate);
        expect(second == bits, "a rounding to " + name(format) + ": " + to_hex(format, bits) + " and " +
                                   to_hex(format, second) + " by fractions");
      },
      truth);
}

template <class Truth>
void ulp_of(const Truth& truth, const Format& format, const Dyadic& unit) {
  with_fractions(
      [&](const Fraction& exact, const Fraction& first) {
        expect(first == path::ulp(exact, format), "an ulp in " + name(format) + ", " + text(unit));
      },
      truth, unit);
}

template <class Truth>
void verdict_on(const Dyadic& got, const Truth& truth, const Dyadic& num, const Dyadic& den, bool relative,
                Answer within) {
  constexpr bool is_root = std::is_same_v<Truth, SquareRoot>;
  with_fractions(
      [&](const Fraction& g, const Fraction& t, const Fraction& n, const Fraction& d) {
        const Fraction bound = n / d;
        bool second = false;
        if constexpr (is_root) {
          second = relative ? path::relative_root_error_at_most(g, t, bound) : path::root_error_at_most(g, t, bound);
        } else {
          second = relative ? path::relative_error_at_most(g, t, bound) : path::error_at_most(g, t, bound);
        }
        expect((within == Answer::yes) == second && within != Answer::undecided,
               "whether an error is within its bound, of " + text(got) + (second ? ": yes" : ": no") + " by fractions");
      },
      got, truth, num, den);
}

/// The ends of a ball.
struct Ends {
  Fraction low;
  Fraction high;
};
/// Nothing for a ball that is not finite or has too large exponents.
std::optional<Ends> ends_of(const Ball& x) {
  if (!x.is_finite()) return std::nullopt;
  Dyadic middle;
  Dyadic radius;
  arf_set(middle.arf(), arb_midref(x.get()));
  arf_set_mag(radius.arf(), arb_radref(x.get()));
  const std::optional<Fraction> m = fraction(middle);
  const std::optional<Fraction> r = fraction(radius);
  if (!m || !r) return std::nullopt;
  return Ends{*m - *r, *m + *r};
}

void expect_enclosed(const std::optional<Ends>& ball, const Fraction& x, const std::string& what) {
  if (ball) expect(order_of(ball->low, x) <= 0 && order_of(x, ball->high) <= 0, what);
}

/// x as a GMP integer; empty if it is none.
bool integer(const Dyadic& x, Integer& z) {
  long e = 0;
  significand(x, z, e);
  if (e < 0) return false;
  mpz_mul_2exp(z.z, z.z, static_cast<mp_bitcnt_t>(e));
  return true;
}

void product_of(std::span<const std::uint32_t> moduli, Integer& m) {
  mpz_set_ui(m.z, 1);
  for (const std::uint32_t each : moduli) mpz_mul_ui(m.z, m.z, each);
}

}  // namespace

Watch::Watch() {
  disagreement.clear();
  steps = 0;
  watch::is_on = true;
}
Watch::~Watch() { watch::is_on = false; }
std::string Watch::take() { return std::exchange(disagreement, {}); }

namespace watch {

namespace {

/// No watching while the second path itself uses a number of the first.
class Pause {
 public:
  Pause() : was_on_(std::exchange(is_on, false)) {}
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
  ~Pause() { is_on = was_on_; }

 private:
  bool was_on_;
};

}  // namespace

void sum(Dyadic& result, const Dyadic& a, const Dyadic& b) {
  const Pause pause;
  step("the sum ", '+', result, a, b, [&] { result.set_sum(a, b); });
}
void difference(Dyadic& result, const Dyadic& a, const Dyadic& b) {
  const Pause pause;
  step("the difference ", '-', result, a, b, [&] { result.set_difference(a, b); });
}
void product(Dyadic& result, const Dyadic& a, const Dyadic& b) {
  const Pause pause;
  step("the product ", '*', result, a, b, [&] { result.set_product(a, b); });
}
void add_mul(Dyadic& x, const Dyadic& a, const Dyadic& b) {
  const Pause pause;
  if (!next_step()) {
    x.add_mul(a, b);
    return;
  }
  const std::optional<Fraction> before = fraction(x);
  const std::optional<Fraction> left = fraction(a);
  const std::optional<Fraction> right = fraction(b);
  x.add_mul(a, b);
  const std::optional<Fraction> after = fraction(x);
  if (before && left && right && after) expect(*after == *before + *left * *right, "the sum of products " + text(x));
}

void order(const Dyadic& a, const Dyadic& b, int order, bool magnitudes) {
  const Pause pause;
  if (!next_step()) return;
  with_fractions(
      [&](const Fraction& x, const Fraction& y) {
        const int second = magnitudes ? order_of(abs(x), abs(y)) : order_of(x, y);
        expect(second == order, "the order of " + text(a) + " and " + text(b));
      },
      a, b);
}
void order(const Rational& a, const Rational& b, int order) {
  const Pause pause;
  with_fractions(
      [&](const Fraction& x, const Fraction& y) { expect(order_of(x, y) == order, "an order of fractions"); }, a, b);
}

void decoded(const Format& format, std::uint64_t bits, const Dyadic& x) {
  const Pause pause;
  const std::optional<Fraction> second = path::decode(format, bits);
  const std::optional<Fraction> first = fraction(x);
  expect(second && first && *first == *second, "the number of the pattern " + to_hex(format, bits));
}

void rational(char operation, const Rational& a, const Rational& b, const Rational& result) {
  const Pause pause;
  with_fractions(
      [&](const Fraction& x, const Fraction& y, const Fraction& z) {
        expect(z == applied(operation, x, y), std::string("a rational number by ") + operation);
      },
      a, b, result);
}
void quotient(const Dyadic& a, const Dyadic& b, const Rational& result) {
  const Pause pause;
  with_fractions([&](const Fraction& x, const Fraction& y, const Fraction& z) { expect(z == x / y, "a quotient"); }, a,
                 b, result);
}

void rounded(const Dyadic& truth, const Format& format, Rounding direction, bool negative_zero, bool saturate,
             std::uint64_t bits) {
  const Pause pause;
  rounded_fraction(truth, format, direction, negative_zero, saturate, bits);
}
void rounded(const Rational& truth, const Format& format, Rounding direction, bool negative_zero, bool saturate,
             std::uint64_t bits) {
  const Pause pause;
  rounded_fraction(truth, format, direction, negative_zero, saturate, bits);
}
void rounded(const SquareRoot& truth, const Format& format, Rounding direction, bool negative_zero,
             std::uint64_t bits) {
  const Pause pause;
  with_fractions(
      [&](const Fraction& square) {
        const std::uint64_t second = path::round_sqrt(square, format, direction, negative_zero);
        expect(second == bits, "a square root rounded to " + name(format) + ": " + to_hex(format, bits) + " and " +
                                   to_hex(format, second) + " by fractions");
      },
      truth);
}

void ulp(const Dyadic& truth, const Format& format, const Dyadic& unit) {
  const Pause pause;
  ulp_of(truth, format, unit);
}
void ulp(const Rational& truth, const Format& format, const Dyadic& unit) {
  const Pause pause;
  ulp_of(truth, format, unit);
}

void verdict(const Dyadic& got, const Dyadic& truth, const Dyadic& num, const Dyadic& den, bool relative,
             Answer within) {
  const Pause pause;
  verdict_on(got, truth, num, den, relative, within);
}
void verdict(const Dyadic& got, const Rational& truth, const Dyadic& num, const Dyadic& den, bool relative,
             Answer within) {
  const Pause pause;
  verdict_on(got, truth, num, den, relative, within);
}
void verdict(const Dyadic& got, const SquareRoot& truth, const Dyadic& num, const Dyadic& den, bool relative,
             Answer within) {
  const Pause pause;
  verdict_on(got, truth, num, den, relative, within);
}

void ball(char operation, const Ball& a, const Ball& b, const Ball& result) {
  const Pause pause;
  const std::optional<Ends> x = ends_of(a);
  const std::optional<Ends> y = ends_of(b);
  const std::optional<Ends> z = ends_of(result);
  if (!x || !y || !z) return;
  if (operation == '/' && y->low.sign() * y->high.sign() <= 0) {
    expect(false, "a quotient by a ball that contains 0");
    return;
  }
  // Each operation is monotone in each operand, so its extremes lie at the ends.
  for (const Fraction* left : {&x->low, &x->high}) {
    for (const Fraction* right : {&y->low, &y->high}) {
      expect_enclosed(z, applied(operation, *left, *right), std::string("balls joined by ") + operation);
    }
  }
}
void ball_root(const Ball& a, const Ball& result) {
  const Pause pause;
  const std::optional<Ends> x = ends_of(a);
  const std::optional<Ends> z = ends_of(result);
  if (!x || !z) return;
  const bool below = z->low.sign() <= 0 || order_of(z->low * z->low, x->low) <= 0;
  const bool above = z->high.sign() >= 0 && order_of(x->high, z->high * z->high) <= 0;
  expect(below && above, "the square root of a ball");
}
void ball_abs(const Ball& a, const Ball& result) {
  const Pause pause;
  const std::optional<Ends> x = ends_of(a);
  const std::optional<Ends> z = ends_of(result);
  if (!x || !z) return;
  for (const Fraction* end : {&x->low, &x->high}) expect_enclosed(z, abs(*end), "the magnitude of a ball");
  if (x->low.sign() * x->high.sign() <= 0) expect_enclosed(z, Fraction(), "the magnitude of a ball");
}
void ball_of(const Rational& value, const Ball& result) {
  const Pause pause;
  with_fractions([&](const Fraction& x) { expect_enclosed(ends_of(result), x, "the ball of a rational number"); },
                 value);
}
void ball_about(const Dyadic& midpoint, const Dyadic& radius, const Ball& result) {
  const Pause pause;
  with_fractions(
      [&](const Fraction& m, const Fraction& r) {
        const std::optional<Ends> ends = ends_of(result);
        expect_enclosed(ends, m - r, "the ball of a midpoint and a radius");
        expect_enclosed(ends, m + r, "the ball of a midpoint and a radius");
      },
      midpoint, radius);
}
void ball_order(const Ball& a, const Ball& b, bool or_equal, Answer answer) {
  const Pause pause;
  const std::optional<Ends> x = ends_of(a);
  const std::optional<Ends> y = ends_of(b);
  if (!x || !y) return;
  const int far = order_of(x->high, y->low);   // below 0: every number of a is below every number of b
  const int near = order_of(x->low, y->high);  // above 0: every number of a is above every number of b
  const Answer second = (or_equal ? far <= 0 : far < 0)     ? Answer::yes
                        : (or_equal ? near > 0 : near >= 0) ? Answer::no
                                                            : Answer::undecided;
  expect(answer == second, "the order of two balls");
}

void residues(const Dyadic& x, std::span<const std::uint32_t> moduli, std::span<const std::uint32_t> residues,
              bool reduced) {
  const Pause pause;
  Integer z;
  bool agree = integer(x, z) && moduli.size() == residues.size();
  for (std::size_t i = 0; agree && i < moduli.size(); ++i) {
    agree = mpz_fdiv_ui(z.z, moduli[i]) == residues[i] % moduli[i];
  }
  if (reduced && agree) {
    Integer m;
    product_of(moduli, m);
    agree = mpz_sgn(z.z) >= 0 && mpz_cmp(z.z, m.z) < 0;
  }
  expect(agree, "the integer of " + std::to_string(residues.size()) + " residues");
}

void remainder(const Dyadic& x, std::span<const std::uint32_t> moduli, const Dyadic& result) {
  const Pause pause;
  Integer z;
  Integer r;
  Integer m;
  product_of(moduli, m);
  if (!integer(x, z)) return expect(false, "a remainder of a number that is no integer");
  mpz_fdiv_r(z.z, z.z, m.z);
  expect(integer(result, r) && mpz_cmp(z.z, r.z) == 0, "a remainder");
}

void dot(std::span<const std::uint64_t> x, std::span<const std::uint64_t> y, bool magnitudes, const Dyadic& result) {
  const Pause pause;
  Fraction sum;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::optional<Fraction> a = path::decode(binary64, x[j]);
    const std::optional<Fraction> b = path::decode(binary64, y[j]);
    if (!a || !b) return expect(false, "an entry of a matrix, not finite");
    const Fraction term = *a * *b;
    sum = sum + (magnitudes ? abs(term) : term);
  }
  with_fractions([&](const Fraction& first) { expect(first == sum, "an entry of a product of matrices"); }, result);
}

void scaled_entry(const Dyadic& s, double alpha, double beta, double c, std::uint64_t bits) {
  const Pause pause;
  const auto number = [](double x) { return path::decode(binary64, std::bit_cast<std::uint64_t>(x)); };
  const std::optional<Fraction> factor = number(alpha);
  const std::optional<Fraction> start_factor = number(beta);
  const std::optional<Fraction> start = beta == 0 ? Fraction() : number(c);
  const std::optional<Fraction> product = fraction(s);
  if (!factor || !start_factor || !start || !product) return;
  const std::uint64_t second = path::round(*factor * *product + *start_factor * *start, binary64, Rounding::nearest);
  expect(bits == second, "a rounded entry of a product: " + to_hex(binary64, bits) + " and " +
                             to_hex(binary64, second) + " by fractions");
}

}  // namespace watch
}  // namespace assay::oracle
