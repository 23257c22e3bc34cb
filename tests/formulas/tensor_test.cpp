// Formulas as C++ expressions: the same graphs as those of the text files.

#include "properties/formulas/tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace assay::formulas {
namespace {

using testing::HasSubstr;

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The graph and the graphs of the ways are those of the shipped formula.
void expect_shipped(const Formula& formula, const std::string& name) {
  const std::string path = std::string(ASSAY_FORMULA_LIBRARY) + "/" + name + ".formula";
  const Formula shipped = read(path);
  EXPECT_EQ(to_json(formula), to_json(shipped)) << formula.text;
  ASSERT_EQ(formula.ways.size(), shipped.ways.size());
  for (std::size_t w = 0; w < shipped.ways.size(); ++w) {
    EXPECT_EQ(formula.ways[w].first, shipped.ways[w].first);
    EXPECT_EQ(to_json(formula.ways[w].second), to_json(shipped.ways[w].second)) << formula.text;
  }
}

TEST(InCpp, ASumOfSquaresIsADotProduct) {
  const Tensor x = input("x", {"m", "n"});
  const Formula in_cpp = formula("squares", {x}, "m", named("y", sum(x * x, "n")));
  EXPECT_EQ(to_json(in_cpp), to_json(parse("squares(x[m,n]) -> y[m]\n  y = sum(x * x, axis=n)\n", "t")));
}

TEST(InCpp, TheExampleOfThePageIsThatOfItsTextFile) {
  // from docs/formula.md
  const Tensor x = input("x", {"r", "n"});
  const Tensor scale = input("scale");
  const Tensor s = named("s", scale * x);
  const Tensor y = named("y", softmax(s, "n"));
  const Formula in_cpp = formula("scaled_softmax", {x, scale}, {"r", "n"}, y, {"range scale 0.125 2"});
  // until here
  const std::string page = content(ASSAY_FORMULA_PAGE);
  const std::size_t begin = page.find("scaled_softmax(x[r,n]");
  EXPECT_EQ(to_json(in_cpp), to_json(parse(page.substr(begin, page.find("```", begin) - begin), "page")));
  EXPECT_EQ(in_cpp.parameters[1].low, oracle::Rational(1) / oracle::Rational(8));
  // The page has these lines.
  const std::string source = content(__FILE__);
  const std::size_t first = source.find("  // from docs/formula.md\n") + 26;
  std::istringstream lines(source.substr(first, source.find("  // until here") - first));
  std::size_t from = page.find("```cpp");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = page.find("\n" + line.substr(2) + "\n", from);
    EXPECT_NE(at, std::string::npos) << line;
    from = at;
  }
}

TEST(InCpp, LayerNormWithItsWays) {
  const Tensor x = input("x", {"r", "n"}), gamma = input("gamma", "n"), beta = input("beta", "n"), eps = input("eps");
  const Tensor mu = named("mu", mean(x, "n"));
  const Tensor d = named("d", x - mu);
  const Tensor s = named("s", rsqrt(variance(x, "n") + eps));
  const Tensor a = named("a", s * gamma);
  const Tensor y = named("y", d * s * gamma + beta, {(x * s - mu * s) * gamma + beta, x * a + (beta - mu * a)});
  expect_shipped(formula("layer_norm_rows", {x, gamma, beta, eps}, {"r", "n"}, y), "layer_norm");
}

TEST(InCpp, AttentionWithItsMask) {
  const Tensor q = input("q", {"n", "d"}), k = input("k", {"m", "d"}), v = input("v", {"m", "e"});
  const Tensor scale = input("scale");
  const Tensor s = named("s", scale * product(q, transposed(k)));
  const Tensor p = named("p", softmax(s, "m", {"causal", "m <= n + #m - #n"}));
  expect_shipped(formula("attention", {q, k, v, scale}, {"n", "e"}, named("o", product(p, v))), "attention");
}

TEST(InCpp, AStepOfAdamWWithItsWays) {
  const Tensor p = input("p", "n"), g = input("g", "n"), m = input("m", "n"), v = input("v", "n");
  const Tensor lr = input("lr"), beta1 = input("beta1"), beta2 = input("beta2"), eps = input("eps");
  const Tensor decay = input("decay"), c1 = input("c1"), c2 = input("c2");
  const Tensor m1 = named("m1", beta1 * m + (1 - beta1) * g, {m + (1 - beta1) * (g - m)});
  const Tensor v1 = named("v1", beta2 * v + (1 - beta2) * power(g, 2));
  const Tensor q = named("q", p - lr * (m1 / c1 / (sqrt(v1 / c2) + eps) + decay * p),
                         {p * (1 - lr * decay) - lr / c1 * (m1 / (sqrt(v1) / sqrt(c2) + eps))});
  expect_shipped(formula("adamw", {p, g, m, v, lr, beta1, beta2, eps, decay, c1, c2}, "n", q), "adamw");
}

TEST(InCpp, GeluWithItsExactNumbers) {
  const Tensor x = input("x", "n");
  const Tensor u = named("u", sqrt(2 / pi()) * (x + 0.044715 * power(x, 3)));
  const Tensor t = named("t", tanh(u));
  const Tensor y = named("y", 0.5 * x * (1 + t), {x * sigmoid(2 * u)});
  expect_shipped(formula("gelu", {x}, "n", y), "gelu");
}

