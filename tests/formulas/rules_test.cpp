// One small formula for each local rule, in which nothing else matters: the bound is the one of its theorem.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/formulas/rules.hpp"

namespace assay::formulas {
namespace {

TEST(Rules, AConstantErrsByHalfAnUlp) {
  expect_bound(Small("x = x * 0 + 0.1", {}, {{1}}), machine(), 0.1 * u * (2 + u));
  expect_bound(Small("x = max(x, 0.5)", {}, {{0.25}}), machine(), 0);
}

TEST(Rules, EachIndexThatIsComputedWithErrsByItself) {
  const Small third("f(x[n]) -> y[n]\n  mask every: 0 <= n\n  y = x + (cumsum(where(every, 1, 1), axis=n) - 1) / 3\n",
                    {3}, {{0, 0, 0}});
  expect_bound(third, machine(), u / 3 * (2 + u), 1);
}

TEST(Rules, ASumErrsByHalfAnUlpOfItsValue) {
  expect_bound(Small("x, y = x + y", {}, {{3}, {0x1.2p-30}}), machine(), 3 * u);
}

TEST(Rules, AProductErrsByHalfAnUlpAndHalfASubnormal) {
  const double a = 0x1.234567p0;
  expect_bound(Small("x, y = x * y", {}, {{a}, {a}}), machine(), a * a * u);
  expect_bound(Small("x, y = x * y", {}, {{a * 0x1p-80}, {a * 0x1p-80}}), machine(), eta / 2);
}

TEST(Rules, AQuotientErrsTwiceByTheReciprocal) {
  Machine by_reciprocal = machine();
  by_reciprocal.quotient = 2;
  expect_bound(Small("x, y = x / y", {}, {{1}, {3}}), machine(), u / 3);
  expect_bound(Small("x, y = x / y", {}, {{1}, {3}}), by_reciprocal, u * (2 + u) / 3);
  expect_bound(Small("x, y = x / y", {}, {{0x1p-100}, {0x1.8p60}}), by_reciprocal, eta);
}

TEST(Rules, AQuotientByWhatMayBeZeroSaysNothing) {
  EXPECT_TRUE(std::isinf(Small("x, y, z = x / (y - z)", {}, {{1}, {3}, {3}}).bound(machine())));
  EXPECT_TRUE(
      std::isinf(Small("x, y, z = x / (y * y - z)", {}, {{1}, {0x1.000002p0}, {0x1.000004p0}}).bound(machine())));
}

TEST(Rules, AQuotientCarriesTheErrorsOfBoth) {
  // (x*x)/(y*y), both rounded: 2u to the first order, and its own rounding.
  const double x = 0x1.234566p0;
  const double y = 0x1.765432p0;
  const double e = u * x * x;
  const double f = u * y * y;
  const double v = x * x / (y * y);
  const double p = (e + v * f) / (y * y - f);
  expect_bound(Small("x, y = (x * x) / (y * y)", {}, {{x}, {y}}), machine(), p + u * (v + p));
}

TEST(Rules, FunctionsErrByTheirUlps) {
  Machine eight = machine();
  eight.functions = 8;
  expect_bound(Small("x = exp(x)", {}, {{1}}), machine(), 2 * u * std::exp(1.0));
  expect_bound(Small("x = exp(x)", {}, {{1}}), eight, 16 * u * std::exp(1.0));
  expect_bound(Small("x = sqrt(x)", {}, {{2}}), machine(), u * std::sqrt(2.0));
  expect_bound(Small("x = rsqrt(x)", {}, {{2}}), machine(), 3 * u / std::sqrt(2.0));
  expect_bound(Small("x = exp(x)", {}, {{-100}}), machine(), 2 * u * std::exp(-100.0) + eta);
  expect_bound(Small("x = x^3", {}, {{0x1.234566p0}}), machine(), 2 * u * std::pow(0x1.234566p0, 3));
}

TEST(Rules, FunctionsCarryTheErrorOfTheirArgument) {
  const Small small("x, y, z = exp(x + y - z)", {}, {{80}, {0x1p-20}, {60}});
  const double inner = u * (80 + 0x1p-20);
  const double both = inner + u * (20 + 0x1p-20 + inner);
  const double v = std::exp(20 + 0x1p-20);
  const double carried = v * std::expm1(both);
  expect_bound(small, machine(), carried + 2 * u * (v + carried));
}

TEST(Rules, ASumOfManyErrsByItsHeight) {
  const std::vector<double> x(100, 0x1.000002p0);
  const double s = 100 * 0x1.000002p0;
  const Small sum("f(x[n]) -> y\n  y = sum(x)\n", {100}, {x});
  expect_bound(sum, machine(), 99 * u * s);
  expect_bound(sum, machine(Order::tree), s * std::expm1(7 * u));
  expect_bound(sum, machine(Order::chains), s * std::expm1(66 * u));
}

TEST(Rules, ADotProductErrsOnceMore) {
  const std::vector<double> x(10, 0x1.234566p0);
  const Small dot("f(x[n], y[n]) -> z\n  z = sum(x * y)\n", {10}, {x, x});
  const double s = 10 * 0x1.234566p0 * 0x1.234566p0;
  expect_bound(dot, machine(), s * std::expm1(10 * u));
  expect_bound(dot, machine(Order::tree), s * std::expm1(5 * u));
}

TEST(Rules, ASumInTheRangeOfUnderflowCountsEveryProduct) {
  const std::vector<double> x(10, 0x1.234566p-70);
  const Small dot("f(x[n], y[n]) -> z\n  z = sum(x * y)\n", {10}, {x, std::vector<double>(10, 0x1.234566p-75)});
  EXPECT_GE(dot.bound(machine()), 5 * eta);
  EXPECT_LE(dot.bound(machine()), 5.1 * eta);
}

TEST(Rules, ExactDataLeaveNoError) {
  const Small dot("f(x[n], y[n]) -> z\n  z = sum(x * y) + 2 * sum(x)\n", {4}, {{1, 2, 3, -4}, {5, 0.5, 7, 1}});
  expect_bound(dot, machine(), 0);
  // Beyond 2²⁴ quarters of the grid the order matters.
  const Small large("f(x[n]) -> z\n  z = sum(x)\n", {3}, {{0x1p23, 1, 0.25}});
  EXPECT_GT(large.bound(machine()), 0);
}

TEST(Rules, MovesAndSelectionsDoNotErr) {
  const Small moved("f(x[n], y[n]) -> z[n]\n  z = max(-x, abs(y))\n", {2}, {{0.1, 0.7}, {0.3, -0.9}});
  expect_bound(moved, machine(), 0, 0);
  expect_bound(moved, machine(), 0, 1);
}

TEST(Rules, ALargestNumberHasTheLargestErrorOfTheCandidates) {
  const Small largest("f(x[n], y[n]) -> z\n  z = max(x + y, axis=n)\n", {2}, {{1, 100}, {0x1p-30, 0x1p-30}});
  EXPECT_NEAR(largest.bound(machine()), 100 * u, 1e-3 * u);
  EXPECT_NEAR(largest.by_mean(machine()), 100 * u, 1e-3 * u);
}

TEST(Rules, ARootBesideZeroErrsByTheRootOfTheError) {
  const double c = 0x1.00001p0;
  const double e = u * c * c;  // of x·x, which x·x − y does not round where it is 0
  const Small known("x, y = sqrt(max(x * x - y, 0))", {}, {{c}, {c * c}});
  expect_bound(known, machine(), std::sqrt(e) * (1 + u));
  EXPECT_TRUE(std::isinf(known.by_mean(machine())));
  EXPECT_TRUE(std::isinf(Small("x, y = sqrt(x * x - y)", {}, {{c}, {c * c}}).bound(machine())));
  EXPECT_TRUE(std::isinf(Small("x, y = sqrt((x * x - y)^3)", {}, {{c}, {c * c}}).bound(machine())));
  const Small deviation("f(x[n]) -> s\n  s = sqrt(variance(x, axis=n))\n", {3}, {{c, c, c}});
  EXPECT_FALSE(std::isinf(deviation.bound(machine())));
  Machine one_pass = machine();
  one_pass.has_one_pass = true;
  EXPECT_TRUE(std::isinf(deviation.bound(one_pass)));
}

TEST(Rules, TermsThatAreZeroAreNotCounted) {
  const double a = 0x1.234566p0;
  const double b = a * 0x1p-12;
  const Small sum("f(x[n]) -> z\n  z = sum(x)\n", {6}, {{a, 0, 0, b, 0, 0}});
  expect_bound(sum, machine(), u * (a + b));
  expect_bound(sum, machine(Order::tree), u * (a + b));
  // A product with 0 is no term, but the one of a computed 0 that may differ from 0 is one.
  const Small dot("f(x[n], y[n]) -> z\n  z = sum(x * y)\n", {4}, {{a, 0, a, 0}, {a, a, b, a}});
  expect_bound(dot, machine(), std::expm1(2 * u) * (a * a + a * b));
  const double c = 0x1.00001p0;
  const Small computed("f(x[n], y[n]) -> z\n  d = x^2 - y\n  z = sum(d)\n", {3}, {{c, c, c}, {0, c * c, 0}});
  EXPECT_GT(local_error(computed, machine(), Op::sum), 1.9 * u * (2 * c * c));
}

TEST(Rules, ASumThatOverflowsSaysNothing) {
  EXPECT_FALSE(std::isinf(Small("x, y = x + y", {}, {{0x1p127}, {0x1.fp126}}).bound(machine())));
  EXPECT_TRUE(std::isinf(Small("x, y = x + y", {}, {{0x1.8p127}, {0x1.8p127}}).bound(machine())));
  // The result is 0, but a partial sum overflows.
  EXPECT_TRUE(
      std::isinf(Small("f(x[n]) -> z\n  z = sum(x) * 1\n", {4}, {{0x1.8p127, 0x1.9p127, -0x1.8p127, -0x1.9p127}})
                     .bound(machine())));
}

TEST(Rules, TheFactorOfARowErrsByTheSumOfItsWeights) {
  const Small softmax("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {5}, {{0, 0, 0, 0, 0}});
  const double g = 4 * u;
  EXPECT_NEAR(local_error(softmax, machine(), Op::norm), g / (1 - g), 1e-6 * g);
}

TEST(Rules, ALogitErrsByItsDistanceToTheLargest) {
  const Small softmax("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {2}, {{0, -50}});
  EXPECT_NEAR(local_error(softmax, machine(), Op::logits, 0), 2 * u, 1e-5 * u);
  EXPECT_NEAR(local_error(softmax, machine(), Op::logits, 1), 52 * u, 1e-3 * u);
}

TEST(Rules, EachRescalingByExp2ErrsByTheLargestOfARow) {
  Machine online = machine();
  online.exp_difference = 4;
  online.exp_shift = 1;
  online.is_online = true;
  std::vector<double> growing;
  for (int i = 0; i < 13; ++i) growing.push_back(45 + i * 0x1p-18);
  const Small softmax("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {13}, {growing});
  EXPECT_GT(local_error(softmax, online, Op::logits), 13 * 45 * u);
}

TEST(Rules, AQuotientAfterAContractionAlsoPassesMovedWeights) {
  const auto of_contraction = [](const std::string& rest) {
    const Small small("f(s[r,n], v[n,e]) -> " + rest, {1, 2, 1}, {{0, 0}, {0x1.234566p-126, 0x1.234566p-126}});
    return local_error(small, machine(), Op::dot);
  };
  const double plain = of_contraction("o[r,e]\n  p = softmax(s, axis=n)\n  o = p @ v\n");
  EXPECT_GE(plain, 4 * eta);
  EXPECT_EQ(of_contraction("o[e,r]\n  p = softmax(s, axis=n)\n  o = v.T @ p.T\n"), plain);
  EXPECT_EQ(of_contraction("o[r,e]\n  p = softmax(s, axis=n)\n  h = -p\n  o = h @ v\n"), plain);
}

TEST(Rules, AFactorOfAProductHasFourRoundingsInEachTerm) {
  // The roundings of √c, twice, of both products, and of the term itself; then that of the factor.
  const double a = 0x1.234566p0;
  const Small scaled("f(x[n], y[n], c) -> z\n  z = sum(x * y) * c\n", {1}, {{a}, {a}, {a}});
  EXPECT_NEAR(scaled.bound(machine()), 6 * u * a * a * a, 0.1 * u);
}

TEST(Rules, AFactorOfASumHasTwoRoundingsInEachTerm) {
  // Those roundings, and that of the addition; then that of the factor.
  const double a = 0x1.234566p0;
  const double b = a * 0x1p-12;  // no common grid, on which sums would be exact
  const Small scaled("f(x[n], c) -> z\n  z = sum(x) * c\n", {2}, {{a, b}, {a}});
  EXPECT_NEAR(scaled.bound(machine()), 4 * u * (a + b) * a, 0.1 * u);
}

TEST(Rules, AFactorThatMovesIntoASumMakesExactDataInexact) {
  const std::vector<double> x{-1, -2, 1, 1};
  const float c = 0.1F;
  float moved = 0;
  for (const double each : x) {
    const volatile float term = c * static_cast<float>(each);
    moved += term;
  }
  const Small scaled("f(x[n], c) -> z\n  z = sum(x) * c\n", {4}, {x, {c}});
  EXPECT_NE(moved, -c);
  EXPECT_GE(scaled.bound(machine()), std::abs(double{moved} + c));
}

TEST(Rules, AFactorThatIsAPowerOfTwoKeepsExactDataExact) {
  const Small halved("f(x[n]) -> z\n  z = sum(x) * 0.5\n", {4}, {{-1, -2, 1, 1}});
  expect_bound(halved, machine(), 0);
  const Small quarter("f(x[n], y[n]) -> z\n  z = sum(x * y) / 4\n", {2}, {{3, 5}, {7, 1}});
  expect_bound(quarter, machine(), 0);
}

TEST(Rules, ARootOfAFactorOnBothSidesOfAProductMakesExactDataInexact) {
  // √(1/2) is not a number.
  const Small halved("f(x[n], y[n]) -> z\n  z = sum(x * y) / 2\n", {2}, {{3, 5}, {7, 1}});
  EXPECT_GT(halved.bound(machine()), 13 * u);
}

TEST(Rules, AFactorThatMakesTermsSubnormalMakesExactDataInexact) {
  const Small small("f(x[n], c) -> z\n  z = sum(x) * c\n", {2}, {{0x1p-100, 0x1.8p-99}, {0x1p-51}});
  EXPECT_GT(small.bound(machine()), 0);
}

TEST(Rules, ASumWithTwoFactorsHasTheRoundingsOfEachUse) {
  const Small twice("f(x[n], c) -> z\n  s = sum(x)\n  z = max(s * c, s * 0.5)\n", {2}, {{1, 2}, {0.1F}});
  EXPECT_GT(twice.bound(machine()), u);
}

TEST(Rules, AFactorThatMakesATermOverflowSaysNothing) {
  const Small terms("f(x[n], c) -> z\n  z = sum(x) * c\n", {2}, {{0x1p60, 1 - 0x1p60}, {0x1p100}});
  EXPECT_TRUE(std::isinf(terms.bound(machine())));
  const Small one_side("f(x[n], y[n], c) -> z\n  z = sum(x * y) * c\n", {1}, {{0x1p60}, {0x1p-60}, {0x1p100}});
  EXPECT_TRUE(std::isinf(one_side.bound(machine())));
}

/// A product that is rounded.
float product(float a, float b) {
  const volatile float rounded = a * b;
  return rounded;
}

TEST(Rules, AFactorMakesTheProductsOfASumUnderflow) {
  const Small scaled("f(x[n], y[n], c) -> z\n  z = sum(x * y) * c\n", {2},
                     {{0x1p-72, 0x1p-72}, {0x1p-73, 0x1p-73}, {0x1p-5}});
  const float moved = 2 * product(product(0x1p-5F, 0x1p-72F), 0x1p-73F);
  EXPECT_EQ(moved, 0);
  EXPECT_GE(scaled.bound(machine()), 0x1p-149);
}

TEST(Rules, AFactorThatMayBeAnyNumberSaysNothing) {
  const Small unknown("f(x[n], a, b) -> z\n  c = a * a - b\n  z = sum(x) * c\n", {1}, {{1}, {0x1.000002p0}, {1}});
  EXPECT_FALSE(std::isinf(unknown.bound(machine())));
  const Small close("f(x[n], a, b) -> z\n  c = a * a - b\n  z = sum(x) * c\n", {1},
                    {{1}, {0x1.000002p0}, {0x1.000004p0}});
  EXPECT_TRUE(std::isinf(close.bound(machine())));
}

TEST(Rules, ASumHasANumberOfItsOwnForEachFactor) {
  const double x = -1.000030517578125;
  const Small scaled("f(x[n], c, d) -> y\n  s = sum(x)\n  y = c * s - d * s\n", {2}, {{x, 1}, {1.251953125}, {1.25}});
  const float moved = product(1.251953125F, static_cast<float>(x)) + 1.251953125F;
  const float got = moved - product(1.25F, static_cast<float>(x) + 1.0F);
  EXPECT_GE(scaled.by_mean(machine()), std::abs(double{got} - (1.251953125 - 1.25) * (x + 1)));
}

TEST(Rules, AProductBehindAMoveHasANumberOfItsOwnForEachUse) {
  const double a = 1.0009765625;
  const double b = 1.00006103515625;
  const auto rounded = product(static_cast<float>(a), static_cast<float>(b));
  const double got = std::fma(static_cast<float>(-a), static_cast<float>(b), 1.0F) - (1.0F - rounded);
  EXPECT_NE(got, 0);
  const std::vector<std::vector<double>> inputs{{a}, {b}, {1}, {1}};
  const Small negated("f(a, b, c, d) -> y\n  m = -(a * b)\n  y = (c + m) - (d + m)\n", {}, inputs);
  EXPECT_GE(negated.by_mean(machine()), std::abs(got));
  const Small slice("f(a[n], b[n], c, d) -> y\n  m = a * b\n  g = m[0]\n  y = (c - g) - (d - g)\n", {1}, inputs);
  EXPECT_GE(slice.by_mean(machine()), std::abs(got));
}

TEST(Rules, ARecomputedDefinitionMayAddInAnotherOrder) {
  const Small anew("f(x[n], z) -> y\n  s = sum(x) + z\n  recompute s\n  y = (s + z) - s\n", {3},
                   {{-1, 0x1p-24, 1}, {0}});
  EXPECT_GE(anew.by_mean(machine()), 0x1p-24);
  const Small once("f(x[n], z) -> y\n  s = sum(x) + z\n  y = (s + z) - s\n", {3}, {{-1, 0x1p-24, 1}, {0}});
  EXPECT_LT(once.by_mean(machine()), 0x1p-40);
}

TEST(Rules, ACubeOnAGridMayBeThatOfAFunction) {
  EXPECT_GE(Small("x = x^3", {}, {{1}}).bound(machine()), 0x1p-23);
  expect_bound(Small("x = x^2", {}, {{3}}), machine(), 0);
}

TEST(Rules, ADivisorMovesIntoNoSum) {
  const Small quotient("f(x[n]) -> z\n  z = 3 / sum(x)\n", {2}, {{3, 4}});
  expect_bound(quotient, machine(), 3.0 / 7 * u);
}

TEST(Rules, AProbabilityMovesToTheCornerOfItsLogits) {
  // One weight far above the other: p of the large one hardly moves.
  const Small softmax("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {2}, {{0, -20}});
  EXPECT_LT(softmax.by_mean(machine(), 0), 4 * u);
  const Small even("f(x[n], z[n]) -> y[n]\n  y = softmax(x * z, axis=n)\n", {2}, {{2, 2}, {50.1, 50.1}});
  // τ = 100.2u: both move by τ/2.
  EXPECT_NEAR(even.bound(machine(), 0), 52 * u, 3 * u);
}

TEST(Rules, AMeanInAVarianceCostsTheSquareOfItsError) {
  const std::vector<double> x{0x1p23, 0x1p23 + 1, 0x1p23 + 1, 0x1p23 + 1};
  const Small variance("f(x[n]) -> y\n  y = variance(x, axis=n)\n", {4}, {x});
  EXPECT_LT(variance.bound(machine()), 5.0);
  Machine one_pass = machine();
  one_pass.has_one_pass = true;
  EXPECT_GT(variance.bound(one_pass), 1e6);
}

TEST(Rules, ACopyForEachUseIsCountedByItself) {
  // p = x·y may be fused in one place and rounded in the other: (p + z) − p errs by p's rounding.
  const Small twice("x, y, z = (x * y + z) - x * y", {}, {{0x1.234566p0}, {0x1.765432p0}, {0}});
  const Small shared("f(x, y, z) -> r\n  p = x * y\n  r = (p + z) - p\n", {}, {{0x1.234566p0}, {0x1.765432p0}, {0}});
  EXPECT_GT(shared.by_mean(machine()), 2 * u);
  EXPECT_NEAR(shared.by_mean(machine()), twice.by_mean(machine()), 1e-3 * u);
}

TEST(Rules, ADefinitionThatIsComputedOnceCancels) {
  const Small once("f(x, y, z) -> r\n  p = x + y\n  r = (p + z) - p\n", {}, {{1}, {0x1p-30}, {0}});
  const Small anew("f(x, y, z) -> r\n  p = x + y\n  recompute p\n  r = (p + z) - p\n", {}, {{1}, {0x1p-30}, {0}});
  EXPECT_LT(once.by_mean(machine()), 1.1 * u);
  EXPECT_GT(anew.by_mean(machine()), 2.9 * u);
}

}  // namespace
}  // namespace assay::formulas
