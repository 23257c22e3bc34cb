// Machines, their order, and the ladder that follows from it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "properties/formulas/door/operation.hpp"
#include "properties/formulas/entries.hpp"
#include "tests/formulas/small.hpp"

namespace assay::formulas {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string attention =
    "attention(q[n,d], k[m,d], v[m,e], scale) -> o[n,e]\n  s = scale * (q @ k.T)\n  p = softmax(s, axis=m)\n  o = p @ "
    "v\n";

std::vector<std::string> names(const std::vector<Machine>& machines) {
  std::vector<std::string> all;
  for (const Machine& each : machines) all.push_back(each.name);
  return all;
}
const Machine& named(const std::vector<Machine>& machines, const std::string& name) {
  return *std::ranges::find(machines, name, &Machine::name);
}

TEST(Machines, ALadderHasARungForEachNamedNode) {
  const Formula formula = parse(attention, "t");
  EXPECT_THAT(names(ladder(formula, oracle::bfloat16)),
              ElementsAre("tree", "chains", "any_order", "fast", "unit", "stored_s", "stored_p", "stored", "narrow"));
  EXPECT_THAT(names(ladder(formula, oracle::binary64)), ElementsAre("tree", "chains", "any_order", "fast"));
}

TEST(Machines, OfAUserHaveNamesOfTheirOwn) {
  const auto with = [](const std::string& machines) {
    return ladder(parse(attention + machines, "t"), oracle::binary64);
  };
  EXPECT_EQ(names(with("machine mine\n  sum any\n")).back(), "mine");
  for (const std::string name : {"any_order", "faithful", "mine"}) {
    EXPECT_THAT([&] { with("machine mine\n  sum any\nmachine " + name + "\n  sum any\n"); },
                testing::ThrowsMessage<FormulaError>(
                    HasSubstr("machine " + name + ": another contract of the formula has this name")));
  }
}

TEST(Machines, StoredNodesAreNotOrderedAmongThemselves) {
  const std::vector<Machine> machines = ladder(parse(attention, "t"), oracle::bfloat16);
  EXPECT_TRUE(admits(named(machines, "stored"), named(machines, "stored_p")));
  EXPECT_FALSE(admits(named(machines, "stored_s"), named(machines, "stored_p")));
  EXPECT_FALSE(admits(named(machines, "stored_p"), named(machines, "stored_s")));
  EXPECT_TRUE(admits(named(machines, "narrow"), named(machines, "tree")));
}

TEST(Machines, AWeakerMachineHasALargerBoundOnEveryEntry) {
  std::vector<std::vector<double>> numbers(3);
  for (int i = 0; i < 12; ++i) numbers[0].push_back(0.25 * (i % 7) - 0.5);
  for (int i = 0; i < 16; ++i) numbers[1].push_back(0.125 * (i % 5) + 0.25);
  for (int i = 0; i < 8; ++i) numbers[2].push_back(1.5 - 0.25 * i);
  numbers.push_back({0.40625});
  const Small small(attention, {3, 4, 4, 2}, numbers, oracle::bfloat16);
  std::vector<Machine> machines = ladder(small.formula, oracle::bfloat16);
  machines.push_back(flushing_machine(small.formula, oracle::bfloat16));
  for (const Machine& strong : machines) {
    for (const Machine& weak : machines) {
      if (!admits(weak, strong)) continue;
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_LE(small.bound(strong, i), small.bound(weak, i) * (1 + 1e-7)) << strong.name << " " << weak.name;
        EXPECT_LE(small.by_mean(strong, i), small.by_mean(weak, i) * (1 + 1e-7)) << strong.name << " " << weak.name;
      }
    }
  }
}

TEST(Machines, AStoredNodeErrsByTheRoundingOfItsFormat) {
  const Small small("f(x[n], y[n]) -> r[n]\n  p = x + y\n  r = p + y\n", {1}, {{1}, {0x1p-20}}, oracle::bfloat16);
  Machine stored;
  stored.stored = {"p"};
  stored.store = oracle::bfloat16;
  EXPECT_NEAR(small.bound(stored), 0x1p-8, 1e-5);
  EXPECT_LT(small.bound(Machine{}), 0x1p-22);
}

TEST(Machines, AUnitErrsByItsFractionBits) {
  std::vector<double> x(8, 0x1.02p0);
  x[0] = 0x1.02p30;  // no grid holds both
  const Small small("f(x[n], y[n]) -> r\n  r = sum(x * y)\n", {8}, {x, x}, oracle::bfloat16);
  Machine unit;
  unit.has_unit = true;
  const double magnitudes = 0x1.02p30 * 0x1.02p30 + 7 * 0x1.02p0 * 0x1.02p0;
  EXPECT_NEAR(small.bound(unit) / magnitudes, 8 * 0x1p-23, 1e-12);
}

TEST(Machines, AUnitLosesProductsOfSubnormalFactorsOnAGrid) {
  const Small small("f(x[n], y[n]) -> r\n  r = sum(x * y)\n", {2}, {{0x1p-24, 0x1p-24}, {0x1p15, 0x1p-7}},
                    oracle::binary16);
  Machine unit;
  unit.has_unit = true;
  EXPECT_GE(small.bound(unit), 0x1p-31);
}

