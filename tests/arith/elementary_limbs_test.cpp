// The limbs after the elementary functions: constants against MPFR, operations against rational numbers of GMP.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "arith/words/elementary.hpp"
#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay::limb {
namespace {

using elementary::detail::Terms;
using reference::Integer;
using reference::Rational;

Integer power_of_two(long k) { return Integer(1) << k; }
Rational two_to(long k) { return k < 0 ? Rational(1, power_of_two(-k)) : Rational(power_of_two(k), 1); }
Rational absolute(const Rational& x) { return x < Rational() ? Rational() - x : x; }

/// f in its units.
template <int N>
Integer integer(const Fraction<N>& f) {
  std::vector<std::uint32_t> words;
  for (const std::uint64_t limb : f.v) {
    words.push_back(static_cast<std::uint32_t>(limb));
    words.push_back(static_cast<std::uint32_t>(limb >> 32));
  }
  return Integer::of_limbs(words.data(), 2 * N);
}
template <int N>
Rational value(const Fraction<N>& f) {
  return {integer(f), power_of_two(64 * N)};
}
template <int N>
Rational value(const Scaled<N>& x) {
  const Rational magnitude = value(x.m) * two_to(x.e);
  return x.minus ? Rational() - magnitude : magnitude;
}
template <int N>
Rational unit() {
  return two_to(-64 * N);
}

/// A fraction of any limbs, some of which are 0 or all ones.
template <int N>
Fraction<N> any_fraction(std::mt19937_64& random) {
  Fraction<N> f{};
  for (std::uint64_t& limb : f.v) limb = random() % 4 == 0 ? 0 : random() % 4 == 0 ? ~std::uint64_t{0} : random();
  return f;
}
template <int N>
Scaled<N> any_scaled(std::mt19937_64& random, int reach) {
  Fraction<N> m = any_fraction<N>(random);
  m.v[N - 1] |= std::uint64_t{1} << 63;
  return {m, static_cast<int>(random() % static_cast<unsigned>(2 * reach + 1)) - reach, random() % 2 == 0};
}

template <int N>
void expect_operations_within_their_bounds() {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Fraction<N> f = any_fraction<N>(random);
    const Fraction<N> g = any_fraction<N>(random);
    const Rational lost = value(f) * value(g) - value(multiply(f, g));
    ASSERT_TRUE(Rational() <= lost && lost < Rational(N) * unit<N>());
    const Scaled<N> a = any_scaled<N>(random, 70 * N);
    const Scaled<N> b = any_scaled<N>(random, 3);
    const Rational x = value(a);
    const Rational y = value(b);
    const auto is_within = [](const Rational& got, const Rational& truth, const Rational& bound) {
      return absolute(got - truth) <= bound * unit<N>();
    };
    ASSERT_TRUE(is_within(value(multiply(a, b)), x * y, Rational(4 * N) * absolute(x * y)));
    ASSERT_TRUE(is_within(value(divide(a, b)), x / y, Rational(12 * N) * absolute(x / y)));
    const Rational larger = absolute(x) < absolute(y) ? absolute(y) : absolute(x);
    ASSERT_TRUE(is_within(value(add(a, b)), x + y, Rational(2.0) * (a.minus == b.minus ? absolute(x + y) : larger)));
  }
}

TEST(ElementaryLimbs, ErrAtMostByTheirBounds) {
  expect_operations_within_their_bounds<3>();
  expect_operations_within_their_bounds<5>();
}

TEST(ElementaryLimbs, DivideInTwoStepsWithThreeLimbs) {
  // A third step of the iteration would cost half as much again and give the last limb 0x4924924924924922.
  const Scaled<3> q = divide(scaled_of<3>(1.0), scaled_of<3>(7.0));
  EXPECT_EQ(q.m.v[2], 0x9249249249249249u);
  EXPECT_EQ(q.m.v[1], 0x2492492492492492u);
  EXPECT_EQ(q.m.v[0], 0x4924924924924920u);
  EXPECT_EQ(q.e, -2);
  EXPECT_FALSE(q.minus);
}

TEST(ElementaryLimbs, AddAndSubtractFractionsModuloOne) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const Fraction<3> f = any_fraction<3>(random);
    const Fraction<3> g = any_fraction<3>(random);
    const FractionSum<3> sum = add(f, g);
    ASSERT_EQ(value(sum.fraction) + Rational(static_cast<double>(sum.carry)), value(f) + value(g));
    ASSERT_EQ(value(subtract(sum.fraction, g)), value(f));
  }
}

TEST(ElementaryLimbs, HaveProductsThatAreNeverTooLarge) {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  EXPECT_EQ(multiply(Fraction<1>{{ones}}, Fraction<1>{{1}}).v[0], 0u);
  EXPECT_TRUE(is_zero(multiply(Fraction<2>{{0, ones}}, Fraction<2>{{1, 0}})));
}

