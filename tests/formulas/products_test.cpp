// Local rules of products of many factors, running products and signs: the bound is the one of the theorem.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/formulas/kinds.hpp"
#include "tests/formulas/rules.hpp"

namespace assay::formulas {
namespace {

const std::string product = "f(x[n]) -> z\n  z = prod(x)\n";
constexpr double a = 0x1.234566p0;

Small of(const std::string& text, const std::vector<double>& x) {
  return {text, {static_cast<std::int64_t>(x.size())}, {x}};
}

TEST(Rules, AProductOfManyErrsByARoundingForEachFactorButOne) {
  const double v = std::pow(a, 5);
  const Small five = of(product, {a, a, a, a, -a});
  expect_bound(five, machine(), v * std::expm1(4 * u));
  expect_bound(five, machine(Order::tree), v * std::expm1(4 * u));
  EXPECT_EQ(five.values[five.formula.result][0].lower().sign(), -1);
  expect_bound(of(product, {a}), machine(), 0);
}

TEST(Rules, AFactorThatIsAPowerOfTwoDoesNotRound) {
  expect_bound(of(product, {a, 2, -1, a, 0.5, 1}), machine(), a * a * u);
  expect_bound(of(product, {a, 2, 0.25}), machine(), 0);
}

TEST(Rules, AProductOfExactDataLeavesNoError) {
  expect_bound(of(product, {3, 5, -7, 0.375, 11}), machine(), 0);
  expect_bound(of(product, {0, 1.1, a, a}), machine(), 0);
  // 25 bits.
  expect_bound(of(product, {4099, 4099}), machine(), 4099.0 * 4099.0 * u);
}

/// A product that is rounded.
float rounded(float x, float y) {
  const volatile float both = x * y;
  return both;
}

TEST(Rules, AProductOfExactDataMayLoseThemInTheRangeOfUnderflow) {
  const Small small = of(product, {0x3p-100, 0x5p-60, 0x1p60});
  EXPECT_EQ(rounded(rounded(0x3p-100F, 0x5p-60F), 0x1p60F), 0);
  EXPECT_GE(small.bound(machine()), 0x15p-100);
}

TEST(Rules, WhatAProductLosesInTheRangeOfUnderflowIsMultipliedByTheOthers) {
  // Two products may be subnormal, and the largest factor may follow.
  const double x = 0x1.8p-75;
  const Small small = of(product, {x, 0x1p100, x * (1 + 0x1p-22)});
  expect_bound(small, machine(), x * x * (1 + 0x1p-22) * 0x1p100 * u + eta * 0x1p100);
  // Two factors lose it once, at the end.
  expect_bound(of(product, {0x1.8p-120, a * 0x1p-120}), machine(), eta / 2);
}

TEST(Rules, AProductOfManyThatMayOverflowOnTheWaySaysNothing) {
  EXPECT_FALSE(std::isinf(of(product, {0x1p100, 0x1p27, 0x1p-100}).bound(machine())));
  EXPECT_TRUE(std::isinf(of(product, {0x1p100, 0x1p-100, 0x1p100}).bound(machine())));
  EXPECT_TRUE(std::isinf(of(product, {0x1p100, 0, 0x1p100}).bound(machine())));
}

TEST(Rules, AProductOfManyCarriesTheErrorsOfAllFactors) {
  // Three sums, each of which errs by half an ulp of it; a common grid would make them exact.
  const Small sums("f(x[n], y[n]) -> z\n  z = prod(x + y)\n", {3}, {{3, 5, 7}, {0x1p-30, 0x1p-30, 0x1p-30}});
  EXPECT_NEAR(sums.bound(machine()) / u, 5 * 105, 1e-3);
  EXPECT_NEAR(sums.by_mean(machine()) / u, 5 * 105, 1e-3);
  // With u = 1/8 the largest change is far from being linear.
  constexpr oracle::Format coarse{3, -60, 60};
  const Small wide("f(x[n], y[n]) -> z\n  z = prod(x + y)\n", {3}, {{3, 5, 7}, {0x1p-30, 0x1p-30, 0x1p-30}}, coarse);
  Machine of_coarse;
  of_coarse.wide = coarse;
  const double most = 105 * std::pow(9.0 / 8, 3);
  const double both = most * std::expm1(2 / 8.0);
  EXPECT_GE(wide.bound(of_coarse), most - 105 + both);
  EXPECT_LE(wide.bound(of_coarse), (most - 105 + both) * 1.003);
}

TEST(Rules, ARunningProductErrsByTheFactorsSoFar) {
  const Small running = of("f(x[n]) -> z[n]\n  z = cumprod(x, axis=n)\n", {a, a, a, 2});
  expect_bound(running, machine(), 0, 0);
  expect_bound(running, machine(), a * a * u, 1);
  expect_bound(running, machine(), a * a * a * std::expm1(2 * u), 2);
  expect_bound(running, machine(), 2 * a * a * a * std::expm1(2 * u), 3);
  const Small columns("f(x[n,m], y[n,m]) -> z[n,m]\n  z = cumprod(x + y, axis=n)\n", {2, 2},
                      {{3, 11, 5, 13}, {0x1p-30, 0x1p-30, 0x1p-30, 0x1p-30}});
  EXPECT_NEAR(columns.bound(machine(), 0) / u, 3, 1e-3);
  EXPECT_NEAR(columns.bound(machine(), 2) / u, 3 * 15, 1e-3);
  EXPECT_NEAR(columns.by_mean(machine(), 2) / u, 3 * 15, 1e-3);
  EXPECT_NEAR(columns.by_mean(machine(), 3) / u, 3 * 143, 1e-3);
}

TEST(Rules, AProductOfManyHasANumberOfItsOwnForEachUse) {
  // As in AProductBehindAMoveHasANumberOfItsOwnForEachUse: fused in one place, rounded in the other.
  const double b = 1.00006103515625;
  const double c = 1.0009765625;
  const float both = rounded(static_cast<float>(-c), static_cast<float>(b));
  const double got = std::fma(static_cast<float>(-c), static_cast<float>(b), 1.0F) - (1.0F + both);
  EXPECT_NE(got, 0);
  for (const std::string name : {"prod(x)", "cumprod(x, axis=n)[1]"}) {
    const Small twice("f(x[n], c, d) -> y\n  p = " + name + "\n  y = (c + p) - (d + p)\n", {2}, {{-c, b}, {1}, {1}});
    EXPECT_GE(twice.by_mean(machine()), std::abs(got)) << name;
  }
}

TEST(Rules, ARootOfAProductOfSquaresBesideZeroIsKnown) {
  const double c = 0x1.00001p0;
  const Small known("f(x[n], y[n]) -> z\n  z = sqrt(prod(relu(x * x - y)))\n", {2}, {{c, c}, {c * c, c * c}});
  EXPECT_FALSE(std::isinf(known.bound(machine())));
}

TEST(Rules, ASignIsExactOrOneOfThree) {
  expect_bound(Small("x = sign(x)", {}, {{-a}}), machine(), 0);
  expect_bound(Small("x = sign(x)", {}, {{0}}), machine(), 0);
  const std::string of_difference = "x, y = sign(x * x - y)";
  const double c = 0x1.00001p0;
  const Small apart(of_difference, {}, {{c}, {c * c - 0x1p-20}});
  expect_bound(apart, machine(), 0);
  EXPECT_EQ(apart.values[apart.formula.result][0].lower(), oracle::Dyadic(1));
  expect_bound(Small(of_difference, {}, {{c}, {c * c - 0x1p-26}}), machine(), 2);
  expect_bound(Small(of_difference, {}, {{c}, {c * c + 0x1p-26}}), machine(), 2);
  expect_bound(Small(of_difference, {}, {{c}, {c * c}}), machine(), 1);
  // MEAN takes the step for an error of its own: it errs by 2, and the rest only by what multiplies it.
  const Small scaled("x, y, z = z * sign(x * x - y)", {}, {{c}, {c * c - 0x1p-26}, {a}});
  EXPECT_NEAR(scaled.by_mean(machine()), 2 * a, 1e-5);
  EXPECT_LT(Small("x, y, z = z * sign(x * x - y)", {}, {{c}, {1}, {a}}).by_mean(machine()), 2 * u);
  // Of what may be infinite nothing is said, and neither of a sign that is not known at any precision.
  EXPECT_TRUE(std::isinf(Small(of_difference, {}, {{0x1p100}, {1}}).bound(machine())));
  EXPECT_TRUE(std::isinf(Small("x, y = x * (y * y)", {}, {{0}, {0x1p100}}).bound(machine())));
  EXPECT_TRUE(std::isinf(Small("x = sign(exp(x) - exp(x))", {}, {{1}}).bound(machine())));
}

/// The kinds of an entry of the result for inputs, which may be infinite or NaN.
EntryKinds entry_at(const std::string& text, const std::vector<double>& x, std::size_t entry, Sources sources) {
  std::vector<double> finite;
  SpecialInputs special(1);
  for (const double each : x) {
    finite.push_back(std::isfinite(each) ? each : 0);
    special[0].push_back(std::isfinite(each) ? 0
                         : std::isnan(each)  ? not_a_number
                         : each > 0          ? plus_infinity
                                             : minus_infinity);
  }
  const Small small(text, {static_cast<std::int64_t>(x.size())}, {finite});
  const auto all =
      kinds_of(small.shaped, small.inputs, special, small.values, small.errors(machine()), machine(), sources);
  return all[small.formula.result][entry];
}
Kinds kinds_at(const std::string& text, const std::vector<double>& x, std::size_t entry = 0) {
  return entry_at(text, x, entry, Sources::inputs).kinds;
}

TEST(Exceptional, AProductOfManyHasTheKindsOfEveryOrder) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(kinds_at(product, {2, -inf}), minus_infinity);
  EXPECT_EQ(kinds_at(product, {-inf, -inf, inf}), plus_infinity);
  EXPECT_EQ(kinds_at(product, {0, inf}), not_a_number);
  EXPECT_EQ(kinds_at(product, {2, nan, 0}), not_a_number);
  // Two small numbers may give 0 before they meet the infinity, in whatever order they stand.
  EXPECT_EQ(kinds_at(product, {2, 3, inf}), plus_infinity | not_a_number);
  EXPECT_EQ(kinds_at(product, {inf, 2, 3}), plus_infinity | not_a_number);
  const std::string running = "f(x[n]) -> z[n]\n  z = cumprod(x, axis=n)\n";
  EXPECT_EQ(kinds_at(running, {-2, inf, nan}, 1), minus_infinity);
  EXPECT_EQ(kinds_at(running, {-2, inf, nan}, 2), not_a_number);
}

TEST(Exceptional, ASumMayOverflowBeforeItMeetsAnInfinity) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::string sum = "f(x[n]) -> z\n  z = sum(x, axis=n)\n";
  EXPECT_EQ(kinds_at(sum, {inf, -0x1.8p127, -0x1.8p127}), plus_infinity | not_a_number);
  EXPECT_EQ(kinds_at(sum, {inf, -0x1p124, -0x1p124}), plus_infinity);
  const std::string squares = "f(x[n]) -> z\n  z = sum(x * x, axis=n)\n";
  EXPECT_EQ(kinds_at(squares, {inf, 0x1p62}), plus_infinity);
}

