// Numbers that a random word rounds, and masks that integer inputs decide: formula.stochastic.1.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "errorbounds/neighbors.hpp"
#include "properties/formulas/door/operation.hpp"
#include "tests/formulas/rules.hpp"

namespace assay::formulas {
namespace {

double rounded(double x, std::int64_t word, const std::string& format = "bf16", std::int64_t words = 65536) {
  const std::string text =
      "f(x, word: index w = " + std::to_string(words) + ") -> q\n  q = stochastic(x, word, " + format + ")\n";
  const Small small(text, {}, {{x}, {static_cast<double>(word)}});
  expect_bound(small, machine(), 0);
  const oracle::Ball& value = small.values[small.formula.result][0];
  return value.is_finite() ? value.lower().to_double_nearest() : INFINITY;
}

TEST(Stochastic, TheWordIsAddedToTheBitsThatAreDropped) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> patterns{0,          1,          0xffff,     0x10000,    0x7fffff,   0x800000,
                                      0x3f800000, 0x3f800001, 0x3f7fffff, 0x3f80ffff, 0x40490fdb, 0x7f7f0000};
  for (int k = 0; k < 300; ++k) patterns.push_back(static_cast<std::uint32_t>(random()) % 0x7f7f0000);
  for (const std::uint32_t pattern : patterns) {
    for (const std::uint32_t word :
         {0U, 1U, 0x7fffU, 0x8000U, 0xffffU, static_cast<std::uint32_t>(random() & 0xffff)}) {
      const double want = std::bit_cast<float>((pattern + word) & 0xffff0000U);
      const double x = std::bit_cast<float>(pattern);
      EXPECT_EQ(rounded(x, word), want) << x << ", " << word;
      EXPECT_EQ(rounded(-x, word), -want) << -x << ", " << word;
    }
  }
}

TEST(Stochastic, AWordOfFewBitsHasFewerPlacesToStep) {
  EXPECT_EQ(rounded(1 + 0x1p-9, 1, "bf16", 4), 1);
  EXPECT_EQ(rounded(1 + 0x1p-9, 3, "bf16", 4), 1 + 0x1p-7);
  EXPECT_EQ(rounded(1 + 0x1.8p-11, 0, "f16", 2), 1);
  EXPECT_EQ(rounded(1 + 0x1.8p-11, 1, "f16", 2), 1 + 0x1p-10);
}

TEST(Stochastic, NothingIsSaidWhereItOverflows) {
  EXPECT_EQ(rounded(0x1.ffp127, 0), 0x1.fep127);
  EXPECT_TRUE(std::isinf(
      Small("f(x, word: index w = 65536) -> q\n  q = stochastic(x, word, bf16)\n", {}, {{0x1.ffp127}, {65535}})
          .bound(machine())));
}

TEST(Stochastic, AnErrorCountsOnlyWhereTheStepIsWithinIt) {
  const std::string sum = "f(x, y, word: index w = 65536) -> q\n  q = stochastic(x + y, word, bf16)\n";
  const auto bound = [&](double x, double y, double word) {
    const Small small(sum, {}, {{x}, {y}, {word}});
    EXPECT_NEAR(small.by_mean(machine()), small.bound(machine()), 0x1p-30);
    return std::round(small.bound(machine()) * 0x1p20) / 0x1p20;  // bounds are rounded up
  };
  EXPECT_EQ(bound(1, 0x1p-30, 0), 0x1p-8);  // 1 - u would be rounded to the number below 1
  EXPECT_EQ(bound(1, 0x1p-30, 1), 0);
  EXPECT_EQ(bound(1, 0x1p-9, 0x8000), 0);  // an exact sum
  EXPECT_EQ(bound(1, 0x1p-9 + 0x1p-30, 0xc000), 0x1p-7);
  EXPECT_EQ(bound(1, 0x1p-9 + 0x1p-30, 0xbffe), 0);
}

TEST(Stochastic, ANumberBesideAnInfinityMayOverflowInTheNarrowFormat) {
  const std::string text = "f(x, y, word: index w = 65536) -> q\n  q = stochastic(max(x, y), word, f16)\n";
  const Typed of_text = typed(std::make_shared<const Formula>(parse(text, "t")), "f32:f16");
  const std::vector<Machine> machines = ladder(*of_text.formula, oracle::binary32);
  const auto kinds = [&](float y) {
    const std::uint64_t infinity = std::bit_cast<std::uint32_t>(-INFINITY);
    return Truth(of_text, {{}, {{infinity}, {std::bit_cast<std::uint32_t>(y)}, {65535}}}, machines).kinds(0);
  };
  EXPECT_EQ(kinds(1e6F) & (infinite | not_a_number), plus_infinity);
  EXPECT_EQ(kinds(-1e6F) & (infinite | not_a_number), minus_infinity);
  EXPECT_EQ(kinds(0) & (infinite | not_a_number), 0U);
}

TEST(Stochastic, AWordIsNoIgnoredInteger) {
  EXPECT_THAT([] { parse("f(x, word: index w = 4 or -1) -> q\n  q = stochastic(x, word, bf16)\n", "t"); },
              testing::ThrowsMessage<FormulaError>(testing::HasSubstr("t:2:7: each number has a random word")));
}

TEST(Stochastic, WordsNeedANumberOfBits) {
  const std::string formula = ") -> q[n]\n  q = stochastic(x, word, bf16)\n";
  for (const char* const length : {"w", "w = 1", "w = 48", "w = 2*#n"}) {
    EXPECT_THROW(parse("f(x[n], word[n]: index " + std::string(length) + formula, "t"), FormulaError) << length;
  }
  EXPECT_THROW(parse("f(x[n], word[n]: index w = 4) -> q[n]\n  q = stochastic(x, word, f8)\n", "t"), FormulaError);
  EXPECT_THROW(parse("f(x[n], word[n]: index w = 4) -> q[n]\n  q = stochastic(x, word)\n", "t"), FormulaError);
}

TEST(Neighbors, OfANumberBetweenThemAreBothRightAndOfOneOfTheFormatItAlone) {
  const auto holds = [](std::uint64_t got, const oracle::Dyadic& truth, const oracle::Dyadic& bound = {}) {
    const Judgement judgement = judge_neighbor(got, truth, Bound{bound}, oracle::binary16);
    const Judgement negated = judge_neighbor(got ^ 0x8000U, -truth, Bound{bound}, oracle::binary16);
    EXPECT_EQ(judgement.verdict, negated.verdict) << got;
    return judgement.verdict == Verdict::holds;
  };
  const oracle::Dyadic one(1);
  const oracle::Dyadic gap = oracle::Dyadic::scaled(1, -10);
  constexpr std::uint64_t at = 0x3c00;  // 1
  for (const double part : {0x1p-20, 0.25, 0.5, 1 - 0x1p-20}) {
    const oracle::Dyadic between = one + gap * oracle::exact(part);
    EXPECT_TRUE(holds(at, between) && holds(at + 1, between)) << part;
    EXPECT_FALSE(holds(at - 1, between) || holds(at + 2, between)) << part;
  }
  EXPECT_TRUE(holds(at, one));
  EXPECT_FALSE(holds(at + 1, one) || holds(at - 1, one));
  EXPECT_TRUE(holds(at + 1, one, oracle::Dyadic::scaled(1, -40)));
  EXPECT_TRUE(holds(at + 2, one, gap * oracle::exact(1.25)));
  EXPECT_FALSE(holds(at + 2, one, gap * oracle::exact(0.75)));
  const oracle::Dyadic smallest = oracle::Dyadic::scaled(1, -24);
  EXPECT_TRUE(holds(0, smallest * oracle::exact(0.75)) && holds(1, smallest * oracle::exact(0.75)));
  EXPECT_TRUE(holds(0x8000, smallest * oracle::exact(0.75)));
  EXPECT_FALSE(holds(0x8001, smallest * oracle::exact(0.75)) || holds(1, {}));
  EXPECT_TRUE(holds(0x7bff, 65505) && holds(0x7c00, 65505) && holds(0x7c00, 1000000));
  EXPECT_FALSE(holds(0x7c00, 65504) || holds(0x7bff, 65536) || holds(0x7e00, 1));
}

TEST(Neighbors, AreAdmittedByAMachineThatSaysSo) {
  const Formula formula = parse("f(x[n], y[n]) -> z[n]\n  z = x + y\nmachine drawn\n  sum any ; stochastic\n", "t");
  const std::vector<Machine> machines = ladder(formula, oracle::binary16);
  const auto verdict = [&](const std::string& name) {
    const Machine& machine = *std::ranges::find(machines, name, &Machine::name);
    return judge_machine(0x3c01, oracle::Exact(oracle::exact(1 + 0x1p-20)), {}, machine, oracle::binary16, 0).verdict;
  };
  EXPECT_EQ(verdict("any_order"), Verdict::violated);
  EXPECT_EQ(verdict("drawn"), Verdict::holds);
}

TEST(Neighbors, AreNoOutputsOfAMachineThatComputesInTheFormatOfTheResult) {
  const Small small(
      "f(x[n], y[n]) -> z[n]\n  z = x + y\n"
      "machine a\n  sum any ; stochastic\nmachine b\n  sum any ; wide f16 ; stochastic\n",
      {1}, {{1}, {0x1p-10 - 0x1p-20}}, oracle::binary16);
  const std::vector<Machine> machines = ladder(small.formula, oracle::binary16);
  const Machine& a = machines[machines.size() - 2];
  const Machine& b = machines.back();
  const auto verdict = [&](const Machine& machine) {
    return judge_machine(0x3c00, oracle::Exact(oracle::exact(1 + 0x1p-10 - 0x1p-20)),
                         small.errors(machine).total[small.formula.result][0], machine, oracle::binary16, 0)
        .verdict;
  };
  EXPECT_EQ(verdict(a), Verdict::holds);
  EXPECT_EQ(verdict(b), Verdict::violated);
  EXPECT_FALSE(admits(b, a));
  EXPECT_TRUE(admits(a, a) && admits(b, b));
  EXPECT_THAT(describe(b), testing::HasSubstr("a result in another format rounded to either neighbor"));
}

TEST(Neighbors, OfATruthThatIsOnlyEnclosedAtAnEndAreJudgedByTheDistance) {
  const oracle::Exact end = oracle::Enclosure{
      [](long bits) { return oracle::Ball(oracle::exact(1 + 0x1p-10), oracle::Dyadic::scaled(1, -bits)); }};
  const auto verdict = [&](std::uint64_t got, const oracle::Dyadic& bound) {
    return judge_neighbor(got, end, Bound{bound}, oracle::binary16).verdict;
  };
  for (const std::uint64_t got : {0x3c00U, 0x3c02U}) {
    EXPECT_EQ(verdict(got, oracle::Dyadic::scaled(1, -40)), Verdict::holds);
    EXPECT_EQ(verdict(got, {}), Verdict::undecided);
  }
  EXPECT_EQ(verdict(0x3c01, {}), Verdict::holds);
  EXPECT_EQ(verdict(0x3c03, oracle::Dyadic::scaled(1, -40)), Verdict::violated);
}

TEST(MaskOfIntegers, EntriesTakePartAsTheIntegersSay) {
  const std::string text =
      "f(x[b,m], last[b]: index m) -> y[b]\n  mask held: m <= last\n  y = logsumexp(x, axis=m, mask=held)\n";
  const Small small(text, {2, 3}, {{0, 0, 50, 0, 0, 0}, {1, 2}});
  const Column<oracle::Ball>& y = small.values[small.formula.result];
  EXPECT_NEAR(y[0].lower().to_double_nearest(), std::log(2), 1e-15);
  EXPECT_NEAR(y[1].lower().to_double_nearest(), std::log(3), 1e-15);
}

TEST(MaskOfIntegers, ARowMayRunAlongTwoAxes) {
  const std::string text =
      "f(x[t,u], last: index t, tail: index u) -> y\n  mask held: 8*t + u <= 8*last + tail\n"
      "  y = logsumexp(x, axis=t, u, mask=held)\n";
  const auto count = [&](double last, double tail) {
    const Small small(text, {2, 3}, {std::vector<double>(6, 0.0), {last}, {tail}});
    return std::exp(small.values[small.formula.result][0].lower().to_double_nearest());
  };
  EXPECT_NEAR(count(0, 0), 1, 1e-14);
  EXPECT_NEAR(count(1, 0), 4, 1e-14);
  EXPECT_NEAR(count(1, 2), 6, 1e-14);
}

TEST(MaskOfIntegers, TheirNameIsNoneOfAnAxis) {
  const std::string line = "  mask held: m <= 3\n  y = logsumexp(x, axis=m, mask=held)\n";
  EXPECT_THAT(
      [&] { parse("f(x[m], m: index m) -> y\n" + line, "t"); },
      testing::ThrowsMessage<FormulaError>(testing::HasSubstr("t: m is the name of a parameter and of an axis")));
  EXPECT_THAT([&] { parse("f(x[m], last: index m) -> y\n  axis last = 4\n" + line, "t"); },
              testing::ThrowsMessage<FormulaError>(
                  testing::HasSubstr("t:2:8: last is the name of a parameter and of an axis")));
}

TEST(MaskOfIntegers, OnlyIntegersMayStandInIt) {
  EXPECT_THROW(parse("f(x[m], y[m]) -> z\n  mask held: m <= y\n  z = logsumexp(x, axis=m, mask=held)\n", "t"),
               FormulaError);
}

}  // namespace
}  // namespace assay::formulas
