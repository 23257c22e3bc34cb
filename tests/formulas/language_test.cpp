// The language: the formulas that it reads, and the messages about texts that are not formulas.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formulas/small.hpp"

namespace assay::formulas {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& text) {
  try {
    parse(text, "t");
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Language, AttentionHasTheNodesOfItsFourLines) {
  const Formula formula = parse(
      "attention(q[n,d], k[m,d], v[m,e], scale) -> o[n,e]\n  s = scale * (q @ k.T)\n  mask causal: m <= n + #m - #n\n"
      "  p = softmax(s, axis=m, mask=causal)\n  o = p @ v\n",
      "t");
  std::string ops;
  for (const Node& each : formula.nodes) ops += std::string(name_of(each.op)) + " ";
  EXPECT_EQ(ops, "input input input input gather dot mul logits norm softmax dot ");
  EXPECT_EQ(formula.result_axes(), (std::vector<std::size_t>{0, 3}));
}

TEST(Language, AnErrorNamesLineColumnWhatWasExpectedAndWhatWasFound) {
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  y = x +\n"),
            "t:2:10: expected a number, a name or \"(\"; found the end of the line");
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  y = x ]\n"), "t:2:9: expected the end of the line; found \"]\"");
  EXPECT_EQ(error_of("f(x[n) -> y[n]\n"), "t:1:6: expected \"]\"; found \")\"");
}

TEST(Language, TheLastLineNeedsNoEndOfItsOwn) {
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  y = x"), "no error");
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  y = x\nmachine own\n  sum any"), "no error");
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  y = x +"),
            "t:2:10: expected a number, a name or \"(\"; found the end of the line");
}

TEST(Language, AnUnknownNameIsRefusedAtItsPlace) {
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  y = x * z\n"), "t:2:11: nothing is named z before this place");
  EXPECT_THAT(error_of("f(x[n]) -> y[n]\n  y = foo(x)\n"), StartsWith("t:2:7: no function foo; there are: exp,"));
}

TEST(Language, AxesThatDoNotMeetInAProductAreRefused) {
  EXPECT_THAT(error_of("f(q[n,d], k[m,d]) -> y[n,m]\n  y = q @ k\n"),
              HasSubstr("@ adds along the last axis of the left side, d"));
}

TEST(Language, AResultWithOtherAxesThanTheFirstLineIsRefused) {
  EXPECT_THAT(error_of("f(x[n,m]) -> y[n]\n  y = x\n"), HasSubstr("the result y has the axes [n, m]"));
}

TEST(Language, AnAxisThatStandsTwiceIsRefused) {
  EXPECT_THAT(error_of("f(x[n,n]) -> y[n]\n"), HasSubstr("the axis n stands twice"));
  EXPECT_EQ(error_of("f(x[m,n]) -> y[m]\n  y = sum(x, axis=n, n)\n"), "t:2:22: sum along n twice");
}

TEST(Language, IntegersThatNameNoPlaceAreRefusedWhereTheyDoNotFit) {
  EXPECT_EQ(error_of("f(x[n], i[r]: index n or 100) -> y[r]\n  y = pick(x, i)\n"),
            "t:1:26: expected a negative integer, as in \"index n or -100\"; found \"100\"");
  EXPECT_EQ(error_of("f(x[n], i[r]: index n = 4) -> y[r]\n  y = pick(x, i)\n"),
            "t:1:21: the length of n is already known");
  EXPECT_EQ(error_of("f(i[r]: index n = 4, x[n]) -> y[r]\n  y = pick(x, i)\n"), "no error");
  EXPECT_EQ(error_of("f(x[n], i[r]: index n) -> y[r]\n  y = spread(x, i)\n"),
            "t:2:7: spread along an axis that the tensor has already");
  EXPECT_EQ(error_of("f(x[n], i[r]: index n) -> y[r]\n  y = spread(x, x)\n"),
            "t:2:17: spread needs a parameter \"y[n]: index m\"");
  EXPECT_EQ(error_of("f(x[r], i[r]: index n, like[n]) -> y[r]\n  y = pick(x, i)\n"),
            "t:2:7: pick along an axis that the tensor does not have");
  EXPECT_EQ(error_of("f(x[r], i[r]: index n or -1, like[n]) -> y[r]\n  y = pick(x, i)\n"), "no error");
}

TEST(Language, AnAxisOfALineHasItsLength) {
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  axis n = #n\n  y = x\n"), "t:2:8: the axis n is already there");
  const Formula gram =
      parse("f(x[m,n]) -> y\n  axis k = #m\n  a = sum(x * x[k, :], axis=n)\n  y = sum(a, axis=m, k)\n", "t");
  const std::vector<std::int64_t> lengths{3, 4};
  EXPECT_EQ(lengths_of_axes(gram, lengths), (std::vector<std::int64_t>{3, 4, 3}));
}

TEST(Language, ASumOfProductsIsADotProduct) {
  const Formula formula = parse("f(x[n], y[n]) -> s\n  s = sum(x * y)\n", "t");
  EXPECT_EQ(formula.nodes[formula.result].op, Op::dot);
}

TEST(Language, ALengthMakesAWindow) {
  const Small conv("f(x[h], k[r]) -> y[i = #h - #r + 1]\n  y = sum(x[i + r] * k, axis=r)\n", {4, 2},
                   {{1, 2, 3, 4}, {1, 10}});
  ASSERT_EQ(conv.shaped.size(conv.formula.result), 3U);
  EXPECT_EQ(conv.values[conv.formula.result][2].lower(), oracle::Dyadic(43));
}

TEST(Language, AMaskLeavesEntriesOut) {
  const Small masked("f(x[n,m]) -> y[n,m]\n  mask lower: m <= n\n  y = softmax(x, axis=m, mask=lower)\n", {2, 2},
                     {{1, 5, 0, 0}});
  const auto& p = masked.values[masked.formula.result];
  EXPECT_EQ(p[0].lower(), oracle::Dyadic(1));
  EXPECT_TRUE(p[1].lower().is_zero());
  EXPECT_EQ(p[2].lower(), oracle::Dyadic::scaled(1, -1));
}

TEST(Language, ADecimalIsTheNumberThatItSays) {
  const Small tenth("x = 0.1 * x", {}, {{1}});
  EXPECT_TRUE(tenth.values[tenth.formula.result][0].contains(oracle::Rational(1, oracle::Dyadic(10))));
  EXPECT_FALSE(tenth.values[tenth.formula.result][0].contains(oracle::exact(0.1)));
}

}  // namespace
}  // namespace assay::formulas