TEST(Exceptional, AFactorMayMoveToANumberThatItMakesZeroOrInfinite) {
  const auto kinds = [](const std::string& product, double c, double a, double second = 0, double times = 1) {
    const Small small("f(a[n], b[n], c) -> z\n  z = " + product + "\n", {2}, {{a, second}, {0, times}, {c}});
    const SpecialInputs special{{0, 0}, {minus_infinity, 0}, {0}};
    const auto all = kinds_of(small.shaped, small.inputs, special, small.values, small.errors(machine()), machine(),
                              Sources::inputs);
    return all[small.formula.result][0].kinds;
  };
  const std::string times = "c * sum(a * b, axis=n)";
  EXPECT_EQ(kinds(times, 0x1p-80, 0x1p-80), minus_infinity | not_a_number);  // (ca)b = 0·−∞
  EXPECT_EQ(kinds(times, 0x1p-80, 1), minus_infinity);
  EXPECT_EQ(kinds("sum(a * b, axis=n) / c", 0x1p80, 0x1p-80), minus_infinity | not_a_number);
  EXPECT_EQ(kinds(times, 0x1p30, 1, 0x1p100), minus_infinity | not_a_number);       // c·2^100 overflows
  EXPECT_EQ(kinds(times, 4, 1, 0x1p127, 0x1p-100), minus_infinity | not_a_number);  // so does 4·2^127
  EXPECT_EQ(kinds(times, 1, 1, 0x1p100), minus_infinity);
  const Small infinite_factor("f(a[n], b[n], c) -> z\n  z = c * sum(a * b, axis=n)\n", {2}, {{2, -1}, {1, 1}, {0}});
  const auto all = kinds_of(infinite_factor.shaped, infinite_factor.inputs, {{0, 0}, {0, 0}, {plus_infinity}},
                            infinite_factor.values, infinite_factor.errors(machine()), machine(), Sources::inputs);
  EXPECT_EQ(all[infinite_factor.formula.result][0].kinds, infinite | not_a_number);  // ∞·2 + ∞·(−1)
  EXPECT_EQ(kinds("c + sum(a * b, axis=n)", 0x1p-80, 0x1p-80), minus_infinity);      // nothing moves
}