TEST(InCpp, RotationsWithSlicesAndStacks) {
  const Tensor x = input("x", {"t", "h", "c=2"}), cs = input("cs", {"t", "h"}), sn = input("sn", {"t", "h"});
  const Tensor x0 = named("x0", at(x, {":", ":", "0"}));
  const Tensor x1 = named("x1", at(x, {":", ":", "1"}));
  const Tensor y = named("y", stack(x0 * cs - x1 * sn, x0 * sn + x1 * cs, "c"));
  expect_shipped(formula("rope", {x, cs, sn}, {"t", "h", "c"}, y), "rope");
}

TEST(InCpp, AConvolutionWithLengthsOfItsResult) {
  const Tensor x = input("x", {"b", "ci", "h", "w"}), k = input("k", {"co", "ci", "r", "s"});
  const Tensor y = named("y", sum(at(x, {":", ":", "i + r", "j + s"}) * k, {"ci", "r", "s"}));
  expect_shipped(formula("conv2d", {x, k}, {"b", "co", "i = #h - #r + 1", "j = #w - #s + 1"}, y), "conv2d");
}

TEST(InCpp, ACrossEntropyWithIntegersAndAWay) {
  const Tensor x = input("x", {"r", "n"}), label = indices("label", "r", "n");
  const Tensor z = named("z", x - max(x, "n"));
  const Tensor l = named("l", logsumexp(x, "n") - pick(x, label), {logsumexp(z, "n") - pick(z, label)});
  expect_shipped(formula("cross_entropy", {x, label}, "r", l), "cross_entropy");
}

TEST(InCpp, ScatteredRowsAndSigns) {
  const Tensor dy = input("dy", {"t", "d"}), like = input("like", "v"), token = indices("token", "t", "v or -1");
  expect_shipped(formula("embedding_backward", {dy, like, token}, {"v", "d"}, named("dw", sum(spread(dy, token), "t"))),
                 "embedding_backward");
  const Tensor x = input("x", "n");
  expect_shipped(formula("sign_of", {x}, "n", named("y", sign(x))), "sign_of");
}

TEST(InCpp, RandomWordsAndMasksOfIntegers) {
  const Tensor p = input("p", "n"), g = input("g", "n"), v = input("v", "n");
  const Tensor lr = input("lr"), mu = input("mu"), decay = input("decay"), word = indices("word", "n", "w = 65536");
  const Tensor t = named("t", mu * v + named("d", g + decay * p));
  const Tensor q = named("q", stochastic(named("s", p - lr * t), word, "bf16"));
  expect_shipped(formula("sgd_momentum_stochastic", {p, g, v, lr, mu, decay, word}, "n", q), "sgd_momentum_stochastic");
  const Tensor rows = input("q", {"b", "n", "d"}), k = input("k", {"b", "m", "d"}), x = input("v", {"b", "m", "e"});
  const Tensor last = indices("last", "b", "m"), scale = input("scale");
  const IndexMask held{"held", "m <= last"};
  const Tensor s = named("s", scale * sum(rows * k, "d"));
  const Tensor weights = named("p", softmax(s, "m", held));
  const Tensor o = named("o", sum(weights * where(held, x, 0), "m"));
  expect_shipped(formula("attention_ragged", {rows, k, x, last, scale}, {"b", "n", "e"}, o), "attention_ragged");
}

TEST(InCpp, DefinitionsStandInTheOrderInWhichTheyWereMade) {
  const Tensor x = input("x");
  const Tensor t = named("t", x * x);
  const Tensor s = named("s", x + 1);
  EXPECT_EQ(text_of("f", {x}, {}, named("y", s * t)), "f(x) -> y\n  t = x * x\n  s = x + 1\n  y = s * t\n");
}

TEST(InCpp, OperandsOfALowerRankStandInParentheses) {
  const Tensor x = input("x"), y = input("y");
  const auto text = [&](const Tensor& of) { return text_of("f", {x, y}, {}, named("z", of)); };
  EXPECT_THAT(text(x - (y - x)), HasSubstr("z = x - (y - x)\n"));
  EXPECT_THAT(text(x - y - x), HasSubstr("z = x - y - x\n"));
  EXPECT_THAT(text(x / (y * x)), HasSubstr("z = x / (y * x)\n"));
  EXPECT_THAT(text(-(x + y)), HasSubstr("z = -(x + y)\n"));
  EXPECT_THAT(text(power(-x, 2)), HasSubstr("z = (-x)^2\n"));
  EXPECT_THAT(text(x * -3), HasSubstr("z = x * -3\n"));
  EXPECT_THAT(text(max(x, 0) + 1e-5), HasSubstr("z = max(x, 0) + 0.00001\n"));
}

TEST(InCpp, WhatIsNoFormulaIsRefusedInALine) {
  const Tensor x = input("x", "n");
  const auto error = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const FormulaError& each) {
      return each.what();
    }
    return "no error";
  };
  EXPECT_EQ(error([&] { formula("f", {x + 1}, "n", named("y", x)); }),
            "f: x + 1 is no parameter; input() and indices() make one");
  EXPECT_EQ(error([&] { formula("f", {x}, "n", x * x); }), "f: the result x * x is no definition; named() makes one");
  EXPECT_EQ(error([&] { formula("f", {x}, "n", named("y", sum(x, "m"))); }), "f:2:19: no axis m");
}

}  // namespace
}  // namespace assay::formulas
