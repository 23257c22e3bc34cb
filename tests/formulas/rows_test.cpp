// Freedoms of rows that have more than one number for a weight: programs that exceed the bounds of a single number.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/formulas/random_arithmetic.hpp"
#include "tests/formulas/rules.hpp"

namespace assay::formulas {
namespace {

Machine fast() {
  Machine fast = machine();
  fast.functions = 4;
  fast.quotient = 2;
  fast.exp_difference = 4;
  fast.exp_shift = 1;
  fast.is_online = true;
  return fast;
}

TEST(Rows, AWeightThatIsComputedAgainDiffersFromTheOneInTheSum) {
  // The sum by exp(s − m), which is 1 and nearly 0, the largest weight by exp2(fma(s, L, −RN(mL))).
  const Small small("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {2}, {{100, 40}});
  const Arithmetic f(oracle::binary32);
  const double log2_of_e = f.round(1.44269504088896340736);
  const double again = std::exp2(f.fma(100, log2_of_e, -f.mul(100, log2_of_e)));
  EXPECT_GT(std::abs(again - 1), 16 * u);
  EXPECT_GT(small.bound(fast()), std::abs(again - 1));
}

TEST(Rows, AProductHasANumberOfItsOwnInEachEntryOfARunningSum) {
  // The large product may be rounded in one entry and fused in the other: it does not cancel.
  const double a = 0x1.234567p0;
  const Small small("f(x[n], y[n]) -> r\n  c = cumsum(x * y, axis=n)\n  r = c[2] - c[1]\n", {3},
                    {{a, 0x1.234567p-40, 0x1.234567p-40}, {a, 1, 1}});
  EXPECT_GE(small.by_mean(machine()), 4.9 * u * a * a);
  EXPECT_LE(small.by_mean(machine()), 5.1 * u * a * a);
  // So it is with all that leads to its square.
  const Small squares("f(x[n], y[n]) -> r\n  c = cumsum(((x + y) * x)^2, axis=n)\n  r = c[2] - c[1]\n", {3},
                      {{a, 0x1.234567p-40, 0x1.234567p-40}, {0x1.234567p-30, 1, 1}});
  EXPECT_GE(squares.by_mean(machine()), 12.9 * u * std::pow(a, 4));
  EXPECT_LE(squares.by_mean(machine()), 13.1 * u * std::pow(a, 4));
}

TEST(Rows, AMaximumWhoseProductWithLog2OfEOverflowsSaysNothing) {
  const Small small("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {2}, {{0x1.8p127, 0}});
  EXPECT_TRUE(std::isinf(small.bound(fast())));
  EXPECT_TRUE(std::isfinite(small.bound(machine())));
}

TEST(Rows, AnOnlineSoftmaxCountsTheRescalingsBehindAWeight) {
  Machine plain = fast();
  plain.exp_difference = 1;
  plain.exp_shift = 0;
  // Nothing is larger than the first number, and two are larger than the last one; equal numbers do not rescale.
  const Small small("x[n] = logsumexp(x, axis=n)", {4}, {{3, 2, 2, 1}});
  const double function = 8 * u / (1 - 8 * u);
  EXPECT_NEAR(local_error(small, plain, Op::logits, 0), function, 1e-6 * function);
  EXPECT_NEAR(local_error(small, plain, Op::logits, 1), 2 * function + u, 1e-6 * function);
  EXPECT_NEAR(local_error(small, plain, Op::logits, 3), 4 * function + 2 * u, 1e-6 * function);
}

/// The bound of the first entry of a row with further numbers over its bound without them.
double beside(const std::string& text, const Machine& machine, const std::vector<double>& further) {
  std::vector<double> row{1, 0.5, -2};
  const Small alone(text, {3}, {row});
  row.insert(row.end(), further.begin(), further.end());
  const Small small(text, {static_cast<std::int64_t>(row.size())}, {row});
  return small.bound(machine) / alone.bound(machine);
}

TEST(Rows, ALogitFarBelowTheOthersMovesThemByNextToNothing) {
  const std::string softmax = "f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n";
  const std::string log_softmax = "f(x[n]) -> y[n]\n  y = x - logsumexp(x, axis=n)\n";
  for (const double mask : {-1e4, -65504.0, -1e9, -0x1.fffffep127}) {
    // One addition more for each number.
    EXPECT_LT(beside(softmax, machine(), {mask}), 1.3) << mask;
    EXPECT_LT(beside(log_softmax, machine(), {mask}), 1.3) << mask;
    EXPECT_LT(beside(softmax, machine(), {mask, mask}), 1.6) << mask;
  }
  EXPECT_LT(beside(softmax, fast(), {-1e4}), 1.6);
  EXPECT_LT(beside(log_softmax, fast(), {-1e4}), 1.6);
  // A logit beside them does.
  EXPECT_GT(beside(log_softmax, machine(), {1000}), 50);
}

TEST(Rows, AWeightFarBelowTheOthersIsAsGoodAsZero) {
  const std::string softmax = "f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n";
  EXPECT_LT(Small(softmax, {2}, {{1, -0x1p100}}).bound(machine(), 1), 4 * eta);
  EXPECT_LT(Small(softmax, {2}, {{1, -0x1p16}}).bound(fast(), 1), 40 * eta);
}

TEST(Rows, AnExponentOfTheMaximaThatAWeightMeetsErrsByTheseAlone) {
  // −RN(mL) errs by u|m|: the largest number meets itself, and the smaller one both.
  const Small small("x[n] = logsumexp(x, axis=n)", {2}, {{16, -1024}});
  const double function = 8 * u / (1 - 8 * u);
  EXPECT_NEAR(local_error(small, fast(), Op::logits, 0), 16 * u + function, 1e-4 * u);
  EXPECT_NEAR(local_error(small, fast(), Op::logits, 1), (4 * 1040 + 16 + 1024) * u + 2 * function, 1e-2 * u);
}

TEST(Rows, EntriesThatAMaskLeavesOutRoundNothing) {
  const std::string text = "f(x[m,n]) -> y[m,n]\n  mask causal: n <= m\n  y = softmax(x, axis=n, mask=causal)\n";
  const Small small(text, {3, 3}, {{1, 1, 1, 1, 1, 1, 1, 1, 1}});
  EXPECT_EQ(local_error(small, machine(), Op::norm, 0), 0);
  EXPECT_NEAR(local_error(small, machine(), Op::norm, 1), u, 1e-6 * u);
  EXPECT_NEAR(local_error(small, machine(), Op::norm, 2), 2 * u, 1e-6 * u);
}

TEST(Rows, WeightsHaveANumberOfTheirOwnInEachContraction) {
  // The weights are stored before their quotient in one sum, and after it in the other: the sums do not cancel.
  Machine stored = machine();
  stored.stored = {"p"};
  stored.store = oracle::binary16;
  const double third = std::log(0.5);
  const Small small("f(x[n], v[n], w[n]) -> r\n  p = softmax(x, axis=n)\n  r = sum(p * v) - sum(p * w)\n", {2},
                    {{0, third}, {1, 0}, {1, 0}}, oracle::binary16);
  const Arithmetic half(oracle::binary16);
  const double weight = std::exp(oracle::exact(third).to_double_nearest());
  const double sum = 1 + weight;
  const double late = half.round(1) / sum;
  const double early = half.round(1 / sum);
  EXPECT_GT(std::abs(late - early), 0x1p-14);
  EXPECT_GT(small.by_mean(stored), std::abs(late - early));
}

TEST(Rows, ASumBeforeItsQuotientMayOverflow) {
  const std::string text = "f(x[n], v[n]) -> r\n  p = softmax(x, axis=n)\n  r = sum(p * v)\n";
  EXPECT_EQ(Small(text, {2}, {{0, 0}, {0x1.8p127, 0x1.8p127}}).bound(machine()),
            std::numeric_limits<double>::infinity());
  EXPECT_LT(Small(text, {2}, {{0, 0}, {0x1.8p125, 0x1.8p125}}).bound(machine()), 0x1p108);
}

TEST(Rows, AWeightWhoseRescalingIsLostKeepsTheErrorOfItsMaxima) {
  // The first weight is 2^63.7 by the exponents that err, and its rescaling 2^−149 where 0 is due.
  EXPECT_GT(Small("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {2}, {{-823311360, 0}}).bound(fast(), 0), 0x1p-86);
}

TEST(Rows, ADefinitionWithOneUseKeepsTheSignsOfItsErrors) {
  // ds is a product that is used once: what p and its mean err by cancels in p·(v − Σ pv).
  const Small small("f(x[n], v[n]) -> r[n]\n  p = softmax(x, axis=n)\n  m = sum(p * v)\n  r = p * (v - m)\n", {3},
                    {{1, 2, 3}, {7, 7, 7}});
  EXPECT_LT(small.by_mean(machine(), 2), small.bound(machine(), 2) / 1.2);
}

TEST(Rows, APassOfMeanLeavesNothingForTheNextOne) {
  const Small small(
      "f(x[r,n], v[n,e]) -> y[r,e]\n  s = x * x + cumsum(x, axis=n)\n  p = softmax(s, axis=n)\n"
      "  w = p * (s - logsumexp(s, axis=n))\n  o = p @ v\n  t = o * o + sum(w, axis=n)\n  y = t * o\n"
      "  recompute s, t\n",
      {2, 4, 3}, {{0.1, 2, 0.7, -1, 3, 0.4, -2, 1}, {1, -2, 3, 0.5, 0.3, -1, 2, 1.7, 0.9, -0.2, 0.8, 4}});
  for (const bool flushes : {false, true}) {
    Machine any = machine();
    any.flushes = flushes;
    const Errors errors = small.errors(any);
    Mean passes(small.shaped, small.inputs, small.values, errors);
    for (const std::size_t entry : {0U, 5U, 3U, 1U, 4U, 2U, 0U}) {
      std::vector<Share> again;
      std::vector<Share> alone;
      const oracle::Magnitude bound = mean(small.shaped, small.inputs, small.values, errors, entry, &alone);
      EXPECT_EQ(passes.of(entry, &again).to_double(), bound.to_double());
      ASSERT_EQ(again.size(), alone.size());
      for (std::size_t s = 0; s < alone.size(); ++s) {
        EXPECT_EQ(again[s].error.to_double(), alone[s].error.to_double()) << alone[s].node;
      }
    }
  }
}

}  // namespace
}  // namespace assay::formulas
