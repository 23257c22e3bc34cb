// Rows of logits with infinities and NaN: which entries have a bound, and which are judged by their kind.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::formulas {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string weighted = "f(x[n], v[n]) -> z\n  p = softmax(x, axis=n)\n  z = sum(p * v, axis=n)\n";

std::uint64_t word(double x) {
  const oracle::Format& format = oracle::binary32;
  if (std::isnan(x)) return format.nan();
  if (std::isinf(x)) return format.infinity() | (x < 0 ? format.sign_mask() : 0);
  return oracle::round(oracle::exact(x), format, oracle::Rounding::nearest);
}

/// The result of a formula of rows of binary32, and its bounds.
struct Row {
  Row(const std::string& text, const std::vector<std::vector<double>>& inputs)
      : typed(formulas::typed(std::make_shared<const Formula>(parse(text, "t")), "f32")),
        machines(ladder(*typed.formula, oracle::binary32)),
        truth(typed, case_of(inputs), machines) {}

  static Case case_of(const std::vector<std::vector<double>>& inputs) {
    Case c{{static_cast<std::int64_t>(inputs[0].size())}, {}};
    for (const std::vector<double>& numbers : inputs) {
      c.words.emplace_back();
      for (const double x : numbers) c.words.back().push_back(word(x));
    }
    return c;
  }
  bool keeps(double got, std::size_t entry, std::size_t machine) const {
    const Judgement judgement = judge_machine(word(got), truth.exact()[entry], truth.bound(machine, entry),
                                              machines[machine], typed.result, entry);
    return judgement.verdict == Verdict::holds;
  }

  Typed typed;
  std::vector<Machine> machines;
  Truth truth;
};