TEST(Machines, ADefinitionThatIsStoredMakesNoProductExact) {
  const Small small("f(a[k], b[k], c[k], d[k]) -> y\n  p = a + b\n  y = sum(p * c, axis=k) - sum(p * d, axis=k)\n", {1},
                    {{1}, {0x1p-22}, {1.25}, {1.25}}, oracle::binary16);
  Machine kept;
  kept.stored = {"p"};
  kept.store = oracle::binary16;
  EXPECT_GE(small.bound(kept), small.bound(Machine{}));
  EXPECT_GE(small.by_mean(kept), small.by_mean(Machine{}) * (1 - 1e-9));
}

TEST(Machines, AMachineOfTheFileIsTheLastRung) {
  const Formula formula =
      parse(attention + "machine mine\n  wide f32 ; sum any ; functions 3 ulp ; store p, s bf16\n", "t");
  const Machine mine = ladder(formula, oracle::bfloat16).back();
  EXPECT_EQ(mine.name, "mine");
  EXPECT_EQ(mine.functions, 3U);
  EXPECT_THAT(mine.stored, ElementsAre("p", "s"));
}

TEST(Machines, TheOneThatFlushesIsTheUsualOneAndIsAskedByItsName) {
  for (const oracle::Format& format : {oracle::binary32, oracle::bfloat16}) {
    const Formula formula = parse(attention, "t");
    const Machine ftz = flushing_machine(formula, format);
    EXPECT_TRUE(ftz.flushes);
    EXPECT_THAT(names(ladder(formula, format)), testing::Not(testing::Contains("ftz")));
    EXPECT_EQ(names(machines_beside("ftz", formula, format)), std::vector<std::string>{"ftz"});
    for (const Machine& each : ladder(formula, format)) {
      EXPECT_EQ(admits(ftz, each), each.name != "narrow") << each.name;
      EXPECT_FALSE(admits(each, ftz)) << each.name;
    }
  }
  const Operation operation = operation_of(std::make_shared<const Formula>(parse(attention, "t")), {});
  EXPECT_FALSE(operation.find("ftz")->is_rung);
  EXPECT_THAT(operation.find("fast")->implies, testing::Contains("ftz"));
}

TEST(Machines, OfAUserMayFlush) {
  const Formula formula = parse(attention + "machine mine\n  sum tree ; ftz\n", "t");
  EXPECT_TRUE(ladder(formula, oracle::binary32).back().flushes);
  EXPECT_EQ(flushing_machine(formula, oracle::binary32).order, Order::tree);
}

TEST(Machines, ASettingThatIsNotKnownIsRefused) {
  const Formula formula = parse(attention + "machine mine\n  sun any\n", "t");
  try {
    ladder(formula, oracle::bfloat16);
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_THAT(error.what(), HasSubstr("machine mine, line 6: no setting sun; there are: wide, sum,"));
  }
}

TEST(Machines, ADefinitionThatTheFormulaDoesNotHaveIsNotStored) {
  const Formula formula = parse("f(x[n]) -> s\n  z = x^2\n  s = sum(z, axis=n)\nmachine mine\n  store zz bf16\n", "t");
  try {
    ladder(formula, oracle::binary32);
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_STREQ(error.what(), "machine mine, line 5: store: no definition zz; there are: all, z, s");
  }
}

TEST(Machines, AWayIsAGraphOfItsOwn) {
  const Formula formula =
      parse("f(x[n]) -> s\n  m = mean(x, axis=n)\n  s = sum((x - m)^2, axis=n)\n  way s = sum(x^2) - #n * m^2\n", "t");
  ASSERT_EQ(formula.ways.size(), 1U);
  EXPECT_EQ(formula.ways[0].first, "way_s");
  EXPECT_EQ(formula.ways[0].second.nodes[formula.ways[0].second.result].op, Op::sub);
  EXPECT_TRUE(ladder(formula, oracle::binary32).back().has_ways);
}

TEST(Machines, ThreadsGiveTheSameValuesAndBounds) {
  std::vector<double> numbers;
  for (int i = 0; i < 128 * 128; ++i) numbers.push_back(std::sin(i));
  const auto of = [&](unsigned threads) {
    const Threads scope(threads);
    const Small small("f(a[m,k], b[k,n]) -> p[m,n]\n  c = a @ b\n  p = softmax(c, axis=n) * c\n", {128, 128, 128},
                      {numbers, numbers});
    const Errors errors = small.errors(ladder(small.formula, oracle::binary32).back());
    std::vector<std::pair<std::string, double>> all;
    for (std::size_t i = 0; i < 128; ++i) {
      all.emplace_back(to_string(small.values[small.formula.result][i], 20),
                       errors.total[small.formula.result][i].to_double());
    }
    return all;
  };
  EXPECT_EQ(of(1), of(5));
}

}  // namespace
}  // namespace assay::formulas
