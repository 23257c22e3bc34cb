// The adversary of the model: local errors of the size λ, each with the sign of its adjoint. They must reach the bound
// of MEAN and not exceed it. So mistakes in propagation, boxes and adjoints show.

#include <gtest/gtest.h>

#include <random>

#include "tests/formulas/adversary.hpp"
#include "tests/formulas/small.hpp"

namespace assay::formulas {
namespace {

/// Inputs of a formula: numbers near 1 of both signs.
std::vector<std::vector<double>> drawn(const Formula& formula, const std::vector<std::int64_t>& lengths,
                                       unsigned seed) {
  const Shaped shaped(formula, lengths);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<std::vector<double>> numbers;
  for (const Parameter& each : formula.parameters) {
    std::vector<double>& of_parameter = numbers.emplace_back();
    for (std::size_t i = 0; i < shaped.size_of(each.axes); ++i) {
      of_parameter.push_back(each.low ? std::abs(static_cast<double>(normal(random))) + 0.01
                                      : static_cast<double>(normal(random)));
    }
  }
  return numbers;
}

/// The error of the adversary over the bound of MEAN, for the first entry of the result.
double reached(const std::string& text, const std::vector<std::int64_t>& lengths, const Machine& machine,
               unsigned seed) {
  const Small small(text, lengths, drawn(Small::parsed(text), lengths, seed));
  const Errors errors = small.errors(machine);
  return formulas::reached(small.shaped, small.inputs, small.values, errors, 0, 192);
}

Machine strong() { return {.name = "strong"}; }
Machine weak() {
  Machine machine;
  machine.functions = 4;
  machine.quotient = 2;
  machine.exp_difference = 4;
  machine.exp_shift = 1;
  machine.is_online = true;
  return machine;
}

void expect_reached(const std::string& text, const std::vector<std::int64_t>& lengths) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    for (const Machine& machine : {strong(), weak()}) {
      const double part = reached(text, lengths, machine, seed);
      EXPECT_GT(part, 0.99) << text << machine.name << " seed " << seed;
      EXPECT_LE(part, 1 + 1e-6) << text << machine.name << " seed " << seed;
    }
  }
}

TEST(Adversary, ReachesTheBoundOfAttention) {
  expect_reached(
      "attention(q[n,d], k[m,d], v[m,e], scale) -> o[n,e]\n  range scale 0 1\n  s = scale + (q @ k.T)\n"
      "  mask causal: m <= n + #m - #n\n  p = softmax(s, axis=m, mask=causal)\n  o = p @ v\n",
      {3, 4, 5, 2});
}

TEST(Adversary, ReachesTheBoundOfSoftmaxAndItsLogarithm) {
  expect_reached("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {6});
  expect_reached("f(x[n]) -> y[n]\n  y = x - logsumexp(x, axis=n)\n", {6});
}

TEST(Adversary, ReachesTheBoundOfALayerNorm) {
  expect_reached(
      "f(x[n], gamma[n], beta[n], eps) -> y[n]\n  range eps 0 1\n  d = x - mean(x, axis=n)\n"
      "  s = rsqrt(variance(x, axis=n) + eps)\n  y = (d / s) / gamma + beta\n",
      {7});
}

TEST(Adversary, ReachesTheBoundOfFunctions) {
  for (const char* function : {"exp", "exp2", "expm1", "tanh", "erf", "sigmoid", "sin", "cos", "abs", "relu"}) {
    expect_reached("f(x[n], y[n]) -> z[n]\n  z = " + std::string(function) + "(x + y / 3)\n", {3});
  }
  for (const char* function : {"log", "log1p", "sqrt", "rsqrt"}) {
    expect_reached("f(x[n], y[n]) -> z[n]\n  z = " + std::string(function) + "(2 + abs(x + y))\n", {3});
  }
}

TEST(Adversary, ReachesTheBoundOfSumsAndQuotients) {
  expect_reached("f(x[n], y[n], z[n]) -> r\n  r = sum((x + y) / (3 + abs(z - x)), axis=n)\n", {5});
  expect_reached("f(x[n,m], y[n,m]) -> r[n]\n  r = max(x + y, axis=m) - min(x - y, axis=m)\n", {2, 5});
  expect_reached("f(x[n], y[n]) -> r[n]\n  r = cumsum(x + y, axis=n)\n", {5});
}

TEST(Adversary, ReachesTheBoundOfTheLargerAndTheSmallerOfTwo) {
  expect_reached("f(x[n], y[n]) -> r[n]\n  r = max(x + y / 3, x - y / 7)\n", {3});
  expect_reached("f(x[n], y[n]) -> r[n]\n  r = min(x + y / 3, x - y / 7)\n", {3});
  for (const char* function : {"max", "min"}) {
    const std::string head = "f(x[n], y[n]) -> r[n]\n  r = " + std::string(function);
    expect_reached(head + "(x * y, 1000)\n", {5});
    expect_reached(head + "(-1000, x * y)\n", {5});
  }
}

TEST(Adversary, ReachesTheBoundOfAVarianceOfComputedNumbers) {
  expect_reached("f(x[n], y[n]) -> r\n  r = variance(x + y / 7, axis=n)\n", {6});
}

}  // namespace
}  // namespace assay::formulas