TEST(Exceptional, BesidePlusInfinityAWeightMayBeZero) {
  const Row weights("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {{inf, 3, -inf}});
  EXPECT_EQ(weights.truth.kinds(0), not_a_number);
  EXPECT_EQ(weights.truth.kinds(1), not_a_number | zero);
  EXPECT_EQ(weights.truth.kinds(2), not_a_number | zero);
  const Row sum(weighted, {{inf, 3}, {1, 2}});
  EXPECT_EQ(sum.truth.kinds(0), not_a_number) << "a sum with the weight of +inf";
  const Row with_nan("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {{inf, 3, nan}});
  EXPECT_EQ(with_nan.truth.kinds(1), not_a_number);
}

TEST(Exceptional, ALogitOfMinusInfinityCountsAsMasked) {
  const Row row(weighted, {{0.5, -inf, 1, -inf}, {1, 70, 2, -9}});
  ASSERT_TRUE(row.truth.is_number(0));
  const double p = 1 / (1 + std::exp(0.5));
  const double z = p * 1 + (1 - p) * 2;
  for (std::size_t m = 0; m < row.machines.size(); ++m) {
    EXPECT_TRUE(row.keeps(z, 0, m)) << row.machines[m].name;
    EXPECT_FALSE(row.keeps(2 * z, 0, m)) << row.machines[m].name;
    EXPECT_FALSE(row.keeps(z * (1 + 0x1p-16), 0, m)) << row.machines[m].name;
  }
}

/// In f16 a·b may be 0, and 0·∞ is NaN: also where the machine of an author, which comes last, computes in f32 alone.
TEST(Exceptional, KindsAreThoseOfEveryMachineOfAnAuthorsLadder) {
  const std::string text = "f(x[n], a, b) -> y[n]\n  p = a * b\n  y = x * p\nmachine mine\n  sum tree\n";
  const Typed typed = formulas::typed(std::make_shared<const Formula>(parse(text, "t")), "f16");
  const auto number = [](double x) {
    return oracle::round(oracle::exact(x), oracle::binary16, oracle::Rounding::nearest);
  };
  const Case c{{1}, {{oracle::binary16.infinity()}, {number(1e-4)}, {number(1e-4)}}};
  const Truth truth(typed, c, ladder(*typed.formula, oracle::binary16));
  EXPECT_NE(truth.kinds(0) & not_a_number, 0);
  EXPECT_NE(truth.kinds(0) & plus_infinity, 0);
}

TEST(Exceptional, OtherNumbersOfARowWithMinusInfinityHaveABound) {
  const Row weights("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n", {{-inf, 3, 3}});
  EXPECT_TRUE(weights.keeps(0, 0, 0));
  EXPECT_FALSE(weights.keeps(0x1p-40, 0, 0));
  EXPECT_TRUE(weights.keeps(0.5, 1, 0));
  EXPECT_FALSE(weights.keeps(0.25, 1, 0));
  const Row logarithms("f(x[n]) -> y[n]\n  y = x - logsumexp(x, axis=n)\n", {{-inf, 3, 3}});
  EXPECT_FALSE(logarithms.truth.is_number(0));
  EXPECT_EQ(logarithms.truth.kinds(0), minus_infinity);
  EXPECT_TRUE(logarithms.keeps(-std::log(2), 1, 0));
  EXPECT_FALSE(logarithms.keeps(-1, 1, 0));
}

/// A right number is kept on all machines; twice as much, and a little more, is refused by all.
void expect_bound(const Row& row, double right, std::size_t entry) {
  ASSERT_TRUE(row.truth.is_number(entry));
  for (std::size_t m = 0; m < row.machines.size(); ++m) {
    EXPECT_TRUE(row.keeps(right, entry, m)) << row.machines[m].name;
    EXPECT_FALSE(row.keeps(2 * right, entry, m)) << row.machines[m].name;
    EXPECT_FALSE(row.keeps(right * (1 + 0x1p-12), entry, m)) << row.machines[m].name;
  }
}

TEST(Exceptional, AMaximumOfNumbersAndMinusInfinityIsThatOfTheNumbers) {
  const std::string log_softmax =
      "f(x[n]) -> y[n]\n  y = x - logsumexp(x, axis=n)\n  z = x - max(x, axis=n)\n"
      "  way y = z - logsumexp(z, axis=n)\n";
  const Row row(log_softmax, {{-5, -inf, -3, -inf}});
  const double of_sum = std::log(std::exp(-5) + std::exp(-3));
  expect_bound(row, -5 - of_sum, 0);
  expect_bound(row, -3 - of_sum, 2);
  EXPECT_FALSE(row.truth.is_number(1));
  EXPECT_EQ(row.truth.kinds(1), minus_infinity);
  const Row maximum("f(x[n]) -> y\n  y = max(x, axis=n) - logsumexp(x, axis=n)\n", {{-inf, -5, -3}});
  expect_bound(maximum, -3 - of_sum, 0);
  EXPECT_FALSE(Row(log_softmax, {{-5, -inf, -3, inf}}).truth.is_number(0));
  EXPECT_FALSE(Row(log_softmax, {{-inf, -inf}}).truth.is_number(0));
}

TEST(Exceptional, TheLossOfALabelBesideAMaskHasABound) {
  const Typed typed = formulas::typed(std::make_shared<const Formula>(formula_named("cross_entropy")), "f32");
  const std::vector<Machine> machines = ladder(*typed.formula, oracle::binary32);
  const Case c{{2, 3}, {{word(-5), word(-inf), word(-3), word(-inf), word(1), word(2)}, {0, 0}}};
  const Truth truth(typed, c, machines);
  const double right = std::log(std::exp(-5) + std::exp(-3)) + 5;
  ASSERT_TRUE(truth.is_number(0));
  for (std::size_t m = 0; m < machines.size(); ++m) {
    const auto keeps = [&](double got) {
      return judge_machine(word(got), truth.exact()[0], truth.bound(m, 0), machines[m], typed.result, 0).verdict ==
             Verdict::holds;
    };
    EXPECT_TRUE(keeps(right)) << machines[m].name;
    EXPECT_FALSE(keeps(2 * right)) << machines[m].name;
    EXPECT_FALSE(keeps(right * (1 + 0x1p-16))) << machines[m].name;
  }
  EXPECT_FALSE(truth.is_number(1));
  EXPECT_EQ(truth.kinds(1), plus_infinity) << "a masked label";
}

TEST(Exceptional, AGradientOfAttentionBesideAMaskedKeyHasABound) {
  // The scores of the second key are -inf. With one number in each axis p = (1, 0) for the first key.
  const Typed typed = formulas::typed(std::make_shared<const Formula>(formula_named("attention_backward_v")), "f32");
  const std::vector<Machine> machines = ladder(*typed.formula, oracle::binary32);
  // q[1,1], k[3,1], do[1,1], scale: one query sees three keys.
  const Case c{{1, 1, 3, 1}, {{word(1)}, {word(0.5), word(-inf), word(1)}, {word(3)}, {word(1)}}};
  ASSERT_TRUE(contains(typed, c));
  const Truth truth(typed, c, machines);
  const double p = 1 / (1 + std::exp(0.5));
  const std::vector<double> right{3 * p, 0, 3 * (1 - p)};
  for (std::size_t m = 0; m < machines.size(); ++m) {
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_TRUE(truth.is_number(i));
      const auto keeps = [&](double got) {
        return judge_machine(word(got), truth.exact()[i], truth.bound(m, i), machines[m], typed.result, i).verdict ==
               Verdict::holds;
      };
      EXPECT_TRUE(keeps(right[i])) << machines[m].name;
      EXPECT_FALSE(keeps(2 * right[i] + 0x1p-40)) << machines[m].name;
    }
  }
}

TEST(Exceptional, ARowThatMayHaveNoNumberMayBeNaN) {
  // q.k[0] = 0 - inf and q.k[1] = 0.0125 - inf, whose first product is not known to be finite without its value.
  const Typed typed = formulas::typed(std::make_shared<const Formula>(formula_named("attention_backward_v")), "f32");
  const std::vector<Machine> machines = ladder(*typed.formula, oracle::binary32);
  const Case c{{1, 2, 2, 1},
               {{word(0.5), word(-inf)}, {word(0), word(0.75), word(0.025), word(0.125)}, {word(1)}, {word(1)}}};
  const Truth truth(typed, c, machines);
  EXPECT_FALSE(truth.is_number(0));
  EXPECT_NE(truth.kinds(0) & not_a_number, 0U);
  EXPECT_NE(truth.kinds(0) & zero, 0U);
}

TEST(Exceptional, RowsWithOtherSpecialNumbersAreJudgedByTheirKinds) {
  EXPECT_FALSE(Row(weighted, {{-inf, -inf}, {1, 2}}).truth.is_number(0));
  EXPECT_FALSE(Row(weighted, {{0, -inf, nan}, {1, 2, 3}}).truth.is_number(0));
  EXPECT_FALSE(Row(weighted, {{0, -inf, inf}, {1, 2, 3}}).truth.is_number(0));
  // A weight of 0 times an infinity is NaN.
  const Row of_infinity(weighted, {{0, -inf}, {1, inf}});
  EXPECT_FALSE(of_infinity.truth.is_number(0));
  EXPECT_EQ(of_infinity.truth.kinds(0), not_a_number);
}

TEST(Exceptional, AMinusInfinityThatIsUsedElsewhereToo) {
  const Row row("f(x[n], v[n]) -> y[n]\n  y = softmax(x, axis=n) + x\n", {{-inf, 1, 1}, {0, 0, 0}});
  EXPECT_FALSE(row.truth.is_number(0));
  EXPECT_EQ(row.truth.kinds(0), minus_infinity);
  EXPECT_TRUE(row.keeps(1.5, 1, 0));
}

TEST(Domains, AMaskOfMinusInfinityIsDrawnForAttention) {
  const Typed typed = formulas::typed(std::make_shared<const Formula>(formula_named("attention_bias")), "f32");
  ASSERT_EQ(typed.classes.back().name, "a mask of -inf");
  const std::vector<Machine> machines = ladder(*typed.formula, oracle::binary32);
  std::size_t masked = 0;
  std::size_t judged = 0;
  for (std::uint64_t n = 0; n < 20; ++n) {
    Draw draw(random_for(1, "mask", n));
    const Case c = draw_case(typed, typed.classes.size() - 1, draw);
    masked += std::ranges::count(c.words[3], word(-inf));
    const Truth truth(typed, c, machines);
    for (std::size_t i = 0; i < truth.exact().size(); ++i) judged += truth.is_number(i) ? 1 : 0;
  }
  EXPECT_GT(masked, 20U);
  EXPECT_GT(judged, 40U);
}

}  // namespace
}  // namespace assay::formulas
