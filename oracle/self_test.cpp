#include "oracle/self_test.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "oracle/ball.hpp"
#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"
#include "oracle/exact.hpp"
#include "oracle/integer_product.hpp"
#include "oracle/rational_path.hpp"
#include "oracle/residues.hpp"
#include "oracle/round.hpp"
#include "oracle/watch.hpp"

namespace assay::oracle {
namespace {

namespace path = rational_path;

constexpr std::array formats{binary64, binary32, binary16, bfloat16, e4m3, e5m2};
constexpr std::array directions{Rounding::nearest, Rounding::up, Rounding::down, Rounding::zero};

class Failures {
 public:
  void expect(bool holds, std::string text) {
    if (!holds) lines_.push_back(std::move(text));
  }
  void expect_pattern(const Format& format, std::uint64_t got, std::uint64_t want, const std::string& what) {
    if (got == want) return;
    expect(false, what + " in " + name(format) + ": " + to_hex(format, got) + ", not " + to_hex(format, want));
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

/// x/y = (m + c/y)/2^k with an odd m of one bit more than the precision: c = ±1 above or below a midpoint. The nearest
/// is then (m + c)/2^k. Source: the congruence x·2^k ≡ c (mod y), Parks 2000.
struct HardQuotient {
  Format format;
  std::int64_t x, y;
  int k, c;
};
constexpr std::array hard_quotients{HardQuotient{binary32, 15114755, 10384799, 24, 1},
                                    HardQuotient{binary32, 16039642, 10384799, 24, -1},
                                    HardQuotient{binary32, 15811352, 13360041, 24, -1},
                                    HardQuotient{binary32, 13879083, 12953933, 24, 1},
                                    HardQuotient{binary64, 4967179201428292, 7172617881206781, 54, 1},
                                    HardQuotient{binary64, 8620343176299613, 5090973102283595, 53, 1}};

/// x·2^j = m² + c with an odd m of one bit more than the precision and |c| far below m: √(x·2^j) lies next to the
/// midpoint m, on the side of c's sign. Source: Hensel lifting of m² ≡ −c (mod 2^j), Parks 2000.
struct HardRoot {
  Format format;
  std::int64_t x;
  int j;
  std::int64_t m;
  int c;
};
constexpr std::array hard_roots{HardRoot{binary32, 8388609, 25, 16777217, -1},
                                HardRoot{binary32, 16777215, 26, 33554431, -1},
                                HardRoot{binary32, 16519498, 25, 23543627, 7},
                                HardRoot{binary64, 4503599627370497, 54, 9007199254740993, -1},
                                HardRoot{binary64, 9007199254740991, 55, 18014398509481983, -1},
                                HardRoot{binary64, 8233674359446949, 54, 12178862471855947, 7}};

void hard_cases(Failures& failures) {
  for (const HardQuotient& hard : hard_quotients) {
    const std::string what = std::to_string(hard.x) + "/" + std::to_string(hard.y);
    const Rational truth = quotient(hard.x, hard.y);
    const Rational m = (Rational(Dyadic::scaled(hard.x, hard.k)) - Rational(hard.c)) / Rational(hard.y);
    failures.expect(fmpz_is_one(fmpq_denref(m.get())) && fmpz_is_odd(fmpq_numref(m.get())), what + ": no hard case");
    const Dyadic nearest = (m.numerator() + Dyadic(hard.c)).mul_2exp(-hard.k);
    failures.expect(decode_finite(hard.format, round(truth, hard.format, Rounding::nearest)) == nearest,
                    what + ": not rounded to nearest");
  }
  for (const HardRoot& hard : hard_roots) {
    const std::string what = "sqrt of " + std::to_string(hard.x) + "*2^" + std::to_string(hard.j);
    const Dyadic square = Dyadic::scaled(hard.x, hard.j);
    failures.expect(square == product(hard.m, hard.m) + Dyadic(hard.c), what + ": no hard case");
    const Dyadic nearest = Dyadic(hard.m) + Dyadic(hard.c > 0 ? 1 : -1);
    failures.expect(decode_finite(hard.format, round(square_root(square), hard.format, Rounding::nearest)) == nearest,
                    what + ": not rounded to nearest");
  }
}

/// A truth m·2^e + m₂·2^e₂ and its rounding in the order nearest, up, down, zero, by the definition in IEEE 754-2019,
/// §4.3.
struct Vector {
  Format format;
  std::int64_t m;
  long e;
  std::int64_t m2;
  long e2;
  std::array<std::uint64_t, 4> want;
};
constexpr std::uint64_t one = 0x3ff0000000000000;
constexpr std::uint64_t infinity = 0x7ff0000000000000;
constexpr std::array vectors{
    // Around half of the smallest subnormal, and between the first two.
    Vector{binary64, 1, -1075, 0, 0, {0, 1, 0, 0}},
    Vector{binary64, 1, -1075, 1, -2000, {1, 1, 0, 0}},
    Vector{binary64, 1, -1075, -1, -2000, {0, 1, 0, 0}},
    Vector{binary64, 3, -1075, 0, 0, {2, 2, 1, 1}},
    // 1.5 − 2⁻⁶⁰ subnormal units: rounding to 53 bits first would make a tie of it.
    Vector{binary64, 3, -1075, -1, -1134, {1, 2, 1, 1}},
    Vector{binary64, 5, -1075, 1, -1134, {3, 3, 2, 2}},
    // Halfway between the largest subnormal and the smallest normal number.
    Vector{binary64,
           0x1fffffffffffff,
           -1075,
           0,
           0,
           {0x10000000000000, 0x10000000000000, 0xfffffffffffff, 0xfffffffffffff}},
    // 1 + u + u², 1 + u − u², the tie 1 + u, the tie 1 + 3u.
    Vector{binary64, 0x20000000000001, -53, 1, -106, {one + 1, one + 1, one, one}},
    Vector{binary64, 0x20000000000001, -53, -1, -106, {one, one + 1, one, one}},
    Vector{binary64, 0x20000000000001, -53, 0, 0, {one, one + 1, one, one}},
    Vector{binary64, 0x20000000000003, -53, 0, 0, {one + 2, one + 2, one + 1, one + 1}},
    Vector{binary64, 0x20000000000001, -53, 1, -1074, {one + 1, one + 1, one, one}},
    // The largest number plus half an ulp, and less than that.
    Vector{binary64, 1, 1024, -1, 970, {infinity, infinity, infinity - 1, infinity - 1}},
    Vector{binary64, 1, 1024, -3, 969, {infinity - 1, infinity, infinity - 1, infinity - 1}},
    Vector{binary32, 1, -150, 0, 0, {0, 1, 0, 0}},
    Vector{binary32, 3, -150, -1, -200, {1, 2, 1, 1}},
    Vector{binary16, 65519, 0, 0, 0, {0x7bff, 0x7c00, 0x7bff, 0x7bff}},
    Vector{binary16, 65520, 0, 0, 0, {0x7c00, 0x7c00, 0x7bff, 0x7bff}},
    Vector{bfloat16, 1, -134, 0, 0, {0, 1, 0, 0}},
    // E4M3 ends at 448; the tie 464 goes to the even 448, and what is beyond has no number.
    Vector{e4m3, 448, 0, 0, 0, {0x7e, 0x7e, 0x7e, 0x7e}},
    Vector{e4m3, 464, 0, 0, 0, {0x7e, 0x7f, 0x7e, 0x7e}},
    Vector{e4m3, 465, 0, 0, 0, {0x7f, 0x7f, 0x7e, 0x7e}},
    Vector{e4m3, 1, -10, 0, 0, {0, 1, 0, 0}},
    // 0.029296875 + 0.5625: bfloat16 in between would round twice.
    Vector{e4m3, 15, -9, 9, -4, {0x31, 0x32, 0x31, 0x31}},
    Vector{e5m2, 61439, 0, 0, 0, {0x7b, 0x7c, 0x7b, 0x7b}},
    Vector{e5m2, 61440, 0, 0, 0, {0x7c, 0x7c, 0x7b, 0x7b}},
};

void published_vectors(Failures& failures) {
  for (const Vector& v : vectors) {
    const Dyadic truth = Dyadic::scaled(v.m, v.e) + Dyadic::scaled(v.m2, v.e2);
    const path::Fraction second = path::scaled(v.m, v.e) + path::scaled(v.m2, v.e2);
    const std::string what = decimal(truth, 20);
    for (std::size_t i = 0; i < directions.size(); ++i) {
      failures.expect_pattern(v.format, round(truth, v.format, directions[i]), v.want[i], what);
      failures.expect_pattern(v.format, round_by_mpfr(truth, v.format, directions[i]), v.want[i], what + " by MPFR");
      failures.expect_pattern(v.format, path::round(second, v.format, directions[i]), v.want[i],
                              what + " by fractions");
    }
  }
}

/// A fixed sequence of 64-bit words (splitmix64, Steele, Lea, Flood 2014).
class Words {
 public:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0;
};

void both_paths(Failures& failures) {
  Words words;
  const Dyadic three(3);
  for (const Format& format : formats) {
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t a = words.next() & (2 * format.sign_mask() - 1);
      // Every other time the second exponent lies near the first, so that sums overlap.
      const std::uint64_t b = i % 2 == 0 ? words.next() & (2 * format.sign_mask() - 1)
                                         : a ^ (words.next() & (format.fraction_mask() | format.sign_mask()));
      const auto fa = path::decode(format, a);
      const auto fb = path::decode(format, b);
      const std::string what = to_hex(format, a) + ", " + to_hex(format, b);
      failures.expect(fa.has_value() == is_finite(format, a) && fb.has_value() == is_finite(format, b),
                      what + " in " + name(format) + ": the paths disagree on finiteness");
      if (!fa || !fb || !is_finite(format, a) || !is_finite(format, b)) continue;
      const Dyadic x = decode_finite(format, a);
      const Dyadic y = decode_finite(format, b);
      const bool root_defined = x.sign() >= 0;
      for (const Rounding direction : directions) {
        const auto agree = [&](std::uint64_t first, std::uint64_t second, const char* operation) {
          if (first != second) failures.expect_pattern(format, first, second, operation + what);
        };
        agree(round(x + y, format, direction), path::round(*fa + *fb, format, direction), "sum of ");
        agree(round_by_mpfr(x + y, format, direction), round(x + y, format, direction), "sum by MPFR of ");
        agree(round(x * y, format, direction), path::round(*fa * *fb, format, direction), "product of ");
        if (!y.is_zero()) {
          agree(round(quotient(x, y), format, direction), path::round(*fa / *fb, format, direction), "quotient of ");
        }
        if (root_defined) {
          agree(round(square_root(x), format, direction), path::round_sqrt(*fa, format, direction), "square root of ");
        }
      }
      const path::Fraction bound = path::Fraction(1) / path::Fraction(3);
      failures.expect((relative_error_at_most(x, x + y, 1, three) == Answer::yes) ==
                          path::relative_error_at_most(*fa, *fa + *fb, bound),
                      what + " in " + name(format) + ": the paths disagree on a relative error");
      failures.expect((error_at_most(x, x + y, 1, three) == Answer::yes) == path::error_at_most(*fa, *fa + *fb, bound),
                      what + " in " + name(format) + ": the paths disagree on an error");
    }
  }
}

/// αAB + βC by integers against sums of products of fractions, each with a rounding of its own: numbers of all
/// exponents, of neighboring ones, and small integers.
void matrix_products(Failures& failures) {
  Words words;
  for (int of_kind = 0; of_kind < 12; ++of_kind) {
    const auto draw = [&]() -> double {
      const std::uint64_t word = words.next();
      std::uint64_t bits = word;
      if (of_kind % 3 == 1) bits = (word & ~binary64.exponent_mask()) | (1015 + word % 16) << 52;
      if (of_kind % 3 == 2) return static_cast<double>(static_cast<std::int64_t>(word % 9) - 4);
      return is_finite(binary64, bits) ? std::bit_cast<double>(bits) : 1.0;
    };
    constexpr std::int64_t m = 3;
    constexpr std::int64_t k = 5;
    constexpr std::int64_t n = 2;
    std::vector<double> a(m * k);
    std::vector<double> b(k * n);
    std::vector<double> c(m * n);
    for (std::vector<double>* each : {&a, &b, &c}) {
      for (double& x : *each) x = draw();
    }
    const double alpha = of_kind % 2 == 0 ? 1 : draw();
    const double beta = of_kind % 4 < 2 ? 0 : draw();
    const IntegerProduct product({a.data(), m, k, 1, m}, {b.data(), k, n, 1, k});
    const std::vector<std::uint64_t> got = product.rounded(alpha, beta, {c.data(), m, n, 1, m});
    const auto fraction = [](double x) { return *path::decode(binary64, std::bit_cast<std::uint64_t>(x)); };
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < m; ++i) {
        const auto at = static_cast<std::size_t>(i + j * m);
        path::Fraction sum;
        Dyadic dyadic;
        for (std::int64_t l = 0; l < k; ++l) {
          const double x = a[static_cast<std::size_t>(i + l * m)];
          const double y = b[static_cast<std::size_t>(l + j * k)];
          sum = sum + fraction(x) * fraction(y);
          dyadic.add_mul(exact(x), exact(y));
        }
        const std::string what = "entry " + std::to_string(at) + " of product " + std::to_string(of_kind);
        failures.expect(product.value(i, j) == dyadic, what + ": the paths disagree on its value");
        failures.expect_pattern(
            binary64, got[at],
            path::round(fraction(alpha) * sum + fraction(beta) * fraction(c[at]), binary64, Rounding::nearest), what);
      }
    }
  }
}

/// 1 lies exactly half an ulp from 1 + u: a truth rounded to the format before it is compared would lose that half.
void fractional_ulps(Failures& failures) {
  const Dyadic truth = Dyadic(1) + Dyadic::scaled(1, -53);
  const Dyadic half_ulp = ulp(truth, binary64).mul_2exp(-1);
  failures.expect(error_at_most(1, truth, half_ulp, 1) == Answer::yes, "half an ulp is more than half an ulp");
  failures.expect(error_at_most(1, truth + Dyadic::scaled(1, -500), half_ulp, 1) == Answer::no,
                  "more than half an ulp is within half an ulp");
  failures.expect(error_ratio(1, truth, ulp(truth, binary64), 1) == 0.5, "half an ulp is not half of an ulp");
}

/// Zeros, the ends of the subnormal and of the normal range, what lies beyond, and every policy of rounding, with a
/// Watch: zeros of both signs, numbers beyond the largest one, and those around half of the smallest.
void special_values(Failures& failures) {
  Watch watch;
  for (const Format& format : formats) {
    const std::uint64_t smallest_normal = format.fraction_mask() + 1;
    for (const std::uint64_t magnitude :
         {std::uint64_t{0}, std::uint64_t{1}, format.fraction_mask(), smallest_normal, format.largest_finite() - 1,
          format.largest_finite(), format.largest_finite() + 1, format.nan(), format.sign_mask() - 1}) {
      for (const std::uint64_t bits : {magnitude, magnitude | format.sign_mask()}) {
        const std::string what = to_hex(format, bits) + " in " + name(format) + ": ";
        failures.expect(path::decode(format, bits).has_value() == is_finite(format, bits),
                        what + "the paths disagree on finiteness");
        if (!is_finite(format, bits)) continue;
        const Dyadic x = decode_finite(format, bits);
        const Dyadic half_unit = ulp(x, format).mul_2exp(-1);
        const Dyadic tiny = Dyadic::scaled(1, -1200);
        for (const Dyadic& truth :
             {x, x + half_unit, x - half_unit, x + half_unit + tiny, x + half_unit - tiny, x + x}) {
          for (const Rounding direction : directions) {
            round(Rational(truth) / Rational(3), format, direction);
            for (const RoundingPolicy& policy :
                 {RoundingPolicy{}, RoundingPolicy{true, false}, RoundingPolicy{false, true}}) {
              round(truth, format, direction, policy);
            }
          }
          check_error(x, truth, half_unit, 1);
          check_relative_error(x, truth, 1, Dyadic::scaled(1, format.precision));
        }
        const std::string disagreement = watch.take();
        failures.expect(disagreement.empty(), what + disagreement);
      }
    }
  }
}

/// Balls around numbers of all sizes, around a rational and a square root, with a Watch, at a short and a longer
/// precision: sums, products, quotients, roots, magnitudes, orders, and verdicts about an enclosed truth.
void balls(Failures& failures) {
  Words words;
  Watch watch;
  for (int i = 0; i < 24; ++i) {
    const auto number = [&] {
      return Dyadic::scaled(static_cast<std::int64_t>(words.next()) >> 20, static_cast<long>(words.next() % 60) - 60);
    };
    const long bits = i % 2 == 0 ? 20 : 90;
    const Dyadic middle = number();
    const Ball a(middle, abs(number()).mul_2exp(i % 3 == 0 ? 0 : -40));
    const Ball b = i % 4 == 0 ? a : Ball(Rational(number()) / Rational(7), bits);
    const Ball sum = add(a, b, bits);
    const Ball product = mul(a, sub(sum, b, bits), bits);
    less(a, b);
    less_equal(a, b);
    less_equal(product, sum);
    if (less(Ball(0), abs(b)) == Answer::yes) div(a, b, bits);
    if (less_equal(Ball(0), a) == Answer::yes) sqrt(a, bits);
    const Enclosure truth{[&](long at) { return sqrt(Ball(Rational(abs(middle)) / Rational(3), at), at); }};
    const SquareRoot root = square_root(Rational(abs(middle)) / Rational(3));
    const Dyadic near = decode_finite(binary64, round(root, binary64, Rounding::nearest));
    const Dyadic unit = ulp(root, binary64);
    for (const Exact& same : {Exact(truth), Exact(root)}) {
      failures.expect(error_at_most(near, same, unit, 2) == Answer::yes,
                      "a root's rounding errs by half an ulp at most");
      failures.expect(error_at_most(near + unit, same, unit, 4) == Answer::no, "an error of half an ulp is a quarter");
      check_relative_error(near, same, 1, Dyadic::scaled(1, 53));
      check_relative_error(near, same, 3, 1);
      check_relative_error(-near, same, 1, 2);
    }
    failures.expect(round(Exact(truth), binary64, Rounding::nearest) == round(root, binary64, Rounding::nearest),
                    "a root and its enclosure are rounded differently");
  }
  const std::string disagreement = watch.take();
  failures.expect(disagreement.empty(), disagreement);
}

/// Integers of residues by few small, odd and large moduli, and of many, with a Watch.
void reconstructions(Failures& failures) {
  Words words;
  Watch watch;
  std::vector<std::uint32_t> many;
  for (std::uint32_t candidate = 65521; many.size() < 40; candidate -= 2) {
    bool prime = true;
    for (std::uint32_t d = 3; d * d <= candidate && prime; d += 2) prime = candidate % d != 0;
    if (prime) many.push_back(candidate);
  }
  for (const std::vector<std::uint32_t>& moduli :
       {std::vector<std::uint32_t>{2}, {3, 5, 7}, {1073741789, 1073741783, 1073741741, 4}, many}) {
    const ResidueSystem system(moduli);
    Dyadic x = system.product() - Dyadic(1);
    for (int i = 0; i < 6; ++i) {
      std::vector<std::uint32_t> residues = system.residues(i == 0 ? x : -x * x);
      failures.expect(i != 0 || system.integer(residues) == x, "M − 1 is not the integer of its residues");
      for (std::uint32_t& each : residues) {
        if (i > 1) each = static_cast<std::uint32_t>(words.next());
      }
      x = system.integer(residues);
      system.reduced(-x * x * x);
      residue(-x, 97);
    }
  }
  const std::string disagreement = watch.take();
  failures.expect(disagreement.empty(), disagreement);
}

/// Products of matrices and of numbers so long that FLINT leaves its simple algorithms, with a Watch.
void large_products(Failures& failures) {
  Words words;
  Watch watch;
  constexpr std::int64_t m = 6;
  constexpr std::int64_t k = 24;
  const auto draw = [&] {
    const std::uint64_t bits = words.next();
    return is_finite(binary64, bits) ? std::bit_cast<double>(bits) : 1.0;
  };
  std::vector<double> a(m * k);
  std::vector<double> b(k * m);
  std::vector<double> c(m * m);
  for (std::vector<double>* each : {&a, &b, &c}) {
    for (double& x : *each) x = draw();
  }
  const IntegerProduct product({a.data(), m, k, 1, m}, {b.data(), k, m, 1, k});
  const MatrixView start{c.data(), m, m, 1, m};
  failures.expect(product.rounded(1, 0, start) != product.rounded(-0.1, 3, start), "a product lost its scalars");
  const IntegerProduct magnitudes({a.data(), m, k, 1, m}, {b.data(), k, m, 1, k}, IntegerProduct::Of::magnitudes);
  constexpr std::array tie_and_a_bit{1.0, 0x1p-53, 0x1p-100};
  constexpr std::array ones{1.0, 1.0, 1.0};
  const IntegerProduct beside({tie_and_a_bit.data(), 1, 3, 1, 1}, {ones.data(), 3, 1, 1, 3});
  failures.expect(beside.rounded(1, 0, {ones.data(), 1, 1, 1, 1}) == std::vector{one + 1},
                  "an entry beside a tie is rounded as a tie");
  Dyadic x = decode_finite(binary64, one + 0xfedcba9876543);
  for (int i = 0; i < 12; ++i) x = x * x + Dyadic(i);
  x.add_mul(x, -x);
  const std::string disagreement = watch.take();
  failures.expect(disagreement.empty(), disagreement);
}

/// A Watch that saw nothing would be no test: it must notice one wrong result of every kind.
void wrong_results(Failures& failures) {
  Watch watch;
  const auto noticed = [&](const char* what) {
    failures.expect(!watch.take().empty(), std::string("the paths do not notice ") + what);
  };
  const Dyadic three(3);
  const Rational third = Rational(1) / Rational(3);
  const std::uint64_t third_up = round(third, binary64, Rounding::up);
  const std::vector<std::uint32_t> moduli{3, 5, 7};
  const std::vector<std::uint32_t> residues{1, 2, 3};
  const Dyadic integer = ResidueSystem(moduli).integer(residues);
  failures.expect(watch.take().empty(), "the paths disagree on 1/3");
  watch::decoded(binary64, one, three);
  noticed("a wrong number of a pattern");
  watch::order(three, Dyadic(4), 1, false);
  noticed("a wrong order");
  watch::order(third, Rational(1), 0);
  noticed("a wrong order of fractions");
  watch::rational('*', third, third, third);
  noticed("a wrong product of fractions");
  watch::quotient(three, three, third);
  noticed("a wrong quotient");
  watch::rounded(third, binary64, Rounding::nearest, false, false, third_up);
  noticed("a wrong rounding of a fraction");
  watch::rounded(three, e4m3, Rounding::nearest, false, false, 0);
  noticed("a wrong rounding");
  watch::rounded(square_root(three), binary64, Rounding::up, false, one);
  noticed("a wrong rounding of a root");
  watch::ulp(three, binary64, three);
  noticed("a wrong ulp");
  watch::ulp(third, binary64, three);
  noticed("a wrong ulp of a fraction");
  watch::verdict(three, Dyadic(4), 1, 1, false, Answer::no);
  noticed("a wrong verdict");
  watch::verdict(three, third, 1, 1, true, Answer::yes);
  noticed("a wrong verdict on a fraction");
  watch::verdict(three, square_root(three), 1, 1, true, Answer::no);
  noticed("a wrong verdict on a root");
  watch::ball('+', Ball(three), Ball(three), Ball(three));
  noticed("a wrong sum of balls");
  watch::ball_root(Ball(three), Ball(three));
  noticed("a wrong root of a ball");
  watch::ball_abs(Ball(-three), Ball(-three));
  noticed("a wrong magnitude of a ball");
  watch::ball_of(third, Ball(three));
  noticed("a wrong ball");
  watch::ball_about(three, three, Ball(three));
  noticed("a ball that is too narrow");
  watch::ball_order(Ball(three), Ball(three), false, Answer::yes);
  noticed("a wrong order of balls");
  watch::residues(integer + Dyadic(105), moduli, residues, true);
  noticed("an integer beyond the product of its moduli");
  watch::residues(three, moduli, residues, false);
  noticed("wrong residues");
  watch::remainder(three, moduli, integer);
  noticed("a wrong remainder");
  watch::dot(std::array{one, one}, std::array{one, one}, false, three);
  noticed("a wrong dot product");
  watch::scaled_entry(three, 1, 0, 0, one);
  noticed("a wrong entry of a product");
}

}  // namespace

std::vector<std::string> self_test() {
  Failures failures;
  hard_cases(failures);
  published_vectors(failures);
  fractional_ulps(failures);
  both_paths(failures);
  matrix_products(failures);
  special_values(failures);
  balls(failures);
  reconstructions(failures);
  large_products(failures);
  wrong_results(failures);
  return failures.take();
}

}  // namespace assay::oracle