TEST(ElementaryLimbs, MultiplyByAWordExactlyModuloOne) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 1000; ++i) {
    const Fraction<3> f = any_fraction<3>(random);
    const Fraction<1> m = any_fraction<1>(random);
    const Integer product = integer(f) * integer(m);
    ASSERT_EQ(integer(multiply_by_word(f, m.v[0])), product % power_of_two(192));
  }
}

/// v is cut off from the five limbs of x, which is in [0, 1).
void expect_cut_off(const Fraction<5>& v, mpfr_srcptr x) {
  mpfr_t low;
  mpfr_init2(low, 2000);
  mpfr_mul_2ui(low, x, 320, MPFR_RNDN);
  Integer floor;
  mpfr_get_z(floor.get(), low, MPFR_RNDD);
  EXPECT_EQ(value(v), Rational(floor, power_of_two(320)));
  mpfr_clear(low);
}

template <class LimbOf>
Fraction<5> five_limbs(LimbOf limb_of) {
  return fraction_of<5>(limb_of);
}

TEST(ElementaryLimbs, HaveConstantsCutOffFromTheirValues) {
  namespace constants = elementary::detail;
  mpfr_t x;
  mpfr_init2(x, 2000);
  for (int k = 0; k <= 65; ++k) {
    mpfr_fac_ui(x, static_cast<unsigned long>(k), MPFR_RNDN);
    mpfr_ui_div(x, 1, x, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    expect_cut_off(five_limbs([k](int i) { return constants::half_factorial_reciprocal(k, i); }), x);
  }
  for (int k = 0; k <= 63; ++k) {
    mpfr_set_si(x, 4L * k + 2, MPFR_RNDN);
    mpfr_ui_div(x, 1, x, MPFR_RNDN);
    expect_cut_off(five_limbs([k](int i) { return constants::half_odd_reciprocal(k, i); }), x);
  }
  for (int k = 0; k <= 16; ++k) {
    mpfr_set_d(x, k / 16.0, MPFR_RNDN);
    mpfr_atan(x, x, MPFR_RNDN);
    expect_cut_off(five_limbs([k](int i) { return constants::arctangent_of_sixteenths(k, i); }), x);
  }
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_div_2ui(x, x, 2, MPFR_RNDN);
  expect_cut_off(five_limbs([](int i) { return constants::reduction_constant(0, i); }), x);
  mpfr_const_log2(x, MPFR_RNDN);
  expect_cut_off(five_limbs([](int i) { return constants::reduction_constant(1, i); }), x);
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_ui_div(x, 2, x, MPFR_RNDN);
  mpfr_mul_2ui(x, x, 28 * 64, MPFR_RNDN);
  Integer floor;
  mpfr_get_z(floor.get(), x, MPFR_RNDD);
  Integer limbs;
  for (int k = 0; k < 28; ++k) {
    const std::uint64_t limb = constants::two_over_pi(k);
    const std::uint32_t words[] = {static_cast<std::uint32_t>(limb), static_cast<std::uint32_t>(limb >> 32)};
    limbs = (limbs << 64) + Integer::of_limbs(words, 2);
  }
  EXPECT_EQ(limbs, floor);
  mpfr_clear(x);
}

Integer factorial(int k) { return k <= 1 ? Integer(1) : Integer(k) * factorial(k - 1); }

/// 2c(n)tⁿ is at most a unit, and c(n) is in the table.
template <int N, class Coefficient>
void expect_enough_terms(int n, int t_of_10000, Coefficient c) {
  Rational term = Rational(2.0) * c(n);
  for (int k = 0; k < n; ++k) term = term * Rational(t_of_10000, 10000);
  EXPECT_TRUE(term <= unit<N>()) << N << ", " << n;
}
template <int N>
void expect_enough_terms() {
  using T = Terms<N>;
  expect_enough_terms<N>(T::expm1, 3600, [](int k) { return Rational(1, factorial(k + 1)); });
  expect_enough_terms<N>(T::sin, 6200, [](int k) { return Rational(1, factorial(2 * k + 1)); });
  expect_enough_terms<N>(T::cos, 6200, [](int k) { return Rational(1, factorial(2 * k)); });
  expect_enough_terms<N>(T::artanh, 295, [](int k) { return Rational(1, 2 * k + 1); });
  expect_enough_terms<N>(T::atan, 16, [](int k) { return Rational(1, 2 * k + 1); });
  EXPECT_LE(std::max({T::expm1, 2 * T::sin - 1, 2 * T::cos - 2}), 65);
  EXPECT_LE(std::max(T::artanh, T::atan), 64);
}

TEST(ElementaryLimbs, HaveEnoughTermsOfEachSeries) {
  expect_enough_terms<3>();
  expect_enough_terms<5>();
}

TEST(ElementaryLimbs, AreTakenAsWordsWithTheRestExactly) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    Scaled<5> x = any_scaled<5>(random, 900);
    const Rational before = value(x);
    const Rational word(take_word(x));
    ASSERT_EQ(word + value(x), before);
    ASSERT_TRUE(absolute(value(x)) * two_to(53) <= absolute(before));
  }
}