TEST(Exceptional, WhatIsNotDefinedForAnyImplementationIsSpecialIfAsked) {
  const auto asked = [](const std::string& f, double x) {
    const std::string text = "f(x[n]) -> z[n]\n  z = " + f + "\n";
    EXPECT_FALSE(entry_at(text, {x}, 0, Sources::inputs).is_special) << f;
    const EntryKinds entry = entry_at(text, {x}, 0, Sources::undefined_entries_too);
    return entry.is_special ? entry.kinds : 0;
  };
  EXPECT_EQ(asked("x / x", 0), not_a_number);
  EXPECT_EQ(asked("(x + 1) / x", 0), plus_infinity | minus_infinity);
  EXPECT_EQ(asked("log(x)", 0), minus_infinity);
  EXPECT_EQ(asked("log(x)", -1), not_a_number);
  EXPECT_EQ(asked("sqrt(x)", -1), not_a_number);
  EXPECT_EQ(asked("rsqrt(x)", 0), plus_infinity | minus_infinity);
  EXPECT_EQ(asked("fmod(x + 1, x)", 0), not_a_number);
  EXPECT_EQ(asked("exp(log(x))", 0), zero);
  // An error may take these where they are defined.
  EXPECT_EQ(asked("sqrt(x * x - 0.1 * x)", 0.1F), 0U);
  EXPECT_EQ(asked("sqrt(x)", 0), 0U);
}

TEST(Exceptional, ASignOfAnInfinityIsOne) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::string signs = "f(x[n]) -> z[n]\n  z = sign(x)\n";
  EXPECT_EQ(kinds_at(signs, {inf, -inf, std::nan("")}, 0), positive);
  EXPECT_EQ(kinds_at(signs, {inf, -inf, std::nan("")}, 1), negative);
  // NaN in NumPy and JAX, 0 in PyTorch.
  EXPECT_EQ(kinds_at(signs, {inf, -inf, std::nan("")}, 2), not_a_number | zero);
}

}  // namespace
}  // namespace assay::formulas