TEST(ElementaryLimbs, AreRoundedAtTheEndsOfTheRange) {
  const auto word_of = [](std::uint64_t top, int e, bool minus = false) {
    Scaled<3> x{{{0, 0, top}}, e, minus};
    const double word = take_word(x);
    EXPECT_TRUE(is_zero(x) || e == 1024);
    return word;
  };
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  EXPECT_EQ(word_of(half, -1073), 0x1p-1074);
  EXPECT_EQ(word_of(half, -1074), 0x1p-1074);  // a tie, away from zero
  EXPECT_EQ(word_of(half | half >> 1, -1074), 0x1p-1074);
  EXPECT_EQ(word_of(~std::uint64_t{0}, -1075), 0.0);
  EXPECT_TRUE(std::signbit(word_of(half, -2000, true)));
  EXPECT_EQ(word_of(half | 1, -1022), 0x1p-1023);
  EXPECT_EQ(word_of(~std::uint64_t{0}, -1022), 0x1p-1022);
  EXPECT_EQ(word_of(~std::uint64_t{0} << 11, 1024), 0x1.fffffffffffffp1023);
  EXPECT_EQ(word_of(~std::uint64_t{0}, 1024), INFINITY);
  EXPECT_EQ(word_of(half, 1025, true), -INFINITY);
}

/// The arc tangent of b/a against MPFR: within 2¹¹ units, relative.
template <int N>
void expect_arctangent(double b, double a) {
  const Rational got = value(elementary::detail::arctangent<N>(scaled_of<N>(b), scaled_of<N>(a)));
  mpfr_t y, x;
  mpfr_inits2(1000, y, x, nullptr);
  mpfr_set_d(y, b, MPFR_RNDN);
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_atan2(y, y, x, MPFR_RNDN);
  Rational truth;
  mpfr_get_q(truth.get(), y);
  EXPECT_TRUE(absolute(got - truth) <= Rational(2048.0) * unit<N>() * truth) << b << ", " << a;
  mpfr_clears(y, x, nullptr);
}

TEST(ElementaryLimbs, HaveTheArcTangentOfEveryRatio) {
  for (int i = 1; i <= 512; ++i) {
    for (const double b : {i / 512.0, std::nextafter(i / 512.0, 0), std::nextafter(i / 512.0, 1)}) {
      expect_arctangent<3>(b, 1);
      expect_arctangent<5>(1, b);
    }
  }
}

/// The angle against x modulo π/2 by MPFR with 4000 bits.
template <int N, int K>
void expect_quarter_turns(const double (&w)[K]) {
  const auto turns = elementary::detail::quarter_turns<N>(w);
  mpfr_t x, half_pi, angle, quarters;
  mpfr_inits2(4000, x, half_pi, angle, quarters, nullptr);
  mpfr_set_zero(x, 1);
  for (const double word : w) mpfr_add_d(x, x, word, MPFR_RNDN);
  mpfr_const_pi(half_pi, MPFR_RNDN);
  mpfr_div_2ui(half_pi, half_pi, 1, MPFR_RNDN);
  mpfr_div(quarters, x, half_pi, MPFR_RNDN);
  mpfr_rint(quarters, quarters, MPFR_RNDN);
  mpfr_mul(half_pi, half_pi, quarters, MPFR_RNDN);
  mpfr_sub(angle, x, half_pi, MPFR_RNDN);
  Rational truth;
  mpfr_get_q(truth.get(), angle);
  const Rational bound = Rational(8 * N) * unit<N>() * absolute(truth) + Rational(K) * two_to(57 - 64 * (2 * N + 1));
  EXPECT_TRUE(absolute(value(turns.angle) - truth) <= bound) << w[0];
  mpfr_fmod_ui(quarters, quarters, 4, MPFR_RNDN);
  EXPECT_EQ(turns.quarters, (static_cast<int>(mpfr_get_si(quarters, MPFR_RNDN)) + 4) % 4) << w[0];
  mpfr_clears(x, half_pi, angle, quarters, nullptr);
}

TEST(ElementaryLimbs, AreReducedByQuarterTurnsFromTheWholeRange) {
  std::mt19937_64 random(4);
  const auto any = [&random](int e) {
    return std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), e - 63);
  };
  for (int e = -1; e <= 1023; e += 8) {
    expect_quarter_turns<3, 2>({any(e), any(e - 54)});
    expect_quarter_turns<5, 4>({any(e), any(e - 54), any(e - 110), any(e - 300)});
  }
  expect_quarter_turns<3, 2>({0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  expect_quarter_turns<3, 2>({0x1.6ac5b262ca1ffp+849, 0});
  expect_quarter_turns<3, 2>({-0x1.fffffffffffffp+1023, 0x1p-1074});
}

}  // namespace
}  // namespace assay::limb
